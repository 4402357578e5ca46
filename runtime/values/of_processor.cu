// The same, compiled for a processor: of the machine that executes the kernel
// (runtime/machine/copied.c).  The variables of the block are where the kernel
// has them, a part of which is what is inlined.

HOSTS void __gpuverify_values_wait(void);
HOSTS Word __gpuverify_values_threads(void); // of a block
HOSTS Word __gpuverify_values_thread(void);  // its number
HOSTS Long __gpuverify_values_blocks(void);
HOSTS Word __gpuverify_values_block(void);
HOSTS int builtin_print(const char *format, const char *arguments);

static Block *block_variables;

INLINE Block *block(void) { return block_variables; }
INLINE void use_block(Block *variables) { block_variables = variables; }

INLINE void wait_for_block(void) { __gpuverify_values_wait(); }

INLINE int print(const char *format, const char *arguments) {
  return builtin_print(format, arguments);
}

INLINE Word threads_of_block(void) { return __gpuverify_values_threads(); }
INLINE Word thread_number(void) { return __gpuverify_values_thread(); }
INLINE Long blocks_of_grid(void) { return __gpuverify_values_blocks(); }
INLINE Word block_number(void) { return __gpuverify_values_block(); }
