/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See second_loader.h. Chapters in comments are those of docs/FORMAT.md. It knows no fix-up table,
 * no compact table and no trailer: what loads here loads on firmware that knows none of these.
 */
#include "second_loader.h"

#include <string.h>

/* Chapter "Header": offsets in bytes. */
enum {
    AT_MAGIC = 0,
    AT_FLAGS = 4,
    AT_DATA_START = 8,
    AT_DATA_END = 12,
    AT_DATA_DATA = 16,
    AT_BSS_START = 20,
    AT_BSS_END = 24,
    AT_GOT_START = 28,
    AT_GOT_END = 32,
    AT_REL_START = 36,
    AT_REL_END = 40,
    AT_WEIGHTS_START = 44,
    AT_CREATE = 52,
    AT_INIT_V2 = 60,
    AT_RUN = 64,
    AT_REPORT = 68,
    AT_DESTROY = 76,
    AT_CONTEXT = 96
};
/* Chapter "Context". */
enum {
    CONTEXT_STATE = 0,
    CONTEXT_NETWORK = 4,
    CONTEXT_RAM = 8,
    CONTEXT_ROM = 12,
    CONTEXT_HEAP = 16
};
/* Chapter "Report". */
enum { REPORT_BYTES = 136, REPORT_VERSION = 20, BUFFER_WORDS = 7, MOST_BUFFERS = 4 };

static uint32_t get(uint32_t address) {
    return *(const volatile uint32_t *)(uintptr_t)address;
}

static void put(uint32_t address, uint32_t value) {
    *(volatile uint32_t *)(uintptr_t)address = value;
}

static uint32_t offset(uint32_t image, uint32_t at) {
    return get(image + at) & UINT32_C(0x0FFFFFFF);
}

/*
 * Calls function with the arguments and r9, with known values in all other callee-saved registers;
 * *broken is 0 when they are the same afterwards.
 */
#if __ARM_ARCH_ISA_THUMB == 1
__attribute__((naked)) static uint32_t enter(const uint32_t arguments[4], uint32_t r9,
                                             uint32_t function, uint32_t *broken) {
    (void)arguments, (void)r9, (void)function, (void)broken;
    __asm__ volatile(".syntax unified\n\t"
                     "push {r4-r7, lr}\n\t"
                     "mov r4, r8\n\t"
                     "mov r5, r9\n\t"
                     "mov r6, r10\n\t"
                     "mov r7, r11\n\t"
                     "push {r3-r7}\n\t"
                     "mov r9, r1\n\t"
                     "mov r12, r2\n\t"
                     "ldr r4, =0x58585858\n\t"
                     "mov r8, r4\n\t"
                     "ldr r4, =0x7A7A7A7A\n\t"
                     "mov r10, r4\n\t"
                     "ldr r4, =0x8B8B8B8B\n\t"
                     "mov r11, r4\n\t"
                     "ldr r4, =0x14141414\n\t"
                     "ldr r5, =0x25252525\n\t"
                     "ldr r6, =0x36363636\n\t"
                     "ldr r7, =0x47474747\n\t"
                     "ldr r1, [r0, #4]\n\t"
                     "ldr r2, [r0, #8]\n\t"
                     "ldr r3, [r0, #12]\n\t"
                     "ldr r0, [r0]\n\t"
                     "blx r12\n\t"
                     "ldr r1, =0x14141414\n\t"
                     "eors r4, r4, r1\n\t"
                     "ldr r1, =0x25252525\n\t"
                     "eors r5, r5, r1\n\t"
                     "orrs r4, r4, r5\n\t"
                     "ldr r1, =0x36363636\n\t"
                     "eors r6, r6, r1\n\t"
                     "orrs r4, r4, r6\n\t"
                     "ldr r1, =0x47474747\n\t"
                     "eors r7, r7, r1\n\t"
                     "orrs r4, r4, r7\n\t"
                     "ldr r1, =0x58585858\n\t"
                     "mov r5, r8\n\t"
                     "eors r5, r5, r1\n\t"
                     "orrs r4, r4, r5\n\t"
                     "ldr r1, =0x7A7A7A7A\n\t"
                     "mov r5, r10\n\t"
                     "eors r5, r5, r1\n\t"
                     "orrs r4, r4, r5\n\t"
                     "ldr r1, =0x8B8B8B8B\n\t"
                     "mov r5, r11\n\t"
                     "eors r5, r5, r1\n\t"
                     "orrs r4, r4, r5\n\t"
                     "mov r2, r4\n\t"
                     "pop {r3-r7}\n\t"
                     "mov r8, r4\n\t"
                     "mov r9, r5\n\t"
                     "mov r10, r6\n\t"
                     "mov r11, r7\n\t"
                     "str r2, [r3]\n\t"
                     "pop {r4-r7, pc}\n\t"
                     ".ltorg");
}
#else
__attribute__((naked)) static uint32_t enter(const uint32_t arguments[4], uint32_t r9,
                                             uint32_t function, uint32_t *broken) {
    (void)arguments, (void)r9, (void)function, (void)broken;
    __asm__ volatile("push {r3, r4-r11, lr}\n\t"
                     "mov r9, r1\n\t"
                     "mov r12, r2\n\t"
                     "mov r4, #0x14141414\n\t"
                     "mov r5, #0x25252525\n\t"
                     "mov r6, #0x36363636\n\t"
                     "mov r7, #0x47474747\n\t"
                     "mov r8, #0x58585858\n\t"
                     "mov r10, #0x7A7A7A7A\n\t"
                     "mov r11, #0x8B8B8B8B\n\t"
                     "ldmia r0, {r0-r3}\n\t"
                     "blx r12\n\t"
                     "eor r4, r4, #0x14141414\n\t"
                     "eor r5, r5, #0x25252525\n\t"
                     "eor r6, r6, #0x36363636\n\t"
                     "eor r7, r7, #0x47474747\n\t"
                     "eor r8, r8, #0x58585858\n\t"
                     "eor r10, r10, #0x7A7A7A7A\n\t"
                     "eor r11, r11, #0x8B8B8B8B\n\t"
                     "orrs r4, r4, r5\n\t"
                     "orrs r4, r4, r6\n\t"
                     "orrs r4, r4, r7\n\t"
                     "orr r4, r4, r8\n\t"
                     "orr r4, r4, r10\n\t"
                     "orr r4, r4, r11\n\t"
                     "pop {r3}\n\t"
                     "str r4, [r3]\n\t"
                     "pop {r4-r11, pc}");
}
#endif

