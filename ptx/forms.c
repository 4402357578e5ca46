// Which instructions of inline assembly are known, word by word.
//
// A form is a list of groups, "add {rn|rz} {ftz} f32": of each group an
// instruction has one word, of a group in braces perhaps none, and no others;
// in any order but that of types, as ptxas has it.  With a "*" at its end it
// has any others, too. So a word that nobody heeds is no word of an instruction
// that is executed.

#include "ptx/assembly.h"

#include <assert.h>
#include <string.h>

typedef struct WordGroup {
  const char *at;
  size_t length;
  bool is_optional, is_taken;
} WordGroup;

enum { MOST_GROUPS = 24 };

static unsigned read_groups(const char *form, WordGroup *groups) {
  unsigned count = 0;
  for (form += strspn(form, " "); *form; form += strspn(form, " ")) {
    bool is_optional = *form == '{';
    form += is_optional;
    size_t length = strcspn(form, is_optional ? "}" : " ");
    assert(count < MOST_GROUPS);
    groups[count++] = (WordGroup){form, length, is_optional, false};
    form += length + is_optional;
  }
  return count;
}

static bool offers(const WordGroup *group, const char *word) {
  size_t length = strlen(word);
  for (const char *at = group->at, *end = at + group->length; at < end;) {
    size_t own = strcspn(at, "|");
    if (own > (size_t)(end - at))
      own = (size_t)(end - at);
    if (own == length && !strncmp(at, word, length))
      return true;
    at += own + 1;
  }
  return false;
}

// "cvt.f16.f32" is not "cvt.f32.f16": types are in the order of the form.
static bool is_type(const char *word) {
  AsmType type;
  return asm_type(word, &type) || !strcmp(word, "tf32");
}

// The first group from there on that has it, and has given none.  Behind the
// last: there is none.
static unsigned take(WordGroup *groups, unsigned from, unsigned count,
                     const char *word) {
  unsigned n = from;
  while (n < count && (groups[n].is_taken || !offers(&groups[n], word)))
    n++;
  if (n < count)
    groups[n].is_taken = true;
  return n;
}

static bool has_opcode(const AsmInstruction *i, const char *form) {
  size_t length = strcspn(form, " ");
  return strlen(i->words[0]) == length && !strncmp(i->words[0], form, length);
}

bool asm_matches(const AsmInstruction *i, const char *form) {
  WordGroup groups[MOST_GROUPS];
  size_t opcode = strcspn(form, " ");
  if (!has_opcode(i, form))
    return false;
  unsigned count = read_groups(form + opcode, groups), behind_type = 0;
  bool is_open = count && *groups[count - 1].at == '*';
  count -= is_open;
  for (unsigned n = 1; n < i->word_count; n++) {
    bool has_place = is_type(i->words[n]);
    unsigned at = take(groups, has_place ? behind_type : 0, count, i->words[n]);
    if (at == count && !is_open)
      return false;
    behind_type = has_place && at < count ? at + 1 : behind_type;
  }
  for (unsigned n = 0; n < count; n++)
    if (!groups[n].is_taken && !groups[n].is_optional)
      return false;
  return true;
}

typedef struct Form {
  const char *form;
  unsigned fewest, most;
} Form;

#define COMPUTED(form, sources, ...) {form, (sources) + 1, (sources) + 1},
static const Form forms[] = {
#define FORM(form, fewest, most) {form, fewest, most},
#define OP(form, fewest, most, function, who) {form, fewest, most},
#define LANES_OP COMPUTED
#define WORD_OP COMPUTED
#define WHOLE_OP COMPUTED
#include "ptx/instructions.def"
};

bool asm_is_known(const AsmInstruction *i) {
  for (size_t n = 0; n < sizeof forms / sizeof *forms; n++)
    if (i->operand_count >= forms[n].fewest &&
        i->operand_count <= forms[n].most && asm_matches(i, forms[n].form))
      return true;
  return false;
}
