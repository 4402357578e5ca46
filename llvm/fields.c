// The scalars of which an argument consists, by their names in the source.
//
// In LLVM IR a struct that is an argument is only bytes; the debug information
// says what lies where in it, and what its pointers point to.  Operands of its
// metadata nodes are read by their numbers (DebugInfoMetadata.h).  Bit fields
// are left out, and all fields after the first MOST_FIELDS; without debug
// information there are none.  The type of a variable says there, too, whether
// it is declared const.

#include "llvm/core.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

enum {
  MOST_FIELDS = 64,
  MOST_NESTED = 8,
  MOST_ELEMENTS = 16, // of an array in a struct
  BITS_OF_FIELD = 1 << 19,
  IS_VECTOR = 1 << 11, // LLVMDIFlags
};

// Operands.
enum {
  NAME = 2,
  BASE = 5,
  ELEMENTS = 6,
  TYPES = 5,
  TYPE_OF_FUNCTION = 4,
  TYPE_OF_VARIABLE = 3,
};

enum Tag { // of DWARF
  TAG_ARRAY = 0x01,
  TAG_CLASS = 0x02,
  TAG_ENUM = 0x04,
  TAG_POINTER = 0x0f,
  TAG_REFERENCE = 0x10,
  TAG_MEMBER = 0x0d,
  TAG_STRUCT = 0x13,
  TAG_TYPEDEF = 0x16,
  TAG_UNION = 0x17,
  TAG_INHERITANCE = 0x1c,
  TAG_BASIC = 0x24,
  TAG_CONST = 0x26,
  TAG_VOLATILE = 0x35,
  TAG_RESTRICT = 0x37,
};

typedef struct Walk {
  Task *task;
  LLVMContextRef context;
  Fields *fields;
  unsigned depth;
} Walk;

typedef Vec(LLVMValueRef) Operands;

static Operands operands(const Walk *walk, LLVMMetadataRef node) {
  LLVMValueRef value = LLVMMetadataAsValue(walk->context, node);
  Operands found = {.count = (size_t)LLVMGetMDNodeNumOperands(value)};
  found.at =
      arena_alloc(&walk->task->arena, (found.count + 1) * sizeof *found.at);
  LLVMGetMDNodeOperands(value, found.at);
  return found;
}

static LLVMMetadataRef operand(const Walk *walk, LLVMMetadataRef node,
                               size_t index) {
  Operands all = operands(walk, node);
  return index < all.count && all.at[index] ? LLVMValueAsMetadata(all.at[index])
                                            : NULL;
}

static const char *name_of_type(const Walk *walk, LLVMMetadataRef type) {
  size_t length = 0;
  const char *name = LLVMDITypeGetName(type, &length);
  return name ? arena_printf(&walk->task->arena, "%.*s", (int)length, name)
              : "";
}

// Without what does not change its bytes.
static LLVMMetadataRef plain_type(const Walk *walk, LLVMMetadataRef type) {
  while (type) {
    switch (LLVMGetDINodeTag(type)) {
    case TAG_TYPEDEF:
    case TAG_CONST:
    case TAG_VOLATILE:
    case TAG_RESTRICT:
      type = operand(walk, type, BASE);
      break;
    default:
      return type;
    }
  }
  return NULL;
}

// ---------------------------------------------------------------- scalars ---

static bool is_word_of(const char *name, const char *const *words) {
  for (size_t i = 0; words[i]; i++)
    if (!strcmp(words[i], name))
      return true;
  return false;
}

// Its number is what the debug information does not tell in C.
static FieldKind kind_of_basic(const char *name) {
  static const char *const floats[] = {"float",       "double",   "half",
                                       "__fp16",      "_Float16", "__bf16",
                                       "long double", NULL};
  return is_word_of(name, floats) ? FIELD_FLOAT : FIELD_INTEGER;
}

static bool is_unsigned(const char *name) {
  static const char *const words[] = {
      "bool",  "_Bool",   "uchar",    "ushort",   "uint",
      "ulong", "char8_t", "char16_t", "char32_t", NULL};
  return is_word_of(name, words) || !strncmp(name, "unsigned", 8);
}

// Of another type nobody knows.
static bool is_signed(const char *name) {
  static const char *const words[] = {"signed char", "short",     "int",
                                      "long",        "long long", NULL};
  return is_word_of(name, words);
}

