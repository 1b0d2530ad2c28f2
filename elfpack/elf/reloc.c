/* SPDX-License-Identifier: Apache-2.0 */
/* Classifies relocations: see reloc.h. */
#include "elfpack/elf/reloc.h"

#include <elf.h>
#include <stddef.h>
#include <string.h>

/* How the value of a relocation depends on addresses. */
enum kind {
    KIND_UNKNOWN,
    KIND_NONE,     /* a mark without a value */
    KIND_RELATIVE, /* S + A - P: constant while both lie in one segment */
    KIND_ABSOLUTE, /* S + A as a whole word */
    KIND_ABS_HALF, /* half of S + A in a Thumb MOVW or MOVT, which can be patched in a copy */
    KIND_ABS_CODE, /* S + A spread over instruction fields or a short word: no loader rebases it */
    KIND_GOT,      /* GOT(S) + A - GOT_ORG: the offset of a GOT word from r9 */
    KIND_GOT_PC,   /* distance from code to a GOT word: text and GOT move apart */
    KIND_BASE,     /* S + A - B(S): distance from the static base, B(S) the start of the data */
    KIND_GOT_ORG,  /* relative to the GOT origin, by a convention that images do not use */
    KIND_TLS,
    KIND_DYNAMIC /* for a dynamic linker */
};

struct row {
    const char *name;
    enum kind kind;
};

#define ROW(number, suffix, kind) [number] = {"R_ARM_" #suffix, kind}

static const struct row table[] = {
    ROW(0, NONE, KIND_NONE),
    ROW(1, PC24, KIND_RELATIVE),
    ROW(2, ABS32, KIND_ABSOLUTE),
    ROW(3, REL32, KIND_RELATIVE),
    ROW(4, LDR_PC_G0, KIND_RELATIVE),
    ROW(5, ABS16, KIND_ABS_CODE),
    ROW(6, ABS12, KIND_ABS_CODE),
    ROW(7, THM_ABS5, KIND_ABS_CODE),
    ROW(8, ABS8, KIND_ABS_CODE),
    ROW(9, SBREL32, KIND_BASE),
    ROW(10, THM_CALL, KIND_RELATIVE),
    ROW(11, THM_PC8, KIND_RELATIVE),
    ROW(13, TLS_DESC, KIND_TLS),
    ROW(17, TLS_DTPMOD32, KIND_TLS),
    ROW(18, TLS_DTPOFF32, KIND_TLS),
    ROW(19, TLS_TPOFF32, KIND_TLS),
    ROW(20, COPY, KIND_DYNAMIC),
    ROW(21, GLOB_DAT, KIND_DYNAMIC),
    ROW(22, JUMP_SLOT, KIND_DYNAMIC),
    ROW(23, RELATIVE, KIND_DYNAMIC),
    ROW(24, GOTOFF32, KIND_GOT_ORG),
    ROW(25, BASE_PREL, KIND_GOT_PC),
    ROW(26, GOT_BREL, KIND_GOT),
    ROW(27, PLT32, KIND_RELATIVE),
    ROW(28, CALL, KIND_RELATIVE),
    ROW(29, JUMP24, KIND_RELATIVE),
    ROW(30, THM_JUMP24, KIND_RELATIVE),
    ROW(31, BASE_ABS, KIND_ABSOLUTE),
    ROW(38, TARGET1, KIND_ABSOLUTE), /* arm-none-eabi: as ABS32 */
    ROW(40, V4BX, KIND_NONE),
    ROW(41, TARGET2, KIND_RELATIVE), /* arm-none-eabi: as REL32 (ld --target2=rel) */
    ROW(42, PREL31, KIND_RELATIVE),
    ROW(43, MOVW_ABS_NC, KIND_ABS_CODE),
    ROW(44, MOVT_ABS, KIND_ABS_CODE),
    ROW(45, MOVW_PREL_NC, KIND_RELATIVE),
    ROW(46, MOVT_PREL, KIND_RELATIVE),
    ROW(47, THM_MOVW_ABS_NC, KIND_ABS_HALF),
    ROW(48, THM_MOVT_ABS, KIND_ABS_HALF),
    ROW(49, THM_MOVW_PREL_NC, KIND_RELATIVE),
    ROW(50, THM_MOVT_PREL, KIND_RELATIVE),
    ROW(51, THM_JUMP19, KIND_RELATIVE),
    ROW(52, THM_JUMP6, KIND_RELATIVE),
    ROW(53, THM_ALU_PREL_11_0, KIND_RELATIVE),
    ROW(54, THM_PC12, KIND_RELATIVE),
    ROW(55, ABS32_NOI, KIND_ABSOLUTE),
    ROW(56, REL32_NOI, KIND_RELATIVE),
    ROW(84, MOVW_BREL_NC, KIND_BASE),
    ROW(85, MOVT_BREL, KIND_BASE),
    ROW(86, MOVW_BREL, KIND_BASE),
    ROW(87, THM_MOVW_BREL_NC, KIND_BASE),
    ROW(88, THM_MOVT_BREL, KIND_BASE),
    ROW(89, THM_MOVW_BREL, KIND_BASE),
    ROW(90, TLS_GOTDESC, KIND_TLS),
    ROW(91, TLS_CALL, KIND_TLS),
    ROW(92, TLS_DESCSEQ, KIND_TLS),
    ROW(93, THM_TLS_CALL, KIND_TLS),
    ROW(94, PLT32_ABS, KIND_ABSOLUTE),
    ROW(95, GOT_ABS, KIND_ABSOLUTE),
    ROW(96, GOT_PREL, KIND_GOT_PC),
    ROW(97, GOT_BREL12, KIND_GOT_ORG),
    ROW(98, GOTOFF12, KIND_GOT_ORG),
    ROW(100, GNU_VTENTRY, KIND_NONE),
    ROW(101, GNU_VTINHERIT, KIND_NONE),
    ROW(102, THM_JUMP11, KIND_RELATIVE),
    ROW(103, THM_JUMP8, KIND_RELATIVE),
    ROW(104, TLS_GD32, KIND_TLS),
    ROW(105, TLS_LDM32, KIND_TLS),
    ROW(106, TLS_LDO32, KIND_TLS),
    ROW(107, TLS_IE32, KIND_TLS),
    ROW(108, TLS_LE32, KIND_TLS),
    ROW(109, TLS_LDO12, KIND_TLS),
    ROW(110, TLS_LE12, KIND_TLS),
    ROW(111, TLS_IE12GP, KIND_TLS),
    ROW(129, THM_TLS_DESCSEQ16, KIND_TLS),
    ROW(130, THM_TLS_DESCSEQ32, KIND_TLS),
    ROW(132, THM_ALU_ABS_G0_NC, KIND_ABS_CODE),
    ROW(133, THM_ALU_ABS_G1_NC, KIND_ABS_CODE),
    ROW(134, THM_ALU_ABS_G2_NC, KIND_ABS_CODE),
    ROW(135, THM_ALU_ABS_G3, KIND_ABS_CODE),
    ROW(136, THM_BF16, KIND_RELATIVE),
    ROW(137, THM_BF12, KIND_RELATIVE),
    ROW(138, THM_BF18, KIND_RELATIVE),
    ROW(160, IRELATIVE, KIND_DYNAMIC),
};

