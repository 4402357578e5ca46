// From a .cu or .cl file to un-optimised LLVM IR, inside this process.
//
// The proof wants what the programmer wrote, so the IR is always made at -O0
// with full debug information.  Two ways lead here.  The plugin shows
// DeviceCodeMaker the declarations that clang has parsed anyway; the command,
// and the plugin where the file has to be read differently, run a compiler of
// their own.
//
// The command's compiler is clang's driver asked for one device compilation:
// CUDA for sm_80, with the SDK where there is one, and with our own headers
// where there is none, -nocudainc is given or the file includes nothing; OpenCL
// for spir64, because only there do pointers keep their address space; HIP for
// gfx90a, with ROCm's headers or our own in the same way.  The
// device library of the SDK is not linked: the translator knows its functions
// by name, and for execution device_library.cc adds what is needed.

#include "plugin/fix_notes.h"

#include "clang/Basic/SourceManagerInternals.h"
#include "clang/Driver/CreateInvocationFromArgs.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/TextDiagnosticBuffer.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <stdlib.h>

#ifndef LLVM_PREFIX
#define LLVM_PREFIX "/usr/lib/llvm-22"
#endif

// ------------------------------------------------------- code generation ---

void FirstError::HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                                  const clang::Diagnostic &diagnostic) {
  if (level < clang::DiagnosticsEngine::Error || !text.empty())
    return;
  llvm::SmallString<128> sentence;
  diagnostic.FormatDiagnostic(sentence);
  text = sentence.str().str();
}

// What instruments or optimises the user's object is not for the proof.
static clang::CodeGenOptions unoptimised(clang::CodeGenOptions options) {
  options.OptimizationLevel = 0;
  options.OptimizeSize = 0;
  options.DisableO0ImplyOptNone = 1;
  options.setInlining(clang::CodeGenOptions::OnlyAlwaysInlining);
  options.setDebugInfo(llvm::codegenoptions::FullDebugInfo);
  options.DwarfVersion = 5;
  options.DebugColumnInfo = 1;
  options.DiscardValueNames = 0;
  options.setProfileInstr(llvm::driver::ProfileInstrKind::ProfileNone);
  options.setProfileUse(llvm::driver::ProfileInstrKind::ProfileNone);
  options.CoverageMapping = 0;
  options.CoverageNotesFile.clear();
  options.CoverageDataFile.clear();
  return options;
}

DeviceCodeMaker::DeviceCodeMaker(clang::CompilerInstance &instance,
                                 clang::DiagnosticsEngine &diagnostics_,
                                 HostInvocation host_, Task *task_,
                                 DeviceCode *code_)
    : compilation(instance.getDiagnostics()), diagnostics(diagnostics_),
      host(std::move(host_)), task(task_), code(code_),
      options(unoptimised(instance.getCodeGenOpts())) {
  code->context = std::make_unique<llvm::LLVMContext>();
  generator = clang::CreateLLVMCodeGen(
      diagnostics, "device code", instance.getVirtualFileSystemPtr(),
      instance.getHeaderSearchOpts(), instance.getPreprocessorOpts(), options,
      *code->context);
}

void DeviceCodeMaker::Initialize(clang::ASTContext &context) {
  generator->Initialize(context);
}

// The generator looks at its own diagnostics, which are others in clang; of
// code with errors it can make nothing, and would crash.
bool DeviceCodeMaker::is_broken() const {
  return compilation.hasErrorOccurred();
}

bool DeviceCodeMaker::HandleTopLevelDecl(clang::DeclGroupRef group) {
  return is_broken() || generator->HandleTopLevelDecl(group);
}

void DeviceCodeMaker::HandleInlineFunctionDefinition(
    clang::FunctionDecl *decl) {
  if (!is_broken())
    generator->HandleInlineFunctionDefinition(decl);
}

void DeviceCodeMaker::HandleInterestingDecl(clang::DeclGroupRef group) {
  if (!is_broken())
    generator->HandleInterestingDecl(group);
}

void DeviceCodeMaker::HandleTagDeclDefinition(clang::TagDecl *decl) {
  if (!is_broken())
    generator->HandleTagDeclDefinition(decl);
}

