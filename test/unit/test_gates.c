// Gates alone force a recorded order on an execution whose scheduler does its
// worst.
//
// A kernel is executed under a schedule, and all that happens is told.  Then
// the same kernel with gates is executed under schedulers that choose at
// random, and that can take the processor away before every access to memory,
// of the kernel and of the gates themselves.  Whatever they choose, the same
// accesses are made, in the same order, with the same values.  Without gates,
// or with gates that are switched off, they are not.

#define _GNU_SOURCE

#include "runtime/schedules/cpu.h"
#include "runtime/schedules/gates.h"
#include "test/unit/suite.h"
#include "translator/from_llvm.h"

#include <llvm-c/IRReader.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 2, THREADS = 2, WORDS = 16, SEEDS = 25, MOST_LISTS = 12 };

// A lock that both wait for; two increments that lose one another if both read
// before they write; a tree of one level in shared memory behind a barrier.
static const char kernel_text[] =
    "target triple = \"nvptx64-nvidia-cuda\"\n"
    "@part = internal addrspace(3) global [2 x i32] undef, align 4\n"
    "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
    "declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
    "declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)\n"
    "define ptx_kernel void @k(ptr %cells) {\n"
    "enter:\n"
    "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
    "  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
    "  %own = alloca i32\n"
    "  store i32 %t, ptr %own\n"
    "  br label %spin\n"
    "spin:\n"
    "  %try = cmpxchg ptr %cells, i32 0, i32 1 monotonic monotonic\n"
    "  %got = extractvalue {i32, i1} %try, 1\n"
    "  br i1 %got, label %inside, label %spin\n"
    "inside:\n"
    "  %order = getelementptr i32, ptr %cells, i32 1\n"
    "  %old = load i32, ptr %order\n"
    "  %more = mul i32 %old, 5\n"
    "  %two = shl i32 %b, 1\n"
    "  %id = add i32 %two, %t\n"
    "  %add = add i32 %id, 1\n"
    "  %new = add i32 %more, %add\n"
    "  store i32 %new, ptr %order\n"
    "  %out = atomicrmw xchg ptr %cells, i32 0 monotonic\n"
    "  %lost = getelementptr i32, ptr %cells, i32 2\n"
    "  %read = load volatile i32, ptr %lost\n"
    "  %plus = add i32 %read, 1\n"
    "  store volatile i32 %plus, ptr %lost\n"
    "  %mine = getelementptr i32, ptr addrspace(3) @part, i32 %t\n"
    "  %self = load i32, ptr %own\n"
    "  %sum = add i32 %self, %read\n"
    "  store i32 %sum, ptr addrspace(3) %mine\n"
    "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n"
    "  %odd = sub i32 1, %t\n"
    "  %its = getelementptr i32, ptr addrspace(3) @part, i32 %odd\n"
    "  %seen = load i32, ptr addrspace(3) %its\n"
    "  %at = add i32 %id, 4\n"
    "  %slot = getelementptr i32, ptr %cells, i32 %at\n"
    "  store i32 %seen, ptr %slot\n"
    "  ret void\n"
    "}\n";

