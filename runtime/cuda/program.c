// What a program registers before main: its device code, its kernels, its
// variables.
//
// clang makes these calls.  A "fat binary" here is LLVM bitcode behind the
// header that LLVM itself knows for bitcode in other files, which says how long
// it is.  Modules are read at the first call that needs one, so that a program
// that fails earlier, or never uses its device, pays nothing.

#define _GNU_SOURCE

#include "runtime/cuda/cuda.h"
#include "runtime/values/values.h"

#include <stdlib.h>
#include <string.h>

typedef struct Wrapper {
  uint32_t magic, version, offset, bytes, marks;
} Wrapper;

typedef struct FatBinary {
  uint32_t magic, version;
  const Wrapper *code;
  void *unused;
} FatBinary;

typedef struct Registered {
  const Wrapper *code;
  bool is_read;
  size_t module; // of the program
} Registered;

typedef struct CudaSymbol {
  const void *handle;
  size_t registered;
  const char *name;
} CudaSymbol;

enum { MOST_MODULES = 1024, BITCODE_WRAPPER = 0x0b17c0de };

static DeviceProgram program;
static Registered modules[MOST_MODULES];
static size_t module_count;
static Vec(CudaKernel *) kernels;
static Vec(CudaSymbol) symbols;

// ----------------------------------------------------------- registration ---

EXPORT void **__cudaRegisterFatBinary(void *binary);
EXPORT void __cudaRegisterFatBinaryEnd(void **handle);
EXPORT void __cudaUnregisterFatBinary(void **handle);
EXPORT void __cudaRegisterFunction(void **handle, const char *host,
                                   char *device, const char *name, int limit,
                                   void *a, void *b, void *c, void *d, int *e);
EXPORT void __cudaRegisterVar(void **handle, char *host, char *device,
                              const char *name, int is_external, size_t bytes,
                              int is_constant, int global);
EXPORT char __cudaInitModule(void **handle);

void **__cudaRegisterFatBinary(void *binary) {
  const FatBinary *fat = binary;
  if (module_count == MOST_MODULES) {
    fputs("gpuverify: the program has too many files\n", stderr);
    abort();
  }
  Registered *registered = &modules[module_count++];
  *registered = (Registered){.code = fat->code};
  return (void **)registered;
}

void __cudaUnregisterFatBinary(void **handle) { (void)handle; }
char __cudaInitModule(void **handle) {
  (void)handle;
  return 0;
}

static size_t index_of(void **handle) {
  return (size_t)((Registered *)(void *)handle - modules);
}

void __cudaRegisterFunction(void **handle, const char *host, char *device,
                            const char *name, int limit, void *a, void *b,
                            void *c, void *d, int *e) {
  (void)device, (void)limit, (void)a, (void)b, (void)c, (void)d, (void)e;
  CudaKernel *kernel = NEW(&program.task.arena, CudaKernel);
  *kernel = (CudaKernel){.handle = host,
                         .module = index_of(handle),
                         .name = name,
                         .dynamic_shared = DEVICE_SHARED};
  push(&program.task.arena, &kernels, kernel);
}

void __cudaRegisterVar(void **handle, char *host, char *device,
                       const char *name, int is_external, size_t bytes,
                       int is_constant, int global) {
  (void)device, (void)is_external, (void)bytes, (void)is_constant, (void)global;
  push(&program.task.arena, &symbols,
       ((CudaSymbol){host, index_of(handle), name}));
}

// --------------------------------------------------------------- modules ---

const DeviceProgram *cuda_program(void) { return &program; }

void cuda_leave_out(const char *what, const Refusal *refusal) {
  Sighting sighting = {.kind = INCIDENT_REFUSED, .times = 1};
  snprintf(sighting.kernel, sizeof sighting.kernel, "%s", what);
  snprintf(sighting.sentence, sizeof sighting.sentence,
           "cannot be executed here: %s", refusal->reason);
  sighting_place(&sighting.where, refusal->where);
  ledger_tell(&sighting);
}

static bool is_bitcode(const Wrapper *code) {
  return code && code->magic == BITCODE_WRAPPER;
}

// Of all that was registered, so that one may call what another has.
static void offer_images(void) {
  for (size_t i = program.images.count; i < module_count; i++) {
    const Wrapper *code = modules[i].code;
    DeviceImage image = {code,
                         is_bitcode(code) ? code->offset + code->bytes : 0};
    push(&program.task.arena, &program.images, image);
  }
}

static char *host_address(size_t registered, const char *name) {
  for (size_t i = 0; i < symbols.count; i++)
    if (symbols.at[i].registered == registered &&
        !strcmp(symbols.at[i].name, name))
      return (char *)(uintptr_t)symbols.at[i].handle;
  return NULL;
}

static void place_managed(size_t image) {
  for (size_t i = 0; i < program.globals.count; i++) {
    Global *global = &program.globals.at[i];
    char *host = global->is_managed && global->image == image
                     ? host_address(image, global->name)
                     : NULL;
    if (!host)
      continue;
    memcpy(host, global->at, global->bytes);
    global->at = host;
  }
}

