// Loops that go round a few times, for the search for bugs.
//
// In comes a prepared module, out comes a copy of it whose kernels have no
// loops: of each the body stands there once, and once more for every back edge
// that may be taken, inner loops first.  Who would take one more comes to a
// call of __gpuverify_cut, behind which there is nobody; the way from there to
// the exit of the loop only puts that call before all that follows the loop, so
// that it is known of whoever is there.
//
// What is found in the copy is found in the kernel: each way through it is one
// through the kernel, with the same values.  That nothing is found says nothing
// of the kernel.
//
// A kernel of too many loops in loops would become too large, and stays whole.

#include "plugin/frontend.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

extern "C" {
#include "llvm/core.h"
}

namespace {

enum : size_t { MOST_INSTRUCTIONS = 1 << 15 };

// One time round the loop.
struct Round {
  llvm::ValueToValueMapTy values; // of the first time; empty: it is that one
  llvm::BasicBlock *header, *latch;
};

llvm::Value *value_in(Round &round, llvm::Value *value) {
  auto at = round.values.find(value);
  return at == round.values.end() ? value
                                  : static_cast<llvm::Value *>(at->second);
}

// A loop with one latch, whose values are used outside through phis alone.
class Unwinder {
public:
  Unwinder(llvm::Loop &loop_, unsigned back_edges)
      : loop(loop_), blocks(loop_.getBlocks().begin(), loop_.getBlocks().end()),
        rounds(back_edges + 1) {}

  void unwind() {
    rounds[0].header = loop.getHeader();
    rounds[0].latch = loop.getLoopLatch();
    for (llvm::PHINode &phi : rounds[0].header->phis())
      carried.push_back({&phi, phi.getIncomingValueForBlock(rounds[0].latch)});
    for (size_t i = 1; i < rounds.size(); i++)
      copy(rounds[i - 1], rounds[i]);
    leave();
    for (size_t i = 0; i + 1 < rounds.size(); i++)
      rounds[i].latch->getTerminator()->replaceSuccessorWith(
          rounds[i].header, rounds[i + 1].header);
    rounds.back().latch->getTerminator()->replaceSuccessorWith(
        rounds.back().header, cut());
    for (auto &[phi, next] : carried)
      phi->removeIncomingValue(rounds[0].latch, false);
  }

private:
  llvm::Loop &loop;
  std::vector<llvm::BasicBlock *> blocks;
  std::vector<Round> rounds;
  // What the loop carries, and its value one time later.
  std::vector<std::pair<llvm::PHINode *, llvm::Value *>> carried;

  void copy(Round &before, Round &round) {
    llvm::Function *function = blocks[0]->getParent();
    llvm::SmallVector<llvm::BasicBlock *, 8> copies;
    for (llvm::BasicBlock *block : blocks) {
      auto *copied = llvm::CloneBasicBlock(block, round.values, "", function);
      round.values[block] = copied;
      copies.push_back(copied);
    }
    for (auto &[phi, next] : carried) {
      auto *copied = llvm::cast<llvm::PHINode>(round.values[phi]);
      round.values[phi] = value_in(before, next);
      copied->eraseFromParent();
    }
    llvm::remapInstructionsInBlocks(copies, round.values);
    round.header =
        llvm::cast<llvm::BasicBlock>(value_in(round, rounds[0].header));
    round.latch =
        llvm::cast<llvm::BasicBlock>(value_in(round, rounds[0].latch));
  }

  // Each time has ways out of its own.
  void leave() {
    llvm::SmallVector<llvm::BasicBlock *, 8> exits;
    loop.getUniqueExitBlocks(exits);
    for (llvm::BasicBlock *exit : exits)
      for (llvm::PHINode &phi : exit->phis())
        for (unsigned k = 0, count = phi.getNumIncomingValues(); k < count; k++)
          if (loop.contains(phi.getIncomingBlock(k)))
            for (size_t i = 1; i < rounds.size(); i++)
              phi.addIncoming(value_in(rounds[i], phi.getIncomingValue(k)),
                              llvm::cast<llvm::BasicBlock>(value_in(
                                  rounds[i], phi.getIncomingBlock(k))));
  }

  // Where the condition of the loop leads, rather than a return in its body.
  llvm::BasicBlock *exit_of() {
    for (llvm::BasicBlock *block : {loop.getHeader(), rounds[0].latch})
      for (llvm::BasicBlock *next : llvm::successors(block))
        if (!loop.contains(next))
          return next;
    llvm::SmallVector<llvm::BasicBlock *, 8> exits;
    loop.getUniqueExitBlocks(exits);
    return exits.empty() ? nullptr : exits[0];
  }

  llvm::BasicBlock *cut() {
    llvm::Function *function = blocks[0]->getParent();
    llvm::BasicBlock *exit = exit_of();
    auto *block =
        llvm::BasicBlock::Create(function->getContext(), "", function);
    llvm::IRBuilder<> builder(block);
    builder.SetCurrentDebugLocation(
        rounds[0].latch->getTerminator()->getDebugLoc());
    builder.CreateCall(function->getParent()->getOrInsertFunction(
        "__gpuverify_cut", builder.getVoidTy()));
    if (!exit) {
      builder.CreateUnreachable();
      return block;
    }
    builder.CreateBr(exit);
    for (llvm::PHINode &phi : exit->phis())
      phi.addIncoming(llvm::PoisonValue::get(phi.getType()), block);
    return block;
  }
};

llvm::Loop *innermost(const llvm::LoopInfo &loops) {
  llvm::Loop *loop = loops.empty() ? nullptr : *loops.begin();
  while (loop && !loop->isInnermost())
    loop = loop->getSubLoops()[0];
  return loop;
}

size_t size_of(const llvm::Loop &loop) {
  size_t size = 0;
  for (const llvm::BasicBlock *block : loop.blocks())
    size += block->size();
  return size;
}

// The loop of it that is next; false: there is none, or it is too much.
bool unwind_one(llvm::Function &function, unsigned back_edges) {
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  llvm::AssumptionCache cache(function);
  llvm::Loop *loop = innermost(loops);
  if (!loop || size_of(*loop) * back_edges + function.getInstructionCount() >
                   MOST_INSTRUCTIONS)
    return false;
  llvm::simplifyLoop(loop, &dominators, &loops, nullptr, &cache, nullptr,
                     false);
  loop = innermost(loops);
  if (!loop->isLoopSimplifyForm())
    return false;
  llvm::formLCSSA(*loop, dominators, &loops, nullptr);
  Unwinder(*loop, back_edges).unwind();
  return true;
}

void note_unwound(llvm::Function &function) {
  function.addFnAttr(LLVM_UNWOUND);
}

} // namespace

LLVMModuleRef unwind_copy(LLVMModuleRef module, unsigned back_edges) {
  auto copy = llvm::CloneModule(*llvm::unwrap(module));
  for (llvm::Function &function : *copy) {
    if (!llvm_is_kernel(llvm::wrap(&function)))
      continue;
    while (unwind_one(function, back_edges)) {
    }
    llvm::DominatorTree dominators(function);
    if (llvm::LoopInfo(dominators).empty())
      note_unwound(function);
  }
  return llvm::wrap(copy.release());
}
