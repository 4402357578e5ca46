// A plugin that has but one answer: an error.
//
// Who loads us wants kernels to be checked.  Where that cannot be, clang would
// go on without us and without a word.

#include "plugin/refusal.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"

#include <stdio.h>
#include <string>

namespace {

// Nothing is constructed yet where libraries are being loaded.
char reason[8192];

class Refusal : public clang::PluginASTAction {
  ActionType getActionType() override { return AddBeforeMainAction; }

  bool ParseArgs(const clang::CompilerInstance &instance,
                 const std::vector<std::string> &) override {
    clang::DiagnosticsEngine &diagnostics = instance.getDiagnostics();
    unsigned id =
        diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0");
    diagnostics.Report(id) << std::string("gpuverify: nothing is checked: ") +
                                  reason;
    return false;
  }

  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &, llvm::StringRef) override {
    return std::make_unique<clang::ASTConsumer>();
  }
};

} // namespace

void refuse_to_compile(const char *why) {
  snprintf(reason, sizeof reason, "%s", why);
  static clang::FrontendPluginRegistry::Add<Refusal> refusal(
      "gpuverify", "says why kernels cannot be checked");
}
