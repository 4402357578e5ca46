// What values.cu asks its host for, where that is a device.
//
// Memory is a slice of what the host has put into the head: as many slices as
// blocks can be resident, so one is always free.  A pair of places in the
// source is told once: a kernel that races does so in each of its threads.

#include "runtime/machine/copied.h"
#include "runtime/values/on_device.h"

#define HOSTS                                                                  \
  extern "C" __attribute__((device, used, noinline, visibility("hidden")))

typedef ValuesWord Word;
typedef ValuesLong Long;
typedef const __attribute__((address_space(3))) char SharedByte;

extern "C" {
__attribute__((device, used)) ValuesHead __gpuverify_values_head;
}

#define HEAD (&__gpuverify_values_head)

// The largest power of two of lines that fits.
static __attribute__((device)) Word lines_in(Long all, Long bytes,
                                             Long bytes_a_line) {
  Long lines = all > bytes ? (all - bytes) / bytes_a_line : 0;
  Word power = 1;
  while (2ull * power <= lines && power < 1u << 26)
    power *= 2;
  return power;
}

HOSTS void *__gpuverify_values_take(Long bytes, Long bytes_a_line,
                                    Word *lines) {
  Word *is_taken = (Word *)HEAD->is_taken;
  Word slice = __nvvm_read_ptx_sreg_smid() * HEAD->slices_a_processor %
               HEAD->slice_count;
  *lines = lines_in(HEAD->slice_bytes, bytes, bytes_a_line);
  while (__atomic_exchange_n(&is_taken[slice], 1, __ATOMIC_ACQ_REL))
    slice = (slice + 1) % HEAD->slice_count;
  return (void *)(HEAD->slices + slice * HEAD->slice_bytes);
}

HOSTS void __gpuverify_values_give(void *copies) {
  Word *is_taken = (Word *)HEAD->is_taken;
  Word slice = (Word)(((Long)copies - HEAD->slices) / HEAD->slice_bytes);
  __atomic_store_n(&is_taken[slice], 0, __ATOMIC_RELEASE);
}

HOSTS void *__gpuverify_values_log(Word *chunks) {
  *chunks = (Word)((HEAD->log_bytes - VALUES_LOG_BYTES) / VALUES_CHUNK_BYTES);
  return (void *)HEAD->log;
}

HOSTS void *__gpuverify_values_grid(Long bytes, Long bytes_a_line, Word *lines,
                                    int *pass) {
  *pass = (int)HEAD->pass;
  *lines = lines_in(HEAD->grid_bytes, bytes, bytes_a_line);
  return HEAD->pass ? (void *)HEAD->grid : nullptr;
}

// Of all generic addresses those of shared memory are one window.
HOSTS Long __gpuverify_values_shared(Word *lines) {
  static __attribute__((shared)) int any;
  *lines = HEAD->shared_lines;
  return (Long)&any - (Long)(SharedByte *)&any;
}

// Blocks share no copies.
HOSTS Word __gpuverify_values_group(Word block, Word *groups) {
  *groups = 0;
  return block;
}

// ------------------------------------------------------------------- end ---

extern "C" __attribute__((device)) void
__gpuverify_values_end_part(void *grid, Word part, Word number, Word all);

// By many blocks, since the last one alone would take long.
extern "C" __attribute__((global)) void __gpuverify_values_end(Word part) {
  Word number = __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() +
                __nvvm_read_ptx_sreg_tid_x();
  __gpuverify_values_end_part((void *)HEAD->grid, part, number,
                              __nvvm_read_ptx_sreg_nctaid_x() *
                                  __nvvm_read_ptx_sreg_ntid_x());
}

// --------------------------------------------------------------- reports ---

static __attribute__((device)) Word key_of(Word kind, Word place,
                                           Word other_place) {
  Long sites = (Long)(place >> VALUES_SITE_SHIFT) << 32 |
               other_place >> VALUES_SITE_SHIFT;
  Long hash = (sites * 8 + kind + 1) * 0x9e3779b97f4a7c15ull;
  return (Word)(hash >> 32) | 1;
}

static __attribute__((device)) bool was_told(Word key) {
  Word *seen = (Word *)HEAD->seen;
  for (Word i = key, end = key + VALUES_SEEN; i != end; i++) {
    Word found = 0, *at = &seen[i % VALUES_SEEN];
    if (__atomic_compare_exchange_n(at, &found, key, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED))
      return false;
    if (found == key)
      return true;
  }
  return true;
}

HOSTS void __gpuverify_values_tell(Word kind, const void *at, Word block,
                                   Word place, Word other_block,
                                   Word other_place) {
  if (was_told(key_of(kind, place, other_place))) {
    __atomic_fetch_add(&HEAD->dropped, 1, __ATOMIC_RELAXED);
    return;
  }
  Word number = __atomic_fetch_add(&HEAD->told, 1, __ATOMIC_RELAXED);
  if (number >= VALUES_REPORTS)
    return;
  ValuesReport *report = (ValuesReport *)HEAD->reports + number;
  bool is_shared = at && __nvvm_isspacep_shared(at);
  report->kind = kind;
  report->block = block;
  report->place = place;
  report->other_block = other_block;
  report->other_place = other_place;
  report->is_shared = is_shared;
  report->at = is_shared ? (Long)(SharedByte *)at : (Long)at;
  __nvvm_membar_sys();
  *(volatile Word *)&report->is_there = 1;
  __nvvm_membar_sys();
  if (kind == VALUES_DIVERGES)
    __builtin_trap();
}
