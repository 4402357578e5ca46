// Kernels that a call hands to code which is not read: it may launch them with
// anything.
//
// Such code is a function of another file or of a system's header, or one that
// is called through a pointer.  Not so are the functions whose launches
// launches.cc reads, and those that only ask about a kernel or set its
// attributes.

#include "plugin/host.h"

namespace host {

// A function that is mentioned by its name, whatever the pointer's type.
const clang::FunctionDecl *function_named(const clang::Expr *expr) {
  expr = expr->IgnoreParenCasts();
  if (auto *address = llvm::dyn_cast<clang::UnaryOperator>(expr))
    expr = address->getSubExpr()->IgnoreParenCasts();
  const clang::ValueDecl *named = nullptr;
  if (auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(expr))
    named = mention->getDecl();
  if (auto *mention = llvm::dyn_cast<clang::MemberExpr>(expr))
    named = mention->getMemberDecl();
  return llvm::dyn_cast_or_null<clang::FunctionDecl>(named);
}

// A function of that name elsewhere does what it likes.
static llvm::StringRef name_in_runtime(const clang::FunctionDecl *function) {
  if (!function || !function->getIdentifier() ||
      !function->getDeclContext()->getRedeclContext()->isTranslationUnit())
    return "";
  const clang::SourceManager &sources =
      function->getASTContext().getSourceManager();
  for (const clang::FunctionDecl *one : function->redecls())
    if (!sources.isInSystemHeader(one->getLocation()))
      return "";
  return function->getName();
}

bool is_read_as_launch(const clang::FunctionDecl *function) {
  llvm::StringRef name = name_in_runtime(function);
  return name == "cudaLaunchKernel" || name == "cudaLaunchCooperativeKernel" ||
         name == "cudaLaunchKernelEx" || name == "cudaLaunchKernelExC";
}

bool only_asks(const clang::FunctionDecl *function) {
  llvm::StringRef name = name_in_runtime(function);
  return name.starts_with("cudaFunc") || name.starts_with("cudaOccupancy");
}

// What it launches is in memory.
static bool launches_from_memory(llvm::StringRef name) {
  return name.contains("KernelNode") || name.contains("NodeSetParams") ||
         name == "cudaGraphAddNode" ||
         name == "cudaLaunchCooperativeKernelMultiDevice" ||
         name.contains("LaunchDevice");
}

bool is_read_here(clang::ASTContext &context,
                  const clang::FunctionDecl *function) {
  const clang::SourceManager &sources = context.getSourceManager();
  const clang::FunctionDecl *definition = nullptr;
  return function->hasBody(definition) && !is_replaceable(function) &&
         !sources.isInSystemHeader(definition->getLocation());
}

static bool may_point_to(clang::ASTContext &context, clang::QualType type,
                         const clang::FunctionDecl *kernel) {
  type = type.getNonReferenceType();
  if (type->isFunctionPointerType())
    type = type->getPointeeType();
  return type->isFunctionType() &&
         context.hasSameFunctionTypeIgnoringExceptionSpec(type,
                                                          kernel->getType());
}

namespace {

struct Handing {
  const clang::FunctionDecl *callee; // NULL: it is a pointer
  llvm::ArrayRef<const clang::Expr *> arguments;
};

} // namespace

static Handing handing_of(const clang::Expr *expr) {
  if (auto *call = llvm::dyn_cast<clang::CallExpr>(expr))
    return {call->getDirectCallee(), {call->getArgs(), call->getNumArgs()}};
  auto *object = llvm::cast<clang::CXXConstructExpr>(expr);
  return {object->getConstructor(), {object->getArgs(), object->getNumArgs()}};
}

static bool is_safe(clang::ASTContext &context, const Handing &handing) {
  return handing.callee &&
         (is_read_as_launch(handing.callee) || only_asks(handing.callee) ||
          is_read_here(context, handing.callee));
}

static bool hands_over(clang::ASTContext &context, const Handing &handing,
                       const clang::FunctionDecl *kernel) {
  for (const clang::Expr *argument : handing.arguments) {
    const clang::FunctionDecl *named = function_named(argument);
    if (named ? named->getCanonicalDecl() == kernel->getCanonicalDecl()
              : may_point_to(context, argument->getType(), kernel))
      return true;
  }
  return false;
}

std::vector<const clang::FunctionDecl *> handed_over(clang::ASTContext &context,
                                                     const Survey &survey,
                                                     const clang::Expr *call) {
  Handing handing = handing_of(call);
  llvm::StringRef name = handing.callee && handing.callee->getIdentifier()
                             ? handing.callee->getName()
                             : "";
  if (llvm::isa<clang::CUDAKernelCallExpr>(call) || is_safe(context, handing))
    return {};
  std::vector<const clang::FunctionDecl *> kernels;
  for (const clang::FunctionDecl *kernel : survey.addressed)
    if (is_kernel(kernel) &&
        (launches_from_memory(name) || hands_over(context, handing, kernel)))
      kernels.push_back(kernel);
  return kernels;
}

} // namespace host
