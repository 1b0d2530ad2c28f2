/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stands in front of generated code that has its own values in r9 where it takes workspaces
 * (-DRP_TVM_HANDED): each call hands over the address of the allocator's state, so that the
 * allocator needs no r9 to find it, and the loops of an operator may use r9. Whoever calls
 * operators must not, because they find their data by r9: so what lives across a call of the
 * allocator is kept elsewhere. A model that has another allocator is not compiled with this; and
 * what r9 is in the linked code is checked, whatever it was made from.
 */
#ifndef RP_TVM_WORKSPACE_H
#define RP_TVM_WORKSPACE_H

#if defined(TVMBackendAllocWorkspace) || defined(TVMBackendFreeWorkspace)
#error "the allocator has another name"
#endif

#include <stdint.h>

struct rp_tvm_state;
extern struct rp_tvm_state TVMBackendWorkspaces;
void *TVMBackendAllocWorkspaceIn(struct rp_tvm_state *rp_state, uint64_t rp_nbytes);
int TVMBackendFreeWorkspaceIn(struct rp_tvm_state *rp_state, void *rp_ptr);

/* "Writes" r9, without an instruction. */
static __inline__ __attribute__((__always_inline__)) void rp_tvm_keep_r9(void) {
    register void *rp_r9 __asm__("r9");
    __asm__ __volatile__("" : "=r"(rp_r9));
}

/* For calls alone: declarations may follow. */
extern __inline__ __attribute__((__always_inline__, __gnu_inline__)) void *
TVMBackendAllocWorkspace(int rp_type, int rp_id, uint64_t rp_nbytes, int rp_code, int rp_bits) {
    (void)rp_type;
    (void)rp_id;
    (void)rp_code;
    (void)rp_bits;
    rp_tvm_keep_r9();
    return TVMBackendAllocWorkspaceIn(&TVMBackendWorkspaces, rp_nbytes);
}

extern __inline__ __attribute__((__always_inline__, __gnu_inline__)) int
TVMBackendFreeWorkspace(int rp_type, int rp_id, void *rp_ptr) {
    (void)rp_type;
    (void)rp_id;
    rp_tvm_keep_r9();
    return TVMBackendFreeWorkspaceIn(&TVMBackendWorkspaces, rp_ptr);
}

#endif
