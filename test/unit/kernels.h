// Kernels for the tests of what is done to them, from one of two texts.
//
// kernel_of takes a sketch, of which each letter is a statement:
//
//   w r      a write, a read of the thread's own cell in shared memory
//   W R      ... in global memory
//   b s g    a barrier of the block, of the warp, of the grid
//   { }      while (i < n): all threads go round equally often
//   ( )      while (i < thread)
//   < >      do .. while (++i < n)
//   [ ]      if (thread == 7)
//   | ;      if (n == 7)
//   . !      leave the innermost loop, the kernel
//
// the('b', 1) is the second `b`.  kernel_of_body takes the body of a function
// of LLVM IR, which has %t, the thread, and the parameters %g, %n, %m, %l, %c;
// it begins behind the label %enter.

#ifndef TEST_UNIT_KERNELS_H
#define TEST_UNIT_KERNELS_H

#include "test/unit/formula.h"

#include <check.h>
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OPEN = 8 };

static Kernel *kernel;
static Options kernel_options;
static LLVMModuleRef kernel_module;
static const char *sketch;

// ----------------------------------------------------------------- module ---

static const char kernel_head[] =
    "target datalayout = "
    "\"e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64\"\n"
    "target triple = \"nvptx64-nvidia-cuda\"\n"
    "@s = internal addrspace(3) global [64 x i32] undef, align 4\n"
    "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
    "declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
    "declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)\n"
    "declare i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32, i1)\n"
    "declare void @llvm.nvvm.bar.warp.sync(i32)\n"
    "declare void @__gpuverify_grid_sync()\n"
    "define ptx_kernel void @k(ptr %g, i32 %n, i32 %m, i64 %l, i8 %c) "
    "!dbg !3 {\n"
    "enter:\n"
    "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n";

static const char kernel_places[] =
    "!llvm.dbg.cu = !{!0}\n"
    "!llvm.module.flags = !{!2}\n"
    "!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, "
    "emissionKind: FullDebug)\n"
    "!1 = !DIFile(filename: \"k.cu\", directory: \"/\")\n"
    "!2 = !{i32 2, !\"Debug Info Version\", i32 3}\n"
    "!3 = distinct !DISubprogram(name: \"k\", file: !1, line: 1, type: !4, "
    "unit: !0, spFlags: DISPFlagDefinition)\n"
    "!4 = !DISubroutineType(types: !5)\n"
    "!5 = !{null}\n";

static inline LLVMModuleRef parse_module(const char *text) {
  LLVMModuleRef module = NULL;
  char *message = NULL;
  LLVMMemoryBufferRef buffer =
      LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "kernel");
  if (LLVMParseIRInContext(LLVMContextCreate(), buffer, &module, &message))
    ck_abort_msg("%s\n%s", message, text);
  return module;
}

// Its lines are the letters of the sketch, if there is one.
static inline char *module_text(const char *body) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  fprintf(out, "%s%s}\n%s", kernel_head, body, kernel_places);
  for (size_t i = 0; sketch && sketch[i]; i++)
    fprintf(out, "!%zu = !DILocation(line: %zu, column: 1, scope: !3)\n",
            i + 10, i + 1);
  fclose(out);
  return text;
}

static inline void make_kernel_in(Task *own, void *data) {
  const char *reason = NULL;
  KernelEntries entries = {0};
  Launch launch = {0};
  (void)data;
  ck_assert_msg(llvm_prepare(own, kernel_module, &reason), "%s", reason);
  llvm_find_kernels(own, kernel_module, &entries);
  kernel = kernel_from_llvm(own, &entries.at[0], &kernel_options, &launch);
}

static inline void drop_module(void) {
  if (kernel_module)
    llvm_free_module(kernel_module);
  kernel_module = NULL;
}

// In place of the one before.
static inline void read_module(const char *body) {
  char *text = module_text(body);
  drop_module();
  kernel_module = parse_module(text);
  free(text);
}

static inline void make_kernel(const char *body) {
  read_module(body);
  ck_assert_msg(task_run(&task, make_kernel_in, NULL), "%s", task.reason);
}

static inline Kernel *kernel_of_body(const char *body) {
  sketch = NULL;
  make_kernel(body);
  return kernel;
}

// ---------------------------------------------------------------- sketch ---

typedef struct Sketcher {
  FILE *out;
  unsigned made; // numbers of values and labels
  unsigned place;
  unsigned depth, open[MOST_OPEN];
  char kinds[MOST_OPEN];
} Sketcher;

static inline void sketch_call(Sketcher *s, const char *call) {
  fprintf(s->out, "  call void %s, !dbg !%u\n", call, s->place);
}

static inline void sketch_access(Sketcher *s, bool is_global, bool writes) {
  unsigned at = s->made++;
  fprintf(s->out, "  %%v%u = getelementptr i32, ptr %s, i32 %%t\n", at,
          is_global ? "%g" : "addrspacecast (ptr addrspace(3) @s to ptr)");
  if (writes)
    fprintf(s->out, "  store i32 %%t, ptr %%v%u, !dbg !%u\n", at, s->place);
  else
    fprintf(s->out, "  %%v%u = load i32, ptr %%v%u, !dbg !%u\n", s->made++, at,
            s->place);
}

