// What the host's flow of control says about a launch.
//
// Sizes and arguments become terms.  A term that is a number is one; another
// one is a fact: "gridDim.x == (n + 255) / 256".  Branches that lead to the
// launch and counters of loops around it give facts, too.  An unknown that is
// an argument or a size itself goes by its name, and facts that cannot say
// anything about the kernel, because an unknown is in them that is nowhere
// else, are left out.

#include "plugin/host.h"

#include <algorithm>

namespace host {

// ------------------------------------------------------------- knowledge ---

Flow *Knowledge::flow(const clang::FunctionDecl *function) {
  if (!function)
    return nullptr;
  auto known = flows.find(function);
  if (known == flows.end())
    known = flows.emplace(function, Flow::of(context, survey, function)).first;
  return known->second.get();
}

// ----------------------------------------------------------------- facts ---

namespace {

struct Fact {
  const HostTerm *visible; // a size or an argument; NULL: a condition
  const HostTerm *term;
  std::vector<const HostTerm *> defined;
  clang::SourceLocation where;
};

// An argument, or the place that it is read from.
struct Given {
  const clang::Expr *expr; // or NULL
  bool is_place;
};

// Collects the facts of one launch.
class Facts {
public:
  Facts(Knowledge &knowledge_, const Site &site_, const Flow &flow_,
        unsigned target_)
      : knowledge(knowledge_), site(site_), flow(flow_),
        terms(knowledge_, flow_, target_, site_.caller), target(target_) {}

  void collect(Launch *launch);

private:
  enum { MOST_FACTS = 24 };

  Knowledge &knowledge;
  const Site &site;
  const Flow &flow;
  Terms terms;
  unsigned target;
  std::vector<Fact> facts;
  std::vector<Allocation> allocations; // of arguments; no call: not known

