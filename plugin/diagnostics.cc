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
//   -Wdisabled-optimization  verdicts that are not decided: a group that clang
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

// ------------------------------------------------------------------ words ---

namespace {

// CUDA and OpenCL name the same things differently.
struct Words {
  const char *thread, *block, *block_size, *grid_size;
};

} // namespace

static const Words &words_of(const KernelReport &report) {
  static const Words cuda = {"thread", "block", "blockDim", "gridDim"};
  static const Words opencl = {"work-item", "work-group", "local size",
                               "number of groups"};
  return report.kernel && report.kernel->is_opencl ? opencl : cuda;
}

static std::string triple(const uint32_t values[3]) {
  return "(" + std::to_string(values[0]) + "," + std::to_string(values[1]) +
         "," + std::to_string(values[2]) + ")";
}

// "thread (1,0,0) in block (0,0,0)"
static std::string who(const KernelReport &report, const Witness &witness,
                       unsigned which) {
  const Words &words = words_of(report);
  return words.thread + (" " + triple(witness.thread[which])) + " in " +
         words.block + " " + triple(witness.block[which]);
}

// "cell[3]", with its bytes where they are not those of one element.
static std::string cell(const Access &access, const Witness &witness,
                        unsigned which) {
  std::string name = access.array->name ? accessed_name(&access) : "memory";
  uint64_t offset = witness.offset[which], bytes = witness.bytes[which];
  unsigned element = access.array->element;
  if (!element || offset % element)
    return name + ", byte " + std::to_string(offset) + ", " +
           std::to_string(bytes) + " long";
  std::string text = name + "[" + std::to_string(offset / element) + "]";
  return bytes == element ? text
                          : text + " (" + std::to_string(bytes) + " bytes)";
}

static std::string access_text(const KernelReport &report,
                               const Problem &problem, const Stmt &stmt,
                               unsigned which) {
  return who(report, problem.witness, which) + " " + report_verb(&stmt.access) +
         " " + cell(stmt.access, problem.witness, which);
}

static std::string tolerated_text(const Tolerated &pair) {
  return std::string("assuming ") + pair.assumption + ": threads may " +
         report_tolerated(&pair) + " '" + pair.array + "' here at once";
}

static std::string kernel_text(const KernelReport &report) {
  return std::string("kernel '") +
         (report.source ? report.source : report.name) + "'";
}

// Signed where that is how people write it: a 32-bit -1.
static std::string value_text(const Value &value) {
  uint64_t half = value.width < 64 ? UINT64_C(1) << (value.width - 1) : 0;
  bool is_negative = half > 1 && value.value >= half;
  std::string text = std::to_string(value.value);
  if (is_negative)
    text += " (-" + std::to_string(2 * half - value.value) + ")";
  return std::string(value.name) + " = " + text;
}

template <typename Values>
static std::string values_text(const Values &values) {
  std::string text;
  for (size_t i = 0; i < values.count; i++)
    text += ", " + value_text(values.at[i]);
  return text;
}

static std::string witness_text(const KernelReport &report,
                                const Witness &witness) {
  const Words &words = words_of(report);
  return "in " + kernel_text(report) + ", " + words.block_size + " " +
         triple(witness.block_size) + ", " + words.grid_size + " " +
         triple(witness.grid_size) + values_text(witness.arguments) +
         values_text(witness.others);
}

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