void DeviceCodeMaker::HandleTagDeclRequiredDefinition(
    const clang::TagDecl *decl) {
  if (!is_broken())
    generator->HandleTagDeclRequiredDefinition(decl);
}

void DeviceCodeMaker::HandleCXXStaticMemberVarInstantiation(
    clang::VarDecl *decl) {
  if (!is_broken())
    generator->HandleCXXStaticMemberVarInstantiation(decl);
}

void DeviceCodeMaker::CompleteTentativeDefinition(clang::VarDecl *decl) {
  if (!is_broken())
    generator->CompleteTentativeDefinition(decl);
}

void DeviceCodeMaker::CompleteExternalDeclaration(clang::DeclaratorDecl *decl) {
  if (!is_broken())
    generator->CompleteExternalDeclaration(decl);
}

void DeviceCodeMaker::AssignInheritanceModel(clang::CXXRecordDecl *decl) {
  if (!is_broken())
    generator->AssignInheritanceModel(decl);
}

void DeviceCodeMaker::HandleVTable(clang::CXXRecordDecl *decl) {
  if (!is_broken())
    generator->HandleVTable(decl);
}

static std::string extent_text(const clang::ASTContext &context,
                               const clang::Expr *extent) {
  std::optional<llvm::APSInt> value;
  if (extent)
    value = extent->getIntegerConstantExpr(context);
  return std::to_string(value ? value->getZExtValue() : 1);
}

// clang knows __cluster_dims__ and, for NVPTX, does not hand it on to LLVM,
// which would print it.
static void hand_on_clusters(const clang::ASTContext &context,
                             clang::CodeGenerator &generator) {
  for (llvm::Function &function : *generator.GetModule()) {
    const clang::Decl *decl =
        generator.GetDeclForMangledName(function.getName());
    const auto *size =
        decl ? decl->getAttr<clang::CUDAClusterDimsAttr>() : nullptr;
    if (size)
      function.addFnAttr("nvvm.cluster_dim",
                         extent_text(context, size->getX()) + "," +
                             extent_text(context, size->getY()) + "," +
                             extent_text(context, size->getZ()));
  }
}

// One that names another file.  What clang puts before all has some, and a
// system's header names itself.
static bool has_line_directives(clang::SourceManager &sources) {
  if (!sources.hasLineTable())
    return false;
  clang::LineTableInfo &table = sources.getLineTable();
  for (const auto &[file, lines] : table)
    for (const clang::LineEntry &line : lines) {
      clang::OptionalFileEntryRef own = sources.getFileEntryRefForID(file);
      if (own && line.FilenameID >= 0 &&
          own->getName() != table.getFilename((unsigned)line.FilenameID))
        return true;
    }
  return false;
}

void DeviceCodeMaker::HandleTranslationUnit(clang::ASTContext &context) {
  generator->HandleTranslationUnit(context);
  if (diagnostics.hasErrorOccurred())
    return;
  annotations_note_effects(context, *generator);
  constants_mark(*generator);
  if (context.getLangOpts().CUDA) {
    hand_on_clusters(context, *generator);
    find_launches(context, *generator, host, task, code);
  }
  if (code->places)
    repair_find_places(context, *generator, code->places);
  if (has_line_directives(context.getSourceManager()))
    generator->GetModule()->getOrInsertNamedMetadata("gpuverify.lines");
  code->module = generator->ReleaseModule();
}

namespace {

// While code is made a launch in a function of the device is none.  What clang
// hands over may make it read a precompiled header and hand over more.
class CodeIsMade {
public:
  explicit CodeIsMade(clang::ASTContext &context_)
      : context(context_),
        accepted(context_.getLangOpts().GPURelocatableDeviceCode) {
    frontend_accept_launches(context, false);
  }
  ~CodeIsMade() { frontend_accept_launches(context, accepted); }
  CodeIsMade(const CodeIsMade &) = delete;
  CodeIsMade &operator=(const CodeIsMade &) = delete;

private:
  clang::ASTContext &context;
  bool accepted;
};

// clang takes a launch from a kernel only in code that is to be linked, in
// which static variables and kernels get names that the host's side does not
// know.  So it is that while the file is read, and is not where code is made.
class OwnDeviceCodeMaker : public DeviceCodeMaker {
public:
  using DeviceCodeMaker::DeviceCodeMaker;

