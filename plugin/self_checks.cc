// Programs that check themselves: -fplugin-arg-gpuverify-detect=values.
//
// The user's own compilation is changed, before it is optimised.  In code for
// a device each kernel gets a second one beside it that executes its regions
// twice (runtime/values/module.c); all else stays what it is.  In code for the
// host, launches become calls of libgpuverify-values.a, which finds the second
// kernel in the module, and so do ends of the process of which nobody hears.

#include "plugin/self_checks.h"

#include "clang/Basic/CodeGenOptions.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"

extern "C" {
#include "runtime/values/values.h"
}
#undef push

namespace {

// A module whose every name can be linked to, until this goes.
class OpenedModule {
public:
  explicit OpenedModule(llvm::Module &module) {
    for (llvm::GlobalValue &global : module.global_values())
      if (global.hasLocalLinkage())
        open(global);
  }
  ~OpenedModule() {
    for (Closed &closed : all) {
      closed.global->setLinkage(closed.linkage);
      if (!closed.has_name)
        closed.global->setName("");
    }
  }
  OpenedModule(const OpenedModule &) = delete;
  OpenedModule &operator=(const OpenedModule &) = delete;

private:
  struct Closed {
    llvm::GlobalValue *global;
    llvm::GlobalValue::LinkageTypes linkage;
    bool has_name;
  };
  std::vector<Closed> all;

  void open(llvm::GlobalValue &global) {
    all.push_back({&global, global.getLinkage(), global.hasName()});
    if (!global.hasName())
      global.setName("__gpuverify_values_unnamed");
    global.setLinkage(llvm::GlobalValue::ExternalLinkage);
  }
};

} // namespace

static void drop_named_metadata(llvm::Module &module, bool also_debug_info) {
  std::vector<llvm::NamedMDNode *> all;
  for (llvm::NamedMDNode &node : module.named_metadata())
    if (also_debug_info || node.getName() != "llvm.dbg.cu")
      all.push_back(&node);
  for (llvm::NamedMDNode *node : all)
    module.eraseNamedMetadata(node);
}

// Threads of a warp go on independently since then.
static bool is_old(const clang::TargetOptions &target) {
  enum { OLDEST = 70 };
  llvm::StringRef cpu = target.CPU;
  unsigned number = 0;
  return cpu.consume_front("sm_") && !cpu.consumeInteger(10, number) &&
         number < OLDEST;
}

// ----------------------------------------------------------------- device ---

static void tell_kernels(SelfChecks &checks, const CutKernels &kernels) {
  for (size_t i = 0; i < kernels.count; i++) {
    const CutKernel &kernel = kernels.at[i];
    if (kernel.reason)
      checks.diagnoser.not_checked(kernel.where, kernel.entry.source,
                                   kernel.reason);
  }
}

static void cut_kernels(SelfChecks &checks, llvm::Module &module) {
  OpenedModule opened(module);
  std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module);
  drop_named_metadata(*copy, false);
  checks.prove(*copy);
  CutKernels kernels = {};
  const char *reason = nullptr;
  if (!values_cut_module(checks.task, llvm::wrap(copy.get()),
                         checks.compares_warps, &kernels, &reason))
    return checks.diagnoser.unknown(
        std::string("no kernel of this file checks itself: ") + reason);
  tell_kernels(checks, kernels);
  drop_named_metadata(*copy, true);
  if (kernels.count && llvm::Linker::linkModules(module, std::move(copy)))
    checks.diagnoser.error("the kernels that check themselves are not linked");
}

namespace {

struct CutKernelsPass : llvm::PassInfoMixin<CutKernelsPass> {
  std::shared_ptr<SelfChecks> checks;

  explicit CutKernelsPass(std::shared_ptr<SelfChecks> checks_)
      : checks(std::move(checks_)) {}

  static bool isRequired() { return true; }
  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &) {
    if (!checks->survives([&] { cut_kernels(*checks, module); }))
      checks->diagnoser.unknown(
          "internal error; kernels of this file do not check themselves");
    return llvm::PreservedAnalyses::none();
  }
};

} // namespace

// ------------------------------------------------------------------- host ---

static llvm::StringRef name_instead(llvm::StringRef name) {
  return llvm::StringSwitch<llvm::StringRef>(name)
#define REPLACED(function, ours) .Case(#function, #ours)
#include "runtime/values/replaced.def"
#undef REPLACED
      .Default("");
}

// Functions that a file defines itself are not the runtime's.
static void replace(llvm::Module &module, llvm::Function &function) {
  llvm::StringRef name = name_instead(function.getName());
  if (name.empty() || !function.isDeclaration())
    return;
  if (llvm::Function *known = module.getFunction(name))
    function.replaceAllUsesWith(known);
  else
    function.setName(name);
}

static void replace_calls(llvm::Module &module) {
  for (llvm::Function &function : module)
    replace(module, function);
}

namespace {

struct ReplaceCallsPass : llvm::PassInfoMixin<ReplaceCallsPass> {
  static bool isRequired() { return true; }
  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &) {
    replace_calls(module);
    return llvm::PreservedAnalyses::none();
  }
};

} // namespace

// ------------------------------------------------------------------ clang ---

template <typename Pass>
static void run_first(clang::CompilerInstance &instance, Pass pass) {
  instance.getCodeGenOpts().PassBuilderCallbacks.push_back(
      [pass](llvm::PassBuilder &builder) {
        builder.registerPipelineStartEPCallback(
            [pass](llvm::ModulePassManager &passes, llvm::OptimizationLevel) {
              passes.addPass(Pass(pass));
            });
      });
}

void self_checks_of_device(clang::CompilerInstance &instance,
                           std::shared_ptr<SelfChecks> checks) {
  clang::CodeGenOptions &options = instance.getCodeGenOpts();
  if (is_old(instance.getTargetOpts()))
    return checks->diagnoser.unknown(
        "programs that check themselves need "
        "sm_70 or later");
  // Places, for reports; nothing of that is in the object.
  if (options.getDebugInfo() == llvm::codegenoptions::NoDebugInfo)
    options.setDebugInfo(llvm::codegenoptions::LocTrackingOnly);
  run_first(instance, CutKernelsPass(std::move(checks)));
}

void self_checks_of_host(clang::CompilerInstance &instance) {
  run_first(instance, ReplaceCallsPass());
}
