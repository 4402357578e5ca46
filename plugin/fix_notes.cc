// A proposal is one note with all of its edits as fix-its, since none of them
// helps without the others:
//
//   kernel.cu:9:3: note: insert '__syncthreads();': kernel 'f' is verified then
//   fix-it:"kernel.cu":{9:1-9:1}:"  __syncthreads();\n"
//
// Clang applies fix-its of errors and warnings by itself (-fixit), those of
// notes it only shows: which of two kernels that share a function is to be
// mended, and whether a barrier is what was meant, is for a person to say.

#include "plugin/fix_notes.h"

#include "clang/Basic/DiagnosticFrontend.h"
#include "clang/Basic/SourceManager.h"

// Invalid where clang has not read the file, or another text of it.
static clang::SourceLocation find(clang::SourceManager &sources,
                                  const SourceText &text, size_t at) {
  auto file = sources.getFileManager().getOptionalFileRef(text.path);
  clang::FileID id = file ? sources.translateFile(*file) : clang::FileID();
  if (id.isInvalid())
    return {};
  auto buffer = sources.getBufferDataOrNone(id);
  if (!buffer || *buffer != llvm::StringRef(text.text, text.size))
    return {};
  return sources.getLocForStartOfFile(id).getLocWithOffset(
      static_cast<clang::SourceLocation::IntTy>(at));
}

// False: a part of it has no place here, so it is not told.
static bool find_hints(clang::SourceManager &sources, const Fix &fix,
                       std::vector<clang::FixItHint> *hints) {
  for (size_t i = 0; i < fix.edits.count; i++) {
    const Edit &edit = fix.edits.at[i];
    const SourceText &text = fix.texts->at[edit.file];
    clang::SourceLocation begin = find(sources, text, edit.begin),
                          end = find(sources, text, edit.end);
    if (begin.isInvalid() || end.isInvalid())
      return false;
    hints->push_back(clang::FixItHint::CreateReplacement(
        clang::CharSourceRange::getCharRange(begin, end), edit.text));
  }
  return true;
}

static void show(clang::CompilerInstance &instance, const Fix &fix) {
  clang::SourceManager &sources = instance.getSourceManager();
  std::vector<clang::FixItHint> hints;
  if (!find_hints(sources, fix, &hints))
    return;
  clang::DiagnosticBuilder note = instance.getDiagnostics().Report(
      find(sources, fix.source, fix.at), clang::diag::note_fe_backend_plugin);
  note << std::string(fix.message);
  for (const clang::FixItHint &hint : hints)
    note << hint;
}

void show_fixes(clang::CompilerInstance &instance, const Fixes &fixes,
                llvm::StringRef kernel) {
  for (size_t i = 0; i < fixes.count; i++)
    if (kernel == fixes.at[i].kernel)
      show(instance, fixes.at[i]);
}
