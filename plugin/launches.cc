// Launch sizes and arguments, read from the code of one side of a file.
//
// Each  kernel<<<grid, block, shared>>>(arguments)  is there to read, and so
// are calls of cudaLaunchKernel and its cooperative sister.  Where the kernel
// is a pointer, it may be any whose address is taken in the file; one that is
// handed to code which is not read may be launched with anything.  What
// cudaLaunchKernelEx gets is a variable, whose members are assigned: they are
// taken if each is assigned once in the file, on every way to the launch, and
// nothing else is done with it.
// The sizes of clusters are taken if all that are assigned in the file agree,
// and of a launch that gets them.
//
// What is taken is certain (SOUND(host-code)); launches in other files are not
// seen.  launching.cc puts the sides together.

#include "plugin/host.h"

#include "clang/AST/GlobalDecl.h"

using namespace host;

static std::optional<Site> bracket_site(const clang::CUDAKernelCallExpr *call) {
  const clang::CallExpr *config = call->getConfig();
  if (!config || config->getNumArgs() < 3)
    return {};
  return Site{call,
              call,
              call->getDirectCallee(),
              config->getArg(0),
              config->getArg(1),
              config->getArg(2),
              true};
}

// cudaLaunchKernel(kernel, grid, block, arguments, shared, stream)
static std::optional<Site> function_site(const clang::CallExpr *call) {
  const clang::FunctionDecl *function = call->getDirectCallee();
  if (!is_read_as_launch(function) || call->getNumArgs() < 5)
    return {};
  std::string name = name_in_runtime(function);
  if (name != "cudaLaunchKernel" && name != "cudaLaunchCooperativeKernel")
    return {};
  return Site{call,
              call,
              function_named(call->getArg(0)),
              call->getArg(1),
              call->getArg(2),
              call->getArg(4),
              false};
}

// cudaLaunchKernelEx(&config, kernel, arguments..)
static std::optional<Site> config_site(const Survey &survey,
                                       const clang::CallExpr *call) {
  const clang::FunctionDecl *function = call->getDirectCallee();
  std::string name = name_in_runtime(function);
  if (!is_read_as_launch(function) || call->getNumArgs() < 2 ||
      !llvm::StringRef(name).starts_with("cudaLaunchKernelEx"))
    return {};
  bool has_arguments = name == "cudaLaunchKernelEx";
  Site site = {call,          call,    function_named(call->getArg(1)),
               nullptr,       nullptr, nullptr,
               has_arguments, 2,       true};
  auto *address = llvm::dyn_cast<clang::UnaryOperator>(
      call->getArg(0)->IgnoreParenImpCasts());
  auto *mention = address ? llvm::dyn_cast<clang::DeclRefExpr>(
                                address->getSubExpr()->IgnoreParens())
                          : nullptr;
  auto *variable =
      mention ? llvm::dyn_cast<clang::VarDecl>(mention->getDecl()) : nullptr;
  if (variable && survey.is_for_launch(variable))
    site.config = variable;
  return site;
}

static bool is_always_before(const Flow *flow, const clang::Stmt *statement,
                             const Site &site) {
  std::optional<unsigned> at = flow->place(statement);
  std::optional<unsigned> target = at ? flow->place(site.call) : std::nullopt;
  return target && flow->is_passed(*at, *target);
}

// What the member is at the launch: it is assigned once, and always before.
static const clang::Expr *member_at(Knowledge &knowledge, const Site &site,
                                    llvm::StringRef member) {
  const Flow *flow = knowledge.flow(site.function);
  bool is_local = site.config && site.config->hasLocalStorage() &&
                  !site.config->getType()->isReferenceType();
  const Survey::Assignment *only =
      flow && is_local ? knowledge.survey.assigned(site.config, member)
                       : nullptr;
  return only && is_always_before(flow, only->whole, site) ? only->value
                                                           : nullptr;
}

static void read_config(Knowledge &knowledge, Site *site) {
  if (!site->has_attributes)
    return;
  site->grid = member_at(knowledge, *site, "gridDim");
  site->block = member_at(knowledge, *site, "blockDim");
  site->shared = member_at(knowledge, *site, "dynamicSmemBytes");
}

