// What is known of a launch if the file is the whole program.
//
// SOUND(whole-program): a function that is defined in the file with main, and
// that no header declares, is called from nowhere else, though other files
// could name it.  Then its calls are all known (host_callers.cc), and so is
// more of what it launches.  That is kept apart from what is certain: sizes,
// arguments and facts that are known only so become facts under a name, and
// the launch stays what it was.
//
// Of a function that is called a few times the launch is one of as many, and
// the facts say that it is one of them.  Host variables among the facts are
// others than those of the certain ones, for the two are not compared.

#include "plugin/host.h"

namespace host {

bool has_main(const clang::ASTContext &context) {
  if (context.getLangOpts().CUDAIsDevice)
    return false;
  const clang::TranslationUnitDecl *file = context.getTranslationUnitDecl();
  for (const clang::NamedDecl *one :
       file->lookup(&context.Idents.get("main"))) {
    auto *function = llvm::dyn_cast<clang::FunctionDecl>(one);
    if (function && function->isMain() && function->isDefined())
      return true;
  }
  return false;
}

// ------------------------------------------------------------- functions ---

// In the file itself.  A header may have it only where it defines it for the
// one file that includes it.
static bool stands_here(const clang::FunctionDecl *declared) {
  clang::ASTContext &context = declared->getASTContext();
  const clang::SourceManager &sources = context.getSourceManager();
  bool is_only_definition =
      declared->isThisDeclarationADefinition() && !declared->isTemplated() &&
      context.GetGVALinkageForFunction(declared) == clang::GVA_StrongExternal;
  return is_only_definition ||
         sources.isInMainFile(sources.getExpansionLoc(declared->getLocation()));
}

static bool is_declared_here_alone(const clang::FunctionDecl *function) {
  const clang::FunctionDecl *pattern =
      function->getTemplateInstantiationPattern();
  for (const clang::FunctionDecl *one :
       (pattern ? pattern : function)->redecls())
    if (!stands_here(one))
      return false;
  return true;
}

// For who looks for it by its name: other languages, and who loads libraries.
static bool is_exported(const clang::FunctionDecl *function) {
  return function->isMain() || function->isExternC() ||
         function->hasAttr<clang::VisibilityAttr>();
}

// What is specialised or instantiated by name is for others, too.
static bool is_made_for_others(const clang::FunctionDecl *function) {
  clang::TemplateSpecializationKind kind =
      function->getTemplateSpecializationKind();
  return kind != clang::TSK_Undeclared &&
         kind != clang::TSK_ImplicitInstantiation;
}

bool is_of_program(const clang::FunctionDecl *function) {
  if (is_exported(function) || is_made_for_others(function) ||
      function->isOverloadedOperator())
    return false;
  return !function->isExternallyVisible() || is_declared_here_alone(function);
}

// ----------------------------------------------------------------- facts ---

namespace {

struct Told {
  const HostTerm *holds;
  std::string text;
  Loc where;
};

using List = std::vector<Told>;

// Compares one launch with what is certain of it.
class Comparison {
public:
  // Unknowns are numbered from `first` on, which then is behind them.
  Comparison(Knowledge &knowledge_, const Site &site_, const Launch &certain_,
             uint64_t *first_)
      : knowledge(knowledge_), site(site_), certain(certain_), first(first_) {}

  List more_of(const Launch &whole);

private:
  Knowledge &knowledge;
  const Site &site;
  const Launch &certain;
  uint64_t *first;
  List found;

