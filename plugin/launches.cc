// Launch sizes and arguments, read from the host code of the same file.
//
// When clang compiles a .cu file for the device it parses the host functions,
// too.  So each  kernel<<<grid, block, shared>>>(arguments)  is there to read,
// and so are calls of cudaLaunchKernel and its cooperative sister.  Where the
// kernel is a pointer, it may be any whose address is taken in the file.  What
// cudaLaunchKernelEx gets is a variable, whose members are assigned: they are
// taken if each is assigned once in the file and nothing else is done with it.
// The sizes of clusters are taken if all that are assigned in the file agree.
//
// What is taken is certain (SOUND(host-code)): what the host does under #ifdef
// __CUDA_ARCH__ is read as the device compilation sees it, and launches
// elsewhere are not seen.

#include "plugin/host.h"

#include "clang/AST/GlobalDecl.h"

using namespace host;

// (const void *)kernel
static const clang::FunctionDecl *mentioned(const clang::Expr *expr) {
  expr = expr->IgnoreParenCasts();
  if (auto *address = llvm::dyn_cast<clang::UnaryOperator>(expr))
    expr = address->getSubExpr()->IgnoreParenCasts();
  auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(expr);
  return mention ? llvm::dyn_cast<clang::FunctionDecl>(mention->getDecl())
                 : nullptr;
}

static std::optional<Site> bracket_site(const clang::CUDAKernelCallExpr *call) {
  const clang::CallExpr *config = call->getConfig();
  if (!config || config->getNumArgs() < 3)
    return {};
  return Site{call,
              call->getDirectCallee(),
              config->getArg(0),
              config->getArg(1),
              config->getArg(2),
              true};
}

// cudaLaunchKernel(kernel, grid, block, arguments, shared, stream)
static std::optional<Site> function_site(const clang::CallExpr *call) {
  const clang::FunctionDecl *function = call->getDirectCallee();
  if (!function || !function->getIdentifier() || call->getNumArgs() < 5)
    return {};
  llvm::StringRef name = function->getName();
  if (name != "cudaLaunchKernel" && name != "cudaLaunchCooperativeKernel")
    return {};
  return Site{call,
              mentioned(call->getArg(0)),
              call->getArg(1),
              call->getArg(2),
              call->getArg(4),
              false};
}

// cudaLaunchKernelEx(&config, kernel, arguments..)
static std::optional<Site> config_site(const Survey &survey,
                                       const clang::CallExpr *call) {
  const clang::FunctionDecl *function = call->getDirectCallee();
  if (!function || !function->getIdentifier() || call->getNumArgs() < 2 ||
      function->getName() != "cudaLaunchKernelEx")
    return {};
  Site site = {
      call, mentioned(call->getArg(1)), nullptr, nullptr, nullptr, true, 2,
      true};
  auto *address = llvm::dyn_cast<clang::UnaryOperator>(
      call->getArg(0)->IgnoreParenImpCasts());
  auto *mention = address ? llvm::dyn_cast<clang::DeclRefExpr>(
                                address->getSubExpr()->IgnoreParens())
                          : nullptr;
  auto *variable =
      mention ? llvm::dyn_cast<clang::VarDecl>(mention->getDecl()) : nullptr;
  if (!site.kernel || !variable || !survey.is_for_launch(variable))
    return site.kernel ? std::optional<Site>(site) : std::nullopt;
  site.grid = survey.assigned(variable, "gridDim");
  site.block = survey.assigned(variable, "blockDim");
  site.shared = survey.assigned(variable, "dynamicSmemBytes");
  return site;
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

// Through a pointer, each kernel may be meant whose address is taken.
static bool may_launch(clang::ASTContext &context, const Site &site,
                       const clang::FunctionDecl *kernel) {
  clang::QualType type = site.call->getCallee()->getType();
  return !site.has_arguments ||
         context.hasSameFunctionTypeIgnoringExceptionSpec(
             type->getPointeeType(), kernel->getType());
}

static Argument argument_of(Certain &certain, const clang::Expr *expr,
                            clang::QualType type) {
  Number value = is_integer(type) ? certain.number(expr) : Number();
  if (!value || value->getActiveBits() > 64 || value->getBitWidth() > 64)
    return {};
  return {true, value->getZExtValue(), {}};
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

static Launch launch_of(Knowledge &knowledge, const Site &site) {
  clang::ASTContext &context = knowledge.context;
  Certain &certain = knowledge.certain;
  const Survey &survey = knowledge.survey;
  Task *task = knowledge.task;
  Launch launch = {};
  launch.where = location(context, task, site.call->getBeginLoc());
  if (site.grid)
    certain.sizes(site.grid, launch.grid);
  if (site.block)
    certain.sizes(site.block, launch.block);
  for (unsigned axis = 0; axis < 3 && site.has_attributes; axis++)
    launch.cluster[axis] = cluster_size(certain, survey, axis);
  Number shared = certain.number(site.shared);
  if (shared && shared->getActiveBits() <= 32)
    launch.dynamic_shared = {true,
                             static_cast<uint32_t>(shared->getZExtValue())};
  for (unsigned i = 0; i < site.kernel->getNumParams(); i++)
    append(&task->arena, &launch.arguments,
           site.has_arguments && site.first + i < site.call->getNumArgs()
               ? argument_of(certain, site.call->getArg(site.first + i),
                             site.kernel->getParamDecl(i)->getType())
               : Argument{});
  add_facts(knowledge, site, &launch);
  return launch;
}

static std::vector<Site> launch_sites(clang::ASTContext &context,
                                      const Survey &survey) {
  std::vector<Site> sites;
  for (const Survey::Call &one : survey.calls) {
    std::optional<Site> site = site_of(survey, one.call);
    if (!site)
      continue;
    site->function = one.function;
    if (site->kernel) {
      sites.push_back(*site);
      continue;
    }
    for (const clang::FunctionDecl *kernel : survey.addressed)
      if (may_launch(context, *site, kernel)) {
        site->kernel = kernel;
        sites.push_back(*site);
      }
  }
  return sites;
}

void find_launches(clang::ASTContext &context, clang::CodeGenerator &generator,
                   Task *task, HostLaunches *launches) {
  Knowledge knowledge(context, task);
  for (const Site &site : launch_sites(context, knowledge.survey)) {
    if (!is_kernel(site.kernel))
      continue;
    llvm::StringRef name = generator.GetMangledName(
        clang::GlobalDecl(site.kernel, clang::KernelReferenceKind::Kernel));
    HostLaunch launch = {arena_copy(&task->arena, name.str().c_str()),
                         launch_of(knowledge, site)};
    append(&task->arena, launches, launch);
  }
}