static std::optional<Site> site_of(const Survey &survey,
                                   const clang::CallExpr *call) {
  if (call->isTypeDependent())
    return {};
  if (std::optional<Site> site = config_site(survey, call))
    return site;
  if (auto *bracket = llvm::dyn_cast<clang::CUDAKernelCallExpr>(call))
    return bracket_site(bracket);
  return function_site(call);
}

// What a pointer may be converted to without a word has the same parameters.
static bool has_type_of(clang::ASTContext &context, const Site &site,
                        const clang::FunctionDecl *kernel) {
  clang::QualType callee = site.call->getCallee()->getType();
  auto *type = callee->getPointeeType()->getAs<clang::FunctionProtoType>();
  if (!type || type->getNumParams() != kernel->getNumParams())
    return false;
  for (unsigned i = 0; i < kernel->getNumParams(); i++)
    if (!context.hasSameUnqualifiedType(type->getParamType(i),
                                        kernel->getParamDecl(i)->getType()))
      return false;
  return true;
}

// With anything, by whoever has the kernel's address from there.
static Site anyhow(const clang::Expr *place,
                   const clang::FunctionDecl *kernel) {
  return {place, nullptr, kernel, nullptr, nullptr, nullptr, false};
}

// Through a pointer, each kernel may be meant whose address is taken.  Those
// that only their library launches no pointer of the user's points to.
static void add_pointed(Knowledge &knowledge, const Library &library, Site site,
                        std::vector<Site> *sites) {
  const Survey &survey = knowledge.survey;
  bool is_bracket = llvm::isa<clang::CUDAKernelCallExpr>(site.call);
  for (const clang::FunctionDecl *kernel : survey.addressed) {
    bool fits = is_bracket && has_type_of(knowledge.context, site, kernel);
    bool may_be = survey.has_retyped_any || survey.retyped.count(kernel);
    if (is_bracket && !fits && !may_be)
      continue;
    site.kernel = kernel;
    site.has_arguments = fits;
    sites->push_back(site);
  }
  for (const clang::FunctionDecl *kernel : survey.kernels_before)
    if (library.launches_of(kernel).empty())
      sites->push_back(anyhow(site.place, kernel));
}

// cudaLaunchKernelEx makes it of the parameter's type itself.
static Argument argument_of(Certain &certain, const clang::Expr *expr,
                            clang::QualType type) {
  Number value = is_integer(type)
                     ? certain.number_of_type(certain.number(expr), type)
                     : Number();
  if (!value || value->getActiveBits() > 64 || value->getBitWidth() > 64)
    return {};
  return {true, value->getZExtValue(), {}, false, {}};
}

// The expression that the launch takes it from, or NULL.
static const clang::Expr *argument_at(const Survey &survey, const Site &site,
                                      unsigned index) {
  if (!site.call)
    return nullptr;
  if (site.has_arguments)
    return site.first + index < site.call->getNumArgs()
               ? site.call->getArg(site.first + index)
               : nullptr;
  auto list = survey.argument_lists.find(argument_list(site.call));
  return list != survey.argument_lists.end() &&
                 index < list->second->getNumInits()
             ? place_behind(list->second->getInit(index))
             : nullptr;
}

static Argument read_argument(Knowledge &knowledge, const Site &site,
                              unsigned index) {
  const clang::Expr *expr = argument_at(knowledge.survey, site, index);
  Argument argument = {};
  if (expr && site.has_arguments)
    argument = argument_of(knowledge.certain, expr,
                           site.kernel->getParamDecl(index)->getType());
  argument.is_shown_negative =
      expr ? knowledge.negatives.is_shown(expr, site.caller)
           : knowledge.negatives.is_shown_somewhere();
  return argument;
}

