// What instructions of PTX compute, held against C.

#include "test/unit/ptx.h"
#include "test/unit/suite.h"

#include <string.h>

typedef uint64_t Reference(uint64_t a, uint64_t b, uint64_t c);

typedef struct Case {
  const char *opcode;
  unsigned result, a, b, c; // widths in bits; c 0: there is none
  const char *behind;       // more operands
  Reference *reference;
} Case;

static uint32_t low(uint64_t x) { return (uint32_t)x; }
static int32_t sign(uint64_t x) { return (int32_t)(uint32_t)x; }
static int64_t wide(uint64_t x) { return (int64_t)x; }

static uint64_t count_bits(uint64_t x) {
  uint64_t count = 0;
  for (; x; x >>= 1)
    count += x & 1;
  return count;
}

static uint64_t highest_bit(uint64_t x) {
  uint64_t at = UINT32_MAX;
  for (uint64_t i = 0; i < 64; i++)
    if (x >> i & 1)
      at = i;
  return at;
}

static uint64_t multiply_high(uint64_t a, uint64_t b) {
  uint64_t x = (a & UINT32_MAX) * (b & UINT32_MAX);
  uint64_t y = (a >> 32) * (b & UINT32_MAX) + (x >> 32);
  uint64_t z = (a & UINT32_MAX) * (b >> 32) + (y & UINT32_MAX);
  return (a >> 32) * (b >> 32) + (y >> 32) + (z >> 32);
}

static uint64_t clamp(int64_t x, int64_t least, int64_t most) {
  return (uint64_t)(x < least ? least : x > most ? most : x);
}

static uint64_t pick_bytes(uint64_t a, uint64_t b, uint64_t selector) {
  uint8_t bytes[8], out[4];
  for (unsigned i = 0; i < 4; i++) {
    bytes[i] = (uint8_t)(a >> (8 * i));
    bytes[4 + i] = (uint8_t)(b >> (8 * i));
  }
  uint32_t result = 0;
  for (unsigned i = 0; i < 4; i++) {
    unsigned choice = (unsigned)(selector >> (4 * i)) & 15;
    out[i] = bytes[choice & 7];
    if (choice & 8)
      out[i] = out[i] >= 128 ? 255 : 0;
    result |= (uint32_t)out[i] << (8 * i);
  }
  return result;
}

static uint64_t reversed(uint64_t x) {
  uint64_t y = 0;
  for (unsigned i = 0; i < 32; i++)
    y = y << 1 | (x >> i & 1);
  return y;
}

static uint64_t signed_field(uint64_t x, uint64_t from, uint64_t count) {
  if (count == 0)
    return 0;
  if (from >= 32)
    return sign(x) < 0 ? UINT32_MAX : 0;
  uint64_t unused = from + count < 32 ? 32 - from - count : 0;
  return low((uint64_t)(int64_t)(sign(x << unused) >> (unused + from)));
}

static uint64_t unsigned_field(uint64_t x, uint64_t from, uint64_t count) {
  from &= 255;
  count &= 255;
  if (from >= 32)
    return 0;
  x = low(x) >> from;
  return count >= 32 ? x : x & ((UINT64_C(1) << count) - 1);
}

static uint64_t inserted(uint64_t a, uint64_t b, uint64_t from) {
  from &= 255;
  for (unsigned i = 0; i < 9 && from + i < 32; i++)
    b = (b & ~(UINT64_C(1) << (from + i))) | (a >> i & 1) << (from + i);
  return b;
}

#define JOINED(a, b) a##b
#define NUMBERED(a, b) JOINED(a, b)
#define CASE(opcode, result, width, width2, width3, behind, expression)        \
  static uint64_t NUMBERED(reference_, __LINE__)(uint64_t a, uint64_t b,       \
                                                 uint64_t c) {                 \
    (void)a, (void)b, (void)c;                                                 \
    return (uint64_t)(expression);                                             \
  }
#include "test/unit/ptx_arithmetic.def"

static const Case cases[] = {
#define CASE(opcode, result, width, width2, width3, behind, expression)        \
  {opcode,                                                                     \
   result,                                                                     \
   width,                                                                      \
   width2,                                                                     \
   width3,                                                                     \
   behind,                                                                     \
   NUMBERED(reference_, __LINE__)},
#include "test/unit/ptx_arithmetic.def"
};

typedef struct Inputs {
  uint64_t at[3][32];
} Inputs;

static uint64_t next_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state >> 16 ^ *state << 29;
}

// Where something changes: ends of ranges, and shifts by the width.
static uint64_t edge(uint64_t number) {
  static const uint64_t edges[] = {0,          1,
                                   31,         32,
                                   33,         63,
                                   64,         65,
                                   255,        256,
                                   0x7fff,     0x8000,
                                   INT32_MAX,  UINT64_C(1) << 31,
                                   UINT32_MAX, UINT64_C(1) << 32,
                                   INT64_MAX,  UINT64_C(1) << 63,
                                   UINT64_MAX, UINT64_MAX - 1};
  return edges[number % (sizeof edges / sizeof *edges)];
}

