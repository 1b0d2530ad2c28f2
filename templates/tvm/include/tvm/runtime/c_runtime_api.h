/* SPDX-License-Identifier: Apache-2.0 */
/* What ahead-of-time C code uses of the runtime's interface; found when no other one is. */
#ifndef TVM_RUNTIME_C_RUNTIME_API_H_
#define TVM_RUNTIME_C_RUNTIME_API_H_

#include <dlpack/dlpack.h>
#include <stddef.h>
#include <stdint.h>

#ifndef TVM_DLL
#ifdef RP_TVM_WORKSPACE_H /* as TVM has it: with -fpic, what may be replaced is not inlined */
#define TVM_DLL __attribute__((visibility("default")))
#else
#define TVM_DLL
#endif
#endif

typedef union {
    int64_t v_int64;
    double v_float64;
    void *v_handle;
    const char *v_str;
    DLDataType v_type;
    DLDevice v_device;
} TVMValue;

void TVMAPISetLastError(const char *message);

#endif
