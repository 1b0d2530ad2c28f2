/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions that TVM's generated code calls. Workspaces come from one arena of fixed size, used
 * as a stack: the generated code frees them in reverse order. Variables: RP_TVM_WORKSPACE, bytes of
 * the arena, a multiple of 16; not defined if nothing is taken from it; RP_TVM_HANDED, if generated
 * code takes workspaces by the macros of rp_tvm_workspace.h. The functions are weak, so that a
 * model can bring its own; but not those that these macros replace.
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

struct relocpack_tvm_arena {
    uint32_t used; /* bytes */
    uint32_t last; /* offset of the last block; RP_GUARD: there is none */
    uint32_t misused;
#ifdef RP_TVM_HANDED
    _Alignas(16) uint8_t bytes[RP_TVM_WORKSPACE];
#define RP_BYTES(arena) ((arena)->bytes)
#define ALLOCATOR       /* whoever brings his own is told by the linker */
#else
#define RP_BYTES(arena) bytes /* by itself: it goes if a model brings its own */
#define ALLOCATOR       WEAK
#endif
};
#ifndef RP_TVM_HANDED
static _Alignas(16) uint8_t bytes[RP_TVM_WORKSPACE];
#endif
struct relocpack_tvm_arena relocpack_tvm_arena;
void *TVMBackendAllocWorkspaceIn(struct relocpack_tvm_arena *arena, uint64_t nbytes);
int TVMBackendFreeWorkspaceIn(struct relocpack_tvm_arena *arena, void *ptr);

void rp_tvm_begin(void) {
    relocpack_tvm_arena.used = 0;
    relocpack_tvm_arena.last = RP_GUARD;
    relocpack_tvm_arena.misused = 0;
}

int rp_tvm_end(void) {
    return !relocpack_tvm_arena.misused;
}

void *TVMBackendAllocWorkspaceIn(struct relocpack_tvm_arena *arena, uint64_t nbytes) {
    uint32_t left = RP_TVM_WORKSPACE - arena->used;
    if (left < sizeof(struct block) || nbytes > left - sizeof(struct block))
        return NULL;
    struct block *block = (struct block *)(void *)(RP_BYTES(arena) + arena->used);
    block->guard = RP_GUARD;
    block->before = arena->last;
    arena->last = arena->used;
    arena->used += (uint32_t)(sizeof *block + ((nbytes + 15u) & ~UINT64_C(15)));
    return block + 1;
}

int TVMBackendFreeWorkspaceIn(struct relocpack_tvm_arena *arena, void *ptr) {
    if (arena->last != RP_GUARD) {
        struct block *block = (struct block *)(void *)(RP_BYTES(arena) + arena->last);
        if (ptr == block + 1 && block->guard == RP_GUARD) {
            arena->used = arena->last;
            arena->last = block->before;
            return 0;
        }
    }
    arena->misused = 1;
    return -1;
}

ALLOCATOR void *TVMBackendAllocWorkspace(int device_type, int device_id, uint64_t nbytes,
                                         int dtype_code_hint, int dtype_bits_hint) {
    (void)device_type;
    (void)device_id;
    (void)dtype_code_hint;
    (void)dtype_bits_hint;
    return TVMBackendAllocWorkspaceIn(&relocpack_tvm_arena, nbytes);
}

ALLOCATOR int TVMBackendFreeWorkspace(int device_type, int device_id, void *ptr) {
    (void)device_type;
    (void)device_id;
    return TVMBackendFreeWorkspaceIn(&relocpack_tvm_arena, ptr);
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
