# make            build build/gpuverify.so, the plugin, and build/gpuverify
# make demo       install what is missing, build, and look at three kernels
# make check      install what is missing, build, and run every test
# make test       the same tests, installing nothing
# make help       the other targets
#
# Sources are found by folder, so a new file needs no line here.  What a
# packager may want to set: CC, CXX, LLVM, BUILD, WERROR, PREFIX, DESTDIR.

LLVM   ?= /usr/lib/llvm-22
LLVM_MAJOR := $(firstword $(subst ., ,\
                $(shell $(LLVM)/bin/llvm-config --version 2>/dev/null)))
ifneq ($(filter-out 22,$(LLVM_MAJOR)),)
  $(error gpuverify is built with LLVM 22, and LLVM=$(LLVM) is $(LLVM_MAJOR))
endif
BUILD  ?= build
PREFIX ?= /usr/local
WERROR ?= -Werror

OPTIMIZE ?= -O2
SANITIZE ?=

# C++ is compiled by LLVM's own clang, which parses clang's headers once; by the
# compiler for C where that is chosen, or brings a runtime of its own.
ifeq ($(origin CXX),default)
  ifneq ($(findstring clang,$(CC)),)
    CXX := $(subst clang,clang++,$(CC))
  else
    CXX := $(or $(if $(SANITIZE),,$(wildcard $(LLVM)/bin/clang++)),g++)
  endif
endif
WARN   = -Wall -Wextra -Wshadow -Wimplicit-fallthrough $(WERROR)
# For assert(!"text"), which says more than assert(false).
WARN_C = -Wpedantic -Wconversion -Wno-string-conversion -Wstrict-prototypes \
         -Wmissing-prototypes -Wvla
COMMON = -I. -isystem $(LLVM)/include -fPIC -fvisibility=hidden -MMD -MP \
         -g $(OPTIMIZE) $(SANITIZE) $(WARN)
CFLAGS_ALL   = -std=c17 $(COMMON) $(WARN_C) $(CFLAGS)
CXXFLAGS_ALL = -std=c++17 -fno-rtti -fno-exceptions -D_GNU_SOURCE \
               -D__STDC_CONSTANT_MACROS -D__STDC_FORMAT_MACROS \
               -D__STDC_LIMIT_MACROS -DLLVM_PREFIX='"$(LLVM)"' $(COMMON) $(CXXFLAGS)

# The rooms of the house; which may know which, scripts/lint says.
ROOMS      = base llvm ptx translator smt barriers barriers/programs \
             barriers/emulate runtime runtime/machine runtime/jit \
             runtime/device runtime/schedules runtime/cuda runtime/threads \
             runtime/values runtime/values/program runtime/instances repair \
             report report/documents project plugin launcher
