// What the C++ files of this folder share: clang's side of both front doors.
//
// Clang's headers come before ours, because base.h defines a macro `push`; it
// is taken back here and `append` does its work.  Our types and clang's have
// names in common (Expr, Stmt), so clang's are always written with clang::.

#ifndef PLUGIN_FRONTEND_H
#define PLUGIN_FRONTEND_H

#include "plugin/clang_headers.h"

extern "C" {
#include "barriers/barriers.h"
#include "plugin/plugin.h"
}
struct Places;
#undef push

// `push` of base.h, for C++.
template <typename Vector, typename Item>
void append(Arena *arena, Vector *vector, Item item) {
  void *at = vec_grow(arena, vector->at, vector->count, &vector->room,
                      sizeof *vector->at);
  vector->at = static_cast<decltype(vector->at)>(at);
  vector->at[vector->count++] = item;
}

// ----------------------------------------------------------- frontend.cc ---

// The folder of the CUDA SDK that clang's driver will find; empty: none, or
// none wanted.
std::string frontend_sdk_folder(const Settings *settings);

// A file compiled for the proof.  The module dies before its context.
struct DeviceCode {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module; // none: it does not compile
  HostLaunches launches = {};
  bool is_one_of_many = false; // it may launch kernels of other files, too
  std::string host_error; // why these were not looked for; empty: they were
  struct Places *places = nullptr; // to be found, too; or none
};

// How the file is compiled for the host; NULL: nobody knows.
using HostInvocation =
    std::function<std::shared_ptr<clang::CompilerInvocation>()>;

// Keeps the first error and prints nothing.
class FirstError : public clang::DiagnosticConsumer {
public:
  std::string text;

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic &diagnostic) override;
  bool IncludeInDiagnosticCounts() const override { return false; }
};

// Makes un-optimised IR with full debug information, whatever the user asked
// for, of the declarations it is shown, and finds the launches among them.
class DeviceCodeMaker : public clang::ASTConsumer {
public:
  DeviceCodeMaker(clang::CompilerInstance &instance,
                  clang::DiagnosticsEngine &diagnostics, HostInvocation host,
                  Task *task, DeviceCode *code);

  void Initialize(clang::ASTContext &context) override;
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override;
  void HandleInlineFunctionDefinition(clang::FunctionDecl *decl) override;
  void HandleInterestingDecl(clang::DeclGroupRef group) override;
  void HandleTagDeclDefinition(clang::TagDecl *decl) override;
  void HandleTagDeclRequiredDefinition(const clang::TagDecl *decl) override;
  void HandleCXXStaticMemberVarInstantiation(clang::VarDecl *decl) override;
  void CompleteTentativeDefinition(clang::VarDecl *decl) override;
  void CompleteExternalDeclaration(clang::DeclaratorDecl *decl) override;
  void AssignInheritanceModel(clang::CXXRecordDecl *decl) override;
  void HandleVTable(clang::CXXRecordDecl *decl) override;
  void HandleTranslationUnit(clang::ASTContext &context) override;

private:
  clang::DiagnosticsEngine &compilation; // of who parses
  clang::DiagnosticsEngine &diagnostics; // of the generator
  HostInvocation host;
  Task *task;
  DeviceCode *code;
  clang::CodeGenOptions options; // the generator refers to it
  std::unique_ptr<clang::CodeGenerator> generator;

  bool is_broken() const;
};

// Whether launches in the functions of the device are taken from now on.
inline void frontend_accept_launches(clang::ASTContext &context, bool accepts) {
  auto &options = const_cast<clang::LangOptions &>(context.getLangOpts());
  if (options.CUDA)
    options.GPURelocatableDeviceCode = accepts;
}

// Takes away what a compilation is to write, and other plugins.
void frontend_silence(clang::CompilerInvocation *invocation);

// Opens the disk, and what overlays say of it, and begins the diagnostics, to
// stderr if nobody is given; false: there is an error.
bool frontend_open_files(clang::CompilerInstance *instance,
                         clang::DiagnosticConsumer *diagnostics);

// Compiles in a compiler of its own.  code->module stays empty if there are
// errors; they go to `diagnostics`, or to stderr if there is none.
void compile_device_code(std::shared_ptr<clang::CompilerInvocation> invocation,
                         clang::DiagnosticConsumer *diagnostics,
                         HostInvocation host, Task *task, DeviceCode *code);

// ------------------------------------------------------ watched_files.cc ---

// The files of the disk, as a compilation sees them; who watches is told.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files_watched();

