/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stands in front of generated code that takes workspaces by calls: each call hands over the
 * arena's address, so that the allocator needs no r9 to find it, and the loops of an operator may
 * use r9. Whoever calls operators must not, because they find their data by r9: so what lives
 * across a call of the allocator is kept elsewhere, and operators are not inlined. This is for
 * speed alone: the packer checks r9 in the linked code, whatever it was made from.
 */
#ifndef RP_TVM_WORKSPACE_H
#define RP_TVM_WORKSPACE_H

#include <stdint.h>

/* As TVM has it. With -fpic, what another module might replace is not inlined. */
#ifndef TVM_DLL
#define TVM_DLL __attribute__((visibility("default")))
#endif

struct relocpack_tvm_arena;
extern struct relocpack_tvm_arena relocpack_tvm_arena;
void *TVMBackendAllocWorkspaceIn(struct relocpack_tvm_arena *arena, uint64_t nbytes);
int TVMBackendFreeWorkspaceIn(struct relocpack_tvm_arena *arena, void *ptr);

/* "Writes" r9, without an instruction. */
static inline __attribute__((always_inline)) void relocpack_tvm_keep_r9(void) {
    register void *r9 __asm__("r9");
    __asm__ volatile("" : "=r"(r9));
}

/* Further declarations of these two may follow, but no definition. */
#define TVMBackendAllocWorkspace relocpack_tvm_alloc_workspace
#define TVMBackendFreeWorkspace  relocpack_tvm_free_workspace

static inline __attribute__((always_inline)) void *
TVMBackendAllocWorkspace(int device_type, int device_id, uint64_t nbytes, int dtype_code_hint,
                         int dtype_bits_hint) {
    (void)device_type;
    (void)device_id;
    (void)dtype_code_hint;
    (void)dtype_bits_hint;
    relocpack_tvm_keep_r9();
    return TVMBackendAllocWorkspaceIn(&relocpack_tvm_arena, nbytes);
}

static inline __attribute__((always_inline)) int TVMBackendFreeWorkspace(int device_type,
                                                                         int device_id, void *ptr) {
    (void)device_type;
    (void)device_id;
    relocpack_tvm_keep_r9();
    return TVMBackendFreeWorkspaceIn(&relocpack_tvm_arena, ptr);
}

#endif
