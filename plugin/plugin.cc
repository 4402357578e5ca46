// The plugin: verdicts while clang compiles.
//
//   clang++ -fplugin=gpuverify.so -c kernel.cu
//
// We come after clang's own action and look at device compilations only: of
// CUDA the device pass, of OpenCL everything.  The user's object file stays
// what it is without us.  For CUDA the front end is paid once: a second code
// generator is shown the same declarations.  Where the user's compilation is
// not the one to verify - annotations have vanished from it, or the target has
// but one address space - the file is compiled again for us.
//
// We are guests: no exit, nothing on stdout, and a crash of ours becomes an
// `unknown`.  Where clang itself has found errors we say nothing.

#include "plugin/fix_notes.h"
#include "plugin/self_checks.h"
#include "plugin/suppress.h"

#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/Support/CrashRecoveryContext.h"

extern "C" {
#include "plugin/run.h"
}
#undef push

namespace {

// What one compilation is verified with.
struct Session {
  Task task = {};
  Settings settings = {};

  Session() { settings_default(&settings, DOOR_PLUGIN); }
  ~Session() { arena_free(&task.arena); }
  Session(const Session &) = delete;
  Session &operator=(const Session &) = delete;
};

// A second generator reports what clang's own has reported already.
struct Muted {
  clang::DiagnosticOptions options;
  FirstError first_error;
  clang::DiagnosticsEngine engine;

  explicit Muted(clang::SourceManager &sources)
      : engine(llvm::makeIntrusiveRefCnt<clang::DiagnosticIDs>(), options,
               &first_error, false) {
    engine.setSourceManager(&sources);
  }
};

} // namespace

// Our own compilation of the file loads us, too: then we stay away.
static bool is_inside;

// ------------------------------------------------------ the second compile ---

// Of the targets that clang has, spir64 keeps all address spaces of OpenCL.
static void retarget(clang::TargetOptions *target) {
  target->Triple = "spir64-unknown-unknown";
  target->HostTriple.clear();
  target->CPU.clear();
  target->TuneCPU.clear();
  target->ABI.clear();
  target->FPMath.clear();
  target->Features.clear();
  target->FeaturesAsWritten.clear();
  target->FeatureMap.clear();
}

// What was read to its end, once.
static void read_from_memory(const clang::CompilerInstance &instance,
                             clang::CompilerInvocation *invocation) {
  clang::FrontendInputFile &input = invocation->getFrontendOpts().Inputs[0];
  const clang::SourceManager &sources = instance.getSourceManager();
  if (input.isFile() && input.getFile() == "-")
    input = clang::FrontendInputFile(
        sources.getBufferOrFake(sources.getMainFileID()), input.getKind());
}

static HostInvocation host_of(const clang::CompilerInstance &instance) {
  return [&instance]() -> std::shared_ptr<clang::CompilerInvocation> {
    const clang::FrontendInputFile &input =
        instance.getFrontendOpts().Inputs[0];
    if (!input.isFile())
      return nullptr;
    auto invocation = driver_host_invocation(driver_command(), input.getFile());
    if (invocation)
      read_from_memory(instance, invocation.get());
    return invocation;
  };
}

// As it was compiled.
static std::shared_ptr<clang::CompilerInvocation>
same_invocation(clang::CompilerInstance &instance) {
  auto invocation =
      std::make_shared<clang::CompilerInvocation>(instance.getInvocation());
  if (invocation->getLangOpts().OpenCL) {
    retarget(&invocation->getTargetOpts());
    invocation->getLangOpts().PICLevel = 0;
  }
  read_from_memory(instance, invocation.get());
  return invocation;
}

// As it is proved, with what it says to a prover.
static std::shared_ptr<clang::CompilerInvocation>
invocation_again(clang::CompilerInstance &instance) {
  auto invocation = same_invocation(instance);
  invocation->getPreprocessorOpts().addMacroDef("__GPUVERIFY__=1");
  return invocation;
}

// -------------------------------------------------------------- verifying ---

// Who hears of verdicts, with what is proposed for kernels.
struct Listener {
  clang::CompilerInstance &instance;
  Diagnoser &diagnoser;
  Fixes fixes;
};

static void report_kernel(void *data, const KernelReport *report) {
  auto *listener = static_cast<Listener *>(data);
  listener->diagnoser.kernel(*report);
  show_fixes(listener->instance, listener->fixes, report->name);
}

