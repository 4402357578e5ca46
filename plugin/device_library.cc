// Functions of the device that only a library has a body for.
//
// The proof knows them by name, so they are not linked for it.  Where a kernel
// is executed, those that the machine has no function of its own for get the
// body of the library that the device would run: libdevice of the CUDA SDK, or
// libclc for OpenCL.  Where there is no such library they stay what they are,
// and are not executed.
//
// libclc is built for NVPTX, our OpenCL for SPIR, which numbers address spaces
// differently.  Names have these numbers in them, so they are translated, and
// calls get casts.

#include "plugin/frontend.h"

#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Transforms/Utils/Local.h"

extern "C" {
#include "runtime/runtime.h"
}

namespace {

using llvm::StringRef;

bool is_opencl(const llvm::Module &module) {
  return module.getTargetTriple().isSPIROrSPIRV();
}

std::string library_path(const Settings *settings, const llvm::Module &module) {
  if (!is_opencl(module))
    return frontend_sdk_folder(settings) + "/nvvm/libdevice/libdevice.10.bc";
  for (const char *folder : {"/usr/lib/clc", "/usr/share/clc"})
    if (llvm::sys::fs::exists(std::string(folder) + "/nvptx64--.bc"))
      return std::string(folder) + "/nvptx64--.bc";
  return "";
}

std::unique_ptr<llvm::Module> open_library(const std::string &path,
                                           const llvm::Module &module) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return nullptr;
  auto library =
      llvm::getOwningLazyBitcodeModule(std::move(*buffer), module.getContext());
  if (!library) {
    llvm::consumeError(library.takeError());
    return nullptr;
  }
  (*library)->setDataLayout(module.getDataLayout()); // no warning of the linker
  (*library)->setTargetTriple(module.getTargetTriple());
  return std::move(*library);
}

// ----------------------------------------------------------------- names ---

void replace_all(std::string *text, StringRef from, StringRef to) {
  for (size_t at = 0; (at = text->find(from.str(), at)) != std::string::npos;
       at += to.size())
    text->replace(at, from.size(), to.str());
}

// SPIR's generic space has the number 4, NVPTX's 0, which is not written;
// constant memory has 2 and 4.  An event is no pointer to SPIR.
std::string name_in_library(StringRef name, bool is_opencl) {
  std::string translated = name.str();
  if (!is_opencl)
    return translated;
  replace_all(&translated, "PU3AS4", "P");
  replace_all(&translated, "PU3AS2", "PU3AS4");
  return translated;
}

// ----------------------------------------------------------------- calls ---

bool can_become(const llvm::Type *from, const llvm::Type *to) {
  return from == to || (from->isPointerTy() && to->isPointerTy()) ||
         from->isTargetExtTy();
}

// Do calls of the one fit the other, with casts?
bool fits(const llvm::Function &called, const llvm::Function &has) {
  const llvm::FunctionType *a = called.getFunctionType();
  const llvm::FunctionType *b = has.getFunctionType();
  if (a->getNumParams() != b->getNumParams() || a->isVarArg() || b->isVarArg())
    return false;
  for (unsigned i = 0; i < a->getNumParams(); i++)
    if (!can_become(a->getParamType(i), b->getParamType(i)))
      return false;
  return can_become(a->getReturnType(), b->getReturnType());
}

// Nobody looks into an event.
llvm::Value *cast(llvm::IRBuilder<> *builder, llvm::Value *value,
                  llvm::Type *type) {
  if (value->getType() == type)
    return value;
  if (!type->isPointerTy() || !value->getType()->isPointerTy())
    return llvm::Constant::getNullValue(type);
  return builder->CreateAddrSpaceCast(value, type);
}

void call_instead(llvm::CallInst *call, llvm::Function *function) {
  llvm::IRBuilder<> builder(call);
  std::vector<llvm::Value *> arguments;
  for (unsigned i = 0; i < call->arg_size(); i++)
    arguments.push_back(cast(&builder, call->getArgOperand(i),
                             function->getFunctionType()->getParamType(i)));
  llvm::CallInst *made = builder.CreateCall(function, arguments);
  made->setCallingConv(function->getCallingConv());
  if (!call->getType()->isVoidTy()) {
    llvm::Value *result = made;
    if (made->getType() != call->getType())
      result = cast(&builder, made, call->getType());
    call->replaceAllUsesWith(result);
  }
  call->eraseFromParent();
}

// All calls of one declaration are of the library's function from now on.
void redirect(llvm::Function *called, const llvm::Function &has) {
  llvm::Module *module = called->getParent();
  if (called->getFunctionType() == has.getFunctionType() &&
      called->getName() == has.getName()) {
    called->setCallingConv(has.getCallingConv());
    for (llvm::User *user : called->users())
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(user))
        call->setCallingConv(has.getCallingConv());
    return;
  }
  called->setName("");
  auto *function = llvm::cast<llvm::Function>(
      module->getOrInsertFunction(has.getName(), has.getFunctionType())
          .getCallee());
  function->setCallingConv(has.getCallingConv());
  for (llvm::User *user : llvm::make_early_inc_range(called->users()))
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(user))
      call_instead(call, function);
  if (called->use_empty())
    called->eraseFromParent();
}

// What the machine does itself is not taken from the library.
bool prepare_calls(Task *task, llvm::Module *module, llvm::Module *library) {
  std::vector<llvm::Function *> declared;
  bool is_needed = false;
  for (llvm::Function &function : *module)
    if (function.isDeclaration() && !function.isIntrinsic())
      declared.push_back(&function);
  for (llvm::Function *function : declared) {
    bool is_ours = code_has_own(task, function->getName().str().c_str());
    llvm::Function *has = library->getFunction(
        name_in_library(function->getName(), is_opencl(*module)));
    if (!has || has->isDeclaration())
      continue;
    if (is_ours)
      has->setName("");
    else if (fits(*function, *has)) {
      redirect(function, *has);
      is_needed = true;
    }
  }
  return is_needed;
}

// What libdevice asks for: denormals are kept, division and root are exact.
void fold_reflection(llvm::Module *module) {
  llvm::Function *reflect = module->getFunction("__nvvm_reflect");
  if (!reflect)
    return;
  for (llvm::User *user : llvm::make_early_inc_range(reflect->users())) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(user);
    llvm::StringRef asked;
    if (!call || !llvm::getConstantStringInfo(call->getArgOperand(0), asked))
      continue;
    int answer =
        asked == "__CUDA_ARCH" ? 800 : asked.starts_with("__CUDA_PREC");
    llvm::Function *function = call->getFunction();
    llvm::WeakVH left(call);
    llvm::replaceAndRecursivelySimplify(
        call, llvm::ConstantInt::get(call->getType(), answer));
    if (left)
      call->eraseFromParent();
    for (llvm::BasicBlock &block : *function)
      llvm::ConstantFoldTerminator(&block);
    llvm::removeUnreachableBlocks(*function);
  }
}

} // namespace

void frontend_link_library(Task *task, const Settings *settings,
                           struct LLVMOpaqueModule *opaque) {
  llvm::Module *module = llvm::unwrap(opaque);
  auto library = open_library(library_path(settings, *module), *module);
  if (!library || !prepare_calls(task, module, library.get()))
    return;
  llvm::Linker::linkModules(*module, std::move(library),
                            llvm::Linker::LinkOnlyNeeded);
  fold_reflection(module);
}
