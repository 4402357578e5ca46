# Launches that the original's interceptors noted: what is looked at, and what is
# wrong in such a file.
# shellcheck shell=sh

mkdir -p kernels
cat >kernels/two.cl <<'EOF'
__kernel void fill(__global int *to, int n) {
#ifdef ALL
  to[get_global_id(0)] = n;
#else
  if (n == 3)
    to[0] = get_global_id(0);
#endif
}
__kernel void other(__global int *to) { to[0] = get_global_id(0); }
EOF

# launch MEMBERS: a file with one launch; ' stands for ".
launch() {
  echo "[{'language': 'OpenCL', 'kernel_file': 'two.cl', $1}]" |
    tr "'" '"' >kernels/one.json
}
fill="'entry_point': 'fill', 'global_size': [128]"
array="{'type': 'array', 'size': 512, 'address_space': 'global'}"

launch "$fill, 'local_size': [64], 'kernel_arguments':
  [$array, {'type': 'scalar', 'value': '0x2'}]"
gives 0 'for local_size = (64,1,1), num_groups = (2,1,1)' kernels/one.json
says_not "kernel 'other'"
launch "$fill, 'local_size': [64], 'kernel_arguments':
  [{'type': 'array'}, {'type': 'scalar', 'value': '0x3'}]"
gives 1 'race' kernels/one.json
launch "$fill, 'compiler_flags': '-cl-mad-enable -D ALL -I kernels',
  'endianness': 'little', 'host_api_calls': [{'line_number': 4,
  'function_name': 'clEnqueueNDRangeKernel', 'compilation_unit': 'a.c'}]"
gives 0 'for local_size = (*,1,1)' kernels/one.json
gives 1 'race' kernels/one.json kernels/two.cl

# What is said of one launch is said of no other.
launch "$fill, 'local_size': [64], 'compiler_flags': '-DALL'},
  {'language': 'OpenCL', 'kernel_file': 'two.cl', $fill, 'local_size': [32]"
gives 1 'race' -DOTHER=1 kernels/one.json
launch "$fill, 'compiler_flags': '-DALL -UALL'"
gives 1 'race' kernels/one.json

# A launch that is given twice is looked at once.
other="'language': 'OpenCL', 'kernel_file': 'two.cl', 'entry_point': 'other'"
echo "[{$other, 'global_size': [1], 'local_size': [1]},
       {$other, 'local_size': [1], 'global_size': [1]}]" |
  tr "'" '"' >kernels/many.json
gives 0 "kernel 'other': no data races" kernels/many.json
check 'a launch that is given twice' \
  test "$(printf '%s\n' "$out" | grep -c '^verdict')" = 1

launch "$fill, 'local_size': [48]"
gives 2 'one.json: launch 1: global size 128,1,1 is no multiple' kernels/one.json
launch "'entry_point': 'fill'"
gives 2 'launch 1: "global_size" is missing' kernels/one.json
launch "'entry_point': 'none', 'global_size': [4]"
gives 2 "there is no kernel 'none' in this file" kernels/one.json
launch "$fill, 'block': 4"
gives 2 'the launch has no member "block"' kernels/one.json
launch "$fill, 'kernel_arguments': [{'type': 'scalar', 'value': 3}]"
gives 2 'a hexadecimal number in quotes' kernels/one.json
launch "$fill, 'kernel_arguments': [{'type': 'texture'}]"
gives 2 'is scalar, array, image or sampler' kernels/one.json
launch "$fill, 'kernel_arguments': [{'type': 'image', 'size': 3}]"
gives 2 'has no member "size"' kernels/one.json
launch "$fill, 'kernel_arguments': [{'type': 'scalar'}, {'type': 'scalar'}]"
gives 2 "--kernel-args: 'fill' takes 1 scalars, 2 given" kernels/one.json
launch "$fill, 'compiler_flags': '-D'"
gives 2 '"compiler_flags": a value is missing' kernels/one.json
launch "$fill, 'global_offset': [-1]"
gives 2 '"global_offset" is a list of one to three numbers from 0 on' \
  kernels/one.json
sed 's/OpenCL/CUDA/' kernels/one.json >kernels/cuda.json
gives 2 '"language" is OpenCL' kernels/cuda.json
echo '{' >kernels/broken.json
gives 2 'broken.json: line' kernels/broken.json
echo '{"grid": 1}' >kernels/none.json
gives 2 'this is no list of launches' kernels/none.json
gives 2 'nosuch.json' nosuch.json
