// Verdicts as clang's own diagnostics.
//
//   kernel.cu:7:10: warning: possible write-write race on 'cell': thread
//       (1,0,0) in block (0,0,0) writes cell[0] [-Wbackend-plugin]
//   kernel.cu:7:10: note: other access is here: thread (0,0,0) in block ..
//   kernel.cu:5:3: note: the last barrier before both accesses is here
//   kernel.cu:3:17: note: in kernel 'scan<4>', blockDim (64,1,1), n = 7
//
// A plugin cannot add a warning group, so we use clang's own, and what people
// do with these has its effect: -Werror, -Wno-error=.., -Wno-.., -w, pragmas.
//
//   -Wbackend-plugin         bugs and wrong use, as clang's own diagnostic
//   -Wdisabled-optimization  verdicts that are not decided, and suppressions
//                            that are none or not needed: a group that clang
//                            has for GCC's sake, without a warning of its own.
//                            -Werror leaves them what they are, since they may
//                            be a matter of time; -Werror=.. does not
//   -Rremark-backend-plugin  verified kernels
//
// What lies in a system header is not shown.  A place that clang's source
// manager does not know is put into the text, never dropped.

#include "plugin/frontend.h"

#include "clang/Basic/DiagnosticFrontend.h"
#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Basic/SourceManager.h"

// ----------------------------------------------------------------- clang ---

Diagnoser::Diagnoser(clang::CompilerInstance &instance,
                     const Settings &settings_)
    : diagnostics(instance.getDiagnostics()),
      sources(instance.hasSourceManager() ? &instance.getSourceManager()
                                          : nullptr),
      settings(settings_) {}

// Invalid where clang does not know the file, and in system headers: there
// clang would drop the diagnostic, and a verdict must not get lost.
clang::SourceLocation Diagnoser::find(const Loc &loc) {
  if (!sources || !loc.file || !loc.line)
    return {};
  unsigned column = loc.column ? loc.column : 1;
  if (llvm::StringRef(loc.file).ends_with("<stdin>"))
    return sources->translateLineCol(sources->getMainFileID(), loc.line,
                                     column);
  auto file = sources->getFileManager().getOptionalFileRef(loc.file);
  if (!file)
    return {};
  clang::SourceLocation place =
      sources->translateFileLineCol(*file, loc.line, column);
  bool is_dropped = place.isValid() && sources->isInSystemHeader(place);
  return is_dropped ? clang::SourceLocation() : place;
}

// Of a group that is marked so, -Werror leaves warnings that are not clang's
// own what they are.
static unsigned undecided_id(clang::DiagnosticsEngine &diagnostics) {
  static const char name[] = "disabled-optimization";
  clang::DiagnosticIDs &ids = *diagnostics.getDiagnosticIDs();
  auto group = clang::DiagnosticIDs::getGroupForWarningOption(name);
  ids.setGroupNoWarningsAsError(name, true);
  return ids.getCustomDiagID(clang::DiagnosticIDs::CustomDiagDesc(
      clang::diag::Severity::Warning, "%0", clang::DiagnosticIDs::CLASS_WARNING,
      false, false, group));
}

static clang::diag::Severity
severity_at(clang::DiagnosticsEngine::Level level) {
  switch (level) {
  case clang::DiagnosticsEngine::Ignored:
    return clang::diag::Severity::Ignored;
  case clang::DiagnosticsEngine::Error:
    return clang::diag::Severity::Error;
  case clang::DiagnosticsEngine::Fatal:
    return clang::diag::Severity::Fatal;
  default:
    return clang::diag::Severity::Warning;
  }
}

// What the command line says of it holds from the start; otherwise what the
// first #pragma about it says would.
void Diagnoser::prepare(clang::CompilerInstance &instance) {
  clang::DiagnosticsEngine &diagnostics = instance.getDiagnostics();
  unsigned id = undecided_id(diagnostics);
  diagnostics.setSeverity(
      id, severity_at(diagnostics.getDiagnosticLevel(id, {})), {});
}

