/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the documents of a GDB server: see describe.h. */
#include "toolchain/probe/describe.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/printable.h"
#include "toolchain/probe/xml.h"

enum {
    REGISTERS_MAX = 1024,
    REGIONS_MAX = 256,
    BITS_MAX = 4096,
    BITS = 32,
    OLD_FLOAT_BITS = 96,
    XPSR = 25
};
#define ADDRESSES (UINT64_C(1) << 32)

/* ---- registers ---- */

static const char *const core[] = {"r0", "r1", "r2",  "r3",  "r4",  "r5", "r6", "r7",
                                   "r8", "r9", "r10", "r11", "r12", "sp", "lr", "pc"};
enum { CORE_COUNT = sizeof core / sizeof core[0], SP = 13 };

static bool fail(struct rp_error *err, const char *document, const char *why) {
    rp_fail(err, RP_E_GDB, "the %s of the GDB server is wrong: %s", document, why);
    return rp_hint(err, "this is a fault of the server, or of the connection to it");
}

static bool add_register(struct rp_gdb_registers *registers, struct rp_arena *arena,
                         const struct rp_xml *xml, struct rp_error *err) {
    static const char document[] = "target description";
    size_t len;
    uint64_t number = registers->next, bits;
    const char *name = rp_xml_attribute(xml, "name", &len);
    (void)rp_xml_number(xml, "regnum", &number);
    if (name == NULL || !rp_xml_number(xml, "bitsize", &bits) || bits == 0 || bits > BITS_MAX)
        return fail(err, document, "a register has no name or no size");
    if (registers->count == REGISTERS_MAX || number > UINT16_MAX)
        return fail(err, document, "it has more registers than a processor");
    *RP_PUSH(arena, registers) =
        (struct rp_gdb_register){rp_strndup(arena, name, len), (uint32_t)number, (uint32_t)bits};
    registers->next = (uint32_t)number + 1;
    return true;
}

bool rp_describe_registers(struct rp_gdb_registers *registers, struct rp_arena *arena,
                           const struct rp_buf *text, struct rp_strings *includes,
                           struct rp_error *err) {
    struct rp_xml xml = {.text = text->data, .end = text->data + text->len};
    while (text->len != 0 && rp_xml_next(&xml)) {
        size_t len;
        const char *href =
            rp_xml_is(&xml, "xi:include") ? rp_xml_attribute(&xml, "href", &len) : NULL;
        if (rp_xml_is(&xml, "reg") && !add_register(registers, arena, &xml, err))
            return false;
        if (href != NULL)
            *RP_PUSH(arena, includes) = rp_strndup(arena, href, len);
    }
    return true;
}

void rp_describe_default(struct rp_gdb_registers *registers, struct rp_arena *arena) {
    for (uint32_t i = 0; i < CORE_COUNT; i++)
        *RP_PUSH(arena, registers) = (struct rp_gdb_register){core[i], i, BITS};
    for (uint32_t i = CORE_COUNT; i < XPSR;
         i++) /* of an obsolete FPU, which still have room in g */
        *RP_PUSH(arena, registers) =
            (struct rp_gdb_register){"", i, i + 1 < XPSR ? OLD_FLOAT_BITS : BITS};
    *RP_PUSH(arena, registers) = (struct rp_gdb_register){"xpsr", XPSR, BITS};
}

static const struct rp_gdb_register *find(const struct rp_gdb_registers *registers,
                                          const char *name) {
    for (size_t i = 0; i < registers->count; i++)
        if (strcasecmp(registers->items[i].name, name) == 0)
            return &registers->items[i];
    return NULL;
}

const struct rp_gdb_register *rp_describe_find(const struct rp_gdb_registers *registers,
                                               const char *name) {
    static const char *const numbered[] = {"r13", "r14", "r15"};
    const struct rp_gdb_register *found = find(registers, name);
    for (size_t i = 0; found == NULL && i < sizeof numbered / sizeof numbered[0]; i++) {
        if (strcasecmp(name, core[SP + i]) == 0)
            found = find(registers, numbered[i]);
        else if (strcasecmp(name, numbered[i]) == 0)
            found = find(registers, core[SP + i]);
    }
    return found;
}

/* ---- memory map ---- */

static int by_address(const void *a, const void *b) {
    const struct rp_gdb_region *x = a, *y = b;
    return (x->address > y->address) - (x->address < y->address);
}

static bool is_text(const char *text, size_t len, const char *wanted) {
    return len == strlen(wanted) && memcmp(text, wanted, len) == 0;
}

static bool add_region(struct rp_gdb_map *map, struct rp_arena *arena, const struct rp_xml *xml,
                       struct rp_error *err) {
    static const char document[] = "memory map";
    size_t len;
    uint64_t start, size;
    const char *type = rp_xml_attribute(xml, "type", &len);
    if (type == NULL || !rp_xml_number(xml, "start", &start) ||
        !rp_xml_number(xml, "length", &size) || start >= ADDRESSES || size > ADDRESSES - start)
        return fail(err, document,
                    "a region lacks its type, start or length, or exceeds 32-bit addresses");
    if (map->count == REGIONS_MAX)
        return fail(err, document, "it has too many regions");
    if (size == 0)
        return true;
    *RP_PUSH(arena, map) = (struct rp_gdb_region){
        .kind = is_text(type, len, "flash") ? RP_GDB_FLASH
                : is_text(type, len, "rom") ? RP_GDB_ROM
                                            : RP_GDB_RAM,
        .address = (uint32_t)start,
        .size = size,
    };
    return true;
}

bool rp_describe_map(struct rp_gdb_map *map, struct rp_arena *arena, const struct rp_buf *text,
                     struct rp_error *err) {
    struct rp_xml xml = {.text = text->data, .end = text->data + text->len};
    while (text->len != 0 && rp_xml_next(&xml)) {
        uint64_t block;
        size_t len;
        if (rp_xml_is(&xml, "memory") && !add_region(map, arena, &xml, err))
            return false;
        const char *name =
            rp_xml_is(&xml, "property") ? rp_xml_attribute(&xml, "name", &len) : NULL;
        if (name != NULL && is_text(name, len, "blocksize") && map->count != 0 &&
            rp_xml_content(&xml, &block) && block <= UINT32_MAX)
            map->items[map->count - 1].block_size = (uint32_t)block;
    }
    if (map->count != 0)
        qsort(map->items, map->count, sizeof *map->items, by_address);
    for (size_t i = 0; i < map->count; i++) {
        struct rp_gdb_region *one = &map->items[i];
        if (i != 0 && map->items[i - 1].size > one->address - map->items[i - 1].address)
            return fail(err, "memory map", "two regions overlap");
        if (one->kind != RP_GDB_FLASH)
            one->block_size = 0;
        else if (one->block_size == 0 || one->size % one->block_size != 0)
            return fail(err, "memory map", "a flash region does not consist of whole blocks");
    }
    return true;
}
