// Terms and facts about the host: what they speak of.

#include "llvm/llvm.h"

enum { MOST_ARGS = 3 };

bool host_mentions(const HostTerm *term, HostOp leaf, uint64_t value) {
  if (term->op == leaf && term->value == value)
    return true;
  for (unsigned i = 0; i < MOST_ARGS && term->args[i]; i++)
    if (host_mentions(term->args[i], leaf, value))
      return true;
  return false;
}

bool host_mentions_any(const HostTerm *term, HostOp leaf) {
  if (term->op == leaf)
    return true;
  for (unsigned i = 0; i < MOST_ARGS && term->args[i]; i++)
    if (host_mentions_any(term->args[i], leaf))
      return true;
  return false;
}

bool host_same(const HostTerm *a, const HostTerm *b) {
  if (!a || !b)
    return a == b;
  if (a->op != b->op || a->width != b->width || a->value != b->value)
    return false;
  for (unsigned i = 0; i < MOST_ARGS; i++)
    if (!host_same(a->args[i], b->args[i]))
      return false;
  return true;
}

HostFacts host_without(Arena *arena, const HostFacts *facts, HostOp leaf) {
  HostFacts kept = {0};
  for (size_t i = 0; i < facts->count; i++)
    if (!host_mentions_any(facts->at[i].holds, leaf))
      push(arena, &kept, facts->at[i]);
  return kept;
}