// A lock for readers or one writer: a reader that finds a writer undoes what it
// did and tries again, which does not count after some rounds.
static const char rounds_text[] =
    "target triple = \"nvptx64-nvidia-cuda\"\n"
    "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
    "declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
    "define ptx_kernel void @k(ptr %cells) {\n"
    "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
    "  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
    "  %first = getelementptr i32, ptr %cells, i32 1\n"
    "  %second = getelementptr i32, ptr %cells, i32 2\n"
    "  %at = add i32 %t, 4\n"
    "  %own = getelementptr i32, ptr %cells, i32 %at\n"
    "  %writes = icmp eq i32 %b, 0\n"
    "  br i1 %writes, label %writer, label %reader\n"
    "reader:\n"
    "  %readers = atomicrmw add ptr %cells, i32 1 monotonic\n"
    "  %taken = icmp slt i32 %readers, 0\n"
    "  br i1 %taken, label %back, label %read\n"
    "back:\n"
    "  %undone = atomicrmw sub ptr %cells, i32 1 monotonic\n"
    "  br label %reader\n"
    "read:\n"
    "  %x = load i32, ptr %first\n"
    "  %y = load i32, ptr %second\n"
    "  %z = shl i32 %y, 8\n"
    "  %both = add i32 %x, %z\n"
    "  store i32 %both, ptr %own\n"
    "  %less = atomicrmw sub ptr %cells, i32 1 monotonic\n"
    "  ret void\n"
    "writer:\n"
    "  %try = cmpxchg ptr %cells, i32 0, i32 -1000 monotonic monotonic\n"
    "  %got = extractvalue {i32, i1} %try, 1\n"
    "  br i1 %got, label %inside, label %writer\n"
    "inside:\n"
    "  %a = load i32, ptr %first\n"
    "  %a1 = add i32 %a, 1\n"
    "  store i32 %a1, ptr %first\n"
    "  %c = load i32, ptr %second\n"
    "  %c1 = add i32 %c, 1\n"
    "  store i32 %c1, ptr %second\n"
    "  %out = atomicrmw add ptr %cells, i32 1000 monotonic\n"
    "  ret void\n"
    "}\n";

static uint32_t memory[WORDS], left[WORDS];
static char *argument = (char *)memory;
static Task task;
static Gates gates;
static Run run;
static Image image;
static Outcome *outcome;
static Steps *recorded, *repeated, *spare;
static uint64_t random_state;

static uint32_t choose(uint32_t count) {
  random_state = schedule_mix(random_state, 1);
  return (uint32_t)(random_state % count);
}

// ---------------------------------------------------------------- kernels ---

typedef enum Form { PLAIN, NAPPING, GATED } Form;

// Before each access the processor may go to somebody else.
static void add_naps(LLVMModuleRef module, LLVMValueRef function) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMTypeRef i32 = LLVMInt32TypeInContext(context);
  LLVMTypeRef type =
      LLVMFunctionType(LLVMVoidTypeInContext(context), &i32, 1, 0);
  LLVMValueRef nap = LLVMGetNamedFunction(module, "llvm.nvvm.nanosleep");
  LLVMValueRef one = LLVMConstInt(i32, 1, 0);
  if (!nap)
    nap = LLVMAddFunction(module, "llvm.nvvm.nanosleep", type);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i)) {
      LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
      if (opcode != LLVMLoad && opcode != LLVMStore &&
          opcode != LLVMAtomicRMW && opcode != LLVMAtomicCmpXchg &&
          opcode != LLVMFence)
        continue;
      LLVMPositionBuilderBefore(builder, i);
      LLVMBuildCall2(builder, type, nap, &one, 1, "");
    }
  LLVMDisposeBuilder(builder);
}

static Form form;

static void make_image(Task *own, void *data) {
  const char *reason = NULL;
  LLVMModuleRef module = NULL;
  char *message = NULL;
  KernelEntries kernels = {0};
  LLVMMemoryBufferRef buffer =
      LLVMCreateMemoryBufferWithMemoryRange(data, strlen(data), "kernel", true);
  ck_assert(
      !LLVMParseIRInContext(LLVMContextCreate(), buffer, &module, &message));
  llvm_find_kernels(own, module, &kernels);
  ck_assert_uint_eq(kernels.count, 1);
  Code *code = code_from_llvm(own, module, &kernels.at[0]);
  if (form == GATED)
    ck_assert_msg(gates_insert(own, code, module, &gates, &reason), "%s",
                  reason);
  if (form != PLAIN)
    add_naps(module, kernels.at[0].function);
  run.code = code;
  image = (Image){0};
  ck_assert_msg(image_make(own, &run, &image, &reason), "%s", reason);
}