static void report_left_out(void *data, const KernelsLeft *left) {
  static_cast<Listener *>(data)->diagnoser.left_out(*left);
}

static void report_suppression(void *data, Loc where, const char *text) {
  static_cast<Listener *>(data)->diagnoser.suppression(where, text);
}

// Each change that is tried is compiled as the user's file was.
static Fixes find_fixes(clang::CompilerInstance &instance, Session *session,
                        const std::string &file) {
  if (!session->settings.fix)
    return {};
  HostInvocation host = host_of(instance);
  frontend_compile_as([&](bool is_host) {
    return is_host ? host() : invocation_again(instance);
  });
  Fixes fixes =
      repair_propose(&session->task, &session->settings, file.c_str());
  frontend_compile_as({});
  return fixes;
}

// Runs `work` so that a crash in it does not take clang down.  Only running
// out of stack would, hence a large one; pages not used cost nothing.
static bool survives(llvm::function_ref<void()> work) {
  enum { STACK_BYTES = 256 << 20 };
  bool is_enabled = llvm::CrashRecoveryContext::GetCurrent() != nullptr;
  if (!is_enabled)
    llvm::CrashRecoveryContext::Enable();
  llvm::CrashRecoveryContext context;
  bool survived = context.RunSafelyOnNewStack(work, STACK_BYTES);
  if (!is_enabled)
    llvm::CrashRecoveryContext::Disable(); // restores clang's handlers
  return survived;
}

static void verify(clang::CompilerInstance &instance, Session *session,
                   const FirstError &error, DeviceCode *code) {
  Diagnoser diagnoser(instance, session->settings);
  if (!code->module)
    return diagnoser.unknown(
        "nothing is verified, because this does not "
        "compile for verification: " +
        error.text);
  std::string file = instance.getFrontendOpts().Inputs[0].isFile()
                         ? instance.getFrontendOpts().Inputs[0].getFile().str()
                         : "<input>";
  Reporter reporter = {};
  reporter.kernel = report_kernel;
  reporter.left_out = report_left_out;
  Settings *settings = &session->settings;
  const char *wrong = nullptr;
  settings->options.suppressions =
      suppressions_open(&session->task, settings, &wrong);
  if (wrong)
    return diagnoser.error(wrong);
  Listener listener = {instance, diagnoser,
                       find_fixes(instance, session, file)};
  reporter.data = &listener;
  verify_module(&settings->options, file.c_str(),
                llvm::wrap(code->module.get()), &code->launches, &reporter);
  suppressions_list(settings->options.suppressions, file.c_str(),
                    report_suppression, &listener);
}

// A crash leaves the code behind, never to be touched again.
static void guard(clang::CompilerInstance &instance, Session *session,
                  std::unique_ptr<DeviceCode> *code,
                  llvm::function_ref<void()> work) {
  is_inside = true;
  bool survived = survives(work);
  is_inside = false;
  if (survived)
    return;
  code->release();
  Diagnoser(instance, session->settings)
      .unknown(
          "internal error; the verdict is unknown for all kernels "
          "that are not named above");
}

static void compile_and_verify(clang::CompilerInstance &instance,
                               Session *session) {
  FirstError error;
  auto code = std::make_unique<DeviceCode>();
  guard(instance, session, &code, [&] {
    compile_device_code(invocation_again(instance), &error, host_of(instance),
                        &session->task, code.get());
    verify(instance, session, error, code.get());
  });
}

// -------------------------------------------------------------- consumers ---

namespace {

// Reads the file again once clang is through with it.
class AgainConsumer : public clang::ASTConsumer {
public:
  AgainConsumer(clang::CompilerInstance &instance_,
                std::shared_ptr<Session> session_)
      : instance(instance_), session(std::move(session_)) {}

  void HandleTranslationUnit(clang::ASTContext &) override {
    if (!instance.getDiagnostics().hasErrorOccurred())
      compile_and_verify(instance, session.get());
  }

private:
  clang::CompilerInstance &instance;
  std::shared_ptr<Session> session;
};

// What CudaConsumer's base needs before it is made.
struct CudaParts {
  Muted muted;
  std::unique_ptr<DeviceCode> code = std::make_unique<DeviceCode>();