// Clang's own remark is off unless it is asked for, ours is on unless there was
// a word about remarks.
static unsigned remark_id(clang::DiagnosticsEngine &diagnostics) {
  for (const auto &mapping : diagnostics.getDiagnosticMappings())
    if (mapping.first == clang::diag::remark_fe_backend_plugin &&
        mapping.second.isUser())
      return mapping.first;
  return diagnostics.getDiagnosticIDs()->getCustomDiagID(
      clang::DiagnosticIDs::CustomDiagDesc(
          clang::diag::Severity::Remark, "%0",
          clang::DiagnosticIDs::CLASS_REMARK, false, false,
          clang::diag::Group::RemarkBackendPlugin));
}

void Diagnoser::say(unsigned id, const Loc &loc, const std::string &text) {
  clang::SourceLocation place = find(loc);
  std::string prefix;
  if (place.isInvalid() && loc.file && loc.line)
    prefix = std::string(loc.file) + ":" + std::to_string(loc.line) + ":" +
             std::to_string(loc.column) + ": ";
  diagnostics.Report(place, id) << prefix + text;
}

void Diagnoser::warn(const Loc &loc, const std::string &text) {
  say(clang::diag::warn_fe_backend_plugin, loc, text);
}

void Diagnoser::doubt(const Loc &loc, const std::string &text) {
  say(undecided_id(diagnostics), loc, text);
}

void Diagnoser::remark(const Loc &loc, const std::string &text) {
  say(remark_id(diagnostics), loc, text);
}

void Diagnoser::note(const Loc &loc, const std::string &text) {
  say(clang::diag::note_fe_backend_plugin, loc, text);
}

void Diagnoser::unknown(llvm::StringRef reason) {
  warn({}, "gpuverify: " + reason.str());
}

void Diagnoser::not_checked(const Loc &where, llvm::StringRef kernel,
                            llvm::StringRef reason) {
  doubt(where,
        "kernel '" + kernel.str() + "' does not check itself: " + reason.str());
}

void Diagnoser::explain(const Loc &where, llvm::StringRef text) {
  remark(where, text.str());
}

void Diagnoser::suppression(const Loc &where, llvm::StringRef text) {
  std::string of = where.line ? "" : std::string(where.file) + ": ";
  doubt(where, of + text.str());
}

void Diagnoser::error(llvm::StringRef text) {
  unsigned id =
      diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0");
  diagnostics.Report(id) << "gpuverify: " + text.str();
}

// --------------------------------------------------------------- verdicts ---

void Diagnoser::left_out(const KernelsLeft &left) {
  Arena arena = {};
  show(*diagnose_left_out(&arena, &left));
  arena_free(&arena);
}

void Diagnoser::say(const Remark &remark) {
  switch (remark.level) {
  case LEVEL_WARNING:
    return warn(remark.where, remark.there);
  case LEVEL_DOUBT:
    return doubt(remark.where, remark.there);
  case LEVEL_REMARK:
    return this->remark(remark.where, remark.there);
  case LEVEL_NOTE:
    return note(remark.where, remark.there);
  }
}

void Diagnoser::show(const Remark &remark) {
  if (remark.there)
    say(remark);
  for (size_t i = 0; i < remark.notes.count; i++)
    if (remark.notes.at[i].there)
      note(remark.notes.at[i].where, remark.notes.at[i].there);
}

void Diagnoser::show(const Diagnosis &diagnosis) {
  for (size_t i = 0; !diagnosis.is_silent && i < diagnosis.remarks.count; i++)
    show(diagnosis.remarks.at[i]);
}

void Diagnoser::kernel(const KernelReport &report) {
  Arena arena = {};
  ReportStyle style = settings_style(&settings);
  show(*diagnose_kernel(&arena, &style, &report));
  arena_free(&arena);
}