// A loop counts in a variable.
static inline void sketch_begin_loop(Sketcher *s, char kind, unsigned n) {
  fprintf(s->out,
          "  store i32 0, ptr %%i%u\n"
          "  br label %%head%u\n"
          "head%u:\n",
          n, n, n);
  if (kind != '<')
    fprintf(s->out,
            "  %%at%u = load i32, ptr %%i%u\n"
            "  %%on%u = icmp slt i32 %%at%u, %s\n"
            "  br i1 %%on%u, label %%body%u, label %%end%u\n"
            "body%u:\n",
            n, n, n, n, kind == '(' ? "%t" : "%n", n, n, n, n);
}

static inline void sketch_end_loop(Sketcher *s, char kind, unsigned n) {
  fprintf(s->out,
          "  %%old%u = load i32, ptr %%i%u\n"
          "  %%new%u = add nsw i32 %%old%u, 1\n"
          "  store i32 %%new%u, ptr %%i%u\n",
          n, n, n, n, n, n);
  if (kind == '<')
    fprintf(s->out,
            "  %%on%u = icmp slt i32 %%new%u, %%n\n"
            "  br i1 %%on%u, label %%head%u, label %%end%u\n",
            n, n, n, n, n);
  else
    fprintf(s->out, "  br label %%head%u\n", n);
}

static inline void sketch_begin(Sketcher *s, char kind) {
  unsigned n = s->place - 10;
  ck_assert_uint_lt(s->depth, MOST_OPEN);
  s->kinds[s->depth] = kind;
  s->open[s->depth++] = n;
  if (kind != '[' && kind != '|')
    sketch_begin_loop(s, kind, n);
  else
    fprintf(s->out,
            "  %%if%u = icmp eq i32 %s, 7\n"
            "  br i1 %%if%u, label %%then%u, label %%end%u\n"
            "then%u:\n",
            n, kind == '[' ? "%t" : "%n", n, n, n, n);
}

static inline void sketch_end(Sketcher *s) {
  ck_assert_uint_gt(s->depth, 0);
  unsigned n = s->open[--s->depth];
  char kind = s->kinds[s->depth];
  if (kind != '[' && kind != '|')
    sketch_end_loop(s, kind, n);
  else
    fprintf(s->out, "  br label %%end%u\n", n);
  fprintf(s->out, "end%u:\n", n);
}

// What comes behind is not reached.
static inline void sketch_leave(Sketcher *s) {
  unsigned i = s->depth;
  while (s->kinds[i - 1] == '[' || s->kinds[i - 1] == '|')
    i--;
  fprintf(s->out, "  br label %%end%u\ndead%u:\n", s->open[i - 1], s->made);
  s->made++;
}

static inline void sketch_letter(Sketcher *s, char letter) {
  switch (letter) {
  case 'w':
  case 'W':
  case 'r':
  case 'R':
    sketch_access(s, letter < 'a', letter == 'w' || letter == 'W');
    break;
  case 'b':
    sketch_call(s, "@llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)");
    break;
  case 's':
    sketch_call(s, "@llvm.nvvm.bar.warp.sync(i32 -1)");
    break;
  case 'g':
    sketch_call(s, "@__gpuverify_grid_sync()");
    break;
  case '.':
    sketch_leave(s);
    break;
  case '!':
    fprintf(s->out, "  ret void\ndead%u:\n", s->made++);
    break;
  case ' ':
    break;
  default:
    if (strchr("{(<[|", letter))
      sketch_begin(s, letter);
    else
      sketch_end(s);
  }
}

// The body of what is sketched; the caller frees it.
static inline char *body_of(const char *text) {
  char *body = NULL;
  size_t size;
  Sketcher s = {.out = open_memstream(&body, &size)};
  for (size_t i = 0; text[i]; i++) // which are promoted at the entry alone
    fprintf(s.out, "  %%i%zu = alloca i32\n", i);
  for (size_t i = 0; text[i]; i++) {
    s.place = (unsigned)i + 10;
    sketch_letter(&s, text[i]);
  }
  ck_assert_uint_eq(s.depth, 0);
  fprintf(s.out, "  ret void\n");
  fclose(s.out);
  sketch = text;
  return body;
}

static inline Kernel *kernel_of(const char *text) {
  char *body = body_of(text);
  make_kernel(body);
  free(body);
  return kernel;
}

// The statement of the nth such letter, counted from 0.
static inline Stmt *the(char letter, unsigned nth) {
  const char *at = strchr(sketch, letter);
  while (at && nth--)
    at = strchr(at + 1, letter);
  ck_assert_msg(at != NULL, "no such '%c' in '%s'", letter, sketch);
  for (size_t i = 0; i < kernel->stmts.count; i++)
    if (kernel->stmts.at[i]->loc.line == (unsigned)(at - sketch) + 1)
      return kernel->stmts.at[i];
  ck_abort_msg("'%c' of '%s' is no statement", letter, sketch);
}

// ---------------------------------------------------------------- fixture ---

static inline void open_kernel(void) {
  setup();
  kernel = NULL;
  kernel_options = (Options){.barriers = "off"};
}

static inline void close_kernel(void) {
  drop_module();
  teardown();
}

#endif
