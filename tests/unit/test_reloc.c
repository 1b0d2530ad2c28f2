/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unit tests of the relocation classifier: every number 0..255 against the test's own table from
 * AAELF32 (2023Q1), "Relocation codes", by the operation that the document gives, over every place
 * and target; and rules that hold for all.
 */
#include "tests/unit/unit.h"

#include "elfpack/elf/reloc.h"

/* The document's column "Operation": S symbol, A addend, P place, T Thumb, B origin. */
enum operation {
    MARKS = 1,  /* none */
    DISTANCE,   /* ((S + A) | T) - P */
    BRANCH,     /* the same, of an instruction that goes there */
    WORD,       /* (S + A) | T, 32 bits of data */
    FIELD,      /* S + A in an instruction or in less than 32 bits */
    HALF,       /* half of S + A in a Thumb MOVW or MOVT */
    GOT_OFFSET, /* GOT(S) + A - GOT_ORG, 32 bits */
    GOT_PC,     /* GOT(S) + A - P, or B(S) + A - P */
    BASE,       /* relative to B(S), or GOT-relative in other forms */
    TLS,
    DYNAMIC
};

static const struct {
    unsigned number;
    const char *name;
    enum operation operation;
} spec[] = {
    {0, "NONE", MARKS},
    {1, "PC24", DISTANCE},
    {2, "ABS32", WORD},
    {3, "REL32", DISTANCE},
    {4, "LDR_PC_G0", DISTANCE},
    {5, "ABS16", FIELD},
    {6, "ABS12", FIELD},
    {7, "THM_ABS5", FIELD},
    {8, "ABS8", FIELD},
    {9, "SBREL32", BASE},
    {10, "THM_CALL", BRANCH},
    {11, "THM_PC8", DISTANCE},
    {13, "TLS_DESC", TLS},
    {17, "TLS_DTPMOD32", TLS},
    {18, "TLS_DTPOFF32", TLS},
    {19, "TLS_TPOFF32", TLS},
    {20, "COPY", DYNAMIC},
    {21, "GLOB_DAT", DYNAMIC},
    {22, "JUMP_SLOT", DYNAMIC},
    {23, "RELATIVE", DYNAMIC},
    {24, "GOTOFF32", BASE},
    {25, "BASE_PREL", GOT_PC},
    {26, "GOT_BREL", GOT_OFFSET},
    {27, "PLT32", BRANCH},
    {28, "CALL", BRANCH},
    {29, "JUMP24", BRANCH},
    {30, "THM_JUMP24", BRANCH},
    {31, "BASE_ABS", WORD},
    {38, "TARGET1", WORD}, /* platform: ABS32 for bare metal */
    {40, "V4BX", MARKS},
    {41, "TARGET2", DISTANCE}, /* platform: GNU ld's default for arm-none-eabi is REL32 */
    {42, "PREL31", DISTANCE},
    {43, "MOVW_ABS_NC", FIELD},
    {44, "MOVT_ABS", FIELD},
    {45, "MOVW_PREL_NC", DISTANCE},
    {46, "MOVT_PREL", DISTANCE},
    {47, "THM_MOVW_ABS_NC", HALF},
    {48, "THM_MOVT_ABS", HALF},
    {49, "THM_MOVW_PREL_NC", DISTANCE},
    {50, "THM_MOVT_PREL", DISTANCE},
    {51, "THM_JUMP19", BRANCH},
    {52, "THM_JUMP6", BRANCH},
    {53, "THM_ALU_PREL_11_0", DISTANCE},
    {54, "THM_PC12", DISTANCE},
    {55, "ABS32_NOI", WORD},
    {56, "REL32_NOI", DISTANCE},
    {84, "MOVW_BREL_NC", BASE},
    {85, "MOVT_BREL", BASE},
    {86, "MOVW_BREL", BASE},
    {87, "THM_MOVW_BREL_NC", BASE},
    {88, "THM_MOVT_BREL", BASE},
    {89, "THM_MOVW_BREL", BASE},
    {90, "TLS_GOTDESC", TLS},
    {91, "TLS_CALL", TLS},
    {92, "TLS_DESCSEQ", TLS},
    {93, "THM_TLS_CALL", TLS},
    {94, "PLT32_ABS", WORD},
    {95, "GOT_ABS", WORD},
    {96, "GOT_PREL", GOT_PC},
    {97, "GOT_BREL12", BASE},
    {98, "GOTOFF12", BASE},
    {100, "GNU_VTENTRY", MARKS},
    {101, "GNU_VTINHERIT", MARKS},
    {102, "THM_JUMP11", BRANCH},
    {103, "THM_JUMP8", BRANCH},
    {104, "TLS_GD32", TLS},
    {105, "TLS_LDM32", TLS},
    {106, "TLS_LDO32", TLS},
    {107, "TLS_IE32", TLS},
    {108, "TLS_LE32", TLS},
    {109, "TLS_LDO12", TLS},
    {110, "TLS_LE12", TLS},
    {111, "TLS_IE12GP", TLS},
    {129, "THM_TLS_DESCSEQ16", TLS},
    {130, "THM_TLS_DESCSEQ32", TLS},
    {132, "THM_ALU_ABS_G0_NC", FIELD},
    {133, "THM_ALU_ABS_G1_NC", FIELD},
    {134, "THM_ALU_ABS_G2_NC", FIELD},
    {135, "THM_ALU_ABS_G3", FIELD},
    {136, "THM_BF16", DISTANCE},
    {137, "THM_BF12", DISTANCE},
    {138, "THM_BF18", DISTANCE},
    {160, "IRELATIVE", DYNAMIC},
};

