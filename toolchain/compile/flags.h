/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The flags of every compilation and the arguments of every link. Pure: strings in, strings out.
 * They implement the convention of docs/FORMAT.md, "GOT, REL and r9".
 */
#ifndef RP_TOOLCHAIN_COMPILE_FLAGS_H
#define RP_TOOLCHAIN_COMPILE_FLAGS_H

#include "toolchain/compile/build.h"
#include "toolchain/dialect.h"

/*
 * Flags for generated code and for our own: core, optimisation, position independence (unless
 * flags->is_static is set), sections, the model's -I and -D, and last the user's --cflags.
 */
/* Images that templates/image.ld links: the convention of docs/FORMAT.md. */
extern const struct rp_image_kind rp_image_cortex_m;
#define RP_FREE_R9 "-mno-single-pic-base" /* with flags->free_r9, for generated code */
void rp_plan_flags(struct rp_plan_flags *flags, const struct rp_build *build,
                   const struct rp_model *model, const struct rp_input *input);

/* Flags for a firmware of relocpack, whose code stays where it is linked: flags->glue. */
void rp_plan_firmware(struct rp_plan_flags *flags, const struct rp_build *build,
                      const struct rp_target *target);

/*
 * Arguments of the link into image.elf, of an image or of a static build for comparison. The latter
 * keeps the functions that a firmware would call.
 */
void rp_plan_link(struct rp_build *build, const struct rp_model *model,
                  const struct rp_plan_flags *flags);

/*
 * One line for weights.ld or acts.ld: object in the workspace and input section. keep: the section
 * stays even when nothing refers to it.
 */
char *rp_plan_part(struct rp_arena *arena, const char *object, const char *section, bool keep);

/* The math functions of runtime/math by position, NULL past the end; kinds as in functions.h. */
const char *rp_math_function(size_t index);
/*
 * The functions that replace libgcc's on such a core, whatever the model calls; none for other
 * cores.
 */
const char *rp_math_baseline(const struct rp_target *target, size_t index);
/* Adds runtime/math/NAME.c to the build. */
void rp_plan_math(struct rp_build *build, const struct rp_plan_flags *flags, const char *name);
/* Adds templates/heap.c, with that many bytes, to the build. */
void rp_plan_heap(struct rp_build *build, const struct rp_plan_flags *flags, uint32_t bytes);

#endif
