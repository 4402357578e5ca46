// clang's help with the host's side of a program whose kernels launch others.
//
// clang takes such a launch only in code that is to be linked on the device,
// and registers the kernels of such code with a linker of NVIDIA's.  So the
// code is that while it is read, and is not any more when clang registers what
// is in it.  frontend.cc does the like for the device's side.

#include "plugin/frontend.h"

#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/FrontendPluginRegistry.h"

namespace {

class Accepts : public clang::ASTConsumer {
  void Initialize(clang::ASTContext &context) override {
    frontend_accept_launches(context, true);
  }
};

class Registers : public clang::ASTConsumer {
  void HandleTranslationUnit(clang::ASTContext &context) override {
    frontend_accept_launches(context, false);
  }
};

template <typename Consumer, clang::PluginASTAction::ActionType type>
class Action : public clang::PluginASTAction {
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &, llvm::StringRef) override {
    return std::make_unique<Consumer>();
  }
  bool ParseArgs(const clang::CompilerInstance &,
                 const std::vector<std::string> &) override {
    return true;
  }
  ActionType getActionType() override { return type; }
};

using Behind = Action<Accepts, clang::PluginASTAction::AddAfterMainAction>;
using Before = Action<Registers, clang::PluginASTAction::AddBeforeMainAction>;

clang::FrontendPluginRegistry::Add<Behind>
    behind("gpuverify-accepts", "launches from kernels are taken");
clang::FrontendPluginRegistry::Add<Before>
    before("gpuverify-registers", "kernels are registered as ever");

} // namespace