Loc host::location(clang::ASTContext &context, Task *task,
                   clang::SourceLocation where) {
  const clang::SourceManager &sources = context.getSourceManager();
  clang::PresumedLoc place =
      sources.getPresumedLoc(sources.getExpansionLoc(where));
  if (place.isInvalid())
    return {};
  return {arena_copy(&task->arena, place.getFilename()), place.getLine(),
          place.getColumn()};
}

// Of a member of an element, say.
static const clang::VarDecl *variable_around(const clang::Expr *expr) {
  for (;;) {
    expr = expr->IgnoreParenImpCasts();
    if (auto *member = llvm::dyn_cast<clang::MemberExpr>(expr))
      expr = member->getBase();
    else if (auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(expr))
      expr = element->getBase();
    else
      break;
  }
  auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(expr);
  return mention ? llvm::dyn_cast<clang::VarDecl>(mention->getDecl()) : nullptr;
}

static bool names_cluster(const clang::Expr *expr) {
  auto *axis = llvm::dyn_cast<clang::MemberExpr>(expr->IgnoreParenImpCasts());
  auto *size = axis ? llvm::dyn_cast<clang::MemberExpr>(
                          axis->getBase()->IgnoreParenImpCasts())
                    : nullptr;
  return size && size->getMemberDecl()->getIdentifier() &&
         size->getMemberDecl()->getName() == "clusterDim";
}

namespace {

// What a function assigns to an array of attributes.
struct Attributes {
  const clang::VarDecl *list;
  bool have_cluster = false;    // its size
  bool have_unknown_id = false; // whether it is meant depends
  size_t known = 0;             // mentions of it
  const clang::BinaryOperator *cooperative = nullptr; // ... it, the last one
  size_t cooperatives = 0;
};

} // namespace

static bool names_member(const clang::Expr *expr, llvm::StringRef name) {
  auto *member = llvm::dyn_cast<clang::MemberExpr>(expr->IgnoreParenImpCasts());
  return member && member->getMemberDecl()->getIdentifier() &&
         member->getMemberDecl()->getName() == name;
}

static bool is_enumerator(const clang::Expr *expr) {
  auto *mention =
      llvm::dyn_cast<clang::DeclRefExpr>(expr->IgnoreParenImpCasts());
  return mention && llvm::isa<clang::EnumConstantDecl>(mention->getDecl());
}

static void read_attributes(const clang::Stmt *stmt, Attributes *attributes) {
  auto *expr = llvm::dyn_cast<clang::BinaryOperator>(stmt);
  if (expr && expr->isAssignmentOp() &&
      variable_around(expr->getLHS()) == attributes->list) {
    attributes->known++;
    attributes->have_cluster |= names_cluster(expr->getLHS());
    attributes->have_unknown_id |=
        names_member(expr->getLHS(), "id") && !is_enumerator(expr->getRHS());
    if (names_member(expr->getLHS(), "cooperative")) {
      attributes->cooperative = expr;
      attributes->cooperatives++;
    }
  }
  if (expr && names_member(expr->getLHS(), "attrs") &&
      variable_around(expr->getRHS()) == attributes->list)
    attributes->known++;
  for (const clang::Stmt *child : stmt->children())
    if (child)
      read_attributes(child, attributes);
}

// Of the array of which the launch gets all, and that nothing else changes.
static std::optional<Attributes> attributes_of(Knowledge &knowledge,
                                               const Site &site) {
  const clang::Expr *list = member_at(knowledge, site, "attrs");
  const clang::VarDecl *attributes = list ? variable_around(list) : nullptr;
  const clang::ConstantArrayType *array =
      attributes
          ? knowledge.context.getAsConstantArrayType(attributes->getType())
          : nullptr;
  Number count =
      knowledge.certain.number(member_at(knowledge, site, "numAttrs"));
  if (!array || !count || count->getZExtValue() != array->getZExtSize())
    return {};
  Attributes assigned = {attributes};
  read_attributes(site.function->getBody(), &assigned);
  bool is_ours = knowledge.survey.mentions(attributes).size() == assigned.known;
  if (!is_ours || assigned.have_unknown_id)
    return {};
  return assigned;
}

