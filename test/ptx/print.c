// A program of CUDA that executes all forms on all tuples of operands, and
// writes what they give to a file.

#include "test/ptx/forms.h"

#include <stdio.h>
#include <string.h>

enum { FORMS_A_KERNEL = 64 };

static bool is(const Form *form, const char *opcode) {
  return !strcmp(form->words[0], opcode);
}

char constraint_of(Type type) {
  unsigned bits = type.bits * type.lanes;
  return bits == 64 ? 'l' : bits == 16 ? 'h' : 'r';
}

static const char *c_type(Type type) {
  return constraint_of(type) == 'l'   ? "unsigned long long"
         : constraint_of(type) == 'h' ? "unsigned short"
                                      : "unsigned";
}

static bool has_carry(const Form *form) {
  return has(form, "cc") || is(form, "addc") || is(form, "subc") ||
         is(form, "madc");
}

bool takes_carry(const Form *form) {
  return has_carry(form) && form->words[0][strlen(form->words[0]) - 1] == 'c';
}

unsigned sources_of(const Form *form) {
  return form->sources + takes_carry(form);
}

Type source_type(const Form *form, unsigned i) {
  return i < form->sources ? form->operands[i] : (Type){'p', 1, 1};
}

static bool has_two_predicates(const Form *form) {
  return is(form, "setp") && !(is_float(form->type) && form->type.bits == 16 &&
                               form->type.lanes == 1);
}

static void print_literal(FILE *to, const Form *form, unsigned i,
                          unsigned tuple) {
  Type type = form->operands[i];
  unsigned long long value = edge(kind_of(type), place_of(tuple, i));
  if (is_float(type))
    fprintf(to, type.bits == 32 ? ", 0f%08llx" : ", 0d%016llx", value);
  else
    fprintf(to, ", 0x%llx", value);
}

// ptxas takes none for halves, for lanes, and for a field's place and length.
static bool has_literal(const Form *form, unsigned i) {
  Type type = form->operands[i];
  bool is_field = is(form, "bfe") || is(form, "bfi");
  return !form->statement && type.kind != 'p' && type.lanes == 1 &&
         form->words[0][0] != 'v' && (!is_float(type) || type.bits > 16) &&
         !(is_field && i);
}

static bool is_table(const Form *form, unsigned i) {
  return is(form, "lop3") && i == 3;
}

bool has_constant(const Form *form, unsigned tuple, unsigned i,
                  uint64_t *value) {
  if (tuple == TUPLES || !form->names_literals || i >= form->sources ||
      !has_literal(form, i) || is_float(form->operands[i]))
    return false;
  *value = is_table(form, i)
               ? form->table
               : edge(kind_of(form->operands[i]), place_of(tuple, i));
  return true;
}

static void print_sources(FILE *to, const Form *form, unsigned tuple) {
  uint64_t value;
  for (unsigned i = 0; i < form->sources; i++)
    if (has_constant(form, tuple, i, &value))
      fprintf(to, ", %%%u", 2 + i);
    else if (is_table(form, i))
      fprintf(to, ", %u", form->table);
    else if (tuple < TUPLES && has_literal(form, i))
      print_literal(to, form, i, tuple);
    else if (form->operands[i].kind == 'p')
      fprintf(to, ", p%u", i);
    else
      fprintf(to, ", %%%u", 2 + i);
}

static void print_instruction(FILE *to, const Form *form, unsigned tuple) {
  bool is_predicate = form->result.kind == 'p';
  bool is_joined = is(form, "lop3") && form->sources == 5;
  unsigned carry = 2 + form->sources;
  if (takes_carry(form))
    fprintf(to,
            is(form, "subc") ? "sub.cc.u32 %%1, 0, %%%u; "
                             : "add.cc.u32 %%1, %%%u, 0xffffffff; ",
            carry);
  fprintf(to, "%s %s%s", form->text, is_predicate ? "p" : "%0",
          has_two_predicates(form) || is_joined ? "|q" : "");
  print_sources(to, form, tuple);
  fprintf(to, "; ");
  if (is_predicate)
    fprintf(to, "selp.u32 %%0, 1, 0, p; ");
  if (has(form, "cc"))
    fprintf(to, form->words[0][0] == 's'
                    ? "subc.u32 %%1, 0, 0; neg.s32 %%1, %%1; "
                    : "addc.u32 %%1, 0, 0; ");
  else
    fprintf(to, has_two_predicates(form) || is_joined
                    ? "selp.u32 %%1, 1, 0, q; "
                    : "mov.u32 %%1, 0; ");
}

