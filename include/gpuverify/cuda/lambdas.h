// What nvcc's --extended-lambda lets a program ask of a type.
//
// nvcc puts a class of its own in the place of a lambda of the device, of which
// the host must not ask what it returns.  To clang a lambda of the device is one
// like any other, so the answer is no.

#ifndef GPUVERIFY_CUDA_LAMBDAS_H
#define GPUVERIFY_CUDA_LAMBDAS_H

#define __nv_is_extended_device_lambda_closure_type(...) false
#define __nv_is_extended_host_device_lambda_closure_type(...) false
#define __nv_is_extended_device_lambda_with_preserved_return_type(...) false

#endif
