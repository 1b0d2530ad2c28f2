/* SPDX-License-Identifier: Apache-2.0 */
/* The loader's files among the outputs: see loader.h. */
#include "cli/generate/loader.h"

#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/path.h"

/* How the headers in runtime/compat begin; they have the names of the vendor's headers. */
static const char FORWARDING[] = "/* SPDX-License-Identifier: Apache-2.0 */\n/* relocpack: ";
enum { PART_LIMIT = 1 << 20 };

/* Stops the loss of a vendor's header that lies with generated code but that no source includes. */
static bool is_foreign(struct rp_arena *arena, const char *path) {
    struct rp_bytes text;
    return rp_path_is_file(path) && (!rp_file_look(arena, path, PART_LIMIT, &text, NULL) ||
                                     text.size < sizeof FORWARDING - 1 ||
                                     memcmp(text.data, FORWARDING, sizeof FORWARDING - 1) != 0);
}

/* The parts lie side by side, so what they include is written without its folder. */
static void put_flat(struct rp_buf *out, struct rp_bytes text) {
    static const char INCLUDE[] = "#include \"";
    const char *at = (const char *)text.data, *end = at + text.size;
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *next = newline != NULL ? newline + 1 : end;
        if ((size_t)(next - at) > sizeof INCLUDE - 1 &&
            memcmp(at, INCLUDE, sizeof INCLUDE - 1) == 0) {
            const char *name = at + sizeof INCLUDE - 1,
                       *close = memchr(name, '"', (size_t)(next - name));
            for (const char *c = name; close != NULL && c < close; c++)
                name = *c == '/' ? c + 1 : name;
            rp_buf_puts(out, INCLUDE);
            at = name;
        }
        rp_buf_append(out, at, (size_t)(next - at));
        at = next;
    }
}

static bool write_part(const char *part, const char *runtime, struct rp_outputs *set,
                       struct rp_error *err) {
    const char *name = rp_path_base(part);
    struct rp_strings own = {0};
    struct rp_bytes text;
    struct rp_buf flat = {.arena = set->arena};
    if (!rp_file_read(set->arena, rp_path_join(set->arena, runtime, part), PART_LIMIT, &text, err))
        return false;
    put_flat(&flat, text);
    if (!rp_file_write(rp_outputs_add(set, name), flat.data, flat.len, err))
        return false;
    if (rp_has_prefix(part, "compat/") && is_foreign(set->arena, rp_outputs_final(set, name)))
        rp_strings_push(set->arena, &own, rp_outputs_final(set, name));
    return rp_outputs_spare(set, &own, "another's header", err);
}

bool rp_loader_write_parts(const struct rp_loader *loader, const char *data_dir,
                           struct rp_outputs *set, struct rp_strings *names, struct rp_error *err) {
    const char *runtime = rp_path_join(set->arena, data_dir, "runtime");
    for (const char *const *part = loader->parts; *part != NULL; part++) {
        if (!write_part(*part, runtime, set, err))
            return false;
        rp_strings_push(set->arena, names, rp_path_base(*part));
    }
    return true;
}

bool rp_loader_write(const struct rp_loader *loader, const char *data_dir, struct rp_outputs *set,
                     struct rp_strings *names, struct rp_error *err) {
    const char *folder = rp_path_join(set->arena, data_dir, loader->folder);
    struct rp_strings own = {0};
    for (const struct rp_loader_file *file = loader->files; file->name != NULL; file++) {
        struct rp_buf text = {.arena = set->arena};
        for (size_t i = 0; file->lines[i] != NULL; i++)
            rp_buf_puts(&text, file->lines[i]);
        if (!rp_file_write(rp_outputs_add(set, file->name), text.data, text.len, err))
            return false;
        rp_strings_push(set->arena, names, file->name);
        rp_strings_push(set->arena, &own, rp_path_join(set->arena, folder, file->name));
    }
    return rp_outputs_spare(set, &own, "a file of relocpack", err);
}