// Lines, equal numbers, small ones, and any; of each some where something
// changes.
static void fill(Inputs *inputs, unsigned kind, uint64_t *state) {
  for (unsigned i = 0; i < 3; i++) {
    uint64_t base = next_random(state), stride = next_random(state);
    unsigned how = kind >> (2 * i) & 3;
    for (unsigned lane = 0; lane < 32; lane++)
      inputs->at[i][lane] = how == 0   ? base
                            : how == 1 ? base + stride % 9 * lane
                            : how == 2 ? next_random(state) % 70
                            : lane % 2 ? edge(next_random(state))
                                       : next_random(state);
  }
}

static const char *width_name(unsigned bits) {
  return bits == 16 ? "%h" : bits == 32 ? "%r" : "%d";
}

static char *add_table(Arena *arena, char *text, const char *name,
                       const uint64_t *numbers) {
  text = arena_printf(arena, "%s.const .align 8 .u64 %s[32] = {", text, name);
  for (unsigned i = 0; i < 32; i++)
    text = arena_printf(arena, "%s%s%llu", text, i ? ", " : "",
                        (unsigned long long)numbers[i]);
  return arena_printf(arena, "%s};\n", text);
}

static char *add_load(Arena *arena, char *text, const char *table,
                      unsigned bits, unsigned number) {
  text = arena_printf(arena,
                      "%smov.u64 %%d15, %s; add.s64 %%d16, %%d15, %%d14;\n"
                      "ld.const.u64 %%d%u, [%%d16];\n",
                      text, table, number);
  if (bits < 64)
    text = arena_printf(arena, "%scvt.u%u.u64 %s%u, %%d%u;\n", text, bits,
                        width_name(bits), number, number);
  return text;
}

static const char *case_text(Arena *arena, const Case *tested,
                             const Inputs *inputs, const uint64_t *expected) {
  static const char *const names[] = {"ta", "tb", "tc"};
  const unsigned bits[] = {tested->a, tested->b, tested->c};
  char *text = HEADER ".shared .b8 s[16];\n";
  for (unsigned i = 0; i < 3; i++)
    text = add_table(arena, text, names[i], inputs->at[i]);
  text = add_table(arena, text, "te", expected);
  text = arena_printf(arena,
                      "%s.entry k() {\n.reg .pred %%p<3>; .reg .b16 %%h<9>;"
                      " .reg .b32 %%r<9>; .reg .b64 %%d<19>;\n"
                      "mov.u32 %%r8, %%laneid; mul.wide.u32 %%d14, %%r8, 8;\n",
                      text);
  for (unsigned i = 0; i < 3; i++)
    if (bits[i])
      text = add_load(arena, text, names[i], bits[i], i + 1);
  bool changes_b = *tested->behind == '|' || *tested->behind == '&';
  if (changes_b)
    text = arena_printf(arena, "%s%s.b%u %s2, %s2, %s;\n", text,
                        *tested->behind == '|' ? "or" : "and", tested->b,
                        width_name(tested->b), width_name(tested->b),
                        tested->behind + 1);
  text = arena_printf(arena, "%s%s %s4, %s1", text, tested->opcode,
                      width_name(tested->result), width_name(tested->a));
  for (unsigned i = 1; i < 3; i++)
    if (bits[i])
      text = arena_printf(arena, "%s, %s%u", text, width_name(bits[i]), i + 1);
  text = arena_printf(arena, "%s%s;\n", text, changes_b ? "" : tested->behind);
  text = add_load(arena, text, "te", tested->result, 5);
  return arena_printf(arena,
                      "%ssetp.eq.u%u %%p1, %s4, %s5;\n"
                      "@%%p1 st.shared.u8 [s], 1; }\n",
                      text, tested->result, width_name(tested->result),
                      width_name(tested->result));
}

static uint64_t cut(uint64_t number, unsigned bits) {
  return bits == 64 ? number : number & ((UINT64_C(1) << bits) - 1);
}

static void check_case(const Case *tested, unsigned kind, uint64_t *state) {
  Inputs inputs;
  fill(&inputs, kind, state);
  uint64_t expected[32];
  for (unsigned lane = 0; lane < 32; lane++)
    expected[lane] = cut(tested->reference(cut(inputs.at[0][lane], tested->a),
                                           cut(inputs.at[1][lane], tested->b),
                                           cut(inputs.at[2][lane], tested->c)),
                         tested->result);
  Arena arena = {0};
  const char *text = case_text(&arena, tested, &inputs, expected);
  PtxRun run;
  run_with(&run, text, threads(32));
  ck_assert_msg(run.is_good, "%s: %s", tested->opcode,
                run.is_good ? "" : run.task.reason);
  ck_assert_msg(!strcmp(program_text(&run, 0),
                        "write ffffffff 1 [0+0] same\nexit ffffffff\n"),
                "%s computes something else:\n%s%s", tested->opcode, text,
                program_text(&run, 0));
  end_run(&run);
  arena_free(&arena);
}

enum { KINDS = 64 };

START_TEST(instructions_compute_what_c_computes) {
  uint64_t state = 1;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (unsigned kind = 0; kind < KINDS; kind++)
      check_case(&cases[i], kind, &state);
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("ptx_arithmetic");
  tcase_set_timeout(tc, 120);
  tcase_add_test(tc, instructions_compute_what_c_computes);
  return run_suite(tc, "ptx_arithmetic");
}