static const enum rp_segment parts[] = {RP_SEG_FLASH, RP_SEG_RAM,     RP_SEG_WEIGHTS,
                                        RP_SEG_ACTS,  RP_SEG_PARAM_0, RP_SEG_PARAM_1};
static const enum rp_segment outside[] = {RP_SEG_NONE, RP_SEG_IMPORT, RP_SEG_ABSOLUTE,
                                          RP_SEG_UNDEFINED, RP_SEG_WEAK_NULL};
enum { SEGMENTS = RP_SEG_WEAK_NULL + 1 };

static enum operation operation_of(unsigned number) {
    for (size_t i = 0; i < COUNT(spec); i++)
        if (spec[i].number == number)
            return spec[i].operation;
    return 0;
}

static void names_every_number(void **state) {
    (void)state;
    size_t known = 0;
    for (unsigned number = 0; number < 256; number++) {
        const char *name = rp_reloc_name(number);
        if (operation_of(number) == 0) {
            assert_null(name);
            continue;
        }
        char want[64];
        snprintf(want, sizeof want, "R_ARM_%s", spec[known++].name);
        assert_string_equal(name, want);
    }
    assert_int_equal(known, COUNT(spec));
    assert_null(rp_reloc_name(256));
    assert_null(rp_reloc_name(UINT32_MAX));
}

/* What the table above says about a word or instruction in place that refers to target. */
static enum rp_action want(enum operation operation, enum rp_segment place,
                           enum rp_segment target) {
    bool number = target == RP_SEG_ABSOLUTE || target == RP_SEG_WEAK_NULL;
    if (operation == 0)
        return RP_ACT_UNKNOWN;
    if (operation == MARKS)
        return RP_ACT_NOTHING;
    if (operation == TLS)
        return RP_ACT_TLS;
    if (target == RP_SEG_UNDEFINED)
        return RP_ACT_UNDEFINED;
    if (target == RP_SEG_NONE)
        return RP_ACT_NOT_PIC;
    if (operation == BRANCH && target == RP_SEG_WEAK_NULL)
        return RP_ACT_NOTHING;
    if (operation == BRANCH || operation == DISTANCE)
        return place == target ? RP_ACT_NOTHING : RP_ACT_NOT_PIC;
    if (operation == FIELD)
        return number ? RP_ACT_NOTHING : RP_ACT_NOT_PIC;
    if (operation == HALF && !number)
        return place == RP_SEG_FLASH ? RP_ACT_PATCH : RP_ACT_NOT_PIC;
    if (operation == HALF)
        return RP_ACT_NOTHING;
    if (operation == GOT_OFFSET)
        return place == RP_SEG_FLASH || place == RP_SEG_RAM ? RP_ACT_GOT : RP_ACT_NOT_PIC;
    if (operation != WORD)
        return RP_ACT_NOT_PIC;
    if (number)
        return RP_ACT_NOTHING;
    if (place == RP_SEG_FLASH)
        return RP_ACT_PATCH;
    if (place != RP_SEG_RAM)
        return RP_ACT_NOT_PIC;
    return target == RP_SEG_WEIGHTS || target == RP_SEG_ACTS || target == RP_SEG_IMPORT
               ? RP_ACT_FIXUP
               : RP_ACT_REL;
}

