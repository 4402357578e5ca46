// What clang reads before every file is parsed once.
//
// CUDA and HIP begin with headers that no file asks for: clang's, and with them
// the SDK's or ours.  Those of the SDK take a second for each side.  So what an
// invocation includes first is compiled to a precompiled header of clang's, and
// the invocation goes on from there.  It is kept in the user's cache under a
// hash of all of clang's options, beside a list of the files it was made of:
//
//   key      the options, and what else matters
//   sum      of the precompiled header's bytes
//   r SIZE CHANGED MODIFIED INODE PATH   a file that was read
//   t PATH                               one that is there and was not read
//   n PATH                               one that was not there
//
// It counts while all of that still holds; what is not there is a fact, too,
// for a header there would have been read instead.  Files are written aside and
// then renamed.  Trouble is no error: then the headers are parsed as always.

#include "plugin/frontend.h"

#include "clang/Basic/Version.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/xxhash.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MOST_KEPT = 32, HOUR = 3600 }; // two files each

// --------------------------------------------------------------- headers ---

static size_t count_headers(const std::vector<std::string> &includes) {
  static const std::set<std::string> ours = {"__clang_cuda_runtime_wrapper.h",
                                             "__clang_hip_runtime_wrapper.h",
                                             "hip/hip_runtime.h",
                                             "gpuverify/prelude.h",
                                             "gpuverify/cuda.h",
                                             "gpuverify/hip.h"};
  size_t count = 0;
  while (count < includes.size() && ours.count(includes[count]))
    count++;
  return count;
}

// Headers are looked for in the folder we are in first; that is none of the
// facts that are kept, so nothing may be there.
static bool is_here(const std::string &header) {
  return llvm::sys::fs::exists(header);
}

// Whatever else says which files are read has to be among the options.
static bool is_fit(const clang::CompilerInvocation &invocation,
                   size_t headers) {
  const auto &preprocessor = invocation.getPreprocessorOpts();
  const std::vector<std::string> &all = preprocessor.Includes;
  return headers && preprocessor.ImplicitPCHInclude.empty() &&
         preprocessor.MacroIncludes.empty() &&
         preprocessor.RemappedFiles.empty() &&
         !invocation.getLangOpts().Modules &&
         invocation.getFileSystemOpts().WorkingDir.empty() &&
         invocation.getHeaderSearchOpts().VFSOverlayFiles.empty() &&
         std::none_of(all.begin(), all.begin() + (long)headers, is_here);
}

// Who compiles them alone.
static std::shared_ptr<clang::CompilerInvocation>
headers_alone(const clang::CompilerInvocation &whole, size_t headers) {
  auto alone = std::make_shared<clang::CompilerInvocation>(whole);
  frontend_silence(alone.get());
  alone->getPreprocessorOpts().Includes.resize(headers);
  alone->getCodeGenOpts().MainFileName.clear();
  alone->getCodeGenOpts().DebugCompilationDir.clear();
  alone->getCodeGenOpts().CoverageCompilationDir.clear();
  alone->getLangOpts().CUID.clear();
  return alone;
}

// ------------------------------------------------------------------- key ---

static std::string absolute(llvm::StringRef path) {
  llvm::SmallString<256> whole = path;
  llvm::sys::fs::make_absolute(whole);
  return whole.str().str();
}

static std::string working_folder() {
  llvm::SmallString<256> folder;
  llvm::sys::fs::current_path(folder);
  return folder.str().str();
}

// Where relative paths begin is of no account if there are none.
static std::string base_of(const clang::HeaderSearchOptions &search) {
  bool is_relative = !llvm::sys::path::is_absolute(search.Sysroot) ||
                     !llvm::sys::path::is_absolute(search.ResourceDir);
  for (const auto &entry : search.UserEntries)
    is_relative |= !llvm::sys::path::is_absolute(entry.Path);
  return is_relative ? working_folder() : "";
}

// One line.  The input is left out, but for its language.
static std::string key_of(const clang::CompilerInvocation &alone) {
  clang::CompilerInvocation nameless(alone);
  nameless.getFrontendOpts().Inputs.clear();
  std::string key = clang::getClangFullRepositoryVersion() + " " +
                    base_of(alone.getHeaderSearchOpts());
  for (const std::string &argument : nameless.getCC1CommandLine())
    key += " " + std::to_string(argument.size()) + ":" + argument;
  return key;
}