// All of them: a kernel may use variables of any.
static void read_modules(void) {
  program.watch = ledger_watch();
  program.cutter = ledger_cuts() ? &values_cutter : NULL;
  program.cuts_by_warps = ledger_cuts_by_warps();
  program.cuts_all = ledger_cuts_all();
  program.is_deterministic = ledger_is_deterministic();
  program.is_quick = ledger_is_quick();
  offer_images();
  for (size_t i = 0; i < module_count; i++) {
    Registered *registered = &modules[i];
    Refusal refusal = {.reason = "it was not compiled by 'gpuverify run'"};
    if (registered->is_read)
      continue;
    registered->is_read = true;
    registered->module = SIZE_MAX;
    size_t number = program.modules.count;
    if (program.images.at[i].bytes && program_add(&program, i, &refusal)) {
      registered->module = number;
      place_managed(i);
    } else
      cuda_leave_out("the device code of the program", &refusal);
  }
}

// The host may read a managed variable before anything else happens.
void __cudaRegisterFatBinaryEnd(void **handle) {
  const Registered *registered = (const Registered *)(void *)handle;
  if (is_bitcode(registered->code) && registered->code->marks & HAS_MANAGED)
    read_modules();
}

// --------------------------------------------------------------- kernels ---

CudaKernel *cuda_kernel(const void *handle) {
  read_modules();
  for (size_t i = 0; i < kernels.count; i++)
    if (kernels.at[i]->handle == handle)
      return modules[kernels.at[i]->module].module == SIZE_MAX ? NULL
                                                               : kernels.at[i];
  return NULL;
}

const KernelEntry *cuda_kernel_entry(const CudaKernel *kernel) {
  const KernelEntries *entries =
      &program.modules.at[modules[kernel->module].module].kernels;
  for (size_t i = 0; i < entries->count; i++)
    if (!strcmp(entries->at[i].name, kernel->name))
      return &entries->at[i];
  return NULL;
}

// A kernel that only others launch need not be registered.
CudaKernel *cuda_kernel_named(const CudaKernel *by, const char *name) {
  CudaKernel *found = NULL;
  for (size_t i = 0; i < kernels.count; i++)
    if (!strcmp(kernels.at[i]->name, name) &&
        (!found || kernels.at[i]->module == by->module))
      found = kernels.at[i];
  if (found)
    return found;
  CudaKernel *kernel = NEW(&program.task.arena, CudaKernel);
  *kernel = (CudaKernel){
      .module = by->module, .name = name, .dynamic_shared = DEVICE_SHARED};
  push(&program.task.arena, &kernels, kernel);
  return kernel;
}

CudaKernel *cuda_ready_kernel(const void *handle, CudaError *error) {
  return cuda_make_ready(cuda_kernel(handle), error);
}

// The cheapest first.
static void begin(CudaKernel *kernel, const KernelEntry *entry) {
  kernel->is_tried = true;
  if (kernel->form)
    return;
  kernel->proved = entry && program.cutter ? entry->proved : NULL;
  kernel->form = kernel->proved ? FORM_AS_WRITTEN : FORM_APART;
}

CudaKernel *cuda_make_ready(CudaKernel *kernel, CudaError *error) {
  const KernelEntry *entry = kernel ? cuda_kernel_entry(kernel) : NULL;
  if (!kernel) {
    *error = cudaErrorInvalidDeviceFunction;
    return NULL;
  }
  if (!kernel->is_tried) {
    begin(kernel, entry);
    kernel->is_ready =
        program_kernel(&program, modules[kernel->module].module, kernel->name,
                       kernel->form, &kernel->made, &kernel->refusal);
    if (!kernel->is_ready)
      cuda_leave_out(entry ? entry->source : kernel->name, &kernel->refusal);
  }
  *error = kernel->is_ready ? cudaSuccess : cudaErrorNotSupported;
  return kernel->is_ready ? kernel : NULL;
}

static bool is_for(const CudaKernel *kernel, const Run *run) {
  switch (kernel->form) {
  case FORM_AS_WRITTEN:
    return proved_for(kernel->proved, run);
  case FORM_APART:
    return !kernel->made.code->calm || proved_are_apart(run);
  case FORM_CUT:
    break;
  }
  return true;
}

static CudaKernel *otherwise(CudaKernel *kernel) {
  if (!kernel->otherwise) {
    kernel->otherwise = NEW(&program.task.arena, CudaKernel);
    *kernel->otherwise = (CudaKernel){.handle = kernel->handle,
                                      .module = kernel->module,
                                      .name = kernel->name,
                                      .form = kernel->form + 1};
  }
  return kernel->otherwise;
}

CudaKernel *cuda_form_for(CudaKernel *kernel, const Run *run,
                          CudaError *error) {
  while (kernel && !is_for(kernel, run))
    kernel = cuda_make_ready(otherwise(kernel), error);
  return kernel;
}

// ------------------------------------------------------------- variables ---

const Global *cuda_symbol(const void *handle) {
  read_modules();
  for (size_t i = 0; i < symbols.count; i++) {
    const CudaSymbol *symbol = &symbols.at[i];
    if (symbol->handle == handle)
      return program_global(&program, symbol->registered, symbol->name);
  }
  return NULL;
}
