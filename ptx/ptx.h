// PTX, as everybody needs it who reads, checks or executes some.
//
// In comes the text of a file, out come its kernels; what is in them the check
// of named barriers knows.

#ifndef PTX_PTX_H
#define PTX_PTX_H

#include "base/base.h"

typedef struct Ptx Ptx;             // a parsed file
typedef struct PtxKernel PtxKernel; // one .entry of it

// `text` is NUL-terminated and stays where it is.  False: *reason and *where
// say what is wrong.
bool ptx_parse(Task *task, const char *file, const char *text, Ptx **ptx,
               const char **reason, Loc *where);
size_t ptx_kernel_count(const Ptx *ptx);
const PtxKernel *ptx_kernel(const Ptx *ptx, size_t index);
const char *ptx_kernel_name(const PtxKernel *kernel);
Loc ptx_kernel_loc(const PtxKernel *kernel);
size_t ptx_kernel_parameters(const PtxKernel *kernel);
// .reqntid or else .maxntid; false: it has none.
bool ptx_kernel_block_size(const PtxKernel *kernel, uint32_t size[3]);
// .reqnctapercluster, or zeros.
void ptx_kernel_cluster_size(const PtxKernel *kernel, uint32_t size[3]);
// May it write to memory that is neither shared nor a thread's own?
bool ptx_kernel_writes_global(Task *task, const PtxKernel *kernel);

// Four bytes of a parameter.
typedef struct PtxWord {
  uint64_t offset;
  uint32_t value;
} PtxWord;

// The value of a parameter, if it is known; of a struct, some of its words.
typedef struct PtxArgument {
  bool is_known;
  uint64_t value;
  Vec(PtxWord) words;
} PtxArgument;

#endif