static void open(Form which, const char *text) {
  static const bool observed[2] = {true, false};
  run = (Run){.grid = {BLOCKS, 1, 1},
              .block = {THREADS, 1, 1},
              .watch = WATCH_SCHEDULES,
              .hooks = &schedule_hooks,
              .max_steps = 1000000,
              .max_seconds = 60,
              .output = -1};
  Buffer buffer = {.name = "cells", .at = argument, .bytes = sizeof memory};
  push(&task.arena, &run.buffers, buffer);
  push(&task.arena, &run.arguments, (void *)&argument);
  form = which;
  ck_assert_msg(task_run(&task, make_image, (void *)text), "%s", task.reason);
  outcome = outcome_new();
  ck_assert(machine_open(&run, &image, outcome) && watch_open(observed) &&
            schedule_open(0));
}

static void close(void) {
  schedule_close();
  watch_close();
  machine_close();
  outcome_free(outcome);
}

// ----------------------------------------------------------------- random ---

static Thread *any_ready(void) {
  Thread *ready[BLOCKS * THREADS];
  unsigned count = 0;
  for (unsigned b = 0; b < BLOCKS; b++)
    for (unsigned t = 0; t < THREADS; t++)
      if (machine.groups[b].threads[t].state == THREAD_READY)
        ready[count++] = &machine.groups[b].threads[t];
  return count ? ready[choose(count)] : NULL;
}

static void run_at_random(uint64_t seed) {
  memset(memory, 0, sizeof memory);
  outcome->count = 0;
  random_state = seed;
  watch_restart(&(DelayList){0});
  machine_restart();
  repeated->count = 0;
  watcher.steps = repeated;
  for (bool again = true; again && !machine.is_over;) {
    Thread *thread = any_ready();
    again = thread;
    if (thread)
      machine_run_thread(thread);
    watch_finish();
    for (unsigned b = 0; b < BLOCKS; b++)
      again |= machine_release(&machine.groups[b]);
  }
  watch_finish();
  watcher.steps = NULL;
}

static void set_gates(const GatePlan *plan, uint64_t patience) {
  gates = plan->head;
  gates.patience = patience;
  gates.gates = (uintptr_t)plan->gates;
  static GateList lists[BLOCKS * THREADS];
  memcpy(lists, plan->lists, sizeof lists);
  gates.lists = (uintptr_t)lists;
}

// ----------------------------------------------------------------- record ---

static void record(const DelayList *delays, Trial *trial) {
  memset(memory, 0, sizeof memory);
  recorded->count = 0;
  watcher.steps = recorded;
  schedule_execute(delays, trial);
  watcher.steps = NULL;
  memcpy(left, memory, sizeof left);
}

// Without the delays themselves, which nobody makes behind gates.
static uint32_t keep_accesses(Steps *steps) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < steps->count; i++)
    if (steps->at[i].kind == STEP_ACCESS)
      steps->at[count++] = steps->at[i];
  return steps->count = count;
}

static bool is_repeated(void) {
  if (keep_accesses(repeated) != keep_accesses(recorded))
    return false;
  for (uint32_t i = 0; i < recorded->count; i++) {
    Step *a = &recorded->at[i], *b = &repeated->at[i];
    if (a->site != b->site || a->array != b->array || a->offset != b->offset ||
        a->before != b->before || a->after != b->after ||
        memcmp(&a->instance, &b->instance, sizeof a->instance) != 0)
      return false;
  }
  return !memcmp(left, memory, sizeof left);
}

// The canonical schedule, and some with a delay or two.
static unsigned choose_lists(DelayList *lists) {
  Trial trial;
  unsigned count = 1;
  lists[0] = (DelayList){0};
  for (unsigned i = 0; i < count && count < MOST_LISTS; i++) {
    record(&lists[i], &trial);
    for (uint32_t k = 0; k < trial.point_count && count < MOST_LISTS; k++) {
      if (trial.points[k].taken < lists[i].count || lists[i].count == 2)
        continue;
      lists[count] = lists[i];
      lists[count].at[lists[count].count++] = trial.points[k].instance;
      count++;
    }
  }
  return count;
}

