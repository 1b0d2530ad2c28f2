/* SPDX-License-Identifier: Apache-2.0 */
/* Codes that generated kernels return; any that is not 0 is a failure of run. */
#ifndef TVM_RUNTIME_CRT_ERROR_CODES_H_
#define TVM_RUNTIME_CRT_ERROR_CODES_H_

typedef enum {
    kTvmErrorNoError = 0,
    kTvmErrorFunctionCallNumArguments = 0x0800,
    kTvmErrorFunctionCallWrongArgType = 0x0801,
    kTvmErrorFunctionCallNotImplemented = 0x0802,
    kTvmErrorFunctionCallInvalidArg = 0x0803,
} tvm_crt_error_t;

#endif
