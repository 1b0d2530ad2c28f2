/* SPDX-License-Identifier: Apache-2.0 */
/* Members of archives: see members.h. */
#include "cli/report/members.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/path.h"
#include "elfpack/elf/elf.h"
#include "elfpack/image/integrity.h"
#include "toolchain/compile/compiler.h"

enum { VERSION_MAX = 1 << 16, MULTILIB_DEEP = 6 /* lib/thumb/v7e-m+fp/hard */ };

/* The members that are in the image, by archive and name. */
struct members {
    struct found {
        const char *archive;
        const char *name;
        unsigned count; /* members of that name in the archive */
        struct rp_sum sum;
    } * items;
    size_t count;
    size_t capacity;
};

static int in_order(const void *a, const void *b) {
    const struct found *one = a, *two = b;
    int order = strcmp(one->archive, two->archive);
    return order != 0 ? order : strcmp(one->name, two->name);
}

static struct found *find(const struct members *members, const char *archive, const char *name) {
    const struct found key = {.archive = archive, .name = name};
    return bsearch(&key, members->items, members->count, sizeof key, in_order);
}

static bool visit(const struct rp_elf *elf, void *context, struct rp_error *err) {
    struct found *found = elf->member != NULL ? find(context, elf->path, elf->member) : NULL;
    const uint8_t *bytes;
    size_t size;
    (void)err;
    if (found != NULL && rp_elf_bytes(elf, &bytes, &size)) {
        found->sum = rp_sum_bytes(bytes, size);
        found->count++;
    }
    return true;
}

/* One pass over each archive. */
static void search(struct members *members, const struct rp_package *package) {
    const struct rp_elf_visitor visitor = {visit, members};
    for (size_t i = 0; i < package->linked.map.included.count; i++) {
        const struct rp_included *included = &package->linked.map.included.items[i];
        if (included->member != NULL)
            *RP_PUSH(package->arena, members) =
                (struct found){.archive = included->archive, .name = included->member};
    }
    if (members->count != 0)
        qsort(members->items, members->count, sizeof *members->items, in_order);
    for (size_t i = 0, end; i < members->count; i = end) {
        struct rp_strings names = {0};
        for (end = i; end < members->count &&
                      strcmp(members->items[end].archive, members->items[i].archive) == 0;
             end++)
            rp_strings_push(package->arena, &names, members->items[end].name);
        (void)rp_elf_each_of(package->arena, members->items[i].archive, &names, &visitor, NULL);
    }
}

/* ---- the compiler's own libraries ---- */

/* What an archive of the compiler's is part of. */
struct product {
    const char *name, *version; /* version: or NULL */
};

/* The version of the C library, if it is newlib: the headers are beside the folder of archives. */
static const char *newlib_version(struct rp_arena *arena, const char *archive) {
    static const char name[] = "_NEWLIB_VERSION \"";
    struct rp_bytes text;
    const char *dir = rp_path_dir(arena, archive);
    for (int i = 0; i < MULTILIB_DEEP; i++, dir = rp_path_dir(arena, dir)) {
        const char *headers = rp_path_join(arena, dir, "include");
        if (rp_path_is_file(rp_path_join(arena, headers, "picolibc.h")))
            return NULL; /* it has newlib's header, too */
        if (!rp_file_read(arena, rp_path_join(arena, headers, "_newlib_version.h"), VERSION_MAX,
                          &text, NULL))
            continue;
        const char *at = strstr((const char *)text.data, name);
        return at == NULL
                   ? NULL
                   : rp_strndup(arena, at + sizeof name - 1, strcspn(at + sizeof name - 1, "\""));
    }
    return NULL;
}

static bool is_one_of(const char *archive, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(rp_path_base(archive), names[i]) == 0)
            return true;
    return false;
}

/*
 * An archive that the user names is not taken for the compiler's. newlib: its version, once it was
 * looked for; "": there is none.
 */
static struct product product_of(const struct rp_package *package, const struct rp_strings *users,
                                 const char *archive, const char **newlib) {
    static const char *const c[] = {"libc.a", "libm.a", "libg.a", "libc_nano.a", "libm_nano.a"};
    struct product product = {0};
    if (rp_strings_have(users, archive))
        return product;
    if (strcmp(rp_path_base(archive), "libgcc.a") == 0)
        return (struct product){"libgcc", package->options->input.compiler->is_clang
                                              ? NULL
                                              : package->compiler_version};
    if (!is_one_of(archive, c, sizeof c / sizeof c[0]))
        return product;
    if (*newlib == NULL && (*newlib = newlib_version(package->arena, archive)) == NULL)
        *newlib = "";
    return (*newlib)[0] != '\0' ? (struct product){"newlib", *newlib} : product;
}

void rp_members_json(struct rp_json *root, const struct rp_package *package) {
    struct rp_json *list = rp_json_new_array(root, "archive_members");
    struct members members = {0};
    const struct rp_strings users = rp_package_files(package);
    const char *newlib = NULL;
    search(&members, package);
    for (size_t i = 0; i < package->linked.map.included.count; i++) {
        const struct rp_included *included = &package->linked.map.included.items[i];
        char digits[2 * RELOC_SHA256_BYTES + 1];
        if (included->member == NULL)
            continue;
        const struct found *found = find(&members, included->archive, included->member);
        struct rp_json *row = RP_JSON_NEW(RP_JSON_S("symbol", included->symbol),
                                          RP_JSON_S("archive", rp_path_base(included->archive)),
                                          RP_JSON_S("member", included->member));
        if (found->count == 1) {
            rp_hex(digits, found->sum.sha256, sizeof found->sum.sha256);
            RP_JSON_PUT(row, RP_JSON_N("size_bytes", found->sum.length),
                        RP_JSON_S("sha256", digits));
        }
        const struct product product = product_of(package, &users, included->archive, &newlib);
        RP_JSON_PUT(row, RP_JSON_S("product", product.name), RP_JSON_S("version", product.version));
        rp_json_push(list, row);
    }
}
