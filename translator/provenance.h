// What a number is made of.

#ifndef TRANSLATOR_PROVENANCE_H
#define TRANSLATOR_PROVENANCE_H

#include "translator/translator.h"

typedef struct Provenance {
  Symbols symbols;
  bool has_data; // something that is read or not known
} Provenance;

Provenance provenance_of(Task *task, Expr *a);
// Whether a thread comes may be a matter of the numbers that x is made of.
bool provenance_tells(const Provenance *x, const Provenance *condition);

#endif
