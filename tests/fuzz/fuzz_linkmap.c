/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target of elfpack/linkmap: any text gives a sorted list of named, non-empty sections. */
#include "tests/fuzz/fuzz.h"

#include "elfpack/elf/linkmap.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char head[] = "Linker script and memory map\n";
    struct rp_arena arena = {0};
    struct rp_linkmap map = {0};
    char *text = malloc(size + sizeof head);
    require(text != NULL);
    size_t start =
        size != 0 && data[0] == ' ' ? sizeof head - 1 : 0; /* most inputs lack the line */
    memcpy(text, head, start);
    memcpy(text + start, data, size);
    text[start + size] = '\0';
    rp_linkmap_parse(&map, &arena, text);
    free(text);
    for (size_t i = 0; i < map.count; i++) {
        const struct rp_contribution *item = &map.items[i];
        require(item->size != 0 && item->section != NULL && item->file != NULL);
        require(i == 0 || map.items[i - 1].addr <= item->addr);
        const struct rp_contribution *found = rp_linkmap_find(&map, item->addr);
        require(found == NULL || item->addr - found->addr < found->size);
        require(rp_contribution_origin(&arena, item) != NULL);
    }
    for (size_t i = 0; i < map.included.count; i++)
        require(map.included.items[i].symbol != NULL && map.included.items[i].wanted_by != NULL);
    rp_arena_release(&arena);
    return 0;
}
