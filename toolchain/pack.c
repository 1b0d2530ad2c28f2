/* SPDX-License-Identifier: Apache-2.0 */
/* The vendor's pack: see pack.h. */
#include "toolchain/pack.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/json.h"
#include "base/path.h"

enum { JSON_MAX = 1 << 20, HEADER_MAX = 16 << 20 };

/* The keys of the vendor's custom file and where their values go. */
static const struct {
    const char *key;
    size_t member;
} keys[] = {
    {"runtime_network_lib", offsetof(struct rp_pack, runtime_lib)},
    {"extra_system_path", offsetof(struct rp_pack, extra_system_path)},
    {"stedgeai_install_path", offsetof(struct rp_pack, root)},
    {"llvm_install_path", offsetof(struct rp_pack, llvm_install_path)},
    {"target_triplet", offsetof(struct rp_pack, target_triplet)},
    {"llvm_sysroot", offsetof(struct rp_pack, llvm_sysroot)},
};
enum { KEY_COUNT = sizeof keys / sizeof keys[0] };

static const char **slot_of(struct rp_pack *pack, const char *key) {
    for (size_t i = 0; i < KEY_COUNT; i++)
        if (strcmp(keys[i].key, key) == 0)
            return (const char **)(void *)((char *)pack + keys[i].member);
    return NULL;
}

/* "~/x" as a shell would have it: the vendor's tool expands it. */
static const char *expand(struct rp_arena *arena, const char *text) {
    const char *home = getenv("HOME");
    bool tilde = text[0] == '~' && (text[1] == '/' || text[1] == '\0');
    return tilde && home != NULL ? rp_format(arena, "%s%s", home, text + 1)
                                 : rp_strdup(arena, text);
}

static bool take_custom(struct rp_pack *pack, struct rp_arena *arena, const struct rp_json *root,
                        const char *path, struct rp_error *err) {
    for (const struct rp_json *item = rp_json_first(root); item != NULL;
         item = rp_json_next(item)) {
        const char *key = rp_json_key(item);
        const char *text = rp_json_string(item);
        const char **slot = slot_of(pack, key);
        if (key[0] == '_') /* "_comment" */
            continue;
        if (slot == NULL)
            return rp_fail(err, RP_E_MANIFEST, "%s: member '%s' is not known", path, key);
        if (text == NULL)
            return rp_fail(err, RP_E_MANIFEST, "%s: member '%s' has to be a string", path, key);
        *slot = text[0] != '\0' ? expand(arena, text) : NULL;
    }
    return true;
}

static bool read_custom(struct rp_pack *pack, struct rp_arena *arena, const char *path,
                        struct rp_error *err) {
    struct rp_bytes text;
    if (!rp_file_read(arena, path, JSON_MAX, &text, err))
        return false;
    struct rp_json *root = rp_json_parse((const char *)text.data, text.size, path, err);
    if (root == NULL)
        return false;
    bool ok = rp_json_type_of(root) == RP_JSON_OBJECT
                  ? take_custom(pack, arena, root, path, err)
                  : rp_fail(err, RP_E_MANIFEST, "%s: not a JSON object", path);
    rp_json_free(root);
    return ok;
}

bool rp_pack_open(struct rp_pack *pack, struct rp_model *model, struct rp_arena *arena,
                  const struct rp_input *input, struct rp_error *err) {
    const char *root = input->pack_dir != NULL ? input->pack_dir : getenv("STEDGEAI_CORE_DIR");
    *pack = (struct rp_pack){.input = input};
    if (input->custom != NULL) {
        if (!read_custom(pack, arena, input->custom, err))
            return false;
        rp_strings_push(arena, &model->used_files, input->custom);
    }
    if (pack->root == NULL && root != NULL && root[0] != '\0')
        pack->root = root;
    if (pack->root != NULL) {
        pack->root = rp_path_absolute(arena, pack->root, err);
        if (pack->root == NULL)
            return false;
        pack->ai = rp_path_join(arena, pack->root, "Middlewares/ST/AI");
    }
    if (pack->runtime_lib != NULL)
        rp_strings_push(arena, &model->libraries, pack->runtime_lib);
    model->pack_dir = pack->root;
    model->extra_system_path = pack->extra_system_path;
    return true;
}

