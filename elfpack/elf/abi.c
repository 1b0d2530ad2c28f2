/* SPDX-License-Identifier: Apache-2.0 */
/* Differences between the interfaces of objects: see abi.h. */
#include "elfpack/elf/abi.h"

#include <string.h>

#include "base/path.h"

/* Values of the tags: "Addenda to the ABI for the Arm Architecture", 3.3.6 and 3.3.7. */
enum { ENUM_SHORT = 1, ENUM_INT = 2 };
enum { FP16_IEEE = 1, FP16_ALTERNATIVE = 2 };
enum { R9_BASE = 1, R9_TLS = 2 };

static const char *enum_text(int value) {
    return value == ENUM_SHORT ? "enums as small as they can be (-fshort-enums)"
           : value == ENUM_INT ? "enums of 32 bits (-fno-short-enums)"
                               : NULL;
}

static const char *wchar_text(int value) {
    return value == 2   ? "a wchar_t of 2 bytes (-fshort-wchar)"
           : value == 4 ? "a wchar_t of 4 bytes"
                        : NULL;
}

static const char *fp16_text(int value) {
    return value == FP16_IEEE          ? "__fp16 in the format of IEEE 754 (-mfp16-format=ieee)"
           : value == FP16_ALTERNATIVE ? "__fp16 in Arm's alternative format"
                                       : NULL;
}

static const char *r9_text(int value) {
    return value == R9_BASE  ? "r9 as the address of the data"
           : value == R9_TLS ? "r9 as the address of thread-local data"
                             : NULL;
}

static int get_enum(const struct rp_attributes *from) {
    return from->enum_size;
}

static int get_wchar(const struct rp_attributes *from) {
    return from->wchar_size;
}

static int get_fp16(const struct rp_attributes *from) {
    return from->fp16_format;
}

static int get_r9(const struct rp_attributes *from) {
    return from->r9_use;
}

/* What is compared. A value without a text does not count. */
static const struct property {
    const char *id, *severity;
    int (*get)(const struct rp_attributes *from);
    const char *(*text)(int value);
    const char *danger;
} properties[] = {
    {"RP1020", "warning", get_enum, enum_text,
     "a struct, array or pointer that has such an enum in it means something else on the other "
     "side; compile both alike"},
    {"RP1021", "note", get_wchar, wchar_text,
     "wide characters that one hands to the other are read wrongly"},
    {"RP1022", "warning", get_fp16, fp16_text,
     "numbers in half precision that one hands to the other are read wrongly"},
    {"RP1023", "warning", get_r9, r9_text, "what r9 holds is right for one of them only"},
};

static const char *name_of(struct rp_arena *arena, const char *file, const char *member) {
    return rp_format(arena, "%s\n%s", rp_path_base(file), member);
}

/* Which objects were linked: archive members are, when the map has them. */
static bool *find_linked(struct rp_arena *arena, const struct rp_abi_objects *objects,
                         const struct rp_linkmap *map) {
    bool *linked = rp_alloc(arena, objects->count + 1, sizeof *linked);
    struct rp_strings members = {0};
    for (size_t i = 0; i < map->count; i++)
        if (map->items[i].member != NULL)
            rp_strings_push(arena, &members,
                            name_of(arena, map->items[i].file, map->items[i].member));
    rp_strings_sort(&members);
    for (size_t i = 0; i < objects->count; i++) {
        const struct rp_abi_object *object = &objects->items[i];
        linked[i] = object->member == NULL ||
                    rp_strings_have_sorted(&members, name_of(arena, object->path, object->member));
    }
    return linked;
}

/* Reports the first linked objects of two different values. */
static void compare(struct rp_abi_differences *out, struct rp_arena *arena,
                    const struct rp_abi_objects *objects, const struct property *property,
                    const bool *linked) {
    const struct rp_abi_object *first = NULL;
    size_t others = 0;
    const struct rp_abi_object *other = NULL;
    for (size_t i = 0; i < objects->count; i++) {
        const struct rp_abi_object *object = &objects->items[i];
        const char *text = property->text(property->get(&object->attributes));
        if (!linked[i] || text == NULL)
            continue;
        if (first == NULL)
            first = object;
        else if (property->get(&object->attributes) != property->get(&first->attributes)) {
            other = other == NULL ? object : other;
            others++;
        }
    }
    if (other == NULL)
        return;
    *RP_PUSH(arena, out) = (struct rp_abi_difference){
        property->id, property->severity,
        rp_format(arena, "%s has %s, %s%s has %s: %s", first->shown,
                  property->text(property->get(&first->attributes)), other->shown,
                  others > 1 ? rp_format(arena, " (and %zu more)", others - 1) : "",
                  property->text(property->get(&other->attributes)), property->danger)};
}

void rp_abi_compare(struct rp_abi_differences *out, struct rp_arena *arena,
                    const struct rp_abi_objects *objects, const struct rp_linkmap *map) {
    const bool *linked = find_linked(arena, objects, map);
    for (size_t i = 0; i < sizeof properties / sizeof properties[0]; i++)
        compare(out, arena, objects, &properties[i], linked);
}
