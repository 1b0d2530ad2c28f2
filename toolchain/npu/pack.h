/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The vendor's pack: headers, kernel archives, LL_ATON sources. In: the custom JSON (--custom) and
 * the environment. Out: where these are, as absolute paths. docs/DIALECTS.md lists the keys.
 */
#ifndef RP_TOOLCHAIN_NPU_PACK_H
#define RP_TOOLCHAIN_NPU_PACK_H

#include "toolchain/dialect.h"

/* Members that nobody set are NULL. */
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

/* The pack in which STEDGEAI_CORE_EXE lies, else STEDGEAI_CORE_DIR, else that of the stedgeai on
   PATH; or NULL. */
const char *rp_pack_default(struct rp_arena *arena);
/*
 * Takes stedgeai_install_path of the custom file, else --pack-dir, else rp_pack_default. Adds the
 * custom file to the model's used files; its members that only the vendor's scripts use become
 * notes. RP_E_MANIFEST: a member is unknown or has the wrong type, or a path does not exist;
 * RP_E_INPUT.
 */
bool rp_pack_open(struct rp_pack *pack, struct rp_model *model, struct rp_arena *arena,
                  const struct rp_input *input, struct rp_error *err);
/*
 * Finds what a network for gcc needs of the pack: the header, which has to be on the model's
 * include path, and the kernel archive for the core. RP_E_INPUT says how to name them.
 */
bool rp_pack_finish(const struct rp_pack *pack, struct rp_model *model, struct rp_arena *arena,
                    const char *header, struct rp_error *err);

/*
 * A file that generators write next to a network: in that folder, else on the model's include path.
 * NULL: there is none.
 */
const char *rp_find_beside(const struct rp_model *model, struct rp_arena *arena, const char *dir,
                           const char *name);
/* The text of a header on the model's include path; NULL: there is none. */
const char *rp_find_header(const struct rp_model *model, struct rp_arena *arena, const char *name);

/*
 * Adds the kernel archive to the model's libraries, unless the user named one. It is the only
 * NetworkRuntime*<suffix> in Lib/<folder>/ARMCortex<core>, or of that core in Lib; with -r
 * copy-only, NetworkRuntime*<fixed> will do. RP_E_INPUT: there is none, or there are two.
 */
struct rp_pack_kernels {
    const char *folder; /* "GCC" */
    const char *core;   /* "M55" */
    const char *suffix; /* "_GCC_PIC.a" */
    const char *fixed;  /* of those that do not move: "_GCC.a"; NULL: they will not do */
};
bool rp_pack_find_kernels(const struct rp_pack *pack, struct rp_model *model,
                          struct rp_arena *arena, const struct rp_pack_kernels *kernels,
                          struct rp_error *err);

#endif
