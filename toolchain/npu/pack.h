/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The vendor's pack: headers, kernel archives, LL_ATON sources. In: the custom JSON (--custom) and
 * the environment. Out: where things are, all paths absolute. docs/DIALECTS.md lists the keys.
 */
#ifndef RP_TOOLCHAIN_NPU_PACK_H
#define RP_TOOLCHAIN_NPU_PACK_H

#include "toolchain/dialect.h"

/* Members are NULL when nobody said. */
struct rp_pack {
    const struct rp_input *input;
    const char *root;              /* of the installation */
    const char *ai;                /* root/Middlewares/ST/AI */
    const char *runtime_lib;       /* runtime_network_lib */
    const char *extra_system_path; /* searched for the compiler before PATH */
    const char *llvm_install_path;
    const char *target_triplet;
    const char *llvm_sysroot;
};

/* The pack that STEDGEAI_CORE_EXE lies in, else STEDGEAI_CORE_DIR; or NULL. */
const char *rp_pack_default(struct rp_arena *arena);
/*
 * stedgeai_install_path of the custom file, else --pack-dir, else rp_pack_default. The custom
 * file is added to the model's used files, and what it has for the vendor's scripts only to its
 * notes. RP_E_MANIFEST: unknown or wrongly typed member, a path that is not there; RP_E_INPUT.
 */
bool rp_pack_open(struct rp_pack *pack, struct rp_model *model, struct rp_arena *arena,
                  const struct rp_input *input, struct rp_error *err);
/*
 * What a network for gcc needs of the pack: a header on the model's include path, by which the pack
 * is known, and the kernel archive of the core. RP_E_INPUT says how to name them.
 */
bool rp_pack_finish(const struct rp_pack *pack, struct rp_model *model, struct rp_arena *arena,
                    const char *header, struct rp_error *err);

/*
 * Notes a network that its generator made for another release of the runtime than the pack has.
 * major, minor: of the tool that wrote the network; negative: not known.
 */
void rp_pack_compare(struct rp_model *model, struct rp_arena *arena, int64_t major, int64_t minor);

/* A header on the model's include path, as text; NULL when there is none. */
const char *rp_find_header(const struct rp_model *model, struct rp_arena *arena, const char *name);

/*
 * Adds the kernel archive to the model's libraries, unless the user named one: the only
 * NetworkRuntime*_<suffix>.a in Lib/<folder>/ARMCortex<core>. RP_E_INPUT: none, or two.
 */
struct rp_pack_kernels {
    const char *folder; /* "GCC" */
    const char *core;   /* "M55" */
    const char *suffix; /* "_GCC_PIC.a" */
};
bool rp_pack_find_kernels(const struct rp_pack *pack, struct rp_model *model,
                          struct rp_arena *arena, const struct rp_pack_kernels *kernels,
                          struct rp_error *err);

#endif