static void check_as(enum rp_convention convention, unsigned number, enum rp_segment place,
                     enum rp_segment target, enum rp_action wanted) {
    const char *why = "not touched";
    enum rp_action got = rp_reloc_classify(convention, number, place, target, &why);
    if (got != wanted || (why != NULL) != (got == RP_ACT_NOT_PIC || got == RP_ACT_PATCH))
        fail_msg("convention %d, type %u, place %d, target %d: action %d, wanted %d, why %s",
                 (int)convention, number, (int)place, (int)target, (int)got, (int)wanted,
                 why != NULL ? why : "none");
}

static void check(unsigned number, enum rp_segment place, enum rp_segment target,
                  enum rp_action wanted) {
    check_as(RP_CONV_GOT, number, place, target, wanted);
}

/*
 * clang's images: code may have distances from the static base to data, and words of read-only
 * memory may hold addresses, because it is copied. Everything else as above.
 */
static enum rp_action want_static_base(unsigned number, enum rp_segment place,
                                       enum rp_segment target) {
    bool known = target == RP_SEG_FLASH || target == RP_SEG_RAM || target == RP_SEG_PARAM_0 ||
                 target == RP_SEG_PARAM_1;
    bool from_base = number == 9 || (number >= 84 && number <= 89);
    if (from_base && place == RP_SEG_FLASH && target == RP_SEG_RAM)
        return RP_ACT_BASE;
    if (operation_of(number) == WORD && place == RP_SEG_FLASH && known)
        return RP_ACT_REL;
    return want(operation_of(number), place, target);
}

static void classifies_for_a_static_base(void **state) {
    (void)state;
    for (unsigned number = 0; number < 256; number++)
        for (int target = 0; target < SEGMENTS; target++) {
            for (size_t i = 0; i < COUNT(parts); i++)
                check_as(RP_CONV_NPU_BASE, number, parts[i], (enum rp_segment)target,
                         want_static_base(number, parts[i], (enum rp_segment)target));
            for (size_t i = 0; i < COUNT(outside); i++)
                check_as(RP_CONV_NPU_BASE, number, outside[i], (enum rp_segment)target,
                         RP_ACT_NOTHING);
        }
}

static void classifies_in_every_part(void **state) {
    (void)state;
    for (unsigned number = 0; number < 256; number++)
        for (size_t i = 0; i < COUNT(parts); i++)
            for (int target = 0; target < SEGMENTS; target++)
                check(number, parts[i], (enum rp_segment)target,
                      want(operation_of(number), parts[i], (enum rp_segment)target));
}

/* Debug information and the like is not loaded, so there is nothing to do. */
static void ignores_what_is_not_in_the_image(void **state) {
    (void)state;
    for (unsigned number = 0; number < 256; number++)
        for (size_t i = 0; i < COUNT(outside); i++)
            for (int target = 0; target < SEGMENTS; target++)
                check(number, outside[i], (enum rp_segment)target, RP_ACT_NOTHING);
}

