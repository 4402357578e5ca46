// A Valued as PTX.

#define _POSIX_C_SOURCE 200809L

#include "test/fuzz/valued.h"

#include <stdlib.h>
#include <string.h>

static const char *const arithmetic_texts[] = {
#define ARITHMETIC(name, text, count, types) text,
#include "test/fuzz/valued.def"
};

static const unsigned arithmetic_counts[] = {
#define ARITHMETIC(name, text, count, types) count,
#include "test/fuzz/valued.def"
};

typedef struct Writer {
  FILE *out;
  bool is_callee;
} Writer;

// Literals of floating point: the f32 that each is, with 0d converted.
static const struct {
  const char *text;
  uint32_t bits;
} floats[FLOATS] = {
    {"0f3F800000", 0x3F800000},         {"0d3FF0000000000000", 0x3F800000},
    {"0d4000000000000000", 0x40000000}, {"0f00000007", 0x00000007},
    {"0d4010000000000001", 0x40800000}, {"0f00000010", 0x00000010},
    {"0dC000000000000000", 0xC0000000}, {"0f0000000c", 0x0000000c},
};

const char *valued_float_text(unsigned which) { return floats[which].text; }
uint32_t valued_float_bits(unsigned which) { return floats[which].bits; }

// ---------------------------------------------------------------- operands ---

static void write_slot(const Writer *writer, ValuedSlot slot) {
  static const char *const names[SIZES] = {"%h", "%r", "%d"};
  fprintf(writer->out, "%s%u", names[slot.size], slot.number);
}

static void write_binary(const Writer *writer, uint64_t number) {
  fputs("0b", writer->out);
  for (int bit = 63 - (number ? __builtin_clzll(number) : 63); bit >= 0; bit--)
    fputc('0' + (int)(number >> bit & 1), writer->out);
}

static void write_source(const Writer *writer, const Source *source) {
  unsigned long long number = source->number;
  if (!source->is_literal) {
    write_slot(writer, source->slot);
    return;
  }
  switch (source->spelling) {
  case SPELL_DECIMAL:
    fprintf(writer->out, (long long)number < 0 ? "%lld" : "%llu", number);
    break;
  case SPELL_HEX:
    fprintf(writer->out, "0x%llx", number);
    break;
  case SPELL_OCTAL:
    fprintf(writer->out, "0%llo", number);
    break;
  case SPELL_BINARY:
    write_binary(writer, number);
    break;
  }
}

static void write_sources(const Writer *writer, const Act *act,
                          unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    fputs(", ", writer->out);
    write_source(writer, &act->from[i]);
  }
}

// ---------------------------------------------------------------- accesses ---

static void write_values(const Writer *writer, const Act *act) {
  if (act->width == 1) {
    write_slot(writer, act->to);
    return;
  }
  for (unsigned i = 0; i < act->width; i++) {
    fputs(i ? ", " : "{", writer->out);
    write_slot(writer, (ValuedSlot){act->to.size, act->to.number + i});
  }
  fputc('}', writer->out);
}

static void write_access(const Writer *writer, const Act *act) {
  FILE *out = writer->out;
  bool is_load = act->kind == ACT_LOAD;
  fprintf(out, "%s%s", is_load ? "ld" : "st", act->is_generic ? "" : ".shared");
  if (act->width > 1)
    fprintf(out, ".v%u", act->width);
  fprintf(out, ".%c%u ", act->type, act->bits);
  if (is_load) {
    write_values(writer, act);
    fputs(", ", out);
  }
  fputc('[', out);
  write_source(writer, &act->from[0]);
  fprintf(out, "+%u]", act->offset);
  if (!is_load) {
    fputs(", ", out);
    write_values(writer, act);
  }
}

static const char *const place_names[PLACES] = {"first", "second", "result"};

static void write_cell(const Writer *writer, const Act *act) {
  if (writer->is_callee)
    fprintf(writer->out, "[%s+%u]", place_names[act->place], act->offset);
  else
    fprintf(writer->out, "[%s%u+%u]", place_names[act->place], act->number,
            act->offset);
}

static void write_parameter(const Writer *writer, const Act *act) {
  bool is_put = act->kind == ACT_PUT;
  fprintf(writer->out, "%s.param.%c%u ", is_put ? "st" : "ld", act->type,
          act->bits);
  if (is_put)
    write_cell(writer, act);
  else
    write_slot(writer, act->to);
  fputs(", ", writer->out);
  if (is_put)
    write_slot(writer, act->to);
  else
    write_cell(writer, act);
}

// ------------------------------------------------------------------- steps ---

