/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions that TVM's generated code calls. Workspaces come from one arena of fixed size, used
 * as a stack: the generated code frees them in reverse order. Variables: RP_TVM_WORKSPACE, bytes of
 * the arena, a multiple of 16; not defined if nothing is taken from it. RP_TVM_HANDED, if generated
 * code has rp_tvm_workspace.h in front. The functions are weak, so that a model can bring its own.
 *
 * Bytes written behind a workspace's end hit the word in front of the next one, which is noticed
 * when that one is freed. Every fault is remembered until the run ends, and makes it fail.
 */
#include <stddef.h>
#include <stdint.h>
#include <tvm/runtime/c_backend_api.h>

#define WEAK __attribute__((weak))

#ifdef RP_TVM_WORKSPACE

#define RP_GUARD UINT32_C(0x52505457)

/* In front of each workspace. The generator relies on this alignment. */
struct block {
    _Alignas(16) uint32_t guard;
    uint32_t before; /* offset of the block that was the last one */
};

static _Alignas(16) uint8_t arena[RP_TVM_WORKSPACE];

struct rp_tvm_state {
    uint32_t used; /* bytes */
    uint32_t last; /* offset of the last block; RP_GUARD: there is none */
    uint32_t misused;
#ifdef RP_TVM_HANDED
    uint8_t *arena; /* for functions that do not find it by r9 */
#define ARENA(state) ((state)->arena)
#define STATIC       /* generated code hands over the state, … */
#define STATIC_FN    /* … and calls these */
#else
#define ARENA(state) arena
#define STATIC       static
#define STATIC_FN    static inline __attribute__((always_inline))
#endif
};
STATIC struct rp_tvm_state TVMBackendWorkspaces;
STATIC_FN void *TVMBackendAllocWorkspaceIn(struct rp_tvm_state *state, uint64_t nbytes);
STATIC_FN int TVMBackendFreeWorkspaceIn(struct rp_tvm_state *state, void *ptr);

void rp_tvm_begin(void) {
    struct rp_tvm_state *state = &TVMBackendWorkspaces;
    state->used = 0;
    state->last = RP_GUARD;
    state->misused = 0;
#ifdef RP_TVM_HANDED
    state->arena = arena;
#endif
}

int rp_tvm_end(void) {
    return !TVMBackendWorkspaces.misused;
}

STATIC_FN void *TVMBackendAllocWorkspaceIn(struct rp_tvm_state *state, uint64_t nbytes) {
    uint32_t left = sizeof arena - state->used;
    if (left < sizeof(struct block) || nbytes > left - sizeof(struct block))
        return NULL;
    struct block *block = (struct block *)(void *)(ARENA(state) + state->used);
    block->guard = RP_GUARD;
    block->before = state->last;
    state->last = state->used;
    state->used += (uint32_t)(sizeof *block + ((nbytes + 15u) & ~UINT64_C(15)));
    return block + 1;
}

STATIC_FN int TVMBackendFreeWorkspaceIn(struct rp_tvm_state *state, void *ptr) {
    if (state->last != RP_GUARD) {
        struct block *block = (struct block *)(void *)(ARENA(state) + state->last);
        if (ptr == block + 1 && block->guard == RP_GUARD) {
            state->used = state->last;
            state->last = block->before;
            return 0;
        }
    }
    state->misused = 1;
    return -1;
}

WEAK void *TVMBackendAllocWorkspace(int device_type, int device_id, uint64_t nbytes,
                                    int dtype_code_hint, int dtype_bits_hint) {
    (void)device_type;
    (void)device_id;
    (void)dtype_code_hint;
    (void)dtype_bits_hint;
    return TVMBackendAllocWorkspaceIn(&TVMBackendWorkspaces, nbytes);
}

WEAK int TVMBackendFreeWorkspace(int device_type, int device_id, void *ptr) {
    (void)device_type;
    (void)device_id;
    return TVMBackendFreeWorkspaceIn(&TVMBackendWorkspaces, ptr);
}

#endif

WEAK void TVMAPISetLastError(const char *message) {
    (void)message; /* the function's return code tells that something went wrong */
}

/* One core: all tasks run as one. */
WEAK int TVMBackendParallelLaunch(FTVMParallelLambda flambda, void *cdata, int num_task) {
    TVMParallelGroupEnv env = {NULL, 1};
    (void)num_task;
    return flambda(0, &env, cdata);
}

WEAK int TVMBackendParallelBarrier(int task_id, TVMParallelGroupEnv *penv) {
    (void)task_id;
    (void)penv;
    return 0;
}