static void refuses_large_numbers(void **state) {
    static const uint32_t numbers[] = {161, 256, 257, 512, 0x7FFFFFFF, UINT32_MAX};
    (void)state;
    for (size_t i = 0; i < COUNT(numbers); i++)
        check(numbers[i], RP_SEG_FLASH, RP_SEG_FLASH, RP_ACT_UNKNOWN);
}

/* Whatever makes a loader write (REL, FIXUP) lies in RAM; nothing else does. */
static void only_ram_words_are_written(void **state) {
    (void)state;
    for (unsigned number = 0; number < 256; number++)
        for (int place = 0; place < SEGMENTS; place++)
            for (int target = 0; target < SEGMENTS; target++) {
                const char *why;
                enum rp_action got = rp_reloc_classify(RP_CONV_GOT, number, (enum rp_segment)place,
                                                       (enum rp_segment)target, &why);
                if (got == RP_ACT_REL || got == RP_ACT_FIXUP)
                    assert_int_equal(place, RP_SEG_RAM);
                if (got == RP_ACT_FIXUP)
                    assert_true(target == RP_SEG_WEIGHTS || target == RP_SEG_ACTS ||
                                target == RP_SEG_IMPORT);
            }
}

static void says_why(void **state) {
    const char *why;
    (void)state;
    rp_reloc_classify(RP_CONV_GOT, 2, RP_SEG_FLASH, RP_SEG_RAM, &why);
    CONTAINS(why, "absolute address in read-only memory");
    rp_reloc_classify(RP_CONV_GOT, 2, RP_SEG_WEIGHTS, RP_SEG_RAM, &why);
    CONTAINS(why, "absolute address in the weights");
    rp_reloc_classify(RP_CONV_GOT, 3, RP_SEG_FLASH, RP_SEG_RAM, &why);
    CONTAINS(why, "move apart");
    rp_reloc_classify(RP_CONV_GOT, 3, RP_SEG_FLASH, RP_SEG_ABSOLUTE, &why);
    CONTAINS(why, "fixed address");
    rp_reloc_classify(RP_CONV_GOT, 96, RP_SEG_FLASH, RP_SEG_RAM, &why);
    CONTAINS(why, "-msingle-pic-base");
    rp_reloc_classify(RP_CONV_GOT, 9, RP_SEG_FLASH, RP_SEG_RAM, &why);
    CONTAINS(why, "static base");
    rp_reloc_classify(RP_CONV_NPU_BASE, 87, RP_SEG_FLASH, RP_SEG_PARAM_0, &why);
    CONTAINS(why, "from the data to something that is not data");
    rp_reloc_classify(RP_CONV_NPU_BASE, 87, RP_SEG_RAM, RP_SEG_RAM, &why);
    CONTAINS(why, "not data");
    rp_reloc_classify(RP_CONV_GOT, 21, RP_SEG_RAM, RP_SEG_RAM, &why);
    CONTAINS(why, "dynamic linker");
    rp_reloc_classify(RP_CONV_GOT, 48, RP_SEG_FLASH, RP_SEG_FLASH, &why);
    CONTAINS(why, "half of an absolute address");
}

/* Before the link: what can be right somewhere in such a section. */
static void judges_objects(void **state) {
    (void)state;
    for (unsigned number = 0; number < 300; number++) {
        enum operation operation = operation_of(number);
        bool always = operation == MARKS || operation == DISTANCE || operation == BRANCH ||
                      operation == GOT_OFFSET;
        assert_int_equal(rp_reloc_object_is_pic(RP_CONV_GOT, number, false), always);
        assert_int_equal(rp_reloc_object_is_pic(RP_CONV_GOT, number, true),
                         always || operation == WORD);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_every_number),
        cmocka_unit_test(classifies_in_every_part),
        cmocka_unit_test(classifies_for_a_static_base),
        cmocka_unit_test(ignores_what_is_not_in_the_image),
        cmocka_unit_test(refuses_large_numbers),
        cmocka_unit_test(only_ram_words_are_written),
        cmocka_unit_test(says_why),
        cmocka_unit_test(judges_objects),
    };
    return RUN(tests);
}