static void write_compare(const Writer *writer, const Act *act) {
  static const char *const names[] = {"eq", "ne", "lt", "le", "gt", "ge"};
  static const char *const unsigned_names[] = {"eq", "ne", "lo",
                                               "ls", "hi", "hs"};
  static const char *const joints[] = {"", ".and", ".or", ".xor"};
  FILE *out = writer->out;
  bool is_short = act->type == 'u' && act->is_index;
  fprintf(out, "setp.%s%s.%c%u %%p%d",
          (is_short ? unsigned_names : names)[act->comparison],
          joints[act->joint], act->type, act->bits, act->result);
  if (act->other >= 0)
    fprintf(out, "|%%p%d", act->other);
  write_sources(writer, act, 2);
  if (act->joint != JOINT_NONE)
    fprintf(out, ", %s%%p%u", act->is_generic ? "!" : "", act->number);
}

static void write_barrier(const Writer *writer, const Act *act) {
  fputs(act->kind == ACT_SYNC ? "bar.sync " : "bar.arrive ", writer->out);
  write_source(writer, &act->from[0]);
  if (act->width > 1)
    write_sources(writer, &(Act){.from = {act->from[1]}}, 1);
}

static void write_address(const Writer *writer, const Act *act) {
  FILE *out = writer->out;
  fprintf(out, "mov.u%u ", size_bits(act->to.size));
  write_slot(writer, act->to);
  fprintf(out, ", v%u;\n", act->number);
  if (!act->is_generic)
    return;
  fputs("  cvta.shared.u64 ", out);
  write_slot(writer, act->to);
  fputs(", ", out);
  write_slot(writer, act->to);
  fputs(";\n", out);
}

// Of `mnemonic TYPE to, from..`
static void write_plain(const Writer *writer, const char *mnemonic,
                        const Act *act, unsigned count) {
  fprintf(writer->out, "%s.%c%u ", mnemonic, act->type, act->bits);
  write_slot(writer, act->to);
  write_sources(writer, act, count);
}

static void write_collective(const Writer *writer, const Act *act) {
  FILE *out = writer->out;
  if (act->kind == ACT_VOTE) {
    fputs("vote.sync.ballot.b32 ", out);
    write_slot(writer, act->to);
    fprintf(out, ", %%p%d, 0xffffffff", act->result);
    return;
  }
  fprintf(out, "shfl.sync.%s.b32 ", act->is_index ? "idx" : "bfly");
  write_slot(writer, act->to);
  fprintf(out, "|%%p%d", act->result);
  write_sources(writer, act, 2);
  fputs(", 0x1f, 0xffffffff", out);
}

static void write_call(const Writer *writer, const Act *act) {
  fprintf(writer->out, "call (result%u), callee%u, (first%u, second%u)",
          act->place, act->number, act->place, act->place);
}

static void write_convert(const Writer *writer, const Act *act) {
  fprintf(writer->out, "cvt.%c%u.%c%u ", act->type, act->bits, act->from_type,
          act->from_bits);
  write_slot(writer, act->to);
  write_sources(writer, act, 1);
}

static void write_special(const Writer *writer, const Act *act) {
  static const char *const names[] = {"%tid.x", "%laneid", "%ntid.x"};
  fputs("mov.u32 ", writer->out);
  write_slot(writer, act->to);
  fprintf(writer->out, ", %s", names[act->number]);
}

static void write_data(const Writer *writer, const Act *act) {
  fprintf(writer->out, "ld.global.%c%u ", act->type, act->bits);
  write_slot(writer, act->to);
  fprintf(writer->out, ", [%%data+%u]", act->offset);
}

static void write_argument(const Writer *writer, const Act *act) {
  fprintf(writer->out, "ld.param.%c%u ", act->type, act->bits);
  write_slot(writer, act->to);
  fprintf(writer->out, ", [%s]", act->number ? "small" : "wide");
}

static void write_to_shared(const Writer *writer, const Act *act) {
  fputs("cvta.to.shared.u64 ", writer->out);
  write_slot(writer, act->to);
  write_sources(writer, act, 1);
}

static void write_logic(const Writer *writer, const Act *act) {
  static const char *const joints[] = {"not", "and", "or", "xor"};
  fprintf(writer->out, "%s.pred %%p%d, %%p%d", joints[act->joint], act->result,
          act->result);
  if (act->joint != JOINT_NONE)
    fprintf(writer->out, ", %s%%p%d", act->is_generic ? "!" : "", act->other);
}

