// An array is as large as cudaMalloc was told, in the host's numbers.  Where it
// is not certain what the pointer points to, nobody knows: the end of the array
// is not looked for then, and there is nothing to find.
//
// args:     --check-array-bounds
// verdict:  verified
// bug 1:    out-of-bounds  too little room
// bug 2:    verified       the number has changed since, and nobody has the old one
// bug 3:    verified       too little, but another function has the pointer
// bug 4:    verified       .. but of two allocations it may be the other
// bug 5:    verified       .. but the pointer was changed since
// bug 6:    verified       .. but a function of the user's allocates
// bug 7:    out-of-bounds  .. and what was allocated later is for another
// bug 8:    verified       .. but not where it begins
// bug 9:    verified       .. but changed in the same expression
// bug 10:   out-of-bounds  a copy of the pointer, and too little room

__global__ void fill(float *out, int length) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 0 && i < length)
    out[i] = i; // expect 1,7,10: out-of-bounds access of 'out'
}

#if BUG == 6
cudaError_t cudaMalloc(float **pointer, size_t bytes, int more);
#endif
void change(float **);

void launch(int length, float *other, bool is_large) {
  if (length < 256)
    return;
  float *out, *first;
#if BUG == 0 || BUG == 2
  cudaMalloc((void **)&out, length * sizeof(float));
#elif BUG == 4
  if (is_large)
    cudaMalloc(&out, length * 2);
  else
    cudaMalloc(&out, length);
#elif BUG == 6
  cudaMalloc(&out, length, 0);
#elif BUG == 9
  cudaMalloc(&first, length);
  cudaMalloc(&out, length * sizeof(float));
#elif BUG == 7
  cudaMalloc(&first, length);
  out = first;
  cudaMalloc(&first, length * sizeof(float));
#elif BUG == 10
  cudaMalloc(&first, length);
  out = first;
#else
  cudaMalloc(&out, length);
#endif
#if BUG == 2
  length *= 2;
#elif BUG == 3
  change(&out);
#elif BUG == 5
  out = other;
#endif
#if BUG == 8
  fill<<<(length + 255) / 256, 256>>>(out - 256, length);
#elif BUG == 9
  fill<<<((out = first) ? (length + 255) / 256 : 1), 256>>>(out, length);
#else
  fill<<<(length + 255) / 256, 256>>>(out, length);
#endif
}