/* Calls an entry of the vector; false when it broke registers. */
static int call(struct second_instance *instance, uint32_t at, uint32_t first, uint32_t second,
                uint32_t third) {
    uint32_t arguments[4] = {first, second, third, 0}, broken = 0;
    uint32_t function = instance->rom + offset(instance->rom, at);
    instance->answer = enter(arguments, instance->ram, function, &broken);
    return broken == 0;
}

/* Chapter "Code: r9, GOT, REL". */
static int rebase(const struct second_instance *instance, uint32_t at) {
    uint32_t word = get(at), segment = word >> 28, where = word & UINT32_C(0x0FFFFFFF);
    if (word == 0)
        return 1;
    if (segment != 2 && segment != 8)
        return 0;
    put(at, (segment == 2 ? instance->rom : instance->ram) + where);
    return 1;
}

/* Chapter "A reader's checks", those without which the rest would go astray. */
static int is_header_right(const struct second_place *place) {
    uint32_t image = place->image, flash = place->image_bytes;
    for (uint32_t at = AT_CREATE; at < AT_CONTEXT; at += 4)
        if (get(image + at) >> 28 != 2 || (get(image + at) & 1) == 0 || offset(image, at) >= flash)
            return 0;
    return get(image + AT_MAGIC) == UINT32_C(0x4E49424E) && get(image + AT_FLAGS) >> 24 == 0x20 &&
           get(image + AT_DATA_START) == UINT32_C(0x80000000) &&
           offset(image, AT_DATA_END) <= offset(image, AT_GOT_START) &&
           offset(image, AT_GOT_START) <= offset(image, AT_GOT_END) &&
           offset(image, AT_GOT_END) <= offset(image, AT_BSS_START) &&
           offset(image, AT_BSS_START) <= offset(image, AT_BSS_END) &&
           offset(image, AT_REL_START) == offset(image, AT_DATA_DATA) + offset(image, AT_GOT_END) &&
           offset(image, AT_REL_START) <= offset(image, AT_REL_END) &&
           offset(image, AT_REL_END) <= flash && get(image + AT_CONTEXT) >> 28 == 8 &&
           offset(image, AT_CONTEXT) + 52 <= offset(image, AT_DATA_END);
}

