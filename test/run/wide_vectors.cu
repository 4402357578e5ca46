// Vectors of any number of lanes compute in each what a scalar would: there is
// no width from which on a division by zero is the host's.
//
// verdict:  passed
// prints:   out = -1 0 -1 0

typedef int Wide __attribute__((ext_vector_type(128)));

__global__ void wide_vectors(int *out, int zero, int by) {
  Wide seven = (Wide)(7), none = (Wide)(zero), many = (Wide)(by);
  Wide quotient = seven / none, shifted = seven << many;
  int lane = 127 - threadIdx.x;
  out[2 * threadIdx.x] = quotient[lane];
  out[2 * threadIdx.x + 1] = shifted[lane];
}
