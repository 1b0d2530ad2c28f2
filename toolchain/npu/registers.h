/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a network programs the NPU's units by their registers. One whose epochs all run on the
 * epoch controller or in software does not, and can be compiled without the pack's ATON.h
 * (templates/npu/no_registers).
 */
#ifndef RP_TOOLCHAIN_NPU_REGISTERS_H
#define RP_TOOLCHAIN_NPU_REGISTERS_H

#include "base/arena.h"
#include "toolchain/npu/network.h"

/* Where a network lies, and the header of its blobs there (NULL: it has none). */
struct rp_aton_beside {
    const char *folder;
    const char *blobs_header;
};

/*
 * True when a word of the text, also of a comment, may be a macro of ATON.h, all of which begin
 * with ATON_ or RASTA_, or one of the runtime's that lead to these: ATON…, but for the two that
 * translate addresses; …_SRC and …_DST (ports of a unit); LL_ATON_OSAL_…. Also true when the text
 * includes a file of its folder other than the blobs' header, because that is not read here, when
 * an #include is written in an unusual way, when a line ends within a word, or when words are
 * joined by ##.
 */
bool rp_aton_names_registers(struct rp_arena *arena, const struct rp_aton_text *text,
                             const struct rp_aton_beside *beside);

/* The same of a compiler option, such as -DUNITS=RASTA_VERSION_MAJOR, or of a macro X[=Y]. */
bool rp_aton_option_names_registers(const char *option);

#endif