// What `look` asks them for, each once; who watches is not told.
Lookups files_asked_for(Task *task, llvm::function_ref<void()> look);

// As if it had been asked for.
void files_note(const Lookup &lookup);

// From now on nobody is told of what is there, which is our own.
void files_hide(const std::string &folder);

// ----------------------------------------------------------- prelude.cc ---

// What the invocation includes first, clang's headers and the SDK's or ours, is
// parsed once and kept in the user's cache: the invocation goes on from there.
// It stays what it is where that cannot be.
void prelude_use(Task *task, const Settings *settings,
                 clang::CompilerInvocation *invocation);

// ----------------------------------------------------- driver_command.cc ---

// The command line of the driver that runs this compiler; empty: there is none.
std::vector<std::string> driver_command();

// How that driver compiles `input`, a file of its command line, for the host.
std::shared_ptr<clang::CompilerInvocation>
driver_host_invocation(const std::vector<std::string> &command,
                       llvm::StringRef input);

// ----------------------------------------------------------- launches.cc ---

// What the code of one side does with kernels and with the device's variables.
struct SideCode {
  std::vector<HostLaunch> launches;
  std::set<std::string> kept; // variables that it does not set
};

// Of the side that the file was parsed for.  `generator` knows the names.
SideCode code_of_side(clang::ASTContext &context,
                      clang::CodeGenerator &generator, Task *task);

// ---------------------------------------------------------- launching.cc ---

// The launches of both sides, and the variables that the host may set, which
// are marked in the device's module (llvm_is_set_by_host asks for it).
void find_launches(clang::ASTContext &device, clang::CodeGenerator &generator,
                   const HostInvocation &host, Task *task, DeviceCode *code);

// -------------------------------------------------- annotation_effects.cc ---

// A primitive of gpuverify.h.  An uninterpreted function is one of the kernel.
bool is_annotation(const clang::FunctionDecl *function);

// What is of an annotation in `(__gpuverify_aside(), e)`: e; NULL: it is
// another statement.
clang::Expr *aside_of(const clang::Stmt *statement);

// Does something run where the variable ends to exist?
bool is_cleaned_up(const clang::ASTContext &context,
                   const clang::VarDecl *variable);

// Does what an annotation says do anything but compute?
bool has_effect(const clang::ASTContext &context, clang::Stmt *said);

// -------------------------------------------------------- annotations.cc ---

// Calls __gpuverify_effect in functions whose annotations change something, and
// __gpuverify_goes_on in kernels that need what only annotations know.
void annotations_note_effects(clang::ASTContext &context,
                              clang::CodeGenerator &generator);

// ------------------------------------------------------ repair_places.cc ---

// Where statements of the kernels, and of what they call, can be put, replaced
// or left out.  The arena of `places` is given.
void repair_find_places(clang::ASTContext &context,
                        clang::CodeGenerator &generator, struct Places *places);

// ---------------------------------------------------------- constants.cc ---

// Marks const variables of classes of which no member is mutable.
void constants_mark(clang::CodeGenerator &generator);

// -------------------------------------------------------- diagnostics.cc ---

// Answers through clang's own diagnostics.
class Diagnoser {
public:
  Diagnoser(clang::CompilerInstance &instance, const Settings &settings);

  // Before the file is read, so that #pragma knows our warnings.
  static void prepare(clang::CompilerInstance &instance);

  void kernel(const KernelReport &report);
  void left_out(const KernelsLeft &left);
  // A kernel that is not executed twice.
  void not_checked(const Loc &where, llvm::StringRef kernel,
                   llvm::StringRef reason);
  // Which kernels are executed twice, and why: where that is asked for.
  void explain(const Loc &where, llvm::StringRef text);
  // One is none, or is not needed.
  void suppression(const Loc &where, llvm::StringRef text);
  // Nothing is known of the whole file.
  void unknown(llvm::StringRef reason);
  // Wrong use; the compilation fails.
  void error(llvm::StringRef text);

private:
  clang::DiagnosticsEngine &diagnostics;
  clang::SourceManager *sources; // none before there is a source
  const Settings &settings;

  void say(unsigned id, const Loc &loc, const std::string &text);
  void warn(const Loc &loc, const std::string &text);
  void doubt(const Loc &loc, const std::string &text);
  void remark(const Loc &loc, const std::string &text);
  void note(const Loc &loc, const std::string &text);
  clang::SourceLocation find(const Loc &loc);
  void say(const Remark &remark);
  void show(const Remark &remark);
  void show(const Diagnosis &diagnosis);
};

#endif
