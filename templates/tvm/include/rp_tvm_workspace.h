/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stands in front of generated code that has its own values in r9 where it takes workspaces: each
 * call hands over the address of the allocator's state, so that the allocator needs no r9 to find
 * it, and the loops of an operator may use r9. Whoever calls operators must not, because they find
 * their data by r9: so what lives across a call of the allocator is kept elsewhere, and operators
 * are not inlined. A model that has another allocator is not compiled with this; and what r9 is in
 * the linked code is checked, whatever it was made from. Nothing is included and no macro of others
 * is defined, so that the code means what it means without.
 */
#ifndef RP_TVM_WORKSPACE_H
#define RP_TVM_WORKSPACE_H
#pragma GCC system_header /* no warnings */

struct rp_tvm_state;
extern struct rp_tvm_state TVMBackendWorkspaces;
void *TVMBackendAllocWorkspaceIn(struct rp_tvm_state *, __UINT64_TYPE__);
int TVMBackendFreeWorkspaceIn(struct rp_tvm_state *, void *);

/* For calls alone: declarations may follow. */
#define RP_TVM_CALL extern __inline__ __attribute__((__always_inline__, __gnu_inline__))

/* "Writes" r9, without an instruction. */
RP_TVM_CALL void rp_tvm_keep_r9(void) {
    register void *rp_r9 __asm__("r9");
    __asm__ __volatile__("" : "=r"(rp_r9));
}

RP_TVM_CALL void *TVMBackendAllocWorkspace(int rp_type, int rp_id, __UINT64_TYPE__ rp_nbytes,
                                           int rp_code, int rp_bits) {
    (void)rp_type;
    (void)rp_id;
    (void)rp_code;
    (void)rp_bits;
    rp_tvm_keep_r9();
    return TVMBackendAllocWorkspaceIn(&TVMBackendWorkspaces, rp_nbytes);
}

RP_TVM_CALL int TVMBackendFreeWorkspace(int rp_type, int rp_id, void *rp_ptr) {
    (void)rp_type;
    (void)rp_id;
    rp_tvm_keep_r9();
    return TVMBackendFreeWorkspaceIn(&TVMBackendWorkspaces, rp_ptr);
}

#endif