void Diagnoser::no_proof(VerdictKind kind, const Loc &loc,
                         const std::string &text) {
  if (kind == VERDICT_UNKNOWN)
    doubt(loc, text);
  else
    warn(loc, text);
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

void Diagnoser::error(llvm::StringRef text) {
  unsigned id =
      diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0");
  diagnostics.Report(id) << "gpuverify: " + text.str();
}

// --------------------------------------------------------------- verdicts ---

static bool same_place(const Loc &a, const Loc &b) {
  return a.line == b.line && a.column == b.column &&
         (a.file == b.file ||
          (a.file && b.file && llvm::StringRef(a.file) == b.file));
}

// Which of the two accesses the problem is reported at: 0 or 1.
static unsigned later_access(const Problem &problem) {
  const Obligation *obligation = problem.obligation;
  return !obligation->second ||
                 (same_place(problem.where, obligation->first->loc) &&
                  !same_place(problem.where, obligation->second->loc))
             ? 0
             : 1;
}

static const Stmt *access_of(const Problem &problem, unsigned which) {
  const Obligation *obligation = problem.obligation;
  const Stmt *stmt = !obligation ? nullptr
                     : which     ? obligation->second
                                 : obligation->first;
  return stmt && stmt->kind == STMT_ACCESS ? stmt : nullptr;
}

static bool is_race(const Problem &problem) {
  return access_of(problem, 0) && access_of(problem, 1);
}

void Diagnoser::other_access(const KernelReport &report,
                             const Problem &problem) {
  unsigned other = 1 - later_access(problem);
  const Stmt &stmt = *access_of(problem, other);
  note(stmt.loc, "other access is here" +
                     (problem.has_witness
                          ? ": " + access_text(report, problem, stmt, other)
                          : std::string()));
  if (const Stmt *barrier = problem.obligation->barrier)
    note(barrier->loc, "the last barrier before both accesses is here");
}

// Divergence, assertions, bounds: who gets there.
static std::string threads_text(const KernelReport &report,
                                const Problem &problem) {
  std::string text = who(report, problem.witness, 0);
  if (problem.kind == VERDICT_DIVERGENT || problem.kind == VERDICT_DEADLOCK)
    text += " and " + who(report, problem.witness, 1);
  return text;
}

void Diagnoser::problem(const KernelReport &report, const Problem &problem) {
  std::string text = problem.sentence;
  if (problem.has_witness && is_race(problem)) {
    unsigned later = later_access(problem);
    text +=
        ": " + access_text(report, problem, *access_of(problem, later), later);
  } else if (problem.has_witness)
    text += ": " + threads_text(report, problem);
  warn(problem.where, text);
  if (is_race(problem))
    other_access(report, problem);
  note(report.loc, problem.has_witness ? witness_text(report, problem.witness)
                                       : "in " + kernel_text(report));
  if (problem.caveat)
    note({}, problem.caveat);
}

// "blockDim (64,1,1), gridDim (*,*,*)"
static std::string extents_text(const char *name, const Extent extents[3]) {
  std::string text = std::string(name) + " (";
  for (unsigned axis = 0; axis < 3; axis++) {
    text += axis ? "," : "";
    text += extents[axis].known ? std::to_string(extents[axis].value) : "*";
  }
  return text + ")";
}

static std::string launch_text(const KernelReport &report) {
  const Launch *launch = report.launch;
  const Words &words = words_of(report);
  if (report.launches > 1)
    return "for " + std::to_string(report.launches) + " launches";
  std::string text;
  if (launch && extents_are_given(launch->block))
    text += extents_text(words.block_size, launch->block);
  if (launch && extents_are_given(launch->grid))
    text += (text.empty() ? "" : ", ") +
            extents_text(words.grid_size, launch->grid);
  if (launch && extents_are_given(launch->global))
    text += (text.empty() ? "" : ", ") +
            extents_text("global size", launch->global);
  return text.empty() ? "for all launch sizes" : "for " + text;
}

static std::string assumptions_text(const Verdict &verdict) {
  std::string text;
  for (size_t i = 0; i < verdict.assumptions.count; i++)
    text += (i ? ", " : "") + std::string(verdict.assumptions.at[i]);
  return text;
}

void Diagnoser::verified(const KernelReport &report) {
  const Verdict &verdict = *report.verdict;
  if (settings.quiet)
    return;
  const char *what = settings.options.only_divergence
                         ? "no barrier divergence"
                         : "no data race, no barrier divergence";
  remark(report.loc, kernel_text(report) + " is verified: " + what + " " +
                         launch_text(report));
  if (settings.verbose && verdict.assumptions.count)
    note(report.loc, "assuming " + assumptions_text(verdict));
  for (size_t i = 0; i < verdict.tolerated.count; i++)
    note(verdict.tolerated.at[i].where,
         tolerated_text(verdict.tolerated.at[i]));
}

void Diagnoser::left_out(const KernelsLeft &left) {
  char kernels[LEFT_TEXT_SIZE];
  kernels_left_text(&left, kernels, sizeof kernels);
  doubt({}, std::string("gpuverify: not looked at: ") + kernels + ": " +
                FILE_TIME_IS_OVER);
}

void Diagnoser::undecided(const KernelReport &report) {
  const Verdict &verdict = *report.verdict;
  const Loc &where = verdict.where.line ? verdict.where : report.loc;
  std::string text = kernel_text(report) + ": verdict is " +
                     verdict_name(verdict.kind) + ": " +
                     (verdict.reason ? verdict.reason : "no reason is known");
  no_proof(verdict.kind, where, text);
  if (verdict.where.line && !same_place(verdict.where, report.loc))
    note(report.loc, "in " + kernel_text(report));
}

// --------------------------------------------------------- named barriers ---

static std::string alike_text(unsigned others) {
  if (!others)
    return "";
  return "; the same of the next" +
         (others > 1 ? " " + std::to_string(others) : std::string());
}

static std::string blocks_text(const BarriersReport &report) {
  unsigned blocks = report.programs ? programs_blocks(report.programs) : 1;
  std::string size = " of " + triple(report.block_size);
  return blocks == 1
             ? "one block" + size
             : "a cluster of " + std::to_string(blocks) + " blocks" + size;
}

// Each warp, at the place where it waits; those alike are told together.
void Diagnoser::deadlock(const BarriersReport &report) {
  Arena arena = {};
  unsigned warps = programs_warps(report.programs), next = 0;
  for (unsigned warp = 0; warp < warps; warp = next) {
    for (next = warp + 1; next < warps; next++)
      if (!standing_is_like_before(&report, next))
        break;
    const Standing &standing = report.check->standing[warp];
    const Command &command = report.programs->warps[warp].at[standing.command];
    note(standing.has_exited ? report.loc
                             : finding_place(&report, command.place),
         standing_text(&arena, &report, warp) + alike_text(next - warp - 1));
  }
  arena_free(&arena);
}

void Diagnoser::finding(const BarriersReport &report, size_t index) {
  const Finding &finding = report.check->findings.at[index];
  Arena arena = {};
  std::string text = std::string("named barriers: ") +
                     finding_sentence(&arena, &report, index);
  bool is_deadlock = finding.kind == FINDING_DEADLOCK;
  if (!is_deadlock && finding.end_count)
    text += std::string(": ") + finding_end_text(&arena, &report, index, 0);
  warn(finding_place(&report, finding.ends[0].place), text);
  if (is_deadlock)
    deadlock(report);
  else if (finding.end_count > 1)
    note(finding_place(&report, finding.ends[1].place),
         std::string("other end is here: ") +
             finding_end_text(&arena, &report, index, 1));
  note(report.loc, std::string("in kernel '") + report.source + "', for " +
                       blocks_text(report));
  if (finding.replay)
    note({}, std::string(finding.is_confirmed ? "confirmed: " : "possible: ") +
                 finding.replay);
  arena_free(&arena);
}

// "named barriers: kernel 'k' has no deadlock, ...; verified for one block:
// any"
static std::string proof_text(const BarriersReport &report) {
  Arena arena = {};
  std::string text =
      std::string("named barriers: kernel '") + report.source +
      "' has no deadlock, no barrier recycled too early and no data race in "
      "shared memory, for " +
      blocks_text(report) + "; " + verdict_name(report.kind) + ": " +
      barriers_coverage(&arena, &report);
  arena_free(&arena);
  return text;
}

void Diagnoser::barriers(const BarriersReport &report) {
  std::string name = std::string("kernel '") + report.source + "'";
  size_t count = report.check ? report.check->findings.count : 0;
  bool is_enough = status_as_asked(&settings, report.kind) == EXIT_ALL_VERIFIED;
  if (is_enough && settings.quiet)
    return;
  for (size_t i = 0; i < count; i++)
    finding(report, i);
  if (is_enough)
    remark(report.loc, proof_text(report));
  else if (report.kind == VERDICT_ONE_BLOCK)
    doubt(report.loc, proof_text(report));
  else if (report.reason)
    no_proof(report.kind, report.where.line ? report.where : report.loc,
             "named barriers: " + name + ": verdict is " +
                 verdict_name(report.kind) + ": " + report.reason);
  const Verdict &proof = *report.proof;
  note(proof.where.line ? proof.where : report.loc,
       std::string("the proof does not decide this: ") +
           (proof.reason ? proof.reason : "no reason is known"));
}

void Diagnoser::kernel(const KernelReport &report) {
  const Verdict &verdict = *report.verdict;
  if (report.barriers)
    return barriers(*report.barriers);
  for (size_t i = 0; i < verdict.problems.count; i++)
    problem(report, verdict.problems.at[i]);
  switch (verdict.kind) {
  case VERDICT_VERIFIED:
    return verified(report);
  case VERDICT_ONE_BLOCK:
  case VERDICT_UNKNOWN:
  case VERDICT_VACUOUS:
  case VERDICT_ERROR:
    return undecided(report);
  case VERDICT_RACY:
  case VERDICT_DIVERGENT:
  case VERDICT_DEADLOCK:
  case VERDICT_ASSERTION:
  case VERDICT_OUT_OF_BOUNDS:
    return;
  }
}