static DelayList lists[MOST_LISTS];
static unsigned list_count;
static GatePlan plans[MOST_LISTS];
static Steps *histories[MOST_LISTS];
static uint32_t ends[MOST_LISTS][WORDS];

static void record_all(const char *text) {
  open(PLAIN, text);
  list_count = choose_lists(lists);
  ck_assert_uint_eq(list_count, MOST_LISTS);
  for (unsigned i = 0; i < list_count; i++) {
    Trial trial;
    free(histories[i]);
    recorded = histories[i] = calloc(1, sizeof *recorded);
    record(&lists[i], &trial);
    ck_assert_int_eq(trial.kind, TRIAL_FINISHED);
    ck_assert_uint_eq(trial.reached, lists[i].count);
    ck_assert_ptr_null(gates_plan(&task, &run, recorded, &trial, &plans[i]));
    memcpy(ends[i], left, sizeof left);
  }
  close();
}

static void recall(unsigned list) {
  recorded = histories[list];
  memcpy(left, ends[list], sizeof left);
}

static void set_up(void) {
  recorded = spare = calloc(1, sizeof *spare);
  repeated = calloc(1, sizeof *repeated);
  record_all(kernel_text);
  recorded = spare;
}

static void tear_down(void) {
  for (unsigned i = 0; i < list_count; i++)
    free(histories[i]);
  free(spare);
  free(repeated);
}

// ------------------------------------------------------------------ tests ---

static void force(const char *text) {
  open(GATED, text);
  for (unsigned i = 0; i < list_count; i++)
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
      recall(i);
      set_gates(&plans[i], UINT64_MAX / 2);
      run_at_random(seed);
      ck_assert_uint_eq(outcome->count, 0);
      ck_assert_uint_eq(gates.end, GATES_NONE);
      ck_assert_uint_eq(gates.ticket, plans[i].count);
      ck_assert(is_repeated());
    }
  close();
}

START_TEST(gates_force_the_recorded_order_on_any_scheduler) {
  force(kernel_text);
  record_all(rounds_text);
  force(rounds_text);
}
END_TEST

static unsigned count_repeated(bool has_gates) {
  unsigned count = 0;
  for (unsigned i = 0; i < list_count; i++)
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
      recall(i);
      if (has_gates)
        set_gates(&plans[i], UINT64_MAX / 2);
      gates.is_off = 1;
      run_at_random(seed);
      count += is_repeated();
    }
  return count;
}

START_TEST(without_gates_the_order_is_the_schedulers) {
  open(NAPPING, kernel_text);
  ck_assert_uint_le(count_repeated(false), list_count);
  close();
  open(GATED, kernel_text);
  ck_assert_uint_le(count_repeated(true), list_count);
  close();
}
END_TEST

START_TEST(a_thread_that_makes_another_access_ends_it) {
  open(GATED, kernel_text);
  Gate *gate = &plans[0].gates[plans[0].count - 1];
  uint32_t site = gate->site;
  gate->site++;
  set_gates(&plans[0], UINT64_MAX / 2);
  run_at_random(1);
  ck_assert_uint_eq(gates.end, GATES_OTHER);
  ck_assert_uint_eq(gates.thread, BLOCKS * THREADS - 1);
  ck_assert_uint_eq(gates.site, site);
  ck_assert_uint_lt(gates.ticket, plans[0].count);
  gate->site--;
  close();
}
END_TEST

START_TEST(a_thread_that_makes_more_accesses_ends_it) {
  open(GATED, kernel_text);
  plans[0].lists[BLOCKS * THREADS - 1].last--;
  set_gates(&plans[0], 20000000);
  run_at_random(1);
  ck_assert_uint_eq(gates.end, GATES_MORE);
  ck_assert_uint_eq(gates.thread, BLOCKS * THREADS - 1);
  ck_assert_uint_eq(gates.ticket, plans[0].count - 1);
  plans[0].lists[BLOCKS * THREADS - 1].last++;
  close();
}
END_TEST