// ----------------------------------------------------------------- facts ---

static long long nanoseconds(struct timespec time) {
  return (long long)time.tv_sec * 1000000000 + time.tv_nsec;
}

static std::string fact_of(const Lookup &lookup, const struct stat *status) {
  std::string path = lookup.path;
  if (!status || !lookup.is_read)
    return (status ? "t " : "n ") + path + "\n";
  return "r " + std::to_string(status->st_size) + " " +
         std::to_string(nanoseconds(status->st_ctim)) + " " +
         std::to_string(nanoseconds(status->st_mtim)) + " " +
         std::to_string(status->st_ino) + " " + path + "\n";
}

static const struct stat *status_of(const char *path, struct stat *status) {
  return stat(path, status) ? nullptr : status;
}

static std::string path_in(llvm::StringRef fact) {
  for (int i = fact.starts_with("r ") ? 5 : 1; i > 0; i--)
    fact = fact.split(' ').second;
  return fact.str();
}

// By the clock that files are stamped with.
static long long now() {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME_COARSE, &time);
  return nanoseconds(time);
}

// Facts from before the moment `begin`; empty: there are others, for somebody
// changes files.  The folder we are in is left out; it may go.
static std::string facts_of(const Lookups &lookups, long long begin,
                            const std::string &folder) {
  std::string facts;
  for (size_t i = 0; i < lookups.count; i++) {
    const Lookup &lookup = lookups.at[i];
    struct stat buffer;
    const struct stat *status = status_of(lookup.path, &buffer);
    bool is_new =
        status && lookup.is_read && nanoseconds(status->st_ctim) >= begin;
    if (llvm::StringRef(lookup.path).contains('\n') || is_new ||
        (status != nullptr) != lookup.is_there)
      return "";
    if (lookup.path != folder)
      facts += fact_of(lookup, status);
  }
  return facts;
}

static bool holds(const std::string &fact) {
  struct stat status;
  std::string path = path_in(fact);
  Lookup lookup = {path.c_str(), true, fact[0] == 'r'};
  return fact + "\n" == fact_of(lookup, status_of(path.c_str(), &status));
}

// ----------------------------------------------------------------- store ---

namespace {

struct Prelude {
  Task *task;
  std::string folder, path, key; // path: without a suffix
  std::vector<std::string> facts;
  unsigned number = llvm::sys::Process::GetRandomNumber();

  std::string header() const { return path + ".pch"; }
  std::string list() const { return path + ".files"; }
  std::string aside(const char *suffix) const {
    return path + "." + std::to_string(number) + suffix;
  }
};

} // namespace

// Empty: it cannot be read.
static std::string sum_of(const std::string &path) {
  auto bytes = llvm::MemoryBuffer::getFile(path, false, false);
  return bytes ? std::to_string(llvm::xxh3_64bits((*bytes)->getBuffer())) : "";
}

// The list as it is kept, if all of it holds.
static bool take(Prelude *prelude) {
  auto list = llvm::MemoryBuffer::getFile(prelude->list());
  if (!list)
    return false;
  llvm::SmallVector<llvm::StringRef> lines;
  (*list)->getBuffer().split(lines, '\n');
  if (lines.size() < 4 || lines.back() != "." || lines[0] != prelude->key ||
      lines[1].empty() || sum_of(prelude->header()) != lines[1])
    return false;
  for (size_t i = 2; i + 1 < lines.size(); i++) {
    prelude->facts.push_back(lines[i].str());
    if (!holds(prelude->facts.back()))
      return false;
  }
  utimensat(AT_FDCWD, prelude->header().c_str(), nullptr, 0);
  utimensat(AT_FDCWD, prelude->list().c_str(), nullptr, 0);
  return true;
}

// All but the last that were used; what was used within the hour somebody may
// be about to read, or to write.
static void keep_few(const Prelude &prelude) {
  std::vector<std::pair<time_t, std::string>> kept;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator at(prelude.folder, error), end;
       at != end && !error; at.increment(error)) {
    struct stat status;
    if (!stat(at->path().c_str(), &status))
      kept.emplace_back(status.st_mtime, at->path());
  }
  std::sort(kept.begin(), kept.end());
  for (size_t i = 0; i + MOST_KEPT < kept.size(); i++)
    if (kept[i].first + HOUR < time(nullptr))
      unlink(kept[i].second.c_str());
}

