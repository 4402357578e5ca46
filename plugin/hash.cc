// What a cache needs of LLVM: SHA-256, modules as text and back, versions.

#include "plugin/frontend.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"
#include <llvm-c/Core.h>

#include <string.h>

extern "C" const char gpuverify_identity[];

static void write_hash(llvm::StringRef bytes, char hash[HASH_SIZE]) {
  auto raw = llvm::SHA256::hash(llvm::arrayRefFromStringRef(bytes));
  std::string text = llvm::toHex(raw, true);
  memcpy(hash, text.c_str(), HASH_SIZE);
}

void hash_text(const char *text, size_t length, char hash[HASH_SIZE]) {
  write_hash(llvm::StringRef(text, length), hash);
}

bool hash_file(const char *path, char hash[HASH_SIZE]) {
  auto buffer = llvm::MemoryBuffer::getFile(path, false, false);
  if (buffer)
    write_hash((*buffer)->getBuffer(), hash);
  return bool(buffer);
}

// The plugin may be loaded where LLVM is newer than its headers.
const char *versions_text(Task *task) {
  unsigned major = 0, minor = 0, patch = 0;
  LLVMGetVersion(&major, &minor, &patch);
  return arena_printf(&task->arena, "gpuverify %s\nLLVM %u.%u.%u\nZ3 %s\n",
                      gpuverify_identity, major, minor, patch,
                      solver_version());
}

const char *module_text(Task *task, struct LLVMOpaqueModule *module) {
  std::string text;
  llvm::raw_string_ostream out(text);
  llvm::unwrap(module)->print(out, nullptr);
  return arena_copy(&task->arena, out.str().c_str());
}

struct LLVMOpaqueModule *module_read(const char *file) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    return nullptr;
  auto *context = new llvm::LLVMContext; // llvm_free_module deletes it
  auto module = llvm::parseBitcodeFile(**buffer, *context);
  if (module)
    return llvm::wrap(module->release());
  llvm::consumeError(module.takeError());
  delete context;
  return nullptr;
}
