# Launch files: templates, structs by value, and what is wrong in one.
# shellcheck shell=sh

cat >view.cu <<'EOF'
struct Size { int x, y; };
struct View { float *data; Size size; unsigned char flags[2]; };
__global__ void fill(View view, float by) {
  int i = threadIdx.x;
  if (i < view.size.x * view.size.y)
    view.data[i] = by + view.flags[1];
}
template <class T> __global__ void copy(T *to, const T *from) {
  to[threadIdx.x] = from[threadIdx.x];
}
template __global__ void copy<unsigned short>(unsigned short *,
                                              const unsigned short *);
__global__ void race(View view) {
  if (view.flags[0] > 3)
    view.data[threadIdx.x % view.size.y] = threadIdx.x;
}
EOF
cat >blocks.cl <<'EOF'
__kernel __attribute__((reqd_work_group_size(4, 2, 1)))
void blocks(__global float4 *out, float4 by, uchar2 small) {
  out[get_local_id(0)] = by * small.y;
}
EOF

# A template says what can be said of the members of structs and vectors.
gives 2 'name one: fill, copy<unsigned short>, race' launch view.cu
gives 0 '"kernel": "fill"' launch --template=fill view.cu
members='"data": {"type": "f32", "count": 1024, "init": "iota"}, "size.x": 1,'
contains "{\"name\": \"view\", \"members\": {$members" || fail 'no members'
contains '"size.y": 1, "flags[0]": 1, "flags[1]": 1}}' || fail 'no arrays'
contains '{"buffer": "view.data", "count": 8}' || fail 'no buffer'
gives 0 '"type": "u16", "count"' launch --template=copy view.cu
gives 0 '"block": [4, 2, 1]' launch blocks.cl
contains '"members": {"x": 1, "y": 1, "z": 1, "w": 1}' || fail 'no vector'
"$gpuverify" launch blocks.cl >blocks.json
gives 0 'out = 1 1 1 1 1 1 1 1' run --launch=blocks.json blocks.cl
sed 's/\[4, 2, 1\]/8/' blocks.json >other.json
gives 2 'the kernel has blocks of 4 x 2 x 1 threads' \
  run --launch=other.json blocks.cl

# What is in a witness is called as in the source.
gives 1 "race on 'view.data'" view.cu
contains 'view.flags[0] = ' || fail 'no member'
contains 'view.size.y = ' || fail 'no member of a member'

# `with SED ARGUMENTS..`: the launch file below, changed.
cat >fill.json <<'EOF'
{"kernel": "fill", "grid": 1, "block": 8, "arguments": [
  {"name": "view", "members": {
    "data": {"type": "f32", "count": 8}, "size.x": 3, "size.y": 2,
    "flags[1]": 200}},
  {"name": "by", "value": 0.5}],
 "print": ["view.data"],
 "expect": [{"buffer": "view.data", "is": [200.5], "tolerance": 0.001}]}
EOF
with() {
  status=$1 text=$2
  shift 2
  sed "$1" fill.json >changed.json
  shift
  gives "$status" "$text" "${@:-run}" --launch=changed.json view.cu
}
with 0 'view.data = 200.5 200.5 200.5 200.5 200.5 200.5 0 0' ''
with 0 'verdict: passed' '' schedules
with 1 'verdict: wrong-result' 's/\[200.5\]/[201]/'
with 1 "access outside of 'view.data'" 's/"count": 8/"count": 4/'
[ -n "$SANITIZE" ] || # it keeps such signals to itself
  with 1 'the pointer is null' \
    's/"data": {[^}]*}/"data": null/; /print/,$d; s/5}\],/5}]}/' \
    run --detect=none
with 2 "argument 'view' has no member 'size.z'" 's/size.y/size.z/'
with 2 "member 'view.flags[1]' is no u8" 's/200}/256}/'
with 2 "member 'view.size.x' is no i32" 's/3, /"3x", /'
with 2 "argument 'view.data' needs a \"count\"" 's/, "count": 8//'
with 2 "argument 'view.data': \"count\" is a whole number" 's/: 8}/: "8"}/'
with 2 "argument 'view.data' is too large" 's/: 8}/: 4611686018427387904}/'
with 2 "\"type\" is one of i8, u8, i16" 's/f32/float/'
with 2 "argument 'by': its \"value\" is no f32" 's/: 0.5/: "much"/'
with 2 "argument 'by' needs a \"value\"" 's/, "value": 0.5//'
with 2 "\"name\" of argument 2 is no string" 's/"by"/5/'
with 2 'there is no "grid"' 's/"grid": 1, //'
with 2 '"block" is a whole number from 1 on' 's/"block": 8/"block": -8/'
with 2 '"block" is a whole number from 1 on' 's/"block": 8/"block": [1, 1, 1, 1]/'
with 2 '"kernel" is no string' 's/"fill"/7/'
with 2 '"dynamic_shared" is a whole number' 's/"grid"/"dynamic_shared": -4, "grid"/'
with 2 '"steps" is a whole number' 's/"grid"/"steps": "many", "grid"/'
with 2 '"seconds" is a number above 0' 's/"grid"/"seconds": "ten", "grid"/'
with 2 '"print" is a list' 's/\["view.data"\]/"view.data"/'
with 2 "no buffer is called 'data'" 's/"print": \["view.data/"print": ["data/'
with 2 '"print" has no member "cuont"' \
  's/\["view.data"\]/[{"buffer": "view.data", "cuont": 1}]/'
with 2 '"expect" needs what "is" there' 's/"is": \[200.5\], //'
with 2 '"tolerance" is a number that is not negative' 's/0.001/-1/'
with 2 "'view.data' has 8 elements" 's/"is"/"from": 8, "is"/'

# What our own headers have for a texture is any value: a proof can use that,
# an execution cannot.
cat >texture.cu <<'EOF'
__global__ void fetch(cudaTextureObject_t texture, float *out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] =
      tex2D<float>(texture, threadIdx.x, 0);
}
EOF
gives 0 'verdict: verified' texture.cu
gives 4 'a texture fetch or a random number is not executed' launch texture.cu

cat >half.cl <<'EOF'
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__kernel void twice(__global half *a, half by) { a[get_global_id(0)] *= by; }
EOF
gives 0 '"name": "a", "type": "f16"' launch half.cl
"$gpuverify" launch half.cl | sed 's/"value": 1/"value": 2.5/' >half.json
gives 0 'a = 0 2.5 5 7.5' run --launch=half.json half.cl

# What a kernel is compiled for is what a template begins with.
cat >sizes.cu <<'EOF'
__global__ void __launch_bounds__(128) few(int *out) { out[threadIdx.x] = 1; }
__global__ void __cluster_dims__(2, 2, 1) near(int *out) { *out = 1; }
EOF
gives 0 '"block": [128, 1, 1]' launch --template=few sizes.cu
gives 0 '"grid": [2, 2, 1]' launch --template=near -arch=sm_90 sizes.cu

# The only kernel of a file need not be named.
gives 0 '"kernel": "twice"' launch --template half.cl