SOURCES    = $(sort $(wildcard $(addsuffix /*.c,$(ROOMS)) plugin/*.cc))
HEADERS    = $(sort $(wildcard $(addsuffix /*.h,$(ROOMS))))
UNIT_TESTS = $(sort $(wildcard test/unit/test_*.c))
FUZZ_SOURCES = $(sort $(wildcard test/fuzz/*.c))
SKELETON_SOURCES = $(sort $(wildcard test/skeletons/*.c))

object  = $(patsubst %,$(BUILD)/%.o,$(1))
OBJECTS = $(call object,$(SOURCES) runtime/values/values.cu)
# What programs that check themselves are linked with; nobody else has it.
PROGRAM_OBJECTS = $(filter $(BUILD)/runtime/values/program/%,$(OBJECTS))
# What clang loads looks at clang's version, then loads the plugin proper.
LOADER_OBJECTS  = $(BUILD)/plugin/loader.c.o $(BUILD)/plugin/refusal.cc.o
# The command's library says that it is no plugin.
WRONG_OBJECTS   = $(BUILD)/plugin/wrong_plugin.c.o $(BUILD)/plugin/refusal.cc.o
# Nor does that of programs.
WRONG_LIBRARY   = $(BUILD)/plugin/wrong_library.c.o
IDENTITY_OBJECT = $(BUILD)/plugin/identity.c.o
# What programs are linked with; the command and the plugin need none of it.
LIBRARY_ONLY    = $(filter $(BUILD)/runtime/cuda/%,$(OBJECTS))
LIBRARY_OBJECTS = $(filter $(addprefix $(BUILD)/,base/% llvm/% ptx/% translator/% \
                    runtime/%),$(filter-out $(BUILD)/runtime/threads/% \
                    $(BUILD)/runtime/instances/% $(PROGRAM_OBJECTS),$(OBJECTS)))
# The command itself, and what it loads when it needs clang.
COMMAND_OBJECTS = $(patsubst %,$(BUILD)/plugin/%.c.o,main barriers clang_load \
                    sarif_command report_command) $(DOCUMENT_OBJECTS)
# Documents are made by the command alone.
DOCUMENT_OBJECTS = $(filter $(BUILD)/report/documents/%,$(OBJECTS))
WATCH_OBJECT    = $(BUILD)/launcher/watch.c.o
LAUNCHER_OBJECTS = $(filter-out $(WATCH_OBJECT), \
                     $(filter $(BUILD)/launcher/%,$(OBJECTS)))
HOST_OBJECTS    = $(BUILD)/plugin/host_side.cc.o
CLANG_OBJECTS   = $(filter-out $(LOADER_OBJECTS) $(WRONG_OBJECTS) \
                  $(WRONG_LIBRARY) $(IDENTITY_OBJECT) $(LIBRARY_ONLY) \
                  $(HOST_OBJECTS) $(COMMAND_OBJECTS) $(LAUNCHER_OBJECTS) $(WATCH_OBJECT) \
                  $(PROGRAM_OBJECTS) \
                  $(BUILD)/plugin/plugin.cc.o,$(OBJECTS))
# The plugin registers itself where it is loaded; the command must not.
PLUGIN_OBJECTS  = $(BUILD)/plugin/plugin.cc.o $(CLANG_OBJECTS)
# All of it that is C, for the tests and for the command, which takes from it
# what it uses, and is not linked if that needs LLVM or Z3.
ENGINE_OBJECTS  = $(filter %.c.o %.cu.o,$(CLANG_OBJECTS))

LIBS      = -lz3 -ljansson -lsqlite3 -lm
LLVM_LIBS = -L$(LLVM)/lib -Wl,-rpath,$(LLVM)/lib
UNIT      = $(patsubst test/unit/%.c,$(BUILD)/%,$(UNIT_TESTS))

RELEASE = 0.1.0
VERSION = $(RELEASE) (LLVM $(shell $(LLVM)/bin/llvm-config --version), \
          Z3 $(shell pkg-config --modversion z3))
$(BUILD)/plugin/main.c.o: CFLAGS += -DVERSION='"$(VERSION)"'

PYTHON ?= python3

export VERIFIER = $(BUILD)/gpuverify
export PLUGIN   = $(BUILD)/gpuverify.so
export SANITIZE

# One word and the file for each step; V=1 shows the commands.
Q = $(if $(V),,@echo '  $(1) $@';)

PROGRAMS = $(addprefix $(BUILD)/,gpuverify gpuverify-launcher gpuverify-recorder \
             gpuverify.so gpuverify-22.so libgpuverify-clang.so \
             libgpuverify-cuda.so libgpuverify-host.so libgpuverify-watch.so \
             libgpuverify-values.a)

all: $(PROGRAMS)

$(BUILD)/gpuverify-recorder: scripts/gpuverify-recorder
	@mkdir -p $(@D)
	$(call Q,cp) cp $< $@

$(BUILD)/gpuverify.so: $(LOADER_OBJECTS)
	$(call Q,ld) $(CXX) -shared $(SANITIZE) $(LDFLAGS) $^ -o $@

# libclang-cpp and libLLVM stay unlinked: clang has them loaded already, and a
# second copy would register every option twice.
$(BUILD)/gpuverify-22.so: $(PLUGIN_OBJECTS) $(IDENTITY_OBJECT)
	$(call Q,ld) $(CXX) -shared $(SANITIZE) $(LDFLAGS) $^ $(LIBS) -o $@

# Caches know the loader's bytes only, so those change with the plugin's; and
# the command loads no library but the one that it was built with.
$(BUILD)/identity: $(PLUGIN_OBJECTS)
	@cat $^ | sha256sum | cut -c1-32 >$@

KNOWS_IDENTITY = $(IDENTITY_OBJECT) $(BUILD)/plugin/loader.c.o \
                 $(BUILD)/plugin/clang_load.c.o
$(KNOWS_IDENTITY): $(BUILD)/identity
$(KNOWS_IDENTITY): \
  private CFLAGS += -DIDENTITY='"$(shell cat $(BUILD)/identity)"'

$(BUILD)/libgpuverify-host.so: $(HOST_OBJECTS)
	$(call Q,ld) $(CXX) -shared $(SANITIZE) $(LDFLAGS) $^ -o $@

$(BUILD)/gpuverify: $(COMMAND_OBJECTS) $(BUILD)/engine.a
	$(call Q,ld) $(CC) $(SANITIZE) $(LDFLAGS) $^ -ljansson -lsqlite3 -lm -o $@

# What the page brings with it.
$(BUILD)/report/documents/assets.c.o: $(wildcard report/documents/page.*)

# What kernels that are executed twice have of ours in them: CUDA C, for which
# clang alone is needed.
DEVICE_FLAGS = -x cuda -nocudainc -nocudalib --cuda-device-only \
               --cuda-gpu-arch=sm_80 -Wno-unknown-cuda-version -std=c++17 -O1 \
               -I. -Wall -Wextra $(WERROR)
VALUES_BITCODE = $(BUILD)/runtime/values/values.bc
VALUES_INLINED = $(BUILD)/runtime/values/inlined.bc
VALUES_DEVICE = $(BUILD)/runtime/values/device.bc
VALUES_OBJECT = $(BUILD)/runtime/values/values.cu.o
VALUES_SOURCES = runtime/machine/copied.h runtime/values/on_device.h \
                 $(wildcard runtime/values/*.cu)

$(VALUES_BITCODE) $(VALUES_INLINED) $(VALUES_DEVICE): $(BUILD)/%.bc: %.cu \
                                                      $(VALUES_SOURCES)
	@mkdir -p $(@D)
	$(call Q,clang) $(LLVM)/bin/clang++ $(DEVICE_FLAGS) -emit-llvm -c $< -o $@

$(VALUES_INLINED): private DEVICE_FLAGS += -DFOR_PROCESSOR

$(BUILD)/runtime/values/library.c.o: $(VALUES_BITCODE) $(VALUES_INLINED) \
                                     $(VALUES_DEVICE)
$(BUILD)/runtime/values/library.c.o: \
  private CFLAGS += -DVALUES_BITCODE='"$(VALUES_BITCODE)"' \
                    -DVALUES_INLINED='"$(VALUES_INLINED)"' \
                    -DVALUES_DEVICE='"$(VALUES_DEVICE)"'

# What of it is not inlined, for this machine's processor.
$(VALUES_OBJECT): runtime/values/values.cu $(VALUES_SOURCES)
	@mkdir -p $(@D)
	$(call Q,clang) $(LLVM)/bin/clang++ -x c++ -std=c++17 -I. -fPIC -g -O2 \
	  -fno-rtti -fno-exceptions -fno-strict-aliasing -Wall -Wextra $(WERROR) \
	  -c $< -o $@

# ... and what instances of programs with threads have.
INSTANCES_BITCODE = $(BUILD)/runtime/instances/engine.bc

$(INSTANCES_BITCODE): runtime/instances/engine.cu \
                      $(wildcard runtime/instances/*.cuh) \
                      runtime/instances/instance.h runtime/threads/rules.h
	@mkdir -p $(@D)
	$(call Q,clang) $(LLVM)/bin/clang++ $(DEVICE_FLAGS) -fno-strict-aliasing \
	  -emit-llvm -c $< -o $@

$(BUILD)/runtime/instances/library.c.o: $(INSTANCES_BITCODE)
$(BUILD)/runtime/instances/library.c.o: \
  private CFLAGS += -DINSTANCES_BITCODE='"$(INSTANCES_BITCODE)"'

# ... and C++'s library, for programs with threads that use it; in older and
# newer C++ some of its functions have other names.
CXX_BITCODE = $(BUILD)/runtime/threads/cxx_
CXX_COMPILE = $(LLVM)/bin/clang++ -O0 -Xclang -disable-O0-optnone \
              -fno-builtin -fno-exceptions -fno-stack-protector \
              -U_FORTIFY_SOURCE -gline-tables-only \
              -fdebug-prefix-map=$(CURDIR)=/usr/lib/gpuverify \
              -Wall -Wextra $(WERROR) -emit-llvm -c $< -o $@

$(CXX_BITCODE)%.bc: runtime/threads/cxx_%.cc
	@mkdir -p $(@D)
	$(call Q,clang) $(CXX_COMPILE) -std=c++17

$(CXX_BITCODE)%14.bc: runtime/threads/cxx_%.cc
	@mkdir -p $(@D)
	$(call Q,clang) $(CXX_COMPILE) -std=c++14

$(CXX_BITCODE)%20.bc: runtime/threads/cxx_%.cc
	@mkdir -p $(@D)
	$(call Q,clang) $(CXX_COMPILE) -std=c++20

$(BUILD)/runtime/threads/program_library.c.o: $(addprefix $(CXX_BITCODE), \
  types.bc pointers.bc strings.bc strings14.bc buffers.bc buffers20.bc streams.bc)
$(BUILD)/runtime/threads/program_library.c.o: \
  private CFLAGS += -DCXX_BITCODE='"$(CXX_BITCODE)"'

# One object of which a program sees nothing but what it calls.
$(BUILD)/values.o: $(PROGRAM_OBJECTS) \
                   $(BUILD)/runtime/values/device_launch.c.o \
                   $(BUILD)/runtime/values/compare.c.o \
                   $(BUILD)/runtime/device/driver.c.o
	$(call Q,ld) $(CC) -r -nostdlib $^ -o $@ && objcopy --localize-hidden $@

$(BUILD)/libgpuverify-values.a: $(BUILD)/values.o
	$(call Q,ar) rm -f $@ && ar qcs $@ $^

# Stands before a compiler, in builds that are not ours.
$(BUILD)/gpuverify-launcher: $(LAUNCHER_OBJECTS) $(BUILD)/engine.a
	$(call Q,ld) $(CC) $(SANITIZE) $(LDFLAGS) $^ -o $@

# Loaded into every process of a build that is watched: alone, and never
# instrumented.
$(BUILD)/libgpuverify-watch.so: $(WATCH_OBJECT)
	$(call Q,ld) $(CC) -shared $(LDFLAGS) $^ -o $@

$(WATCH_OBJECT): private SANITIZE =

$(BUILD)/libgpuverify-clang.so: $(CLANG_OBJECTS) $(WRONG_OBJECTS) \
                                $(IDENTITY_OBJECT)
	$(call Q,ld) $(CXX) -shared $(SANITIZE) $(LDFLAGS) $(if $(SANITIZE),,-Wl,-z,defs) \
	  $^ $(LLVM_LIBS) -lclang-cpp -lLLVM-22 $(LIBS) -o $@

$(BUILD)/libgpuverify-cuda.so: $(LIBRARY_OBJECTS) $(WRONG_LIBRARY)
	$(call Q,ld) $(CC) -shared $(SANITIZE) $(LDFLAGS) -Wl,-z,defs $^ \
	  $(LLVM_LIBS) -lLLVM-22 -lm -o $@

$(BUILD)/engine.a: $(ENGINE_OBJECTS)
	$(call Q,ar) rm -f $@ && ar qcs $@ $^

FUZZ_MAINS = %/genkernel.c.o %/programs.c.o %/valued.c.o
$(BUILD)/fuzz.a: $(filter-out $(FUZZ_MAINS),$(call object,$(FUZZ_SOURCES)))
	$(call Q,ar) rm -f $@ && ar qcs $@ $^

# What makes and executes skeletons knows no prover.
$(BUILD)/skeletons.a: $(call object,$(filter-out %/skeletons.c %/prove.c, \
                        $(SKELETON_SOURCES)))
	$(call Q,ar) rm -f $@ && ar qcs $@ $^

$(BUILD)/test_%: $(BUILD)/test/unit/test_%.c.o $(BUILD)/fuzz.a \
                 $(BUILD)/skeletons.a $(BUILD)/engine.a
	$(call Q,ld) $(CC) $(SANITIZE) $(LDFLAGS) $^ $$(pkg-config --libs check) \
	  $(LLVM_LIBS) -lLLVM-22 $(LIBS) -o $@

$(BUILD)/benchmarks/seeds: %: %.c.o $(BUILD)/engine.a
	$(call Q,ld) $(CXX) $(SANITIZE) $(LDFLAGS) $^ $(LLVM_LIBS) -lLLVM-22 \
	  $(LIBS) -o $@

# The command with a library for programs that writes down what it sees.
NOTED = $(addprefix $(BUILD)/noted/,gpuverify \
          libgpuverify-clang.so libgpuverify-host.so)
$(NOTED): $(BUILD)/noted/%: $(BUILD)/%
	@mkdir -p $(@D) && cp $< $@

WRAPPED = machine_note copied_run munmap \
          $(addprefix __gpuverify_values_,take give grid)
$(BUILD)/noted/libgpuverify-cuda.so: \
  $(LIBRARY_OBJECTS) $(BUILD)/benchmarks/notes.c.o | $(NOTED)
	$(call Q,ld) $(CC) -shared $(SANITIZE) $(LDFLAGS) -Wl,-z,defs \
	  $(patsubst %,-Xlinker --wrap=%,$(WRAPPED)) $^ $(LLVM_LIBS) -lLLVM-22 -lm -o $@

$(BUILD)/test/fuzz/genkernel $(BUILD)/test/fuzz/programs \
$(BUILD)/test/fuzz/valued: \
  %: %.c.o $(BUILD)/fuzz.a $(BUILD)/engine.a
	$(call Q,ld) $(CC) $(SANITIZE) $(LDFLAGS) $^ -ljansson -o $@

PTX_FORMS = $(filter-out %/main.c %/proof.c %/functions.c %/emulation.c,\
              $(wildcard test/ptx/*.c))
$(BUILD)/test/ptx/main: $(call object,$(PTX_FORMS) test/ptx/main.c)
	$(call Q,ld) $(CC) $(SANITIZE) $(LDFLAGS) $^ -lm -o $@

$(addprefix $(BUILD)/test/ptx/,proof functions emulation): \
  %: %.c.o $(call object,$(PTX_FORMS)) $(BUILD)/engine.a
	$(call Q,ld) $(CC) $(SANITIZE) $(LDFLAGS) $^ $(LLVM_LIBS) -lLLVM-22 \
	  $(LIBS) -o $@

$(BUILD)/test/skeletons/skeletons: $(call object,$(SKELETON_SOURCES)) \
                                   $(BUILD)/plugin/unwind.cc.o \
                                   $(BUILD)/plugin/kernel_copy.cc.o \
                                   $(BUILD)/engine.a
	$(call Q,ld) $(CXX) $(SANITIZE) $(LDFLAGS) $^ $(LLVM_LIBS) -lLLVM-22 $(LIBS) -o $@

$(BUILD)/%.c.o: %.c
	@mkdir -p $(@D)
	$(call Q,cc) $(CC) $(CFLAGS_ALL) -c $< -o $@

# Of g++ such a file saves little.
ifneq ($(findstring clang,$(CXX)),)
  PARSED = $(BUILD)/plugin/clang_headers.h.pch
endif

$(BUILD)/%.h.pch: %.h
	@mkdir -p $(@D)
	$(call Q,c++) $(CXX) $(CXXFLAGS_ALL:-MMD=-MD) -fpch-instantiate-templates \
	  -x c++-header $< -o $@

$(BUILD)/%.cc.o: %.cc $(PARSED)
	@mkdir -p $(@D)
	$(call Q,c++) $(CXX) $(CXXFLAGS_ALL) $(addprefix -include-pch ,$(PARSED)) \
	  -c $< -o $@

# The suites.  Each ends with the line "N passed, N failed, N skipped".

unit: $(UNIT)
	@test/run-unit $(UNIT)

golden: all
	@test/run-golden

golden-sample: all
	@test/run-golden -s $(DRAWN)

barriers: all
	@test/run-golden test/barriers

runtime: all
	@test/run-run

schedules: all
	@test/run-schedules

threads: all
	@test/run-threads

threads-sample: all
	@test/run-threads -s $(DRAWN)

threads-device: all
	@test/run-threads-device all

threads-device-sample: all
	@test/run-threads-device

# Five minutes.
threads-oracle: all
	@test/threads/oracle $(or $(FUZZ),2000)

# Schedules and seconds to each mistake, by scheduler, and rates.
threads-bench: all $(BUILD)/benchmarks/seeds
	@benchmarks/threads

programs: all
	@test/run-programs

programs-sample: all
	@test/run-programs -s $(DRAWN)

# Executed by values; the others of them take ten seconds and more.
values: export ONLY = backprop|bfs|bisect|btree|em|kmeans|nbody|radix|scan
values values-all: export DETECT = values
values values-all: all
	@test/run-programs test/values/

races: all
	@test/run-races

# Not a suite: which witness is found is up to the solver and its time.
confirm: all
	@test/run-confirm
	@test/run-confirm --barriers

cli: all
	@test/run-cli

cli-sample: all
	@test/run-cli -s $(DRAWN)

headers: all
	@test/include/run

# With Triton, where the interpreter has it: make python PYTHON=...
python: all
	@GPUVERIFY_COMMAND=$(abspath $(BUILD))/gpuverify $(PYTHON) python/run-tests

# A project of somebody else's; needs cmake, and a compiler of CUDA.
cmake: all
	@test/cmake/run

fuzz: all $(BUILD)/test/fuzz/genkernel
	@test/fuzz/run --kernels=$(or $(FUZZ),150)

executions: all $(BUILD)/test/fuzz/genkernel
	@test/fuzz/run-executions --kernels=$(or $(FUZZ),12)

# A kernel takes a second: a few of them are in make test.  With FUZZ=N and SEED=N
# there are others.
valuesfuzz: all $(BUILD)/test/fuzz/genkernel
	@test/fuzz/run-values --kernels=$(or $(FUZZ),100) --seed=$(or $(SEED),1)

valuesfuzz-sample: all $(BUILD)/test/fuzz/genkernel
	@test/fuzz/run-values --kernels=4 --seed=11
	@COUNT=12 test/fuzz/run-race-free --kernels=1 --seed=11

# Only those without races, many to a program: five a second.
racefree: all $(BUILD)/test/fuzz/genkernel
	@test/fuzz/run-race-free --kernels=$(or $(FUZZ),1000) --seed=$(or $(SEED),1)

# Small kernels by index.  The single ones were wrongly verified once: a fact
# about a loop was used of a thread that had left it, or a write was not seen.
SKELETONS ?= 0-5000 8831 9739 11320 12499 14603 17054 18323 18388 22420 51792

skeletons: all $(BUILD)/test/skeletons/skeletons
	@$(BUILD)/test/skeletons/skeletons $(SKELETONS)

ptxfuzz:
	@BUILD=$(BUILD) LLVM=$(LLVM) test/fuzz/run-ptx

ptxforms: all $(addprefix $(BUILD)/test/ptx/,main proof functions emulation)
	@test/ptx/run

# A quarter of an hour; the sample takes two minutes.
boogie: all
	@test/boogie/run $(if $(BOOGIE),-n $(BOOGIE))

boogie-sample: all
	@test/boogie/run -n $(or $(BOOGIE),15)

# The prover once more, with rules that can be broken: see test/sabotage/rules.
# Ten minutes; the sample takes two.
# Of a sample the files with rules are every fifteenth one, which ones each commit
# draws anew.  What a build can break stands in $(BUILD)/sabotage/files.
SAMPLE    =
BREAKABLE := $(shell awk '/^in / { print $$2 }' test/sabotage/rules | sort -u | \
               awk -v one="$(SAMPLE)" 'one == "" || NR % 15 == one % 15')
DRAWN     = $(shell git log -1 --format=%ct 2>/dev/null || echo 0)
BROKEN    = $(patsubst %,$(BUILD)/sabotage/%.o,$(BREAKABLE)) \
            $(BUILD)/test/sabotage/switch.c.o

.PRECIOUS: $(BUILD)/sabotage/%.c $(BUILD)/sabotage/%.cc
$(BUILD)/sabotage/%.c: %.c test/sabotage/rules test/sabotage/break
	@mkdir -p $(@D)
	@test/sabotage/break test/sabotage/rules $< >$@.new && mv $@.new $@

$(BUILD)/sabotage/%.cc: %.cc test/sabotage/rules test/sabotage/break
	@mkdir -p $(@D)
	@test/sabotage/break test/sabotage/rules $< >$@.new && mv $@.new $@

$(BUILD)/sabotage/%.c.o: $(BUILD)/sabotage/%.c
	$(call Q,cc) $(CC) $(CFLAGS_ALL) -w -c $< -o $@

$(BUILD)/sabotage/%.cc.o: $(BUILD)/sabotage/%.cc $(PARSED)
	$(call Q,c++) $(CXX) $(CXXFLAGS_ALL) $(addprefix -include-pch ,$(PARSED)) -w \
	  -c $< -o $@

$(BUILD)/sabotage/files: FORCE
	@mkdir -p $(@D)
	@echo '$(BREAKABLE)' | tr ' ' '\n' >$@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

$(BUILD)/sabotage/libgpuverify-clang.so: $(CLANG_OBJECTS) $(BROKEN) \
                                         $(IDENTITY_OBJECT) $(BUILD)/sabotage/files
	$(call Q,ld) $(CXX) -shared $(SANITIZE) $(LDFLAGS) \
	  $(filter-out $(call object,$(BREAKABLE)) %/files,$^) \
	  $(LLVM_LIBS) -lclang-cpp -lLLVM-22 $(LIBS) -o $@

$(BUILD)/sabotage/libgpuverify-cuda.so: $(LIBRARY_OBJECTS) $(BROKEN) \
                                        $(BUILD)/sabotage/files
	$(call Q,ld) $(CC) -shared $(SANITIZE) $(LDFLAGS) -Wl,-z,defs \
	  $(filter-out $(call object,$(BREAKABLE)),$(LIBRARY_OBJECTS)) \
	  $(filter $(LIBRARY_OBJECTS:$(BUILD)/%=$(BUILD)/sabotage/%),$(BROKEN)) \
	  $(BUILD)/test/sabotage/switch.c.o $(LLVM_LIBS) -lLLVM-22 -lm -o $@

# The command itself checks barriers of PTX, and nothing else that has rules.
$(BUILD)/sabotage/gpuverify: $(COMMAND_OBJECTS) $(BROKEN) $(BUILD)/engine.a \
                             $(BUILD)/sabotage/files
	$(call Q,ld) $(CC) $(SANITIZE) $(LDFLAGS) $(COMMAND_OBJECTS) \
	  $(filter $(BUILD)/sabotage/barriers/%,$(BROKEN)) \
	  $(BUILD)/test/sabotage/switch.c.o $(BUILD)/engine.a \
	  -ljansson -lsqlite3 -lm -o $@

# What lies beside the command in the product, and has no rules.
BESIDE = $(addprefix $(BUILD)/sabotage/,libgpuverify-host.so \
           libgpuverify-values.a)
$(BESIDE): $(BUILD)/sabotage/%: $(BUILD)/%
	@mkdir -p $(@D) && cp $< $@

BROKEN_TESTS = $(patsubst %,$(BUILD)/sabotage/%,$(shell awk \
                 'BEGIN { split("$(BREAKABLE)", list); \
                          for (i in list) drawn[list[i]] } \
                  /^in / { is_drawn = $$2 in drawn } \
                  /^by test_/ && is_drawn { print $$2 }' \
                 test/sabotage/rules | sort -u))

# What compiles is not for unit tests, nor is what the programs get that we
# execute.
NEEDS_CLANG = %.cc.o %/plugin/verify.c.o %/plugin/batch_plan.c.o \
              %/plugin/repair_prover.c.o %/plugin/proofs.c.o \
              $(BUILD)/sabotage/runtime/cuda/%
$(BUILD)/sabotage/test_%: $(BUILD)/test/unit/test_%.c.o \
                          $(filter-out $(NEEDS_CLANG),$(BROKEN)) \
                          $(BUILD)/engine.a $(BUILD)/sabotage/files
	$(call Q,ld) $(CXX) $(SANITIZE) $(LDFLAGS) $(filter-out %/files,$^) $$(pkg-config --libs check) \
	  $(LLVM_LIBS) -lLLVM-22 $(LIBS) -o $@

FORCE:

sabotage: all $(BESIDE) $(BUILD)/sabotage/gpuverify \
          $(BUILD)/sabotage/libgpuverify-clang.so \
          $(BUILD)/sabotage/libgpuverify-cuda.so $(BROKEN_TESTS)
	@BUILD=$(BUILD) test/sabotage/run

sabotage-sample: all
	@$(MAKE) --no-print-directory sabotage SAMPLE=$(DRAWN)

# An hour; the sample takes a minute.
twothread: all $(BUILD)/test/fuzz/genkernel
	@test/twothread/run -f $(or $(FUZZ),20)

TWOTHREAD_SAMPLE = shared/reverse shared/ping_pong shared/stencil_1d \
  divergence/returned_thread cooperative/grid_barrier warp/syncwarp \
  assumption/atomic_counters fence/work_group_barrier control/switch_barrier

twothread-sample: all
	@test/twothread/run -t 5 $(TWOTHREAD_SAMPLE)

# All that needs an NVIDIA GPU; without one it says so.
device: all
	@test/device/compare

lint:
	@scripts/lint

# Those with a + between them run at the same time.
SUITES ?= unit golden-sample barriers runtime programs-sample races \
          cli-sample fuzz \
          headers+skeletons+executions+ptxfuzz+ptxforms \
          values+valuesfuzz-sample \
          schedules+threads-sample+threads-device-sample+lint+python+cmake \
          boogie-sample twothread-sample sabotage-sample

# As many files at a time as there are processors, unless a number was said.
JOBS = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))

check:
	@scripts/setup
	@$(MAKE) --no-print-directory $(JOBS) test

test: all
	@MAKE='$(MAKE)' scripts/run-suites $(SUITES)

# Clang and LLVM are not instrumented, so what crosses into their containers
# is not checked, and what they keep until the process ends is not a leak.
sanitize: export ASAN_OPTIONS = \
  detect_container_overflow=0:allow_user_segv_handler=0
sanitize: export LSAN_OPTIONS = \
  suppressions=$(CURDIR)/test/sanitize.supp:print_suppressions=0
sanitize: SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=all \
  -fno-sanitize=vptr
sanitize:
	@$(MAKE) --no-print-directory test BUILD=build/san OPTIMIZE=-O1 \
	  SUITES='unit golden barriers runtime schedules cli' SANITIZE='$(SANITIZE)'

setup:
	@scripts/setup

demo:
	@scripts/setup
	@$(MAKE) --no-print-directory $(JOBS) all
	@scripts/demo

bench: all
	@benchmarks/bench
	@benchmarks/execution
	@benchmarks/thread-rates

# Not a suite: half an hour, and which repair comes first is a matter of taste.
repairs: all
	@benchmarks/repair -v

format:
	clang-format-22 -i $(SOURCES) $(HEADERS) $(UNIT_TESTS) $(FUZZ_SOURCES) \
	  $(SKELETON_SOURCES) $(wildcard test/skeletons/*.h)

# For pip: the package that starts the command; see docs/PYTHON.md.
wheel:
	@$(PYTHON) python/build_wheel.py $(BUILD)

# Debian packages of the last commit, in $(BUILD)/deb.
deb:
	@packaging/deb $(RELEASE) $(abspath $(BUILD))/deb

INSTALLED_LIBS = gpuverify.so gpuverify-22.so libgpuverify-clang.so \
                 libgpuverify-cuda.so libgpuverify-host.so \
                 libgpuverify-watch.so libgpuverify-values.a
INSTALLED_BINS = gpuverify gpuverify-launcher gpuverify-recorder
MAN_PAGES      = $(sort $(wildcard docs/*.1))
FILL = sed -e 's|@RELEASE@|$(RELEASE)|' -e 's|@PREFIX@|$(PREFIX)|' \
           -e 's|@LLVM@|$(LLVM)|'

install: all install-docs install-completion
	install -d $(addprefix $(DESTDIR)$(PREFIX)/,bin lib include/gpuverify \
	  lib/cmake/gpuverify lib/pkgconfig)
	install -m 755 $(addprefix $(BUILD)/,$(INSTALLED_BINS)) \
	  $(DESTDIR)$(PREFIX)/bin
	install -m 644 $(addprefix $(BUILD)/,$(INSTALLED_LIBS)) \
	  $(DESTDIR)$(PREFIX)/lib
	cp -R include/. $(DESTDIR)$(PREFIX)/include/gpuverify
	install -m 644 cmake/gpuverifyConfig.cmake \
	  $(DESTDIR)$(PREFIX)/lib/cmake/gpuverify
	$(FILL) cmake/gpuverifyConfigVersion.cmake.in \
	  >$(DESTDIR)$(PREFIX)/lib/cmake/gpuverify/gpuverifyConfigVersion.cmake
	for name in gpuverify gpuverify-values; do \
	  $(FILL) cmake/$$name.pc.in \
	    >$(DESTDIR)$(PREFIX)/lib/pkgconfig/$$name.pc || exit; \
	done

# What messages and the manual page point to, as docs/JSON.md.
install-docs:
	install -d $(DESTDIR)$(PREFIX)/share/doc/gpuverify/docs \
	  $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 README.md $(DESTDIR)$(PREFIX)/share/doc/gpuverify
	install -m 644 docs/*.md $(DESTDIR)$(PREFIX)/share/doc/gpuverify/docs
	install -m 644 $(MAN_PAGES) $(DESTDIR)$(PREFIX)/share/man/man1

install-completion:
	install -d $(DESTDIR)$(PREFIX)/share/bash-completion/completions \
	  $(DESTDIR)$(PREFIX)/share/zsh/site-functions
	install -m 644 completion/gpuverify.bash \
	  $(DESTDIR)$(PREFIX)/share/bash-completion/completions/gpuverify
	install -m 644 completion/_gpuverify \
	  $(DESTDIR)$(PREFIX)/share/zsh/site-functions

uninstall:
	rm -rf $(addprefix $(DESTDIR)$(PREFIX)/,include/gpuverify \
	  share/doc/gpuverify lib/cmake/gpuverify)
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/,lib/pkgconfig/gpuverify.pc \
	  lib/pkgconfig/gpuverify-values.pc \
	  share/bash-completion/completions/gpuverify \
	  share/zsh/site-functions/_gpuverify \
	  $(addprefix bin/,$(INSTALLED_BINS)) $(addprefix lib/,$(INSTALLED_LIBS)) \
	  $(patsubst docs/%,share/man/man1/%,$(MAN_PAGES)))

clean:
	rm -rf build

help:
	@echo 'all        the plugin and the command (default)'
	@echo 'demo       install what is missing, build, look at three kernels'
	@echo 'check      install what is missing, build, run every suite'
	@echo 'test       the same without installing; SUITES=.. picks some'
	@echo 'unit headers golden golden-sample barriers runtime schedules threads'
	@echo 'programs cli python cmake fuzz skeletons executions valuesfuzz racefree ptxfuzz'
	@echo 'ptxforms values values-all valuesfuzz-sample threads-sample programs-sample cli-sample'
	@echo 'boogie boogie-sample twothread twothread-sample sabotage sabotage-sample lint'
	@echo '           one suite; FUZZ=n kernels, SKELETONS=from-to, BOOGIE=n of them'
	@echo 'confirm    which races of the golden kernels are seen in executions'
	@echo 'sanitize   unit, golden, barriers, runtime, schedules, cli under ASan'
	@echo 'device     what needs an NVIDIA GPU, beside what the processor says'
	@echo 'bench      the benchmarks, with times'
	@echo 'threads-device  programs with threads as a device would execute them'
	@echo 'threads-oracle  random programs with threads against all interleavings'
	@echo 'threads-bench   schedules to each mistake of test/threads, and rates'
	@echo 'repairs    which forgotten barriers of the golden kernels are found again'
	@echo 'setup      only install what is missing'
	@echo 'format     clang-format in place'
	@echo 'deb        the Debian packages of the last commit, in $(BUILD)/deb'
	@echo 'wheel      the Python package, in $(BUILD)/'
	@echo 'install uninstall    below PREFIX=$(PREFIX), in DESTDIR'
	@echo 'clean      remove build/'

-include $(OBJECTS:.o=.d) $(PARSED:.pch=.d) \
         $(patsubst %,$(BUILD)/%.d,benchmarks/seeds.c benchmarks/notes.c $(UNIT_TESTS) $(FUZZ_SOURCES) \
           $(wildcard test/ptx/*.c) $(SKELETON_SOURCES)) \
         $(patsubst %,$(BUILD)/sabotage/%.d,$(BREAKABLE))

.SECONDARY:
.PHONY: FORCE all unit headers golden golden-sample barriers runtime schedules \
        threads threads-sample threads-device threads-device-sample \
        threads-oracle threads-bench programs programs-sample races confirm \
        cli cli-sample python \
        cmake wheel deb fuzz skeletons executions valuesfuzz racefree ptxfuzz ptxforms \
        values values-all valuesfuzz-sample \
        boogie boogie-sample twothread twothread-sample sabotage \
        sabotage-sample lint check test sanitize setup demo bench device repairs \
        format install install-docs install-completion uninstall \
        clean help
