// What values.cu has of a device that executes it.

static __attribute__((shared)) Block block_variables;

HOSTS int vprintf(const char *format, const char *arguments);

INLINE Block *block(void) { return &block_variables; }
INLINE void use_block(Block *) {}

INLINE void wait_for_block(void) { __nvvm_barrier_sync(0); }

INLINE int print(const char *format, const char *arguments) {
  return vprintf(format, arguments);
}

INLINE Word threads_of_block(void) {
  return __nvvm_read_ptx_sreg_ntid_x() * __nvvm_read_ptx_sreg_ntid_y() *
         __nvvm_read_ptx_sreg_ntid_z();
}

INLINE Word thread_number(void) {
  Word x = __nvvm_read_ptx_sreg_ntid_x(), y = __nvvm_read_ptx_sreg_ntid_y();
  return __nvvm_read_ptx_sreg_tid_x() +
         x * (__nvvm_read_ptx_sreg_tid_y() + y * __nvvm_read_ptx_sreg_tid_z());
}

INLINE Long blocks_of_grid(void) {
  return (Long)__nvvm_read_ptx_sreg_nctaid_x() *
         __nvvm_read_ptx_sreg_nctaid_y() * __nvvm_read_ptx_sreg_nctaid_z();
}

INLINE Word block_number(void) {
  Word x = __nvvm_read_ptx_sreg_nctaid_x(), y = __nvvm_read_ptx_sreg_nctaid_y();
  return __nvvm_read_ptx_sreg_ctaid_x() +
         x * (__nvvm_read_ptx_sreg_ctaid_y() +
              y * __nvvm_read_ptx_sreg_ctaid_z());
}