static bool gives_cluster(Knowledge &knowledge, const Site &site) {
  std::optional<Attributes> assigned = attributes_of(knowledge, site);
  return assigned && assigned->have_cluster;
}

// By the function that is called, or by the attribute.
static bool is_cooperative(Knowledge &knowledge, const Site &site) {
  if (!site.has_attributes)
    return site.call && name_in_runtime(site.call->getDirectCallee()) ==
                            "cudaLaunchCooperativeKernel";
  std::optional<Attributes> assigned = attributes_of(knowledge, site);
  if (!assigned || assigned->cooperatives != 1)
    return false;
  const clang::BinaryOperator *set = assigned->cooperative;
  Number value = knowledge.certain.number(set->getRHS());
  return value && !value->isZero() &&
         is_always_before(knowledge.flow(site.function), set, site);
}

// All that are assigned agree.
static Extent cluster_size(Certain &certain, const Survey &survey,
                           unsigned axis) {
  Extent size = {};
  for (const clang::Expr *value : survey.cluster_sizes[axis]) {
    Extent one = extent_of(certain.number(value));
    if (!one.known || (size.known && size.value != one.value))
      return {};
    size = one;
  }
  return size;
}

static void note_given(const Launch &launch, HostOp size, unsigned axis,
                       bool *given) {
  for (size_t i = 0; i < launch.facts.count; i++)
    *given |= host_mentions(launch.facts.at[i].holds, size, axis);
}

// A header of the system's has a kernel that its own code launches, which is
// not looked at: that is as if nobody did.
static bool is_own(const clang::ASTContext &context, const Site &site) {
  const clang::SourceManager &sources = context.getSourceManager();
  return !site.call && sources.isInSystemHeader(site.place->getBeginLoc()) &&
         sources.isInSystemHeader(site.kernel->getLocation());
}

// How many threads CUB and Thrust say is not always followed: then it is as if
// nobody said it.
static bool says_threads(const Launch &launch) {
  return launch.block[0].known && launch.block[1].known &&
         launch.block[2].known;
}

static Launch certain_launch(Knowledge &knowledge, const Site &site) {
  clang::ASTContext &context = knowledge.context;
  Certain &certain = knowledge.certain;
  const Survey &survey = knowledge.survey;
  Task *task = knowledge.task;
  Launch launch = {};
  bool is_hidden = is_own(context, site);
  bool is_others = !site.call && !is_hidden;
  launch.is_joined = site.is_joined;
  launch.where = location(context, task, site.place->getBeginLoc());
  if (site.grid)
    certain.sizes(site.grid, launch.grid);
  if (site.block)
    certain.sizes(site.block, launch.block);
  bool is_followed = !site.is_of_library || says_threads(launch);
  launch.is_seen = is_followed && !is_hidden;
  certain.note_given(site.grid, launch.gives_grid);
  certain.note_given(site.block, launch.gives_block);
  bool is_in_cluster = site.has_attributes && gives_cluster(knowledge, site);
  for (unsigned axis = 0; axis < 3 && is_in_cluster; axis++)
    launch.cluster[axis] = cluster_size(certain, survey, axis);
  Number shared = certain.number(site.shared);
  if (shared && shared->getActiveBits() <= 32)
    launch.dynamic_shared = {true,
                             static_cast<uint32_t>(shared->getZExtValue())};
  for (unsigned i = 0; i < site.kernel->getNumParams(); i++)
    append(&task->arena, &launch.arguments, read_argument(knowledge, site, i));
  add_facts(knowledge, site, &launch);
  for (unsigned axis = 0; axis < 3; axis++) {
    note_given(launch, HOST_GRID, axis, &launch.gives_grid[axis]);
    note_given(launch, HOST_BLOCK, axis, &launch.gives_block[axis]);
    if (is_others) // whoever has its address gives what he likes
      launch.gives_grid[axis] = launch.gives_block[axis] = true;
  }
  return launch;
}