  void Initialize(clang::ASTContext &context_) override {
    context = &context_;
    DeviceCodeMaker::Initialize(context_);
    frontend_accept_launches(*context, true);
  }
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    CodeIsMade made(*context);
    return DeviceCodeMaker::HandleTopLevelDecl(group);
  }
  void HandleInlineFunctionDefinition(clang::FunctionDecl *decl) override {
    CodeIsMade made(*context);
    DeviceCodeMaker::HandleInlineFunctionDefinition(decl);
  }
  void HandleInterestingDecl(clang::DeclGroupRef group) override {
    CodeIsMade made(*context);
    DeviceCodeMaker::HandleInterestingDecl(group);
  }
  void HandleCXXStaticMemberVarInstantiation(clang::VarDecl *decl) override {
    CodeIsMade made(*context);
    DeviceCodeMaker::HandleCXXStaticMemberVarInstantiation(decl);
  }
  void CompleteTentativeDefinition(clang::VarDecl *decl) override {
    CodeIsMade made(*context);
    DeviceCodeMaker::CompleteTentativeDefinition(decl);
  }
  void CompleteExternalDeclaration(clang::DeclaratorDecl *decl) override {
    CodeIsMade made(*context);
    DeviceCodeMaker::CompleteExternalDeclaration(decl);
  }
  void HandleVTable(clang::CXXRecordDecl *decl) override {
    CodeIsMade made(*context);
    DeviceCodeMaker::HandleVTable(decl);
  }
  void HandleTranslationUnit(clang::ASTContext &context_) override {
    frontend_accept_launches(*context, false);
    // A linker would need it; here it keeps kernels that nobody executes.
    context_.CUDAExternalDeviceDeclODRUsedByHost.clear();
    DeviceCodeMaker::HandleTranslationUnit(context_);
  }

private:
  clang::ASTContext *context = nullptr;
};

class DeviceCodeAction : public clang::ASTFrontendAction {
public:
  DeviceCodeAction(HostInvocation host_, Task *task_, DeviceCode *code_)
      : host(std::move(host_)), task(task_), code(code_) {}

protected:
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &instance,
                    llvm::StringRef) override {
    return std::make_unique<OwnDeviceCodeMaker>(
        instance, instance.getDiagnostics(), host, task, code);
  }

private:
  HostInvocation host;
  Task *task;
  DeviceCode *code;
};

} // namespace

void frontend_silence(clang::CompilerInvocation *invocation) {
  clang::FrontendOptions &frontend = invocation->getFrontendOpts();
  frontend.ProgramAction = clang::frontend::ParseSyntaxOnly;
  frontend.DisableFree = false;
  frontend.OutputFile.clear();
  frontend.Plugins.clear();
  frontend.AddPluginActions.clear();
  invocation->getDependencyOutputOpts() = clang::DependencyOutputOptions();
  invocation->getDiagnosticOpts().VerifyDiagnostics = false;
  invocation->getDiagnosticOpts().DiagnosticSerializationFile.clear();
}

// clang crashes if an overlay is told of and nobody listens; its own compiler
// lets a buffer listen, too.
bool frontend_open_files(clang::CompilerInstance *instance,
                         clang::DiagnosticConsumer *diagnostics) {
  clang::TextDiagnosticBuffer told;
  instance->createVirtualFileSystem(files_watched(), &told);
  instance->createDiagnostics(diagnostics, diagnostics == nullptr);
  told.FlushDiagnostics(instance->getDiagnostics());
  return !instance->getDiagnostics().hasErrorOccurred();
}

void compile_device_code(std::shared_ptr<clang::CompilerInvocation> invocation,
                         clang::DiagnosticConsumer *diagnostics,
                         HostInvocation host, Task *task, DeviceCode *code) {
  frontend_silence(invocation.get());
  clang::CompilerInstance instance(std::move(invocation));
  if (!frontend_open_files(&instance, diagnostics))
    return;
  DeviceCodeAction action(std::move(host), task, code);
  instance.ExecuteAction(action);
}

// ----------------------------------------------------------- the command ---

using Arguments = std::vector<std::string>;

