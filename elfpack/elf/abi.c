/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the interfaces of objects: see abi.h. */
#include "elfpack/elf/abi.h"

#include <stddef.h>

#include "base/path.h"

/* Values of the tags: "Addenda to the ABI for the Arm Architecture", 3.3.6 and 3.3.7. */
enum { ENUM_SHORT = 1, ENUM_INT = 2 };
enum { FP16_IEEE = 1, FP16_ALTERNATIVE = 2 };
enum { R9_BASE = 1, R9_TLS = 2 };

/* What is compared: a member of rp_attributes, and texts for the values that count. */
static const struct property {
    const char *id; /* base/notes.def */
    size_t member;  /* offset of an int */
    struct {
        int value;
        const char *text;
    } values[2];
    const char *danger;
} properties[] = {
    {"RP1020",
     offsetof(struct rp_attributes, enum_size),
     {{ENUM_SHORT, "enums as small as possible (-fshort-enums)"},
      {ENUM_INT, "enums of 32 bits (-fno-short-enums)"}},
     "a struct, array or pointer with such an enum has another layout on the other side; compile "
     "both alike"},
    {"RP1021",
     offsetof(struct rp_attributes, wchar_size),
     {{2, "a wchar_t of 2 bytes (-fshort-wchar)"}, {4, "a wchar_t of 4 bytes"}},
     "wide characters that one passes to the other are read wrongly"},
    {"RP1022",
     offsetof(struct rp_attributes, fp16_format),
     {{FP16_IEEE, "__fp16 in the format of IEEE 754 (-mfp16-format=ieee)"},
      {FP16_ALTERNATIVE, "__fp16 in Arm's alternative format"}},
     "half-precision numbers that one passes to the other are read wrongly"},
    {"RP1023",
     offsetof(struct rp_attributes, r9_use),
     {{R9_BASE, "r9 as the address of the data"},
      {R9_TLS, "r9 as the address of thread-local data"}},
     "the value of r9 is right for only one of them"},
};

/* The text for an object's value, or NULL if it does not count. */
static const char *text_of(const struct property *property, const struct rp_attributes *from) {
    int value = *(const int *)(const void *)((const char *)from + property->member);
    for (size_t i = 0; i < 2; i++)
        if (property->values[i].value == value)
            return property->values[i].text;
    return NULL;
}

static const char *name_of(struct rp_arena *arena, const char *file, const char *member) {
    return rp_format(arena, "%s\n%s", rp_path_base(file), member);
}

/* Which objects were linked: all, except archive members that are not in the map. */
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

/* Reports the first two linked objects whose values differ. */
static void compare(struct rp_diagnostics *out, struct rp_arena *arena,
                    const struct rp_abi_objects *objects, const struct property *property,
                    const bool *linked) {
    const struct rp_abi_object *first = NULL, *other = NULL;
    const char *first_text = NULL, *other_text = NULL;
    size_t others = 0;
    for (size_t i = 0; i < objects->count; i++) {
        const char *text = text_of(property, &objects->items[i].attributes);
        if (!linked[i] || text == NULL || text == first_text)
            continue;
        if (first == NULL) {
            first = &objects->items[i];
            first_text = text;
        } else if (others++ == 0) {
            other = &objects->items[i];
            other_text = text;
        }
    }
    if (other == NULL)
        return;
    rp_diagnose(arena, out, property->id,
                rp_format(arena, "%s has %s, but %s%s has %s: %s", first->shown, first_text,
                          other->shown,
                          others > 1 ? rp_format(arena, " (and %zu more)", others - 1) : "",
                          other_text, property->danger));
}

void rp_abi_compare(struct rp_diagnostics *out, struct rp_arena *arena,
                    const struct rp_abi_objects *objects, const struct rp_linkmap *map) {
    const bool *linked = find_linked(arena, objects, map);
    for (size_t i = 0; i < sizeof properties / sizeof properties[0]; i++)
        compare(out, arena, objects, &properties[i], linked);
}