  void add_equal(HostOp op, unsigned width, uint64_t index,
                 const std::string &name, uint64_t value, Loc where);
  void add_sizes(const Launch &whole);
  void add_words(unsigned index, const ArgumentWords &words, Loc where);
  void add_arguments(const Launch &whole);
  void add_facts(const Launch &whole);
  const HostTerm *renumbered(const HostTerm *term);
  std::map<const HostTerm *, const HostTerm *> made;
};

} // namespace

static const HostTerm *make(Task *task, HostTerm term) {
  void *place = arena_alloc(&task->arena, sizeof(HostTerm));
  return new (place) HostTerm(term);
}

static bool is_among(const HostFacts &facts, const HostTerm *holds) {
  for (size_t i = 0; i < facts.count; i++)
    if (host_same(facts.at[i].holds, holds))
      return true;
  return false;
}

void Comparison::add_equal(HostOp op, unsigned width, uint64_t index,
                           const std::string &name, uint64_t value, Loc where) {
  Task *task = knowledge.task;
  const char *told = arena_copy(&task->arena, name.c_str());
  const HostTerm *visible = make(task, {op, width, index, told, {}});
  const HostTerm *number = make(task, {HOST_NUMBER, width, value, nullptr, {}});
  found.push_back({make(task, {HOST_EQ, 1, 0, nullptr, {visible, number}}),
                   name + " == " + std::to_string(value), where});
}

void Comparison::add_sizes(const Launch &whole) {
  static const char *const axes[] = {"x", "y", "z"};
  for (unsigned axis = 0; axis < 3; axis++) {
    if (whole.block[axis].known && !certain.block[axis].known)
      add_equal(HOST_BLOCK, 32, axis, std::string("blockDim.") + axes[axis],
                whole.block[axis].value, whole.where);
    if (whole.grid[axis].known && !certain.grid[axis].known)
      add_equal(HOST_GRID, 32, axis, std::string("gridDim.") + axes[axis],
                whole.grid[axis].value, whole.where);
  }
}

static bool has_word(const ArgumentWords &words, uint64_t offset) {
  for (size_t i = 0; i < words.count; i++)
    if (words.at[i].offset == offset)
      return true;
  return false;
}

void Comparison::add_words(unsigned index, const ArgumentWords &words,
                           Loc where) {
  const clang::ParmVarDecl *parameter = site.kernel->getParamDecl(index);
  for (size_t i = 0; i < words.count; i++) {
    const ArgumentWord &word = words.at[i];
    if (has_word(certain.arguments.at[index].words, word.offset))
      continue;
    std::string name = name_of(parameter);
    for (const Part &part : parts_of(knowledge.context, parameter->getType()))
      if (part.offset == word.offset)
        name = name_of(parameter) + part.name;
    add_equal(HOST_MEMBER, word.bytes * 8, host_member(index, word.offset),
              name, word.value, where);
  }
}

void Comparison::add_arguments(const Launch &whole) {
  for (unsigned i = 0; i < whole.arguments.count; i++) {
    const Argument &one = whole.arguments.at[i];
    const clang::ParmVarDecl *parameter = site.kernel->getParamDecl(i);
    if (one.known && !certain.arguments.at[i].known)
      add_equal(HOST_ARGUMENT,
                static_cast<unsigned>(
                    knowledge.context.getIntWidth(parameter->getType())),
                i, name_of(parameter), one.value, whole.where);
    add_words(i, one.words, whole.where);
  }
}

const HostTerm *Comparison::renumbered(const HostTerm *term) {
  if (!host_mentions_any(term, HOST_UNKNOWN))
    return term;
  const HostTerm *&copy = made[term];
  if (copy)
    return copy;
  HostTerm other = *term;
  if (term->op == HOST_UNKNOWN)
    other.value += *first;
  for (const HostTerm *&argument : other.args)
    argument = argument ? renumbered(argument) : nullptr;
  return copy = make(knowledge.task, other);
}

static uint64_t unknowns_in(const HostTerm *term) {
  uint64_t count = term->op == HOST_UNKNOWN ? term->value + 1 : 0;
  for (const HostTerm *argument : term->args)
    count = argument ? std::max(count, unknowns_in(argument)) : count;
  return count;
}

static uint64_t unknowns_in(const HostFacts &facts) {
  uint64_t count = 0;
  for (size_t i = 0; i < facts.count; i++)
    count = std::max(count, unknowns_in(facts.at[i].holds));
  return count;
}

// Who allocates what is no matter of what a proof may assume.
void Comparison::add_facts(const Launch &whole) {
  bool is_new = !found.empty();
  for (size_t i = 0; i < whole.facts.count; i++) {
    const HostFact &fact = whole.facts.at[i];
    bool is_known = is_among(certain.facts, fact.holds);
    if (fact.is_of_bounds ||
        (is_known && !host_mentions_any(fact.holds, HOST_UNKNOWN)))
      continue;
    is_new |= !is_known;
    found.push_back({renumbered(fact.holds), fact.text, fact.where});
  }
  *first += unknowns_in(whole.facts);
  if (!is_new)
    found.clear();
}

List Comparison::more_of(const Launch &whole) {
  add_sizes(whole);
  add_arguments(whole);
  add_facts(whole);
  return found;
}

// ------------------------------------------------------------ one of few ---

static bool has(const List &list, const HostTerm *holds) {
  return llvm::any_of(
      list, [holds](const Told &one) { return host_same(one.holds, holds); });
}

static bool all_have(const std::vector<List> &lists, const HostTerm *holds) {
  return llvm::all_of(lists,
                      [holds](const List &list) { return has(list, holds); });
}

static Told all_of(Task *task, const List &list) {
  Told all = list[0];
  for (size_t i = 1; i < list.size(); i++) {
    all.holds =
        make(task, {HOST_AND, 1, 0, nullptr, {all.holds, list[i].holds}});
    all.text += ", " + list[i].text;
  }
  return all;
}

static Told either(Task *task, const Told &one, const Told &other) {
  return {make(task, {HOST_OR, 1, 0, nullptr, {one.holds, other.holds}}),
          one.text + "; or " + other.text, one.where};
}

// What they have in common each by itself, and of the rest that it is one.
static List one_of(Task *task, const std::vector<List> &lists) {
  List common;
  std::optional<Told> one;
  bool have_all_more = true;
  for (const Told &told : lists[0])
    if (all_have(lists, told.holds))
      common.push_back(told);
  for (const List &list : lists) {
    List rest;
    for (const Told &told : list)
      if (!has(common, told.holds))
        rest.push_back(told);
    have_all_more &= !rest.empty();
    if (!rest.empty())
      one = one ? either(task, *one, all_of(task, rest)) : all_of(task, rest);
  }
  if (one && have_all_more)
    common.push_back(*one);
  return common;
}

void add_program(Knowledge &knowledge, const Site &site,
                 const std::vector<Launch> &launches, Launch *launch) {
  Task *task = knowledge.task;
  uint64_t unknowns = unknowns_in(launch->facts);
  std::vector<List> lists;
  for (const Launch &whole : launches)
    lists.push_back(
        Comparison(knowledge, site, *launch, &unknowns).more_of(whole));
  if (lists.empty())
    return;
  for (const Told &told : one_of(task, lists))
    append(&task->arena, &launch->facts,
           HostFact{told.holds, nullptr,
                    arena_copy(&task->arena, told.text.c_str()), told.where,
                    false, true});
}

} // namespace host