// Our headers: beside the installed command, or in the source tree.
static std::string find_include_folder() {
  if (const char *given = getenv("GPUVERIFY_INCLUDE"))
    return given;
  llvm::SmallString<128> command;
  if (llvm::sys::fs::real_path("/proc/self/exe", command))
    return "";
  llvm::StringRef folder = llvm::sys::path::parent_path(command);
  for (const char *place :
       {"../include/gpuverify", "../include", "../../include"}) {
    llvm::SmallString<128> header(folder);
    llvm::sys::path::append(header, place, "gpuverify", "cuda.h");
    if (!llvm::sys::fs::exists(header))
      continue;
    llvm::SmallString<128> include(folder);
    llvm::sys::path::append(include, place);
    llvm::sys::path::remove_dots(include, true);
    return include.str().str();
  }
  return "";
}

static bool gives(const Settings *settings, llvm::StringRef prefix) {
  for (size_t i = 0; i < settings->clang_args.count; i++)
    if (llvm::StringRef(settings->clang_args.at[i]).starts_with(prefix))
      return true;
  return false;
}

std::string frontend_sdk_folder(const Settings *settings) {
  std::vector<std::string> places = {"/usr/local/cuda", "/usr/lib/cuda"};
  for (size_t i = 0; settings && i < settings->clang_args.count; i++) {
    llvm::StringRef argument = settings->clang_args.at[i];
    if (argument == "-nocudainc")
      return "";
    if (argument.consume_front("--cuda-path="))
      places = {argument.str()};
  }
  for (const std::string &place : places)
    if (llvm::sys::fs::exists(place + "/include/cuda_runtime.h"))
      return place;
  return "";
}

// A kernel that includes nothing needs no SDK, whose headers take half a
// second; our own take a few hundredths.
static bool includes_nothing(const char *file) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    return false;
  for (llvm::line_iterator line(**buffer, false); !line.is_at_end(); ++line) {
    llvm::StringRef text = line->ltrim();
    if (text.consume_front("#") && text.ltrim().starts_with("include"))
      return false;
  }
  return true;
}

static void add(Arguments *to, std::initializer_list<const char *> arguments) {
  to->insert(to->end(), arguments.begin(), arguments.end());
}

// Since version 13 the SDK keeps libcu++ in a folder of its own, which clang
// does not know.  Without -nocudalib, only because else the driver does not
// tell the SDK's version; the library is not read.
static void add_sdk(Arguments *arguments, const std::string &sdk) {
  std::string libraries = sdk + "/include/cccl";
  if (llvm::sys::fs::exists(libraries))
    add(arguments, {"-isystem", libraries.c_str()});
  add(arguments, {"-include", "gpuverify/prelude.h"});
}

// Of both sides: names in NVIDIA's libraries have it in them.
static void add_architecture(Arguments *arguments, const Settings *settings) {
  if (!gives(settings, "--cuda-gpu-arch") && !gives(settings, "--offload-arch"))
    add(arguments, {"--cuda-gpu-arch=sm_80"});
}

// What clang calls an error, and nvcc and gcc at most a warning.
static void add_leniency(Arguments *arguments, bool is_c) {
  if (is_c)
    add(arguments,
        {"-Wno-implicit-function-declaration", "-Wno-implicit-int",
         "-Wno-int-conversion", "-Wno-incompatible-function-pointer-types",
         "-Wno-return-mismatch"});
  else
    add(arguments, {"-Wno-register", "-Wno-c++11-narrowing",
                    "-Wno-missing-template-arg-list-after-template-kw"});
}

// ---------------------------------------------------------------- macros ---

// clang puts headers before the program that nvcc does not, and in these a
// macro such as N is the name of a parameter.  So what the command line defines
// is defined behind them, unless they may want to know it: those names have an
// underscore.
static const char macros_file[] = "/gpuverify/macros.h";

static bool is_for_program(llvm::StringRef argument) {
  if (!argument.consume_front("-D"))
    return false;
  llvm::StringRef name = argument.take_front(argument.find_first_of("=("));
  return !name.contains('_') && name != "NDEBUG";
}

// Among others the order counts, and what stands next to what.
static bool has_only_definitions(const Settings *settings) {
  for (size_t i = 0; i < settings->clang_args.count; i++) {
    llvm::StringRef argument = settings->clang_args.at[i];
    if (argument == "-D" || argument.contains("-U") ||
        argument.contains("define-macro") || argument.starts_with("@") ||
        argument.starts_with("-X"))
      return false;
  }
  return true;
}