static bool write_list(const Prelude &prelude, const std::string &facts) {
  std::error_code error;
  llvm::raw_fd_ostream out(prelude.aside(".files"), error);
  out << prelude.key << '\n'
      << sum_of(prelude.aside(".pch")) << '\n'
      << facts << '.';
  out.close();
  error = out.error() ? out.error() : error;
  out.clear_error();
  return !error;
}

// ------------------------------------------------------------------ make ---

namespace {

// What is said of headers would be said once and never again.
struct Silence : clang::DiagnosticConsumer {
  bool is_broken = false;

  void HandleDiagnostic(clang::DiagnosticsEngine::Level,
                        const clang::Diagnostic &) override {
    is_broken = true;
  }
};

} // namespace

static bool compile(std::shared_ptr<clang::CompilerInvocation> alone,
                    const std::string &output) {
  clang::FrontendOptions &frontend = alone->getFrontendOpts();
  clang::InputKind kind = frontend.Inputs[0].getKind().getHeader();
  auto empty = llvm::MemoryBuffer::getMemBuffer("", "prelude");
  frontend.Inputs = {clang::FrontendInputFile(empty->getMemBufferRef(), kind)};
  frontend.ProgramAction = clang::frontend::GeneratePCH;
  frontend.OutputFile = output;
  frontend.UseTemporary = false; // nobody knows of it before it has a list
  clang::CompilerInstance instance(std::move(alone));
  Silence silence;
  clang::GeneratePCHAction action;
  return frontend_open_files(&instance, &silence) &&
         instance.ExecuteAction(action) && !silence.is_broken;
}

static bool make(Prelude *prelude,
                 const std::shared_ptr<clang::CompilerInvocation> &alone) {
  std::string header = prelude->aside(".pch"), list = prelude->aside(".files");
  bool is_compiled = false;
  if (llvm::sys::fs::create_directories(prelude->folder))
    return false;
  long long begin = now();
  Lookups lookups = files_asked_for(
      prelude->task, [&] { is_compiled = compile(alone, header); });
  std::string facts = facts_of(lookups, begin, working_folder());
  bool is_made = is_compiled && !facts.empty() && write_list(*prelude, facts) &&
                 !rename(header.c_str(), prelude->header().c_str()) &&
                 !rename(list.c_str(), prelude->list().c_str());
  unlink(header.c_str());
  unlink(list.c_str());
  if (is_made)
    keep_few(*prelude);
  prelude->facts.clear();
  return is_made && take(prelude);
}

// ------------------------------------------------------------------- use ---

// Also that no header is here: see is_here.
static void note(const std::vector<std::string> &facts,
                 llvm::ArrayRef<std::string> headers) {
  for (const std::string &fact : facts)
    files_note({path_in(fact).c_str(), fact[0] != 'n', fact[0] == 'r'});
  for (const std::string &header : headers)
    files_note({absolute(header).c_str(), false, false});
}

void prelude_use(Task *task, const Settings *settings,
                 clang::CompilerInvocation *invocation) {
  clang::PreprocessorOptions &preprocessor = invocation->getPreprocessorOpts();
  size_t headers = count_headers(preprocessor.Includes);
  const char *cache = cache_folder(task, settings);
  if (!cache || !is_fit(*invocation, headers))
    return;
  auto alone = headers_alone(*invocation, headers);
  Prelude prelude = {task, absolute(cache) + "/headers", "", "", {}};
  prelude.key = key_of(*alone);
  char hash[HASH_SIZE];
  hash_text(prelude.key.c_str(), prelude.key.size(), hash);
  prelude.path = prelude.folder + "/" + std::string(hash, HASH_SIZE).c_str();
  if (prelude.key.find('\n') != std::string::npos ||
      (!take(&prelude) && !make(&prelude, alone)))
    return;
  note(prelude.facts,
       llvm::ArrayRef<std::string>(preprocessor.Includes).take_front(headers));
  files_hide(prelude.folder);
  preprocessor.Includes.erase(preprocessor.Includes.begin(),
                              preprocessor.Includes.begin() + (long)headers);
  preprocessor.ImplicitPCHInclude = prelude.header();
}