static const struct row *find(uint32_t type) {
    return type < sizeof table / sizeof table[0] && table[type].name != NULL ? &table[type] : NULL;
}

bool rp_reloc_is_branch(uint32_t type) {
    static const uint8_t branches[] = {R_ARM_THM_PC22,  R_ARM_THM_JUMP24, R_ARM_THM_JUMP19,
                                       R_ARM_THM_JUMP6, R_ARM_THM_PC11,   R_ARM_THM_PC9,
                                       R_ARM_CALL,      R_ARM_JUMP24,     R_ARM_PLT32};
    return memchr(branches, (int)type, sizeof branches) != NULL && type <= UINT8_MAX;
}

const char *rp_reloc_name(uint32_t type) {
    const struct row *row = find(type);
    return row != NULL ? row->name : NULL;
}

const char *rp_reloc_text(struct rp_arena *arena, uint32_t type) {
    const char *name = rp_reloc_name(type);
    return name != NULL ? name : rp_format(arena, "type %u", type);
}

/* Does the loader know the address of this part? Of the others, only init_v2 knows it. */
static bool loader_knows(enum rp_segment segment) {
    return segment == RP_SEG_FLASH || segment == RP_SEG_RAM || segment == RP_SEG_PARAM_0 ||
           segment == RP_SEG_PARAM_1;
}

static enum rp_action not_pic(const char **why, const char *text) {
    *why = text;
    return RP_ACT_NOT_PIC;
}

static enum rp_action patch(const char **why, const char *text) {
    *why = text;
    return RP_ACT_PATCH;
}

