// Formulas as Boogie 2 text.  Private to translator/.

#ifndef TRANSLATOR_BOOGIE_TEXT_H
#define TRANSLATOR_BOOGIE_TEXT_H

#include "translator/expr.h"

typedef Vec(const char *) BoogieNames;

typedef struct BoogieText {
  Task *task;
  FILE *out;
  BoogieNames declarations; // of the functions in use
  // What a term goes by; symbols have to have a name.  NULL: none.
  const char *(*name_of)(const Expr *e, void *data);
  void *data;
} BoogieText;

// A name that Boogie allows and that is not in the list yet; adds it.
const char *boogie_name(Task *task, BoogieNames *names, const char *wanted);
const char *boogie_type(BoogieText *p, unsigned width);
// The term by its name, if it has one; or as it is made.
void boogie_term(BoogieText *p, const Expr *e);
void boogie_node(BoogieText *p, const Expr *e);
void boogie_declarations(BoogieText *p);

#endif