START_TEST(a_ticket_that_nobody_calls_ends_it) {
  open(GATED, kernel_text);
  Gate *gate = &plans[0].gates[plans[0].count - 1];
  uint32_t ticket = gate->ticket;
  gate->ticket = UINT32_MAX;
  set_gates(&plans[0], 1000000);
  run_at_random(1);
  ck_assert_uint_eq(gates.end, GATES_LATE);
  gate->ticket = ticket;
  close();
}
END_TEST

// Thread 0 of a block waits for what nobody writes; then it asserts that it
// has not come so far.
static const char stuck_text[] =
    "target triple = \"nvptx64-nvidia-cuda\"\n"
    "declare void @__assertfail(ptr, ptr, i32, ptr, i64)\n"
    "define ptx_kernel void @k(ptr %cells) {\n"
    "  br label %spin\n"
    "spin:\n"
    "  %flag = load volatile i32, ptr %cells\n"
    "  %set = icmp eq i32 %flag, FLAG\n"
    "  br i1 %set, label %go, label %spin\n"
    "go:\n"
    "  call void @__assertfail(ptr null, ptr null, i32 0, ptr null, i64 0)\n"
    "  unreachable\n"
    "}\n";

static uint32_t end_of(const char *flag) {
  char text[sizeof stuck_text + 8];
  const char *at = strstr(stuck_text, "FLAG");
  GatePlan plan;
  Trial trial;
  snprintf(text, sizeof text, "%.*s%s%s", (int)(at - stuck_text), stuck_text,
           flag, at + 4);
  open(PLAIN, text);
  record(&(DelayList){0}, &trial);
  ck_assert_int_eq(trial.kind, TRIAL_FAILED);
  ck_assert_ptr_null(gates_plan(&task, &run, recorded, &trial, &plan));
  close();
  open(GATED, text);
  set_gates(&plan, 1000000);
  run_at_random(1);
  ck_assert_uint_eq(gates.ticket, plan.count);
  close();
  return gates.end;
}

START_TEST(assertions_and_loops_without_end_are_told) {
  ck_assert_uint_eq(end_of("0"), GATES_ASSERTION);
  ck_assert_uint_eq(end_of("1"), GATES_RUNNING);
}
END_TEST

START_TEST(what_a_device_is_not_asked_to_do) {
  GatePlan plan;
  Trial trial = {.kind = TRIAL_FAILED, .incident = INCIDENT_OUT_OF_BOUNDS};
  const char *reason = gates_plan(&task, &run, recorded, &trial, &plan);
  ck_assert_str_eq(
      reason, "a schedule that ends as 'out-of-bounds' is not tried there");
  trial = (Trial){.kind = TRIAL_FINISHED};
  recorded->is_cut = true;
  ck_assert_ptr_nonnull(gates_plan(&task, &run, recorded, &trial, &plan));
}
END_TEST

int main(void) {
  TCase *tests = tcase_create("gates");
  tcase_add_checked_fixture(tests, set_up, tear_down);
  tcase_set_timeout(tests, 60);
  tcase_add_test(tests, gates_force_the_recorded_order_on_any_scheduler);
  tcase_add_test(tests, without_gates_the_order_is_the_schedulers);
  tcase_add_test(tests, a_thread_that_makes_another_access_ends_it);
  tcase_add_test(tests, a_thread_that_makes_more_accesses_ends_it);
  tcase_add_test(tests, a_ticket_that_nobody_calls_ends_it);
  tcase_add_test(tests, assertions_and_loops_without_end_are_told);
  tcase_add_test(tests, what_a_device_is_not_asked_to_do);
  return run_suite(tests, "gates");
}
