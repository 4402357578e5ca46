// Proposals of `gpuverify repair` in clang's diagnostics.

#ifndef PLUGIN_FIX_NOTES_H
#define PLUGIN_FIX_NOTES_H

#include "plugin/frontend.h"

extern "C" {
#include "plugin/repair.h"
}

// How a compilation is done again: for the host, or else for the device; NULL:
// nobody knows.
using OwnInvocation =
    std::function<std::shared_ptr<clang::CompilerInvocation>(bool is_host)>;

// frontend.cc: from here on files are compiled in this way, and not as the
// settings say; with an empty one as ever.
void frontend_compile_as(OwnInvocation how);

// fix_notes.cc: notes of the diagnostic before, with fix-its, of the proposals
// for this kernel.
void show_fixes(clang::CompilerInstance &instance, const Fixes &fixes,
                llvm::StringRef kernel);

#endif