  void add(const HostTerm *visible, const HostTerm *term,
           clang::SourceLocation where);
  void add_sizes(const clang::Expr *expr, HostOp op, Extent extents[3]);
  void add_shared(Launch *launch);
  const HostTerm *named(HostOp op, unsigned width, uint64_t value,
                        const std::string &name);
  Given given(unsigned i);
  const HostTerm *part(const Given &given, unsigned index);
  void add_number(unsigned i, const Given &given, Argument *known);
  void add_struct(unsigned i, const Given &given, Argument *known);
  void add_arguments(Launch *launch);
  void add_conditions();
  void add_cases();
  void add_counters();
  void find_allocations();
  void add_own(Launch *launch);
  void add_bytes();
  const HostTerm *replaced(const HostTerm *term, const HostTerm *from,
                           const HostTerm *to);
  bool replace_one();
  void use_exact_quotients();
  bool drop_one();
  void emit(const Fact &fact, bool is_of_bounds, Launch *launch);
  void emit_chosen(bool is_of_bounds, Launch *launch);
};

} // namespace

static bool is_everywhere(bool (*is)(const HostTerm *), const Fact &fact) {
  return is(fact.term) &&
         std::all_of(fact.defined.begin(), fact.defined.end(), is);
}

void Facts::add(const HostTerm *visible, const HostTerm *term,
                clang::SourceLocation where) {
  facts.push_back({visible, term, terms.defined, where});
  terms.defined.clear();
}

void Facts::add_sizes(const clang::Expr *expr, HostOp op, Extent extents[3]) {
  static const char *const names[2][3] = {
      {"blockDim.x", "blockDim.y", "blockDim.z"},
      {"gridDim.x", "gridDim.y", "gridDim.z"}};
  for (unsigned axis = 0; expr && axis < 3; axis++) {
    terms.defined.clear();
    const HostTerm *size =
        is_dim3(expr->getType()) ? terms.part(expr, target, axis) : nullptr;
    if (!size || size->width != 32 || extents[axis].known)
      continue;
    if (size->op == HOST_NUMBER && terms.defined.empty())
      extents[axis] =
          extent_of(llvm::APSInt(llvm::APInt(32, size->value), true));
    else
      add(terms.leaf(op, 32, axis, names[op == HOST_GRID][axis]), size,
          expr->getBeginLoc());
  }
  terms.defined.clear();
}

void Facts::add_shared(Launch *launch) {
  if (!site.shared || launch->dynamic_shared.known ||
      !is_integer(site.shared->getType()))
    return;
  Number bytes = terms.constant(site.shared, target);
  if (bytes && bytes->getActiveBits() <= 32)
    launch->dynamic_shared = {true,
                              static_cast<uint32_t>(bytes->getZExtValue())};
}

std::string name_of(const clang::ParmVarDecl *parameter) {
  std::string name = parameter->getNameAsString();
  return name.empty()
             ? "argument " +
                   std::to_string(parameter->getFunctionScopeIndex() + 1)
             : name;
}

const HostTerm *Facts::named(HostOp op, unsigned width, uint64_t value,
                             const std::string &name) {
  return terms.leaf(op, width, value,
                    arena_copy(&knowledge.task->arena, name.c_str()));
}

void Facts::add_number(unsigned i, const Given &given, Argument *known) {
  const clang::ParmVarDecl *parameter = site.kernel->getParamDecl(i);
  if (known->known || !is_integer(given.expr->getType()) ||
      knowledge.context.getIntWidth(given.expr->getType()) !=
          knowledge.context.getIntWidth(parameter->getType()))
    return;
  const HostTerm *value = part(given, 0);
  if (!value)
    return;
  if (value->op == HOST_NUMBER && terms.defined.empty())
    *known = {true, value->value, {}, false, {}};
  else
    add(named(HOST_ARGUMENT, value->width, i, name_of(parameter)), value,
        given.expr->getBeginLoc());
}

const HostTerm *Facts::part(const Given &given, unsigned index) {
  return given.is_place ? terms.part_at(given.expr, site.call, index)
                        : terms.part(given.expr, target, index);
}

// A truth value has a byte.
void Facts::add_struct(unsigned i, const Given &given, Argument *known) {
  clang::ASTContext &context = knowledge.context;
  const clang::ParmVarDecl *parameter = site.kernel->getParamDecl(i);
  Parts parts = parts_of(context, parameter->getType());
  for (unsigned k = 0; k < parts.size(); k++) {
    terms.defined.clear();
    const Part &one = parts[k];
    const HostTerm *value = one.type.isNull() ? nullptr : part(given, k);
    if (!value)
      continue;
    auto bits = static_cast<unsigned>(context.getTypeSize(one.type));
    if (value->width < bits)
      value = terms.make(HOST_ZEXT, bits, value);
    if (value->op == HOST_NUMBER && terms.defined.empty())
      append(&knowledge.task->arena, &known->words,
             ArgumentWord{one.offset, bits / 8, value->value});
    else
      add(named(HOST_MEMBER, bits, host_member(i, one.offset),
                name_of(parameter) + one.name),
          value, given.expr->getBeginLoc());
  }
}

// By value, or by an address in a list of them.
Given Facts::given(unsigned i) {
  if (site.has_arguments)
    return {site.first + i < site.call->getNumArgs()
                ? site.call->getArg(site.first + i)
                : nullptr,
            false};
  const clang::VarDecl *list = argument_list(site.call);
  auto found = knowledge.survey.argument_lists.find(list);
  if (found == knowledge.survey.argument_lists.end() ||
      i >= found->second->getNumInits())
    return {nullptr, true};
  return {place_behind(found->second->getInit(i)), true};
}

void Facts::add_arguments(Launch *launch) {
  for (unsigned i = 0; i < launch->arguments.count; i++) {
    clang::QualType type = site.kernel->getParamDecl(i)->getType();
    Given argument = given(i);
    bool is_same = argument.expr && knowledge.context.hasSameUnqualifiedType(
                                        argument.expr->getType(), type);
    if (argument.expr && is_integer(type) && (is_same || !argument.is_place))
      add_number(i, argument, &launch->arguments.at[i]);
    else if (is_same && plain_struct(type))
      add_struct(i, argument, &launch->arguments.at[i]);
    terms.defined.clear();
  }
}

void Facts::add_conditions() {
  for (const Condition &condition : flow.conditions(target)) {
    if (!is_integer(condition.expr->getType()))
      continue;
    const HostTerm *value = terms.term(condition.expr, condition.at);
    if (value->width == 1)
      add(nullptr, condition.holds ? value : terms.make(HOST_NOT, 1, value),
          condition.expr->getBeginLoc());
    terms.defined.clear();
  }
}

void Facts::add_cases() {
  for (const ChosenCase &chosen : flow.cases(target)) {
    llvm::APSInt number =
        chosen.which->getLHS()->EvaluateKnownConstInt(knowledge.context);
    if (!is_integer(chosen.expr->getType()))
      continue;
    const HostTerm *value = terms.term(chosen.expr, chosen.at);
    if (value->width == number.getBitWidth() && value->width <= 64)
      add(nullptr,
          terms.make(HOST_EQ, 1, value,
                     terms.number(value->width, number.getZExtValue())),
          chosen.which->getBeginLoc());
    terms.defined.clear();
  }
}

void Facts::add_counters() {
  std::map<Cell, const HostTerm *> variables = terms.variables;
  for (auto &[cell, unknown] : variables)
    if (std::optional<int64_t> least = terms.least(cell))
      add(nullptr,
          terms.make(
              HOST_SLE, 1,
              terms.number(unknown->width, static_cast<uint64_t>(*least)),
              unknown),
          cell.variable->getLocation());
}

// ----------------------------------------------------------- allocations ---

void Facts::find_allocations() {
  Allocations known(knowledge, flow, target, site.caller);
  for (unsigned i = 0; i < site.kernel->getNumParams(); i++) {
    Given argument = given(i);
    std::optional<Allocation> found;
    if (argument.expr && argument.is_place)
      found = known.at(argument.expr, site.call);
    else if (argument.expr)
      found = known.of(argument.expr);
    allocations.push_back(found.value_or(Allocation()));
  }
}

static bool are_apart(const Allocation &a, const Allocation &b) {
  for (const clang::CallExpr *call : a.calls)
    if (b.calls.count(call))
      return false;
  return true;
}

// Nothing is said of an allocation that two arguments may point into.
void Facts::add_own(Launch *launch) {
  for (size_t i = 0; i < allocations.size(); i++) {
    bool is_own = !allocations[i].calls.empty();
    for (size_t k = 0; k < allocations.size(); k++)
      is_own &= i == k || are_apart(allocations[i], allocations[k]);
    if (is_own)
      launch->arguments.at[i].allocation =
          location(knowledge.context, knowledge.task,
                   (*allocations[i].calls.begin())->getBeginLoc());
  }
}

void Facts::add_bytes() {
  for (unsigned i = 0; i < allocations.size(); i++) {
    const Allocation &one = allocations[i];
    const HostTerm *bytes = nullptr;
    terms.defined.clear();
    if (one.number)
      bytes = terms.number(64, one.number->getZExtValue());
    else if (one.bytes && is_integer(one.bytes->getType()) &&
             knowledge.context.getIntWidth(one.bytes->getType()) == 64)
      bytes = terms.term(one.bytes, one.at);
    if (bytes)
      add(named(HOST_BYTES, 64, i,
                "bytes of " + name_of(site.kernel->getParamDecl(i))),
          bytes, (*one.calls.begin())->getBeginLoc());
  }
  terms.defined.clear();
}

// ---------------------------------------------------------------- choice ---

const HostTerm *Facts::replaced(const HostTerm *term, const HostTerm *from,
                                const HostTerm *to) {
  if (term->op == from->op && term->value == from->value)
    return to;
  if (!host_mentions(term, from->op, from->value))
    return term;
  const HostTerm *args[3] = {};
  for (unsigned i = 0; i < 3 && term->args[i]; i++)
    args[i] = replaced(term->args[i], from, to);
  return terms.make(term->op, term->width, args[0], args[1], args[2]);
}

static int rank_of(const HostTerm *visible) {
  if (visible->op == HOST_BYTES)
    return -1;
  return visible->op == HOST_ARGUMENT ? 2 : visible->op == HOST_MEMBER;
}

// An unknown that a size or an argument is goes by its name.
bool Facts::replace_one() {
  const Fact *chosen = nullptr;
  for (const Fact &fact : facts)
    if (fact.visible && fact.term->op == HOST_UNKNOWN && fact.defined.empty() &&
        (!chosen || rank_of(fact.visible) > rank_of(chosen->visible)))
      chosen = &fact;
  if (!chosen)
    return false;
  const HostTerm *unknown = chosen->term, *name = chosen->visible;
  facts.erase(facts.begin() + (chosen - facts.data()));
  for (Fact &fact : facts) {
    fact.term = replaced(fact.term, unknown, name);
    for (const HostTerm *&condition : fact.defined)
      condition = replaced(condition, unknown, name);
  }
  return true;
}

// `c % g == 0` makes `c == k * g` of `k == c / g`.
void Facts::use_exact_quotients() {
  for (Fact &fact : facts)
    for (const Fact &other : facts)
      if (fact.visible && !other.visible && is_exact(other.term, fact.term)) {
        const HostTerm *whole = fact.term->args[0];
        fact.term = terms.make(HOST_MUL, whole->width, fact.visible,
                               fact.term->args[1]);
        fact.visible = whole;
      }
}

static void find_unknowns(const HostTerm *term, std::set<uint64_t> *found) {
  if (term->op == HOST_UNKNOWN)
    found->insert(term->value);
  for (unsigned i = 0; i < 3 && term->args[i]; i++)
    find_unknowns(term->args[i], found);
}

// It says of a size that it is a multiple, or one of some.
static bool says_much_alone(const Fact &fact) {
  return fact.visible &&
         (fact.term->op == HOST_MUL || fact.term->op == HOST_SHL ||
          fact.term->op == HOST_ITE);
}

bool Facts::drop_one() {
  std::map<uint64_t, unsigned> uses, in_sizes;
  std::vector<std::set<uint64_t>> unknowns(facts.size());
  for (size_t i = 0; i < facts.size(); i++) {
    find_unknowns(facts[i].term, &unknowns[i]);
    for (uint64_t unknown : unknowns[i]) {
      uses[unknown]++;
      in_sizes[unknown] += facts[i].visible != nullptr;
    }
  }
  for (size_t i = 0; i < facts.size(); i++)
    for (uint64_t unknown : unknowns[i])
      if ((uses[unknown] == 1 && !says_much_alone(facts[i])) ||
          !in_sizes[unknown]) {
        facts.erase(facts.begin() + static_cast<std::ptrdiff_t>(i));
        return true;
      }
  return false;
}

// ------------------------------------------------------------------ text ---

static const char *symbol_of(HostOp op) {
  switch (op) {
#define OP(name, text)                                                         \
  case HOST_##name:                                                            \
    return text;
#include "llvm/host_ops.def"
#undef OP
  case HOST_NUMBER:
  case HOST_UNKNOWN:
  case HOST_ARGUMENT:
  case HOST_MEMBER:
  case HOST_BLOCK:
  case HOST_GRID:
  case HOST_BYTES:
  case HOST_NOT:
  case HOST_ITE:
  case HOST_ZEXT:
  case HOST_SEXT:
  case HOST_TRUNC:
    break;
  }
  return nullptr;
}

static std::string text_of(const HostTerm *term);

static std::string nested(const HostTerm *term) {
  while (term->op == HOST_ZEXT || term->op == HOST_SEXT ||
         term->op == HOST_TRUNC)
    term = term->args[0];
  bool is_simple = !term->args[0];
  return is_simple ? text_of(term) : "(" + text_of(term) + ")";
}

static std::string number_text(const HostTerm *term) {
  llvm::SmallString<24> text;
  llvm::APInt(term->width, term->value).toString(text, 10, term->width > 1);
  return text.str().str();
}

static std::string text_of(const HostTerm *term) {
  if (term->op == HOST_NUMBER)
    return number_text(term);
  if (term->op == HOST_ZEXT || term->op == HOST_SEXT || term->op == HOST_TRUNC)
    return text_of(term->args[0]);
  if (term->op == HOST_ITE)
    return "(" + nested(term->args[0]) + " ? " + nested(term->args[1]) + " : " +
           nested(term->args[2]) + ")";
  if (term->op == HOST_NOT && term->args[0]->op == HOST_EQ)
    return nested(term->args[0]->args[0]) +
           " != " + nested(term->args[0]->args[1]);
  if (term->op == HOST_NOT)
    return (term->width == 1 ? "!" : "~") + nested(term->args[0]);
  if (const char *symbol = symbol_of(term->op))
    return nested(term->args[0]) + " " + symbol + " " + nested(term->args[1]);
  return term->name;
}

// ---------------------------------------------------------------- launch ---

static bool is_told(const HostFacts &facts, const HostTerm *holds) {
  for (size_t i = 0; i < facts.count; i++)
    if (host_same(facts.at[i].holds, holds))
      return true;
  return false;
}

void Facts::emit(const Fact &fact, bool is_of_bounds, Launch *launch) {
  const HostTerm *holds = fact.visible
                              ? terms.make(HOST_EQ, 1, fact.visible, fact.term)
                              : fact.term;
  std::string text = fact.visible ? std::string(fact.visible->name) +
                                        " == " + text_of(fact.term)
                                  : text_of(fact.term);
  const HostTerm *defined = nullptr;
  for (const HostTerm *condition : fact.defined) {
    holds = terms.make(HOST_OR, 1, holds, terms.make(HOST_NOT, 1, condition));
    defined = defined ? terms.make(HOST_AND, 1, defined, condition) : condition;
  }
  if (holds->op == HOST_NUMBER || is_told(launch->facts, holds))
    return;
  HostFact told = {holds,
                   defined,
                   arena_copy(&knowledge.task->arena, text.c_str()),
                   location(knowledge.context, knowledge.task, fact.where),
                   is_of_bounds,
                   false};
  append(&knowledge.task->arena, &launch->facts, told);
}

// A size of memory is what it is, however hard that is to reason about.
static bool is_wanted(const Fact &fact) {
  bool is_of_bytes = fact.visible && fact.visible->op == HOST_BYTES;
  return is_of_bytes || is_everywhere(is_linear, fact) ||
         (fact.visible && is_everywhere(is_polynomial, fact));
}

void Facts::emit_chosen(bool is_of_bounds, Launch *launch) {
  while (replace_one())
    continue;
  use_exact_quotients();
  while (drop_one())
    continue;
  if (facts.size() > MOST_FACTS)
    return;
  for (const Fact &fact : facts)
    if (is_wanted(fact))
      emit(fact, is_of_bounds, launch);
}

void Facts::collect(Launch *launch) {
  add_sizes(site.grid, HOST_GRID, launch->grid);
  add_sizes(site.block, HOST_BLOCK, launch->block);
  add_shared(launch);
  add_arguments(launch);
  add_conditions();
  add_cases();
  add_counters();
  find_allocations();
  add_own(launch);
  std::vector<Fact> all = facts;
  emit_chosen(false, launch);
  facts = all;
  add_bytes();
  if (facts.size() > all.size())
    emit_chosen(true, launch);
}

void add_facts(Knowledge &knowledge, const Site &site, Launch *launch) {
  const Flow *flow = site.call ? knowledge.flow(site.function) : nullptr;
  std::optional<unsigned> target =
      flow && !site.has_attributes ? flow->place(site.call) : std::nullopt;
  if (target)
    Facts(knowledge, site, *flow, *target).collect(launch);
}

} // namespace host
