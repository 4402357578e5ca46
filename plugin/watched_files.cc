// What compilations ask the file system for.

#include "plugin/frontend.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace {

struct Watch {
  Task *task;
  Lookups *lookups;
  std::map<std::string, size_t> known;
  std::string hidden;

  void note(const llvm::Twine &name, bool is_there, bool is_read) {
    llvm::SmallString<256> path;
    name.toVector(path);
    llvm::sys::fs::make_absolute(path);
    if (!hidden.empty() && (path.str().str() + "/").rfind(hidden + "/", 0) == 0)
      return;
    auto [at, is_new] = known.emplace(path.str().str(), lookups->count);
    if (is_new)
      append(&task->arena, lookups,
             Lookup{arena_copy(&task->arena, path.c_str()), is_there, is_read});
    lookups->at[at->second].is_read |= is_read;
  }
};

Watch *watch;

// Also what is not there is an answer: it may be there the next time.
class WatchedFiles : public llvm::vfs::ProxyFileSystem {
public:
  using ProxyFileSystem::ProxyFileSystem;

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine &path) override {
    auto answer = ProxyFileSystem::status(path);
    if (watch)
      watch->note(path, bool(answer), false);
    return answer;
  }
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
  openFileForRead(const llvm::Twine &path) override {
    auto answer = ProxyFileSystem::openFileForRead(path);
    if (watch)
      watch->note(path, bool(answer), bool(answer));
    return answer;
  }
};

} // namespace

void frontend_watch(Task *task, Lookups *lookups) {
  delete watch;
  watch = lookups ? new Watch{task, lookups, {}, ""} : nullptr;
}

void files_note(const Lookup &lookup) {
  if (watch)
    watch->note(lookup.path, lookup.is_there, lookup.is_read);
}

void files_hide(const std::string &folder) {
  if (watch)
    watch->hidden = folder;
}

Lookups files_asked_for(Task *task, llvm::function_ref<void()> look) {
  Lookups lookups = {};
  Watch inner = {task, &lookups, {}, ""};
  Watch *outer = std::exchange(watch, &inner);
  look();
  watch = outer;
  return lookups;
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files_watched() {
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> real =
      llvm::vfs::getRealFileSystem();
  return watch ? llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>(
                     new WatchedFiles(std::move(real)))
               : real;
}