// "N=64" of -DN=64 as "#define N 64"; empty: they stay on the command line.
static std::string macros_of(const Settings *settings) {
  std::string text;
  if (!has_only_definitions(settings))
    return text;
  for (size_t i = 0; i < settings->clang_args.count; i++) {
    llvm::StringRef argument = settings->clang_args.at[i];
    if (!is_for_program(argument))
      continue;
    auto [name, value] = argument.drop_front(2).split('=');
    bool is_given = argument.contains('=');
    text += ("#define " + name + " " + (is_given ? value : "1") + "\n").str();
  }
  return text;
}

enum class Side { HOST, DEVICE };

static void add_cuda(Arguments *arguments, const Settings *settings,
                     const char *file, const std::string &include, Side side) {
  add(arguments,
      {"-x", "cuda",
       side == Side::HOST ? "--cuda-host-only" : "--cuda-device-only",
       "-Wno-unknown-cuda-version"});
  add_leniency(arguments, false);
  add_architecture(arguments, settings);
  std::string sdk = frontend_sdk_folder(settings);
  bool is_plain = !gives(settings, "--cuda-path") && includes_nothing(file);
  if (!sdk.empty() && !is_plain)
    return add_sdk(arguments, sdk);
  std::string sdk_free = include + "/gpuverify/sdkfree";
  add(arguments, {"-nocudainc", "-nocudalib", "-isystem", sdk_free.c_str(),
                  "-include", "gpuverify/cuda.h"});
}

// ------------------------------------------------------------------- HIP ---

// The folder of ROCm that clang's driver will find; empty: none, or none
// wanted.
static std::string rocm_folder(const Settings *settings) {
  const char *given = getenv("ROCM_PATH");
  std::vector<std::string> places = {given ? given : "", "/opt/rocm", "/usr"};
  for (size_t i = 0; i < settings->clang_args.count; i++) {
    llvm::StringRef argument = settings->clang_args.at[i];
    if (argument == "-nogpuinc")
      return "";
    if (argument.consume_front("--rocm-path="))
      places = {argument.str()};
  }
  for (const std::string &place : places)
    if (!place.empty() &&
        llvm::sys::fs::exists(place + "/include/hip/hip_runtime.h"))
      return place;
  return "";
}

// Headers before version 7 want to know it from clang, which no longer tells.
// The translator reads from the code what it is.
static const char *wavefront_macro(const Settings *settings) {
  bool is_narrow = gives(settings, "--offload-arch=gfx1") &&
                   !gives(settings, "-mwavefrontsize64");
  return is_narrow ? "-D__AMDGCN_WAVEFRONT_SIZE=32"
                   : "-D__AMDGCN_WAVEFRONT_SIZE=64";
}

static void add_hip(Arguments *arguments, const Settings *settings,
                    const char *file, const std::string &include, Side side) {
  add(arguments,
      {"-x", "hip",
       side == Side::HOST ? "--offload-host-only" : "--offload-device-only",
       "-nogpulib"});
  add_leniency(arguments, false);
  if (!gives(settings, "--offload-arch="))
    add(arguments, {"--offload-arch=gfx90a"});
  std::string rocm = rocm_folder(settings);
  bool is_plain = !gives(settings, "--rocm-path") && includes_nothing(file);
  std::string path = "--rocm-path=" + rocm;
  if (!rocm.empty() && !is_plain)
    return add(arguments, {path.c_str(), wavefront_macro(settings), "-include",
                           "hip/hip_runtime.h"});
  std::string sdk_free = include + "/gpuverify/sdkfree/rocm";
  add(arguments, {"-nogpuinc", "-isystem", sdk_free.c_str(), "-include",
                  "gpuverify/hip.h"});
}

static void add_opencl(Arguments *arguments, const Settings *settings) {
  // OpenCL has inline functions as C++ has them, not as C99.
  add(arguments,
      {"-x", "cl", "-target", "spir64-unknown-unknown", "-fgnu89-inline"});
  if (!gives(settings, "-cl-std"))
    add(arguments, {"-cl-std=CL2.0"});
}