  explicit CudaParts(clang::SourceManager &sources) : muted(sources) {}
};

// Generates code for us from what clang parses anyway.
class CudaConsumer : private CudaParts, public DeviceCodeMaker {
public:
  CudaConsumer(clang::CompilerInstance &instance_,
               std::shared_ptr<Session> session_)
      : CudaParts(instance_.getSourceManager()),
        DeviceCodeMaker(instance_, CudaParts::muted.engine, host_of(instance_),
                        &session_->task, CudaParts::code.get()),
        instance(instance_), session(session_) {}

  void HandleTranslationUnit(clang::ASTContext &context) override {
    if (instance.getDiagnostics().hasErrorOccurred())
      return;
    if (annotations_have_vanished())
      return compile_and_verify(instance, session.get());
    guard(instance, session.get(), &(CudaParts::code), [&] {
      DeviceCodeMaker::HandleTranslationUnit(context);
      verify(instance, session.get(), muted.first_error, CudaParts::code.get());
    });
  }

private:
  clang::CompilerInstance &instance;
  std::shared_ptr<Session> session;

  bool annotations_have_vanished() {
    clang::Preprocessor &preprocessor = instance.getPreprocessor();
    return preprocessor.isMacroDefined("GPUVERIFY_H") &&
           !preprocessor.isMacroDefined("__GPUVERIFY__");
  }
};

} // namespace

// ---------------------------------------------------------- when we come in
// ---

// With several --cuda-gpu-arch, clang runs itself once for each.  One report
// is enough, so the smallest name answers; but AMD's wavefronts differ.  The
// other names are to be read in the command line of the driver; where it cannot
// be read every architecture answers, which is the worst that happens.
static std::set<std::string>
architectures_of(const std::vector<std::string> &command) {
  std::set<std::string> names;
  llvm::SmallVector<llvm::StringRef> values;
  for (llvm::StringRef argument : command) {
    bool is_taken_back = argument.consume_front("--no-");
    if (!is_taken_back && !argument.consume_front("--"))
      continue;
    if (!argument.consume_front("cuda-gpu-arch=") &&
        !argument.consume_front("offload-arch="))
      continue;
    values.clear();
    argument.split(values, ',');
    for (llvm::StringRef value : values)
      if (is_taken_back)
        names.erase(value.str());
      else
        names.insert(value.str());
  }
  return names;
}

static bool another_architecture_answers(clang::CompilerInstance &instance) {
  if (instance.getLangOpts().HIP)
    return false;
  auto names = architectures_of(driver_command());
  std::string ours = instance.getTargetOpts().CPU;
  return names.count(ours) && *names.begin() != ours;
}

// Not while clang makes a precompiled header, prints the tree, and so on.
static bool is_compilation(const clang::FrontendOptions &options) {
  switch (options.ProgramAction) {
  case clang::frontend::EmitAssembly:
  case clang::frontend::EmitBC:
  case clang::frontend::EmitCodeGenOnly:
  case clang::frontend::EmitLLVM:
  case clang::frontend::EmitLLVMOnly:
  case clang::frontend::EmitObj:
  case clang::frontend::ParseSyntaxOnly:
    return true;
  default:
    return false;
  }
}

// HIP is also compiled for NVIDIA, where it is CUDA, and for SPIR-V.
static bool is_known_target(clang::CompilerInstance &instance) {
  return !instance.getLangOpts().HIP ||
         llvm::Triple(instance.getTargetOpts().Triple).isAMDGCN();
}

// Where --detect=values has something to do, besides devices of AMD.
static bool is_cuda(clang::CompilerInstance &instance) {
  const clang::LangOptions &language = instance.getLangOpts();
  return !is_inside && is_compilation(instance.getFrontendOpts()) &&
         language.CUDA && !language.HIP;
}

static bool is_for_us(clang::CompilerInstance &instance) {
  const clang::LangOptions &language = instance.getLangOpts();
  if (is_inside || !is_compilation(instance.getFrontendOpts()))
    return false;
  if (language.OpenCL)
    return true;
  return language.CUDA && language.CUDAIsDevice && is_known_target(instance) &&
         !another_architecture_answers(instance);
}

namespace {

class Plugin : public clang::PluginASTAction {
protected:
  ActionType getActionType() override { return AddAfterMainAction; }

