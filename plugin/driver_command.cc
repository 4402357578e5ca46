// What clang's driver was told, as it compiles a file for both sides.
//
// The compiler is a process of the driver's, or the driver itself if there is
// but one thing to do.  What the driver makes of its command line for the
// device does not say what it makes of it for the host: OpenMP, macros of one
// side and the like are left out.  So it is asked again.

#include "plugin/frontend.h"

#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/ToolChain.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/TargetParser/Host.h"

#include <unistd.h>

// ----------------------------------------------------------- command line ---

static std::vector<std::string> arguments_of(const std::string &process) {
  std::vector<std::string> arguments;
  auto text = llvm::MemoryBuffer::getFileAsStream(process + "/cmdline");
  llvm::SmallVector<llvm::StringRef> parts;
  if (text)
    (*text)->getBuffer().split(parts, '\0', -1, true);
  for (llvm::StringRef part : parts)
    arguments.push_back(part.str());
  if (!arguments.empty()) // each argument ends with a zero
    arguments.pop_back();
  return arguments;
}

// "clang", "clang++", "clang-22"; not "clang-tidy".
static bool is_clang(llvm::StringRef program) {
  llvm::StringRef name = program.substr(program.rfind('/') + 1);
  return name.consume_front("clang") &&
         name.find_first_not_of("+-.0123456789") == llvm::StringRef::npos;
}

static bool is_driver(const std::vector<std::string> &arguments) {
  return arguments.size() > 1 && arguments[1] != "-cc1";
}

static std::string executable_of(const std::string &process) {
  char path[4096];
  ssize_t length = readlink((process + "/exe").c_str(), path, sizeof path);
  return length > 0 ? std::string(path, static_cast<size_t>(length)) : "";
}

std::vector<std::string> driver_command() {
  std::string self = "/proc/self",
              parent = "/proc/" + std::to_string(getppid());
  std::string program = executable_of(self);
  if (!is_clang(program) || getenv("CCC_OVERRIDE_OPTIONS")) // it edits them
    return {};
  std::vector<std::string> own = arguments_of(self);
  if (is_driver(own))
    return own;
  std::vector<std::string> theirs;
  if (executable_of(parent) == program)
    theirs = arguments_of(parent);
  return is_driver(theirs) ? theirs : std::vector<std::string>();
}

// ------------------------------------------------------------- host's job ---

static bool is_for_host(const clang::CompilerInvocation &invocation) {
  const auto &inputs = invocation.getFrontendOpts().Inputs;
  return inputs.size() == 1 && inputs[0].isFile() &&
         invocation.getLangOpts().CUDA &&
         !invocation.getLangOpts().CUDAIsDevice;
}

using Invocations = std::vector<std::shared_ptr<clang::CompilerInvocation>>;

// The only one, whatever it is called: the driver may have written our input.
static std::shared_ptr<clang::CompilerInvocation>
choose(const Invocations &all, llvm::StringRef input) {
  for (const auto &one : all)
    if (one->getFrontendOpts().Inputs[0].getFile() == input)
      return one;
  return all.size() == 1 ? all[0] : nullptr;
}

// It would tell about itself, or compile in steps.
static bool is_for_output(llvm::StringRef argument) {
  return argument == "-v" || argument == "--verbose" ||
         argument.starts_with("-save-temps") ||
         argument.starts_with("--save-temps");
}

static llvm::SmallVector<const char *, 64>
host_arguments(const std::vector<std::string> &command,
               llvm::BumpPtrAllocator *allocator) {
  llvm::SmallVector<const char *, 64> arguments;
  for (const std::string &argument : command)
    arguments.push_back(argument.c_str());
  if (llvm::Error error =
          clang::driver::expandResponseFiles(arguments, false, *allocator)) {
    llvm::consumeError(std::move(error));
    return {};
  }
  llvm::erase_if(arguments, is_for_output);
  arguments.push_back("-fsyntax-only");
  arguments.push_back("--cuda-host-only"); // the last of its kind counts
  return arguments;
}

std::shared_ptr<clang::CompilerInvocation>
driver_host_invocation(const std::vector<std::string> &command,
                       llvm::StringRef input) {
  llvm::BumpPtrAllocator allocator;
  auto arguments = host_arguments(command, &allocator);
  if (arguments.empty())
    return nullptr;
  auto files = llvm::vfs::getRealFileSystem();
  clang::DiagnosticOptions options;
  FirstError error;
  auto diagnostics = clang::CompilerInstance::createDiagnostics(*files, options,
                                                                &error, false);
  clang::driver::Driver driver(executable_of("/proc/self"),
                               llvm::sys::getDefaultTargetTriple(),
                               *diagnostics, "", files);
  driver.setTargetAndMode(
      clang::driver::ToolChain::getTargetAndModeFromProgramName(arguments[0]));
  std::unique_ptr<clang::driver::Compilation> compilation(
      driver.BuildCompilation(arguments));
  if (!compilation || !error.text.empty())
    return nullptr;
  Invocations found;
  for (const clang::driver::Command &job : compilation->getJobs()) {
    auto invocation = std::make_shared<clang::CompilerInvocation>();
    if (clang::CompilerInvocation::CreateFromArgs(
            *invocation, job.getArguments(), *diagnostics, arguments[0]) &&
        is_for_host(*invocation))
      found.push_back(std::move(invocation));
  }
  return choose(found, input);
}