// What the launch is if the file is the whole program: one for each call of the
// function around it, where these are few.
static std::vector<Launch> if_whole(Knowledge &knowledge, const Site &site) {
  enum { MOST_CALLS = 8 };
  std::vector<Launch> found;
  knowledge.is_whole = true;
  std::vector<Survey::Call> calls;
  if (!site.caller)
    calls = knowledge.calls_of(site.function);
  bool are_apart = calls.size() >= 2 && calls.size() <= MOST_CALLS;
  for (size_t i = 0; i < (are_apart ? calls.size() : 1); i++) {
    Site one = site;
    if (are_apart)
      one.caller = calls[i].call;
    found.push_back(certain_launch(knowledge, one));
  }
  knowledge.is_whole = false;
  return found;
}

static Launch launch_of(Knowledge &knowledge, const Site &site) {
  Launch launch = certain_launch(knowledge, site);
  if (site.call && !site.is_joined && has_main(knowledge.context))
    add_program(knowledge, site, if_whole(knowledge, site), &launch);
  return launch;
}

// What headers of the system launch through pointers is handed to them.
static void add_sites(Knowledge &knowledge, const Library &library,
                      const Survey::Call &one, std::vector<Site> *sites) {
  std::optional<Site> site = site_of(knowledge.survey, one.call);
  if (!site || (one.is_systems && !site->kernel))
    return;
  site->function = one.function;
  read_config(knowledge, &*site);
  if (site->kernel)
    sites->push_back(*site);
  else
    add_pointed(knowledge, library, *site, sites);
}

// A launch in a function of which few calls are known is one for each of them.
static std::vector<Site> by_callers(Knowledge &knowledge,
                                    const std::vector<Site> &sites) {
  enum { MOST_LAUNCHES = 64 }; // of one kernel: more of them are joined
  std::map<const clang::FunctionDecl *, size_t> launches;
  std::vector<Site> found;
  for (const Site &site : sites)
    launches[site.kernel]++;
  for (const Site &site : sites) {
    std::vector<Survey::Call> callers;
    if (site.call)
      callers = knowledge.calls_of(site.function);
    size_t count = launches[site.kernel] + callers.size();
    if (callers.size() < 2 || count > MOST_LAUNCHES) {
      found.push_back(site);
      found.back().is_joined = callers.size() >= 2;
      continue;
    }
    launches[site.kernel] = count - 1;
    for (const Survey::Call &caller : callers) {
      found.push_back(site);
      found.back().caller = caller.call;
    }
  }
  return found;
}

// A header before the user's code may launch what it declares and the user
// defines.
static bool may_be_headers(const Knowledge &knowledge,
                           const clang::FunctionDecl *kernel) {
  const clang::SourceManager &sources = knowledge.context.getSourceManager();
  const clang::FunctionDecl *definition = kernel->getDefinition();
  if (definition && sources.isInSystemHeader(definition->getLocation()))
    return false;
  auto is_headers = [&sources](const clang::Decl *one) {
    return sources.isInSystemHeader(one->getLocation());
  };
  const clang::FunctionTemplateDecl *pattern = kernel->getPrimaryTemplate();
  return llvm::any_of(kernel->redecls(), is_headers) ||
         (pattern && llvm::any_of(pattern->redecls(), is_headers)) ||
         llvm::is_contained(knowledge.survey.kernels_before, kernel);
}

// By another name, or by who is not looked at, each of them may be launched,
// with anything.
static void add_unnamed(const Knowledge &knowledge, std::vector<Site> *sites) {
  std::map<const clang::FunctionDecl *, const clang::Expr *> places;
  for (const Site &site : *sites)
    places.insert({site.kernel, site.place});
  for (auto &[kernel, place] : places)
    if (knowledge.survey.has_other_stubs || may_be_headers(knowledge, kernel))
      sites->push_back(anyhow(place, kernel));
}

static std::vector<Site> launch_sites(Knowledge &knowledge) {
  std::vector<Site> sites;
  const Library library(knowledge.context, knowledge.survey);
  for (const Survey::Call &one : knowledge.survey.calls)
    add_sites(knowledge, library, one, &sites);
  for (auto &[kernel, mention] : knowledge.survey.escaped) {
    std::vector<Site> known = library.launches_of(kernel);
    if (known.empty())
      known = {anyhow(mention, kernel)};
    sites.insert(sites.end(), known.begin(), known.end());
  }
  add_unnamed(knowledge, &sites);
  return by_callers(knowledge, sites);
}