  bool ParseArgs(const clang::CompilerInstance &instance,
                 const std::vector<std::string> &arguments) override;

  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &instance,
                    llvm::StringRef) override;

private:
  std::shared_ptr<Session> session = std::make_shared<Session>();
};

} // namespace

static bool read_settings(Session *session,
                          const std::vector<std::string> &arguments,
                          const char **error) {
  Task *task = &session->task;
  Settings *settings = &session->settings;
  if (!settings_parse_environment(task, settings, DOOR_PLUGIN, error))
    return false;
  for (const std::string &argument : arguments) {
    const char *text = arena_copy(&task->arena, argument.c_str());
    if (!settings_parse(task, settings, DOOR_PLUGIN, text, error))
      return false;
  }
  return settings_check(task, settings, error);
}

bool Plugin::ParseArgs(const clang::CompilerInstance &instance,
                       const std::vector<std::string> &arguments) {
  // To report a mistake is to change the compiler.
  auto &compiler = const_cast<clang::CompilerInstance &>(instance);
  if (!is_for_us(compiler) && !is_cuda(compiler))
    return true;
  const char *error = nullptr;
  const clang::LangOptions &language = instance.getLangOpts();
  session->settings.language = language.OpenCL ? LANGUAGE_OPENCL
                               : language.HIP  ? LANGUAGE_HIP
                                               : LANGUAGE_CUDA;
  bool is_read = read_settings(session.get(), arguments, &error);
  if (!is_for_us(compiler)) // who is, tells
    return true;
  if (!is_read) {
    Diagnoser(compiler, session->settings).error(error);
    return false;
  }
  if (settings_look_for_values(&session->settings) && !is_cuda(compiler))
    Diagnoser(compiler, session->settings)
        .error("--detect=values: only programs of CUDA check themselves");
  if (session->settings.help)
    settings_help(DOOR_PLUGIN, stderr);
  return true;
}

// The file is compiled once more, as for a proof.
static void prove_kernels(clang::CompilerInstance &instance, Session *session,
                          llvm::Module &module) {
  FirstError error;
  Explanations explained = {};
  auto code = std::make_unique<DeviceCode>();
  guard(instance, session, &code, [&] {
    compile_device_code(same_invocation(instance), &error, host_of(instance),
                        &session->task, code.get());
    if (code->module)
      program_prove(&session->task, &session->settings, "",
                    llvm::wrap(code->module.get()), &code->launches,
                    &explained);
  });
  if (!code || !code->module)
    return;
  for (llvm::Function &proved : *code->module)
    if (llvm::Function *kernel = module.getFunction(proved.getName());
        kernel && proved.hasFnAttribute(LLVM_PROVED))
      kernel->addFnAttr(LLVM_PROVED,
                        proved.getFnAttribute(LLVM_PROVED).getValueAsString());
  Diagnoser diagnoser(instance, session->settings);
  for (size_t i = 0; session->settings.explain && i < explained.count; i++)
    diagnoser.explain(explained.at[i].where, explained.at[i].sentence);
}

static void make_self_checking(clang::CompilerInstance &instance,
                               std::shared_ptr<Session> session) {
  if (!instance.getLangOpts().CUDAIsDevice)
    return self_checks_of_host(instance);
  Diagnoser::prepare(instance);
  self_checks_of_device(
      instance, std::make_shared<SelfChecks>(SelfChecks{
                    Diagnoser(instance, session->settings), &session->task,
                    settings_compare_warps(&session->settings), session,
                    survives, [&instance, session](llvm::Module &module) {
                      if (session->settings.prove)
                        prove_kernels(instance, session.get(), module);
                    }}));
}

std::unique_ptr<clang::ASTConsumer>
Plugin::CreateASTConsumer(clang::CompilerInstance &instance, llvm::StringRef) {
  bool checks_itself =
      settings_look_for_values(&session->settings) && is_cuda(instance);
  if (checks_itself)
    make_self_checking(instance, session);
  if (checks_itself || !is_for_us(instance))
    return std::make_unique<clang::ASTConsumer>();
  Diagnoser::prepare(instance);
  if (instance.getLangOpts().OpenCL)
    return std::make_unique<AgainConsumer>(instance, session);
  return std::make_unique<CudaConsumer>(instance, session);
}

static clang::FrontendPluginRegistry::Add<Plugin>
    plugin("gpuverify", "prove GPU kernels free of data races");