// What is a scalar: an integer, a float, a pointer.
static bool is_scalar(const Walk *walk, LLVMMetadataRef type, Field *field) {
  const char *name = name_of_type(walk, type);
  switch (LLVMGetDINodeTag(type)) {
  case TAG_BASIC:
    field->kind = kind_of_basic(name);
    field->is_unsigned = is_unsigned(name);
    field->is_signed = is_signed(name);
    return true;
  case TAG_ENUM:
    field->kind = FIELD_INTEGER;
    field->is_enum = true;
    return true;
  case TAG_POINTER:
  case TAG_REFERENCE:
    field->kind = FIELD_POINTER;
    return true;
  default:
    return false;
  }
}

// ----------------------------------------------------------------- fields ---

static void add_fields(Walk *walk, LLVMMetadataRef type, const char *name,
                       uint64_t offset);

// What all elements of what a pointer points to are, if they are alike.
static void fill_pointee(const Walk *walk, LLVMMetadataRef type, Field *field) {
  Fields inside = {0};
  Walk other = {walk->task, walk->context, &inside, walk->depth};
  LLVMMetadataRef pointee = plain_type(walk, operand(walk, type, BASE));
  if (!pointee)
    return;
  add_fields(&other, pointee, "", 0);
  if (!inside.count)
    return;
  for (size_t i = 1; i < inside.count; i++)
    if (inside.at[i].kind != inside.at[0].kind ||
        inside.at[i].bytes != inside.at[0].bytes)
      return;
  field->element_kind = inside.at[0].kind;
  field->element_bytes = inside.at[0].bytes;
  field->element_is_unsigned = inside.at[0].is_unsigned;
}

static void add_scalar(Walk *walk, LLVMMetadataRef type, Field *field) {
  field->bytes = (unsigned)(LLVMDITypeGetSizeInBits(type) / 8);
  if (field->kind == FIELD_POINTER)
    field->bytes = POINTER_BITS / 8;
  if (!field->bytes || field->bytes > 8 || walk->fields->count == MOST_FIELDS)
    return;
  if (field->kind == FIELD_POINTER)
    fill_pointee(walk, type, field);
  push(&walk->task->arena, walk->fields, *field);
}

static const char *element_name(Walk *walk, const char *name, unsigned index,
                                uint64_t of_vector) {
  Arena *arena = &walk->task->arena;
  if (!of_vector)
    return arena_printf(arena, "%s[%u]", name, index);
  const char *dot = *name ? "." : "";
  return of_vector <= 4
             ? arena_printf(arena, "%s%s%c", name, dot, "xyzw"[index])
             : arena_printf(arena, "%s%ss%x", name, dot, index);
}

// Arrays of several dimensions are seen as one.
static void add_elements(Walk *walk, LLVMMetadataRef type, const char *name,
                         uint64_t offset) {
  LLVMMetadataRef base = plain_type(walk, operand(walk, type, BASE));
  uint64_t size = base ? LLVMDITypeGetSizeInBits(base) / 8 : 0;
  uint64_t count = size ? LLVMDITypeGetSizeInBits(type) / 8 / size : 0;
  bool is_vector = LLVMDITypeGetFlags(type) & IS_VECTOR;
  for (unsigned i = 0; i < count && i < MOST_ELEMENTS; i++)
    add_fields(walk, base, element_name(walk, name, i, is_vector ? count : 0),
               offset + i * size);
}

static void add_member(Walk *walk, LLVMMetadataRef member, const char *name,
                       uint64_t offset) {
  const char *own = name_of_type(walk, member);
  LLVMMetadataRef type = operand(walk, member, BASE);
  bool is_base = LLVMGetDINodeTag(member) == TAG_INHERITANCE;
  if ((!is_base && LLVMGetDINodeTag(member) != TAG_MEMBER) || !type ||
      LLVMDITypeGetFlags(member) & BITS_OF_FIELD)
    return;
  if (is_base || !*own)
    own = name;
  else if (*name)
    own = arena_printf(&walk->task->arena, "%s.%s", name, own);
  add_fields(walk, type, own, offset + LLVMDITypeGetOffsetInBits(member) / 8);
}

// Other types, such as those of pointers to members, have other operands.
static bool has_members(LLVMMetadataRef type) {
  switch (LLVMGetDINodeTag(type)) {
  case TAG_CLASS:
  case TAG_STRUCT:
  case TAG_UNION:
    return true;
  default:
    return false;
  }
}

static void add_members(Walk *walk, LLVMMetadataRef type, const char *name,
                        uint64_t offset) {
  LLVMMetadataRef list = operand(walk, type, ELEMENTS);
  Operands members = list ? operands(walk, list) : (Operands){0};
  for (size_t i = 0; i < members.count; i++)
    if (members.at[i])
      add_member(walk, LLVMValueAsMetadata(members.at[i]), name, offset);
}