static void write_what(const Writer *writer, const Act *act) {
  FILE *out = writer->out;
  switch (act->kind) {
  case ACT_COMPUTE:
    write_plain(writer, arithmetic_texts[act->arithmetic], act,
                arithmetic_counts[act->arithmetic]);
    break;
  case ACT_CONVERT:
    write_convert(writer, act);
    break;
  case ACT_COMPARE:
    write_compare(writer, act);
    break;
  case ACT_SELECT:
    write_plain(writer, "selp", act, 2);
    fprintf(out, ", %%p%d", act->result);
    break;
  case ACT_LOGIC:
    write_logic(writer, act);
    break;
  case ACT_FLOAT:
    fputs("mov.f32 ", out);
    write_slot(writer, act->to);
    fprintf(out, ", %s", valued_float_text(act->number));
    break;
  case ACT_SPECIAL:
    write_special(writer, act);
    break;
  case ACT_TO_SHARED:
    write_to_shared(writer, act);
    break;
  case ACT_ARGUMENT:
    write_argument(writer, act);
    break;
  case ACT_DATA:
    write_data(writer, act);
    break;
  case ACT_LOAD:
  case ACT_STORE:
    write_access(writer, act);
    break;
  case ACT_PUT:
  case ACT_GET:
    write_parameter(writer, act);
    break;
  case ACT_CALL:
    write_call(writer, act);
    break;
  case ACT_BRANCH:
    fprintf(out, "bra L%u", act->number);
    break;
  case ACT_SYNC:
  case ACT_ARRIVE:
    write_barrier(writer, act);
    break;
  case ACT_WARP_SYNC:
    fputs("bar.warp.sync 0xffffffff", out);
    break;
  case ACT_SHUFFLE:
  case ACT_VOTE:
    write_collective(writer, act);
    break;
  case ACT_RETURN:
    fputs("ret", out);
    break;
  case ACT_ADDRESS:
  case ACT_LABEL:
    break;
  }
}

static void write_act(const Writer *writer, const Act *act) {
  FILE *out = writer->out;
  if (act->kind == ACT_LABEL) {
    fprintf(out, "L%u:\n", act->number);
    return;
  }
  fputs("  ", out);
  if (act->kind == ACT_ADDRESS) {
    write_address(writer, act);
    return;
  }
  if (act->guard >= 0)
    fprintf(out, "@%s%%p%d ", act->is_guard_negated ? "!" : "", act->guard);
  write_what(writer, act);
  fputs(";\n", out);
}

// --------------------------------------------------------------- functions ---

static void write_registers(FILE *out) {
  fprintf(out,
          "  .reg .b16 %%h<%d>;\n  .reg .b32 %%r<%d>;\n  .reg .b64 "
          "%%d<%d>;\n  .reg .pred %%p<%d>;\n",
          REGISTERS, REGISTERS, REGISTERS, PREDICATES);
}

static void write_body(const Writer *writer, const Acts *code) {
  for (size_t i = 0; i < code->count; i++)
    write_act(writer, &code->at[i]);
  fputs("}\n", writer->out);
}

static void write_callee(FILE *out, const Valued *valued, unsigned number) {
  Writer writer = {out, true};
  fprintf(out,
          ".func (.param .align 8 .b8 result[%d]) callee%u(.param .align 8 .b8 "
          "first[%d], .param .align 8 .b8 second[%d])\n{\n",
          PARAMETER_BYTES, number, PARAMETER_BYTES, PARAMETER_BYTES);
  write_registers(out);
  write_body(&writer, &valued->callees[number]);
}

static void write_kernel(FILE *out, const Valued *valued) {
  Writer writer = {out, false};
  fprintf(out,
          ".visible .entry valued(.param .u64 data, .param .u64 wide, .param "
          ".u32 small) .maxntid %u, 1, 1\n{\n",
          valued->warps * LANES);
  write_registers(out);
  fputs("  .reg .b64 %data;\n", out);
  for (unsigned i = 0; i < VARIABLES; i++)
    fprintf(out, "  .shared .align 16 .b8 v%u[%d];\n", i, VARIABLE_BYTES);
  for (unsigned i = 0; i < valued->call_count; i++)
    for (unsigned place = 0; place < PLACES; place++)
      fprintf(out, "  .param .align 8 .b8 %s%u[%d];\n", place_names[place], i,
              PARAMETER_BYTES);
  fputs("  ld.param.u64 %data, [data];\n  cvta.to.global.u64 %data, %data;\n",
        out);
  write_body(&writer, &valued->code);
}

char *valued_text(Arena *arena, const Valued *valued) {
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  fputs(".version 8.0\n.target sm_80\n.address_size 64\n", out);
  for (unsigned i = 0; i < valued->callee_count; i++)
    write_callee(out, valued, i);
  write_kernel(out, valued);
  fclose(out);
  char *copy = arena_alloc(arena, length + 1);
  memcpy(copy, text, length + 1);
  free(text);
  return copy;
}
