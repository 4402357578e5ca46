// Both sides of a file: who launches its kernels, and who sets its variables.
//
// The two compilations of a CUDA file see different programs: macros tell them
// apart, types have other sizes, and overloads and templates are chosen by
// sides.  So what the host's code does is read in a compilation for the host,
// and what kernels launch in the one for the device.  A kernel is the same on
// both sides if its name is: by that the runtime finds it.
//
// Of a host's side that is not read nothing is known: each kernel may be
// launched with anything, and each variable may be set.

#include "plugin/frontend.h"

#include "clang/Frontend/FrontendAction.h"

namespace {

class HostReader : public clang::ASTConsumer {
public:
  HostReader(clang::CompilerInstance &instance_, Task *task_, SideCode *code_)
      : instance(instance_), task(task_), code(code_),
        generator(clang::CreateLLVMCodeGen(
            instance.getDiagnostics(), "host code",
            instance.getVirtualFileSystemPtr(), instance.getHeaderSearchOpts(),
            instance.getPreprocessorOpts(), instance.getCodeGenOpts(),
            module_context)) {}

  // See OwnDeviceCodeMaker.
  void Initialize(clang::ASTContext &context) override {
    is_linked = context.getLangOpts().GPURelocatableDeviceCode;
    generator->Initialize(context);
    frontend_accept_launches(context, true);
  }
  void HandleTranslationUnit(clang::ASTContext &context) override {
    frontend_accept_launches(context, is_linked);
    if (!instance.getDiagnostics().hasErrorOccurred())
      *code = code_of_side(context, *generator, task);
  }

private:
  clang::CompilerInstance &instance;
  Task *task;
  SideCode *code;
  bool is_linked = false;
  llvm::LLVMContext module_context;
  std::unique_ptr<clang::CodeGenerator> generator; // for names
};

class HostAction : public clang::ASTFrontendAction {
public:
  HostAction(Task *task_, SideCode *code_) : task(task_), code(code_) {}

protected:
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &instance,
                    llvm::StringRef) override {
    return std::make_unique<HostReader>(instance, task, code);
  }

private:
  Task *task;
  SideCode *code;
};

} // namespace

// "": it was read; else why not.
static std::string
read_host(std::shared_ptr<clang::CompilerInvocation> invocation, Task *task,
          SideCode *code) {
  if (!invocation)
    return "nobody says how";
  FirstError error;
  frontend_silence(invocation.get());
  invocation->getDiagnosticOpts().IgnoreWarnings = true;
  clang::CompilerInstance instance(std::move(invocation));
  HostAction action(task, code);
  bool is_done =
      frontend_open_files(&instance, &error) && instance.ExecuteAction(action);
  return is_done || !error.text.empty() ? error.text : "it cannot be read";
}

// -------------------------------------------------------------- variables ---

static const clang::VarDecl *variable_of(clang::CodeGenerator &generator,
                                         const llvm::GlobalVariable &global) {
  return llvm::dyn_cast_or_null<clang::VarDecl>(
      generator.GetDeclForMangledName(global.getName()));
}

// What the system declares, it sets.
static void mark_settable(const clang::ASTContext &context,
                          clang::CodeGenerator &generator,
                          const std::set<std::string> &kept) {
  const clang::SourceManager &sources = context.getSourceManager();
  for (llvm::GlobalVariable &global : generator.GetModule()->globals()) {
    const clang::VarDecl *variable = variable_of(generator, global);
    if (variable && !kept.count(global.getName().str()) &&
        !sources.isInSystemHeader(variable->getLocation()))
      global.setMetadata("gpuverify.set",
                         llvm::MDNode::get(global.getContext(), {}));
  }
}

// --------------------------------------------------------------- launches ---

static void add_launches(const SideCode &side, Task *task, DeviceCode *code) {
  for (const HostLaunch &launch : side.launches)
    append(&task->arena, &code->launches, launch);
}

static bool has_kernels(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    if (function.getCallingConv() == llvm::CallingConv::PTX_Kernel ||
        function.getCallingConv() == llvm::CallingConv::AMDGPU_KERNEL)
      return true;
  return false;
}

void find_launches(clang::ASTContext &device, clang::CodeGenerator &generator,
                   const HostInvocation &host, Task *task, DeviceCode *code) {
  SideCode ours = code_of_side(device, generator, task), theirs;
  bool is_wanted = has_kernels(*generator.GetModule()) || code->is_one_of_many;
  if (is_wanted)
    code->host_error = read_host(host(), task, &theirs);
  mark_settable(device, generator, theirs.kept);
  if (!is_wanted || !code->host_error.empty())
    return;
  add_launches(theirs, task, code);
  add_launches(ours, task, code);
}