// It would give static kernels names that the host's side does not know.
static bool is_for_linked_code(llvm::StringRef argument) {
  return argument == "-fgpu-rdc";
}

static Arguments driver_arguments(const Settings *settings, const char *file,
                                  Side side) {
  Arguments arguments = {LLVM_PREFIX "/bin/clang", "-fsyntax-only",
                         "-D__GPUVERIFY__=1"};
  std::string include = find_include_folder();
  Language language = settings_language(settings, file);
  if (language == LANGUAGE_OPENCL)
    add_opencl(&arguments, settings);
  else if (language == LANGUAGE_HIP)
    add_hip(&arguments, settings, file, include, side);
  else
    add_cuda(&arguments, settings, file, include, side);
  bool has_macros = language != LANGUAGE_OPENCL && !macros_of(settings).empty();
  if (has_macros)
    add(&arguments, {"-include", macros_file});
  for (size_t i = 0; i < settings->clang_args.count; i++)
    if (!has_macros || !is_for_program(settings->clang_args.at[i]))
      arguments.push_back(is_for_linked_code(settings->clang_args.at[i])
                              ? "-D__CUDACC_RDC__"
                              : settings->clang_args.at[i]);
  std::string openmp = include + "/gpuverify/openmp";
  if (!include.empty())
    add(&arguments,
        {"-isystem", include.c_str(), "-idirafter", openmp.c_str()});
  add(&arguments, {"-include", "gpuverify.h", file});
  return arguments;
}

// The driver's own warnings obey -W options only if they are told.  An option
// that it does not know is an error, and it would go on.
static std::shared_ptr<clang::CompilerInvocation>
run_driver(llvm::ArrayRef<const char *> arguments, bool is_quiet) {
  clang::CreateInvocationOptions how;
  auto options = clang::CreateAndPopulateDiagOpts(arguments);
  how.VFS = files_watched();
  how.Diags = clang::CompilerInstance::createDiagnostics(
      *how.VFS, *options, is_quiet ? new clang::IgnoringDiagConsumer : nullptr);
  auto invocation = clang::createInvocation(arguments, how);
  return how.Diags->hasErrorOccurred() ? nullptr : std::move(invocation);
}

static void put_changes(clang::CompilerInvocation *invocation, Task *task,
                        const ChangedSource *changed) {
  for (size_t i = 0; i < changed->texts->count; i++) {
    const SourceText *text = &changed->texts->at[i];
    if (edits_touch(changed->edits, i))
      invocation->getPreprocessorOpts().addRemappedFile(
          text->path,
          llvm::MemoryBuffer::getMemBufferCopy(
              edits_apply(&task->arena, changed->edits, i, text), text->path)
              .release());
  }
}

static OwnInvocation own_invocation;

void frontend_compile_as(OwnInvocation how) { own_invocation = std::move(how); }

static std::shared_ptr<clang::CompilerInvocation>
invocation_again(Task *task, const ChangedSource *changed, Side side) {
  auto invocation = own_invocation(side == Side::HOST);
  if (invocation)
    put_changes(invocation.get(), task, changed);
  return invocation;
}

static std::shared_ptr<clang::CompilerInvocation>
invocation_for(Task *task, const Settings *settings, const char *file,
               const ChangedSource *changed, Side side) {
  if (own_invocation)
    return invocation_again(task, changed, side);
  Arguments arguments = driver_arguments(settings, file, side);
  std::vector<const char *> texts;
  for (const std::string &argument : arguments)
    texts.push_back(argument.c_str());
  std::shared_ptr<clang::CompilerInvocation> invocation =
      run_driver(texts, changed->is_quiet);
  if (!invocation)
    return nullptr;
  prelude_use(task, settings, invocation.get());
  put_changes(invocation.get(), task, changed);
  invocation->getPreprocessorOpts().addRemappedFile(
      macros_file,
      llvm::MemoryBuffer::getMemBufferCopy(macros_of(settings)).release());
  return invocation;
}

static void print(std::string *text, const Arguments &arguments) {
  for (const std::string &argument : arguments)
    *text += argument + '\n';
  *text += '\n';
}