static void add_fields(Walk *walk, LLVMMetadataRef type, const char *name,
                       uint64_t offset) {
  Field field = {.name = name, .offset = offset};
  type = plain_type(walk, type);
  if (!type || walk->depth == MOST_NESTED)
    return;
  walk->depth++;
  if (is_scalar(walk, type, &field))
    add_scalar(walk, type, &field);
  else if (LLVMGetDINodeTag(type) == TAG_ARRAY)
    add_elements(walk, type, name, offset);
  else if (has_members(type))
    add_members(walk, type, name, offset);
  walk->depth--;
}

// The first of a function's types is that of what it returns.  NULL: the debug
// information does not tell.
static LLVMMetadataRef
type_of_parameter(const Walk *walk, LLVMValueRef function, unsigned parameter) {
  LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
  LLVMMetadataRef type =
      subprogram ? operand(walk, subprogram, TYPE_OF_FUNCTION) : NULL;
  LLVMMetadataRef types = type ? operand(walk, type, TYPES) : NULL;
  Operands list = types ? operands(walk, types) : (Operands){0};
  return list.count == LLVMCountParams(function) + 1 && list.at[parameter + 1]
             ? LLVMValueAsMetadata(list.at[parameter + 1])
             : NULL;
}

void llvm_fields(Task *task, LLVMValueRef function, unsigned parameter,
                 Fields *fields) {
  Walk walk = {task, LLVMGetTypeContext(LLVMTypeOf(function)), fields,
               .depth = 0};
  add_fields(&walk, type_of_parameter(&walk, function, parameter), "", 0);
}

void llvm_pointee_fields(Task *task, LLVMValueRef function, unsigned parameter,
                         Fields *fields) {
  Walk walk = {task, LLVMGetTypeContext(LLVMTypeOf(function)), fields,
               .depth = 0};
  LLVMMetadataRef type =
      plain_type(&walk, type_of_parameter(&walk, function, parameter));
  Field pointer = {0};
  if (type && is_scalar(&walk, type, &pointer) && pointer.kind == FIELD_POINTER)
    add_fields(&walk, operand(&walk, type, BASE), "", 0);
}

const char *llvm_field_name(Task *task, const char *parameter,
                            const Fields *fields, uint64_t offset,
                            unsigned bytes) {
  for (size_t i = 0; i < fields->count; i++) {
    const Field *field = &fields->at[i];
    if (field->offset == offset && field->bytes == bytes)
      return arena_printf(&task->arena, "%s%s%s", parameter,
                          *field->name == '[' || !*field->name ? "" : ".",
                          field->name);
  }
  return NULL;
}

// -------------------------------------------------------------- variables ---

static LLVMMetadataRef type_of_variable(const Walk *walk,
                                        LLVMValueRef variable) {
  size_t count = 0;
  LLVMMetadataRef type = NULL;
  LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(variable, &count);
  for (unsigned i = 0; i < count && !type; i++) {
    LLVMMetadataRef node = LLVMValueMetadataEntriesGetMetadata(entries, i);
    if (LLVMGetMetadataKind(node) == LLVMDIGlobalVariableExpressionMetadataKind)
      type = operand(walk, LLVMDIGlobalVariableExpressionGetVariable(node),
                     TYPE_OF_VARIABLE);
  }
  LLVMDisposeValueMetadataEntries(entries);
  return type;
}

// An array is const if its elements are.
static bool is_const_if_base_is(unsigned tag) {
  return tag == TAG_ARRAY || tag == TAG_TYPEDEF || tag == TAG_VOLATILE ||
         tag == TAG_RESTRICT;
}

// Of which some may be mutable; debug information does not tell.
static bool may_have_members(LLVMMetadataRef type) {
  unsigned tag = type ? LLVMGetDINodeTag(type) : TAG_CLASS;
  return tag == TAG_CLASS || tag == TAG_STRUCT || tag == TAG_UNION;
}

bool llvm_is_declared_const(Task *task, LLVMValueRef variable) {
  Walk walk = {.task = task,
               .context = LLVMGetTypeContext(LLVMTypeOf(variable))};
  LLVMMetadataRef type = type_of_variable(&walk, variable);
  while (type && is_const_if_base_is(LLVMGetDINodeTag(type)))
    type = operand(&walk, type, BASE);
  if (!type || LLVMGetDINodeTag(type) != TAG_CONST)
    return false;
  while (type && (LLVMGetDINodeTag(type) == TAG_CONST ||
                  is_const_if_base_is(LLVMGetDINodeTag(type))))
    type = operand(&walk, type, BASE);
  return llvm_has_no_mutable(variable) || !may_have_members(type);
}
