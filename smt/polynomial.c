// Polynomials over natural numbers, with factors that may be negative.
//
// They are as large as the places of programs are, some digits of some sizes
// each; what is larger is lost.

#include "smt/polynomial.h"

#include <string.h>

// The monomials behind the last one are never looked at, nor written.
static Polynomial nothing(void) {
  Polynomial p;
  p.count = 0;
  p.is_lost = false;
  return p;
}

static int order(const Expr *a, const Expr *b) {
  return (a->id > b->id) - (a->id < b->id);
}

static bool are_alike(const Monomial *a, const Monomial *b) {
  return a->degree == b->degree &&
         !memcmp(a->at, b->at, a->degree * sizeof *a->at);
}

Polynomial polynomial_of_number(int64_t number) {
  Polynomial p = nothing();
  if (number)
    p.at[p.count++] = (Monomial){.factor = number};
  return p;
}

Polynomial polynomial_of_term(Expr *term) {
  Polynomial p = nothing();
  p.at[p.count++] = (Monomial){.factor = 1, .degree = 1, .at = {term}};
  return p;
}

static void add_monomial(Polynomial *to, const Monomial *m) {
  for (unsigned i = 0; i < to->count; i++) {
    int64_t *factor = &to->at[i].factor;
    if (!are_alike(&to->at[i], m))
      continue;
    to->is_lost |= __builtin_add_overflow(*factor, m->factor, factor);
    if (*factor == 0)
      to->at[i] = to->at[--to->count];
    return;
  }
  to->is_lost |= to->count == MOST_MONOMIALS;
  if (!to->is_lost)
    to->at[to->count++] = *m;
}

Polynomial polynomial_add(Polynomial a, const Polynomial *b, int64_t factor) {
  a.is_lost |= b->is_lost;
  for (unsigned i = 0; i < b->count && factor && !a.is_lost; i++) {
    Monomial m = b->at[i];
    a.is_lost |= __builtin_mul_overflow(m.factor, factor, &m.factor);
    add_monomial(&a, &m);
  }
  return a;
}

// False: the product is lost.
static bool multiply(const Monomial *a, const Monomial *b, Monomial *to) {
  unsigned i = 0, k = 0;
  *to = (Monomial){0};
  if (a->degree + b->degree > MOST_DEGREE ||
      __builtin_mul_overflow(a->factor, b->factor, &to->factor))
    return false;
  while (i < a->degree || k < b->degree) {
    bool is_first =
        k == b->degree || (i < a->degree && order(a->at[i], b->at[k]) <= 0);
    to->at[to->degree++] = is_first ? a->at[i++] : b->at[k++];
  }
  return true;
}

Polynomial polynomial_multiply(const Polynomial *a, const Polynomial *b) {
  Polynomial product = nothing();
  product.is_lost = a->is_lost || b->is_lost;
  for (unsigned i = 0; i < a->count; i++)
    for (unsigned k = 0; k < b->count && !product.is_lost; k++) {
      Monomial m;
      product.is_lost = !multiply(&a->at[i], &b->at[k], &m);
      if (!product.is_lost)
        add_monomial(&product, &m);
    }
  return product;
}

static bool strike(Monomial *from, const Expr *term) {
  for (unsigned i = 0; i < from->degree; i++)
    if (from->at[i] == term) {
      from->degree--;
      memmove(from->at + i, from->at + i + 1,
              (from->degree - i) * sizeof *from->at);
      return true;
    }
  return false;
}

static bool divide(Monomial *a, const Monomial *b) {
  if (a->factor % b->factor)
    return false;
  a->factor /= b->factor;
  for (unsigned i = 0; i < b->degree; i++)
    if (!strike(a, b->at[i]))
      return false;
  return true;
}

bool polynomial_divide(const Polynomial *a, const Polynomial *b,
                       Polynomial *quotient) {
  if (a->is_lost || b->is_lost || b->count != 1 || b->at[0].factor < 1)
    return false;
  *quotient = nothing();
  for (unsigned i = 0; i < a->count; i++) {
    Monomial m = a->at[i];
    if (!divide(&m, &b->at[0]))
      return false;
    add_monomial(quotient, &m);
  }
  return true;
}

Polynomial polynomial_of_rest(const Monomial *of, unsigned factor) {
  Polynomial rest = nothing();
  rest.at[rest.count++] = *of;
  strike(&rest.at[0], of->at[factor]);
  return rest;
}