bool rp_pack_find_kernels(const struct rp_pack *pack, struct rp_model *model,
                          struct rp_arena *arena, const struct rp_pack_kernels *kernels,
                          struct rp_error *err) {
    struct rp_strings names = {0};
    if (model->libraries.count != 0 || pack->ai == NULL)
        return true;
    const char *dir = rp_path_join(
        arena, pack->ai, rp_format(arena, "Lib/%s/ARMCortex%s", kernels->folder, kernels->core));
    if (!rp_list_dir(arena, dir, &names, err))
        return rp_hint(err, "name the kernel archive with --runtime-lib");
    const char *found = NULL;
    for (size_t i = 0; i < names.count; i++) {
        if (!rp_has_prefix(names.items[i], "NetworkRuntime") ||
            !rp_has_suffix(names.items[i], kernels->suffix))
            continue;
        if (found != NULL)
            return rp_fail(err, RP_E_INPUT,
                           "'%s' has two kernel archives, %s and %s: name one with --runtime-lib",
                           dir, found, names.items[i]);
        found = names.items[i];
    }
    if (found == NULL)
        return rp_fail(err, RP_E_INPUT,
                       "'%s' has no kernel archive NetworkRuntime*%s: name one with --runtime-lib",
                       dir, kernels->suffix);
    rp_strings_push(arena, &model->libraries, rp_path_join(arena, dir, found));
    return true;
}

/* ---- headers ---- */

const char *rp_find_header(const struct rp_model *model, struct rp_arena *arena, const char *name) {
    struct rp_bytes text;
    struct rp_error ignored = {0};
    for (size_t i = 0; i < model->include_dirs.count; i++)
        if (rp_file_read(arena, rp_path_join(arena, model->include_dirs.items[i], name), HEADER_MAX,
                         &text, &ignored))
            return (const char *)text.data;
    return NULL;
}

const char *rp_find_define(const char *text, const char *name) {
    size_t len = strlen(name);
    if (len == 0) /* is found everywhere */
        return NULL;
    for (const char *at = strstr(text, name); at != NULL; at = strstr(at + len, name)) {
        const char *before = at;
        while (before > text && (before[-1] == ' ' || before[-1] == '\t'))
            before--;
        if (before - text >= 7 && strncmp(before - 7, "#define", 7) == 0 &&
            !isalnum((unsigned char)at[len]) && at[len] != '_')
            return at + len + strspn(at + len, " \t");
    }
    return NULL;
}

int64_t rp_find_number(const char *text, const char *name) {
    const char *value = rp_find_define(text, name);
    if (value == NULL)
        return -1;
    value += strspn(value, " \t(");
    char *end;
    long long number = strtoll(value, &end, 0);
    return end != value && strchr(" )\r\nuUlL", *end) != NULL ? number : -1;
}

bool rp_pack_finish(const struct rp_pack *pack, struct rp_model *model, struct rp_arena *arena,
                    const char *header, struct rp_error *err) {
    if (rp_find_header(model, arena, header) == NULL) {
        rp_fail(err, RP_E_INPUT, "'%s': the vendor's header %s was not found", pack->input->path,
                header);
        return rp_hint(err,
                       "set STEDGEAI_CORE_DIR to the pack, or give -I PACK/Middlewares/ST/AI/Inc "
                       "and --runtime-lib ARCHIVE");
    }
    const struct rp_pack_kernels kernels = {"GCC", pack->input->target->core, "_GCC_PIC.a"};
    return rp_pack_find_kernels(pack, model, arena, &kernels, err);
}