// What clang's driver and its headers ask the environment for.  Of PATH that is
// where ptxas is, beside which CUDA's headers are.
static void print_environment(std::string *text) {
  for (const char *name :
       {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "ROCM_PATH",
        "CUDA_PATH", "HIP_PATH", "CCC_OVERRIDE_OPTIONS", "SOURCE_DATE_EPOCH"})
    if (const char *value = getenv(name))
      *text += std::string(name) + "=" + value + "\n";
  llvm::SmallString<256> real;
  if (auto found = llvm::sys::findProgramByName("ptxas"))
    if (!llvm::sys::fs::real_path(*found, real))
      *text += "ptxas=" + real.str().str() + "\n";
}

const char *frontend_how(Task *task, const Settings *settings,
                         const char *file) {
  std::string text;
  bool is_opencl = settings_language(settings, file) == LANGUAGE_OPENCL;
  print(&text, driver_arguments(settings, file, Side::DEVICE));
  if (!is_opencl)
    print(&text, driver_arguments(settings, file, Side::HOST));
  text += macros_of(settings) + (settings->files.count > 1 ? "many\n" : "\n");
  print_environment(&text);
  return arena_copy(&task->arena, text.c_str());
}

LLVMModuleRef frontend_compile_changed(Task *task, const Settings *settings,
                                       const char *file,
                                       const ChangedSource *changed,
                                       HostLaunches *launches) {
  FirstError ignored;
  auto invocation = invocation_for(task, settings, file, changed, Side::DEVICE);
  if (!invocation)
    return nullptr;
  DeviceCode code;
  code.is_one_of_many =
      settings->door == DOOR_COMMAND && settings->files.count > 1;
  code.places = changed->places;
  compile_device_code(
      std::move(invocation), changed->is_quiet ? &ignored : nullptr,
      [=] { return invocation_for(task, settings, file, changed, Side::HOST); },
      task, &code);
  if (!code.module)
    return nullptr;
  if (!code.host_error.empty() && !changed->is_quiet)
    fprintf(stderr,
            "gpuverify: %s: launches are not read, because this does not "
            "compile for the host: %s\n",
            file, code.host_error.c_str());
  if (!code.host_error.empty())
    append(&task->arena, &code.launches, HostLaunch{"", {}, true, false});
  *launches = code.launches;
  code.context.release(); // llvm_free_module deletes it with the module
  return llvm::wrap(code.module.release());
}

LLVMModuleRef frontend_compile(Task *task, const Settings *settings,
                               const char *file, HostLaunches *launches) {
  const SourceTexts no_texts = {};
  const Edits no_edits = {};
  const ChangedSource unchanged = {&no_texts, &no_edits, false, nullptr};
  return frontend_compile_changed(task, settings, file, &unchanged, launches);
}

// ------------------------------------------------------------- host code ---

// What nvcc links a program with, and our own library is instead.
static bool is_replaced(llvm::StringRef argument) {
  for (const char *name :
       {"-lcudart", "-lcudart_static", "-lcudadevrt", "-lcuda", "-lnvToolsExt"})
    if (argument == name)
      return true;
  return false;
}

static bool is_for_linker(llvm::StringRef argument) {
  if (is_replaced(argument))
    return false;
  for (const char *prefix : {"-l", "-L", "-Wl,", "-f", "-pthread", "-m"})
    if (argument.starts_with(prefix))
      return true;
  return false;
}

// gcc, which nvcc would ask, warns of it and goes on.
static bool is_of_other_language(llvm::StringRef argument, bool is_c) {
  return is_c && (argument.starts_with("-std=c++") ||
                  argument.starts_with("-std=gnu++"));
}

// What is for the device alone, or for the linker.
static bool is_for_host(llvm::StringRef argument, bool is_cuda) {
  for (const char *prefix : {"-fgpu-rdc", "-l", "-L", "-Wl,"})
    if (argument.starts_with(prefix))
      return false;
  return is_cuda || (!argument.starts_with("--cuda-") &&
                     !argument.starts_with("--offload-arch"));
}