static enum rp_action classify_absolute(enum rp_convention convention, enum rp_segment place,
                                        enum rp_segment target, const char **why) {
    if (target == RP_SEG_WEAK_NULL || target == RP_SEG_ABSOLUTE)
        return RP_ACT_NOTHING;
    if (place == RP_SEG_RAM)
        return loader_knows(target) ? RP_ACT_REL : RP_ACT_FIXUP;
    if (place == RP_SEG_FLASH && convention == RP_CONV_NPU_BASE && loader_knows(target))
        return RP_ACT_REL;
    return place == RP_SEG_FLASH ? patch(why, "an absolute address in read-only memory")
                                 : not_pic(why, "an absolute address in the weights");
}

static enum rp_action other_base(const char **why) {
    return not_pic(why, "relative to another static base: compile with -fpic "
                        "-mno-pic-data-is-text-relative");
}

static enum rp_action classify_in_image(enum rp_convention convention, enum kind kind,
                                        enum rp_segment place, enum rp_segment target,
                                        const char **why) {
    switch (kind) {
    case KIND_RELATIVE: /* the linker turns a branch to an undefined weak symbol into a no-op */
        if (target == RP_SEG_WEAK_NULL || place == target)
            return RP_ACT_NOTHING;
        return not_pic(why, target == RP_SEG_ABSOLUTE
                                ? "a distance to a fixed address"
                                : "a distance between two parts that move apart");
    case KIND_ABSOLUTE:
        return classify_absolute(convention, place, target, why);
    case KIND_ABS_HALF:
    case KIND_ABS_CODE:
        if (target == RP_SEG_ABSOLUTE || target == RP_SEG_WEAK_NULL)
            return RP_ACT_NOTHING;
        return kind == KIND_ABS_HALF && place == RP_SEG_FLASH
                   ? patch(why, "half of an absolute address in an instruction")
                   : not_pic(why, "an absolute address inside an instruction or a short word");
    case KIND_GOT:
        return place == RP_SEG_FLASH || place == RP_SEG_RAM
                   ? RP_ACT_GOT
                   : not_pic(why, "a GOT offset outside code");
    case KIND_GOT_PC:
        return not_pic(why, "a distance from code to the GOT: compile with -msingle-pic-base");
    case KIND_BASE: /* only clang's code uses distances from the static base */
        if (convention == RP_CONV_GOT)
            return other_base(why);
        return place == RP_SEG_FLASH && target == RP_SEG_RAM
                   ? RP_ACT_BASE
                   : not_pic(why, "a distance from the data to something that is not data");
    case KIND_GOT_ORG:
        return other_base(why);
    case KIND_TLS:
        return RP_ACT_TLS;
    case KIND_DYNAMIC:
        return not_pic(why, "a relocation for a dynamic linker");
    case KIND_NONE:
        return RP_ACT_NOTHING;
    case KIND_UNKNOWN:
        break;
    }
    return RP_ACT_UNKNOWN;
}

enum rp_action rp_reloc_classify(enum rp_convention convention, uint32_t type,
                                 enum rp_segment place, enum rp_segment target, const char **why) {
    *why = NULL;
    if (!loader_knows(place) && place != RP_SEG_WEIGHTS && place != RP_SEG_ACTS)
        return RP_ACT_NOTHING; /* not in the image */
    const struct row *row = find(type);
    if (row == NULL)
        return RP_ACT_UNKNOWN;
    if (row->kind == KIND_NONE)
        return RP_ACT_NOTHING;
    if (row->kind == KIND_TLS)
        return RP_ACT_TLS;
    if (target == RP_SEG_UNDEFINED)
        return RP_ACT_UNDEFINED;
    if (target == RP_SEG_NONE)
        return not_pic(why, "the address of something that is not part of the image");
    if (row->kind == KIND_RELATIVE && target == RP_SEG_WEAK_NULL && !rp_reloc_is_branch(type))
        return not_pic(why,
                       "a distance to an undefined weak symbol, which stays at 0 when the code "
                       "moves (define it, or compile with gcc, which uses the GOT)");
    return classify_in_image(convention, row->kind, place, target, why);
}

bool rp_reloc_uses_got(uint32_t type) {
    const struct row *row = find(type);
    return row != NULL && row->kind == KIND_GOT;
}

bool rp_reloc_object_is_pic(enum rp_convention convention, uint32_t type, bool writable_section) {
    const struct row *row = find(type);
    if (row == NULL)
        return false;
    return row->kind == KIND_NONE || row->kind == KIND_RELATIVE || row->kind == KIND_GOT ||
           (row->kind == KIND_ABSOLUTE && writable_section) ||
           (row->kind == KIND_BASE && convention != RP_CONV_GOT);
}
