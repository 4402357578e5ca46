// Polynomials over natural numbers; see polynomial.c.

#ifndef SMT_POLYNOMIAL_H
#define SMT_POLYNOMIAL_H

#include "translator/translator.h"

enum { MOST_MONOMIALS = 16, MOST_DEGREE = 8 };

// factor * product of terms, which are sorted by Expr.id.
typedef struct Monomial {
  int64_t factor; // never 0
  unsigned degree;
  Expr *at[MOST_DEGREE];
} Monomial;

// A sum of monomials that differ.  Lost: it did not fit into that, and nothing
// is known of it.
typedef struct Polynomial {
  unsigned count;
  bool is_lost;
  Monomial at[MOST_MONOMIALS];
} Polynomial;

Polynomial polynomial_of_number(int64_t number);
Polynomial polynomial_of_term(Expr *term);

// a + factor * b, and a * b.
Polynomial polynomial_add(Polynomial a, const Polynomial *b, int64_t factor);
Polynomial polynomial_multiply(const Polynomial *a, const Polynomial *b);

// a / b, if b is one monomial that divides all of a's.
bool polynomial_divide(const Polynomial *a, const Polynomial *b,
                       Polynomial *quotient);

// The monomial without one of its factors.
Polynomial polynomial_of_rest(const Monomial *of, unsigned factor);

#endif