static void add_host_headers(Arguments *arguments, const Settings *settings,
                             const char *file, bool is_cuda) {
  std::string sdk = frontend_sdk_folder(settings),
              include = find_include_folder(),
              openmp = include + "/gpuverify/openmp";
  add(arguments, {"-idirafter", openmp.c_str()});
  bool is_plain =
      is_cuda && !gives(settings, "--cuda-path") && includes_nothing(file);
  if (!sdk.empty() && !is_plain) {
    std::string libraries = sdk + "/include/cccl", all = sdk + "/include";
    if (llvm::sys::fs::exists(libraries))
      add(arguments, {"-isystem", libraries.c_str()});
    add(arguments, {"-isystem", all.c_str()});
    if (is_cuda)
      add(arguments,
          {"-isystem", include.c_str(), "-include", "gpuverify/prelude.h"});
    return;
  }
  std::string sdk_free = include + "/gpuverify/sdkfree";
  if (is_cuda)
    add(arguments,
        {"-nocudainc", "-nocudalib", "-isystem", sdk_free.c_str(), "-isystem",
         include.c_str(), "-include", "gpuverify/cuda.h"});
}

static CommandLine finish(Task *task, const Arguments &arguments) {
  CommandLine command = {};
  for (const std::string &argument : arguments)
    append(&task->arena, &command,
           (const char *)arena_copy(&task->arena, argument.c_str()));
  append(&task->arena, &command, (const char *)nullptr);
  return command;
}

// Next to the object, since the compiler is another process.
static std::string write_macros(const Settings *settings, const char *object) {
  std::string path = std::string(object) + ".macros.h", text;
  std::error_code error;
  if ((text = macros_of(settings)).empty())
    return "";
  llvm::raw_fd_ostream(path, error) << text;
  return error ? "" : path;
}

bool frontend_launches(struct LLVMOpaqueModule *module) {
  for (const llvm::Function &function : *llvm::unwrap(module))
    if (function.getName().starts_with("__cudaCDP2LaunchDevice"))
      return true;
  return false;
}

CommandLine frontend_host_command(Task *task, const Settings *settings,
                                  const char *file, const char *device,
                                  const char *object, const char *plugin) {
  bool is_cuda = device != nullptr;
  bool is_c = has_suffix(file, ".c");
  Arguments arguments = {is_c ? LLVM_PREFIX "/bin/clang"
                              : LLVM_PREFIX "/bin/clang++"};
  if (is_cuda)
    add(&arguments, {PROGRAM_MACRO, "-x", "cuda", "--cuda-host-only",
                     "-Wno-unknown-cuda-version", "-Xclang",
                     "-fcuda-include-gpubinary", "-Xclang", device});
  if (is_cuda)
    add_architecture(&arguments, settings);
  if (plugin)
    arguments.push_back(std::string("-fplugin=") + plugin);
  add(&arguments, {"-gline-tables-only"}); // symbols.cc
  add_leniency(&arguments, is_c);
  add_host_headers(&arguments, settings, file, is_cuda);
  std::string macros = is_cuda ? write_macros(settings, object) : "";
  if (!macros.empty())
    add(&arguments, {"-include", macros.c_str()});
  for (size_t i = 0; i < settings->clang_args.count; i++)
    if (is_for_host(settings->clang_args.at[i], is_cuda) &&
        !is_of_other_language(settings->clang_args.at[i], is_c) &&
        (macros.empty() || !is_for_program(settings->clang_args.at[i])))
      arguments.push_back(settings->clang_args.at[i]);
  if (is_cuda)
    add(&arguments, {"-include", "gpuverify.h"});
  add(&arguments, {"-w", "-c", file, "-o", object});
  return finish(task, arguments);
}

CommandLine frontend_link_command(Task *task, const Settings *settings,
                                  const CommandLine *objects,
                                  const char *library, const char *program) {
  Arguments arguments = {LLVM_PREFIX "/bin/clang++"};
  std::string folder = llvm::sys::path::parent_path(library).str();
  for (size_t i = 0; i < objects->count; i++)
    arguments.push_back(objects->at[i]);
  arguments.push_back(library);
  for (size_t i = 0; i < settings->clang_args.count; i++)
    if (is_for_linker(settings->clang_args.at[i]))
      arguments.push_back(settings->clang_args.at[i]);
  arguments.push_back("-Wl,-rpath," + folder);
  // What our library needs of LLVM is there; reading LLVM takes half a second.
  arguments.push_back("-Wl,--allow-shlib-undefined");
  add(&arguments, {"-lm", "-lpthread", "-ldl", "-o", program});
  return finish(task, arguments);
}