/* Steps 1 and 2 of the chapter "What an image may rely on". */
static int install(const struct second_place *place, struct second_instance *instance) {
    uint32_t image = place->image, read_only = offset(image, AT_DATA_DATA);
    uint32_t loaded = offset(image, AT_GOT_END), all = offset(image, AT_BSS_END);
    instance->rom = image;
    instance->ram = place->ram;
    if (place->mode == SECOND_COPY) {
        memcpy((void *)(uintptr_t)place->ram, (const void *)(uintptr_t)image, read_only);
        instance->rom = place->ram;
        instance->ram = place->ram + read_only;
    }
    memcpy((void *)(uintptr_t)instance->ram, (const void *)(uintptr_t)(image + read_only), loaded);
    memset((void *)(uintptr_t)(instance->ram + loaded), 0, all - loaded);
    for (uint32_t at = offset(image, AT_GOT_START); at < loaded; at += 4)
        if (!rebase(instance, instance->ram + at))
            return 0;
    for (uint32_t at = offset(image, AT_REL_START); at < offset(image, AT_REL_END); at += 4) {
        uint32_t place_of_word = get(image + at);
        if (place_of_word >> 28 != 8 || (place_of_word & 3) != 0)
            return 0;
        if (!rebase(instance, instance->ram + (place_of_word & UINT32_C(0x0FFFFFFF))))
            return 0;
    }
    return 1;
}

/* Copies the ai_buffers that the report names; each has its data pointer in word 1. */
static int read_report(struct second_instance *instance) {
    union {
        uint32_t words[REPORT_BYTES / 4];
        uint8_t bytes[REPORT_BYTES];
    } report;
    memset(&report, 0, sizeof report);
    if (!call(instance, AT_REPORT, instance->network, (uint32_t)(uintptr_t)&report, 0) ||
        (instance->answer & 0xFF) != 1)
        return 0;
    const uint8_t *version = report.bytes + REPORT_VERSION;
    int is_long = version[0] > 8 || (version[0] == 8 && version[1] >= 1);
    uint32_t at = is_long ? 56 : 48, list = (is_long ? 60u : 52u) / 4u;
    instance->input_count = report.bytes[at];
    instance->output_count = report.bytes[at + 2];
    if (instance->input_count > MOST_BUFFERS || instance->output_count > MOST_BUFFERS)
        return 0;
    memcpy(instance->inputs, (const void *)(uintptr_t)report.words[list],
           instance->input_count * BUFFER_WORDS * 4);
    memcpy(instance->outputs, (const void *)(uintptr_t)report.words[list + 1],
           instance->output_count * BUFFER_WORDS * 4);
    return 1;
}

enum second_error second_load(const struct second_place *place, struct second_instance *instance) {
    memset(instance, 0, sizeof *instance);
    if (!is_header_right(place))
        return SECOND_HEADER;
    if (!install(place, instance))
        return SECOND_SEGMENT;
    uint32_t context = instance->ram + offset(instance->rom, AT_CONTEXT);
    put(context + CONTEXT_STATE, place->mode == SECOND_XIP ? 3 : 1);
    put(context + CONTEXT_RAM, instance->ram);
    put(context + CONTEXT_ROM, instance->rom);
    put(context + CONTEXT_HEAP, 0);
    __asm__ volatile("dsb\n\tisb" ::: "memory");
    if (!call(instance, AT_CREATE, context + CONTEXT_NETWORK, 0, 0))
        return SECOND_REGISTERS;
    if (instance->answer != 0)
        return SECOND_CREATE;
    instance->network = get(context + CONTEXT_NETWORK);
    uint32_t weights = place->weights, acts = place->acts;
    if (weights == 0)
        weights = place->image + offset(place->image, AT_WEIGHTS_START);
    if (!call(instance, AT_INIT_V2, instance->network, (uint32_t)(uintptr_t)&weights,
              (uint32_t)(uintptr_t)&acts))
        return SECOND_REGISTERS;
    if ((instance->answer & 0xFF) != 1)
        return SECOND_INIT;
    return read_report(instance) ? SECOND_OK : SECOND_REPORT;
}

enum second_error second_run(struct second_instance *instance, const uint32_t *inputs,
                             const uint32_t *outputs) {
    for (uint32_t i = 0; i < instance->input_count; i++)
        instance->inputs[i * BUFFER_WORDS + 1] = inputs[i];
    for (uint32_t i = 0; i < instance->output_count; i++)
        instance->outputs[i * BUFFER_WORDS + 1] = outputs[i];
    if (!call(instance, AT_RUN, instance->network, (uint32_t)(uintptr_t)instance->inputs,
              (uint32_t)(uintptr_t)instance->outputs))
        return SECOND_REGISTERS;
    return instance->answer == 1 ? SECOND_OK : SECOND_RUN;
}

enum second_error second_destroy(struct second_instance *instance) {
    if (!call(instance, AT_DESTROY, instance->network, 0, 0))
        return SECOND_REGISTERS;
    return instance->answer == 0 ? SECOND_OK : SECOND_DESTROY;
}
