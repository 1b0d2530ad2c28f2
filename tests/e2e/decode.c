/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints what elfpack/insn/insn.c says about instructions, for test_instructions.py. In: lines of 4 or 8
 * hexadecimal digits, the first half-word first. Out: one line each: size, family, registers read
 * and written, flow.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elfpack/insn/insn.h"

int main(int argc, char **argv) {
    static const char *const names[] = {
#define X(name, text) #name,
        RP_FAMILIES(X)
#undef X
    };
    char line[64];
    if (argc == 4) { /* cpuid fpu double: the families of a core */
        const struct rp_core *core = rp_core_of_part((uint32_t)strtoul(argv[1], NULL, 16));
        if (core == NULL)
            return 1;
        uint32_t has = rp_core_families(core, argv[2][0] == '1', argv[3][0] == '1');
        for (unsigned i = 0; i < RP_FAMILY_COUNT; i++)
            if ((has >> i & 1u) != 0)
                printf("%s ", names[i]);
        return 0;
    }
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        unsigned long code = strtoul(line, NULL, 16);
        bool wide = strcspn(line, "\n") == 8;
        unsigned long first = wide ? code >> 16 : code, second = code & 0xFFFF;
        uint8_t bytes[4] = {(uint8_t)first, (uint8_t)(first >> 8), (uint8_t)second,
                            (uint8_t)(second >> 8)};
        struct rp_insn insn = rp_insn_read(bytes, wide ? 4 : 2, 0x1000);
        printf("%u %s %04x %04x %u\n", insn.size, names[insn.family], insn.reads, insn.writes,
               insn.flow);
    }
    return 0;
}