// With registers, or with the literals of a tuple.
void print_text(FILE *to, const Form *form, unsigned tuple) {
  if (form->statement) {
    fprintf(to, "{ mov.u32 %%1, 0; %s }", form->statement);
    return;
  }
  fprintf(to, "{ .reg .pred p, q, p0, p1, p2, p3, p4; ");
  for (unsigned i = 0; i < form->sources; i++)
    if (form->operands[i].kind == 'p')
      fprintf(to, "setp.ne.u32 p%u, %%%u, 0; ", i, 2 + i);
  print_instruction(to, form, tuple);
  fprintf(to, "}");
}

static void print_operand(const Form *form, unsigned tuple, unsigned i) {
  Type type = source_type(form, i);
  unsigned place = i < form->sources ? i : MOST_SOURCES - 1;
  uint64_t value;
  if (has_constant(form, tuple, i, &value)) {
    printf("%s\"n\"((%s)0x%llx)", i ? ", " : "", c_type(type),
           (unsigned long long)value);
    return;
  }
  printf("%s\"%c\"((%s)in(%u, %u))", i ? ", " : "", constraint_of(type),
         c_type(type), kind_of(type), place);
}

static void print_statement(const Form *form, unsigned tuple) {
  printf("    asm volatile(\"");
  print_text(stdout, form, tuple);
  printf("\"\n      : \"=%c\"(r), \"=r\"(q) : ", constraint_of(form->result));
  for (unsigned i = 0; i < sources_of(form); i++)
    print_operand(form, tuple, i);
  printf(");\n");
}

static void print_form(const Form *form, size_t number) {
  printf("  { // %s\n    %s r;\n    unsigned q;\n", form->text,
         c_type(form->result));
  print_statement(form, TUPLES);
  printf("    put(%zu, t, r, q);\n", number);
  for (unsigned n = 0; n < LITERALS; n++) {
    unsigned tuple = literal_tuple(number, n);
    printf("    if (t == %u) {\n", tuple);
    print_statement(form, tuple);
    printf("    put(%zu, %u, r, q);\n    }\n", number, TUPLES + n);
  }
  printf("  }\n");
}

static void print_kernel(const Form *forms, size_t first, size_t count) {
  printf(
      "__global__ void forms_from_%zu(const Word *edges, Word *out) {\n"
      "  unsigned t = threadIdx.x, place[] = {",
      first);
  for (unsigned n = 0; n < MOST_SOURCES; n++)
    printf("%splaces[%u][t]", n ? ", " : "", n);
  printf("};\n");
  for (size_t i = first; i < first + FORMS_A_KERNEL && i < count; i++)
    print_form(&forms[i], i);
  printf("}\n\n");
}

static void print_numbers(void) {
  printf("static const Word edge_numbers[] = {");
  for (unsigned i = 0; i < KINDS * EDGES; i++)
    printf("%s0x%llxull", i ? ", " : "",
           (unsigned long long)edge(i / EDGES, i % EDGES));
  printf("};\n__device__ const unsigned char places[][%d] = {", TUPLES);
  for (unsigned n = 0; n < MOST_SOURCES; n++) {
    printf("%s{", n ? ", " : "");
    for (unsigned t = 0; t < TUPLES; t++)
      printf("%s%u", t ? "," : "", place_of(t, n));
    printf("}");
  }
  printf("};\n\n");
}

static void print_main(size_t count) {
  printf(
      "int main(int argc, char **argv) {\n"
      "  Word *edges, *out;\n"
      "  size_t bytes = %zu * sizeof *out;\n"
      "  FILE *file = fopen(argv[1], \"wb\");\n"
      "  cudaMallocManaged(&edges, sizeof edge_numbers);\n"
      "  cudaMallocManaged(&out, bytes);\n"
      "  memcpy(edges, edge_numbers, sizeof edge_numbers);\n",
      count * RESULTS * 2);
  for (size_t i = 0; i < count; i += FORMS_A_KERNEL)
    printf("  forms_from_%zu<<<1, %d>>>(edges, out);\n", i, TUPLES);
  printf(
      "  if (cudaDeviceSynchronize() != cudaSuccess)\n    return 1;\n"
      "  return fwrite(out, 1, bytes, file) != bytes || fclose(file);\n}\n");
}

void print_program(void) {
  size_t count;
  const Form *forms = all_forms(&count);
  printf(
      "#include <cuda_runtime.h>\n#include <stdio.h>\n"
      "#include <string.h>\n\ntypedef unsigned long long Word;\n\n"
      "#define in(kind, n) edges[(kind) * %d + place[n]]\n"
      "#define put(form, at, first, second) \\\n"
      "  (out[((form) * %d + (at)) * 2] = (first), \\\n"
      "   out[((form) * %d + (at)) * 2 + 1] = (second))\n\n",
      EDGES, RESULTS, RESULTS);
  print_numbers();
  for (size_t i = 0; i < count; i += FORMS_A_KERNEL)
    print_kernel(forms, i, count);
  print_main(count);
}
