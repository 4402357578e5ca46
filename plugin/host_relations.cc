// Which relations between sizes and arguments a proof can make use of.

#include "plugin/host.h"

#include <algorithm>

namespace host {

static bool is_number(const HostTerm *term) { return term->op == HOST_NUMBER; }

static bool is_quotient(const HostTerm *term) {
  return term->op == HOST_UDIV || term->op == HOST_SDIV;
}

static bool are_all(bool (*is)(const HostTerm *), const HostTerm *term) {
  return std::all_of(term->args, term->args + 3,
                     [is](const HostTerm *part) { return !part || is(part); });
}

// Divisions by unknowns, and conditions about their products, make queries hard
// and prove next to nothing.
bool is_linear(const HostTerm *term) {
  bool is_by_second = is_quotient(term) || term->op == HOST_UREM ||
                      term->op == HOST_SREM || term->op == HOST_SHL ||
                      term->op == HOST_LSHR || term->op == HOST_ASHR;
  if (is_by_second && !is_number(term->args[1]))
    return false;
  if (term->op == HOST_MUL && !is_number(term->args[0]) &&
      !is_number(term->args[1]))
    return false;
  return are_all(is_linear, term);
}

static bool is_of_kernel(const HostTerm *term) {
  return term->op == HOST_ARGUMENT || term->op == HOST_MEMBER ||
         term->op == HOST_BLOCK || term->op == HOST_GRID;
}

// Sums and products of what the kernel has names for, and what says that they
// are defined: a plane has `size == width * height` elements.
bool is_polynomial(const HostTerm *term) {
  if (!term->args[0])
    return is_number(term) || is_of_kernel(term);
  bool is_extended =
      term->op == HOST_ZEXT || term->op == HOST_SEXT || term->op == HOST_TRUNC;
  bool is_computed =
      term->op == HOST_ADD || term->op == HOST_SUB || term->op == HOST_MUL;
  bool is_condition = term->width == 1;
  return (is_extended || is_computed || is_condition) &&
         are_all(is_polynomial, term);
}

// Does the condition say that `c / g` leaves nothing of c, a size or argument?
bool is_exact(const HostTerm *condition, const HostTerm *quotient) {
  while (condition->op == HOST_NOT && condition->args[0]->op == HOST_NOT)
    condition = condition->args[0]->args[0];
  if (condition->op != HOST_EQ || !is_quotient(quotient) ||
      !is_of_kernel(quotient->args[0]))
    return false;
  const HostTerm *rest = condition->args[0], *zero = condition->args[1];
  HostOp op = quotient->op == HOST_UDIV ? HOST_UREM : HOST_SREM;
  return is_number(zero) && !zero->value && rest->op == op &&
         host_same(rest->args[0], quotient->args[0]) &&
         host_same(rest->args[1], quotient->args[1]);
}

} // namespace host
