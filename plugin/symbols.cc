// Where in the source an address of a program is, by its debug information.
//
// A report about the host's code wants the statement of the user's: that is the
// innermost call whose file is one of those that were given, else the innermost
// that has a line at all.  The stub that clang makes of a kernel has the
// kernel's line and is passed over.

#include "plugin/frontend.h"

extern "C" {
#include "plugin/run.h"
}
#undef push

#include "llvm/DebugInfo/Symbolize/Symbolize.h"
#include "llvm/Support/FileSystem.h"

namespace {

using llvm::symbolize::LLVMSymbolizer;

// As the user wrote it, or NULL.
const char *given_file(const Settings *settings, llvm::StringRef path) {
  for (size_t i = 0; i < settings->files.count; i++) {
    bool is_same = false;
    if (!llvm::sys::fs::equivalent(path, settings->files.at[i], is_same) &&
        is_same)
      return settings->files.at[i];
  }
  return nullptr;
}

bool is_stub(llvm::StringRef function) {
  return function.contains("__device_stub__");
}

Loc place_of(Task *task, const char *file, const llvm::DILineInfo &line) {
  Loc loc = {};
  loc.file = (const char *)arena_copy(&task->arena, file);
  loc.line = line.Line;
  loc.column = line.Column;
  return loc;
}

} // namespace

Loc program_place(Task *task, const Settings *settings, const char *program,
                  const HostPlace *place) {
  LLVMSymbolizer::Options options;
  options.Demangle = false;
  LLVMSymbolizer symbolizer(options);
  Loc best = {};
  for (unsigned i = 0; i < place->count; i++) {
    auto frames = symbolizer.symbolizeInlinedCode(
        std::string(program), {place->frames[i], UINT64_MAX});
    if (!frames) {
      llvm::consumeError(frames.takeError());
      continue;
    }
    for (unsigned n = 0; n < frames->getNumberOfFrames(); n++) {
      const llvm::DILineInfo &line = frames->getFrame(n);
      if (!line.Line || is_stub(line.FunctionName))
        continue;
      if (const char *given = given_file(settings, line.FileName))
        return place_of(task, given, line);
      if (!best.line)
        best = place_of(task, line.FileName.c_str(), line);
    }
  }
  return best;
}