// As both sides call it.
static std::string name_of(clang::CodeGenerator &generator,
                           clang::GlobalDecl declared) {
  return generator.GetMangledName(declared).str();
}

// Is it another file's, or may it be?  What is inline, a template or weak has
// code in one file of those that define it.
static bool is_elsewhere(const clang::FunctionDecl *function) {
  clang::ASTContext &context = function->getASTContext();
  bool is_here =
      function->isDefined() && !is_replaceable(function) &&
      context.GetGVALinkageForFunction(function) == clang::GVA_StrongExternal;
  return !is_here && function->isExternallyVisible();
}

// In another file it may be a kernel, and whoever has its address launch it.
static bool may_be_kernel(const clang::FunctionDecl *function) {
  return is_elsewhere(function) && !is_kernel(function) &&
         !llvm::isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl>(
             function) &&
         !function->isDependentContext() && !function->getBuiltinID();
}

// Launches of another file's kernels that nobody sees.
static void add_unseen(const Survey &survey, clang::ASTContext &context,
                       clang::CodeGenerator &generator, Task *task,
                       SideCode *found) {
  bool is_hosts = !context.getLangOpts().CUDAIsDevice;
  if (survey.has_other_stubs || (is_hosts && survey.has_other_names))
    found->launches.push_back({"", {}, true, false});
  for (const clang::FunctionDecl *function : survey.addressed)
    if (is_hosts && may_be_kernel(function))
      found->launches.push_back(
          {arena_copy(&task->arena,
                      name_of(generator, clang::GlobalDecl(function)).c_str()),
           {},
           true,
           false});
}

static bool is_users(const clang::FunctionDecl *function) {
  const clang::SourceManager &sources =
      function->getASTContext().getSourceManager();
  return llvm::none_of(function->redecls(),
                       [&sources](const clang::FunctionDecl *one) {
                         return sources.isInSystemHeader(one->getLocation()) ||
                                one->getLocation().isInvalid();
                       });
}

// Which functions nobody else may call, and which of another file's are called
// here: launches of no kernels.
static void add_functions(const Knowledge &knowledge,
                          clang::CodeGenerator &generator, SideCode *found) {
  auto add = [&](const clang::FunctionDecl *function, bool is_others) {
    std::string name = name_of(generator, clang::GlobalDecl(function));
    found->launches.push_back({arena_copy(&knowledge.task->arena, name.c_str()),
                               {},
                               is_others,
                               false});
  };
  for (const clang::FunctionDecl *function : knowledge.believed)
    add(function, false);
  bool is_hosts = !knowledge.context.getLangOpts().CUDAIsDevice;
  for (const clang::FunctionDecl *function : knowledge.survey.named)
    if (is_hosts && !knowledge.survey.addressed.count(function) &&
        is_users(function) && may_be_kernel(function))
      add(function, true);
}

SideCode code_of_side(clang::ASTContext &context,
                      clang::CodeGenerator &generator, Task *task) {
  SideCode found;
  Knowledge knowledge(context, generator, task);
  const Survey &survey = knowledge.survey;
  for (const Site &site : launch_sites(knowledge)) {
    if (!is_kernel(site.kernel))
      continue;
    std::string name =
        name_of(generator, {site.kernel, clang::KernelReferenceKind::Kernel});
    found.launches.push_back(
        {arena_copy(&task->arena, name.c_str()), launch_of(knowledge, site),
         is_elsewhere(site.kernel), is_cooperative(knowledge, site)});
  }
  add_unseen(survey, context, generator, task, &found);
  add_functions(knowledge, generator, &found);
  for (const clang::VarDecl *variable : survey.devices)
    if (!survey.set.count(variable))
      found.kept.insert(name_of(generator, variable));
  return found;
}
