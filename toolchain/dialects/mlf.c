/* SPDX-License-Identifier: Apache-2.0 */
/* Model Library Format, and parts of it: see mlf.h. */
#include "toolchain/dialects/mlf.h"

#include <ctype.h>
#include <string.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/path.h"
#include "base/tar.h"
#include "toolchain/dialects/foreign.h"

enum { TEXT_MAX = 512 << 20, VERSION_MAX = 7, TENSORS_MAX = 4096 };

static const char SOURCES[] = "codegen/host/src/";
static const char HEADERS[] = "codegen/host/include/";
static const char RUNTIME[] = "runtime/include/";
static const char METADATA[] = "metadata.json";

bool rp_mlf_is_folder(const char *path) {
    struct rp_arena arena = {0};
    bool is = rp_path_is_dir(rp_path_join(&arena, path, SOURCES));
    rp_arena_release(&arena);
    return is;
}

bool rp_mlf_is_tar(const char *path) {
    return rp_has_suffix(path, ".tar") || rp_has_suffix(path, ".tar.gz") ||
           rp_has_suffix(path, ".tgz");
}

static void push(struct rp_arena *arena, struct rp_mlf_files *list, const char *path,
                 struct rp_bytes text) {
    *RP_PUSH(arena, list) = (struct rp_mlf_file){path, text};
}

/* ---- kinds of files, by their names in the format ---- */

/* Releases differ in the name of the model's text. */
static bool is_relay(const char *name) {
    return rp_has_prefix(name, "src/") &&
           (rp_has_suffix(name, "/relay.txt") || rp_has_suffix(name, ".relay"));
}

static bool is_wanted(const char *name) {
    return rp_has_prefix(name, "codegen/") || strcmp(name, METADATA) == 0 || is_relay(name) ||
           (rp_has_prefix(name, RUNTIME) && rp_has_suffix(name, ".h"));
}

/* A part that exists only as compiled code is missing from the sources: at best, the link fails. */
static bool sort_file(struct rp_mlf *mlf, struct rp_arena *arena, const char *name,
                      const struct rp_mlf_file *file, struct rp_error *err) {
    if (strcmp(name, METADATA) == 0) {
        mlf->metadata = file->text;
        mlf->metadata_path = file->path;
    } else if (is_relay(name)) {
        mlf->relay = file->text;
    } else if (rp_has_prefix(name, SOURCES) && rp_has_suffix(name, ".c")) {
        push(arena, &mlf->sources, file->path, file->text);
    } else if (rp_has_suffix(name, ".h")) {
        push(arena, &mlf->headers, file->path, file->text);
    } else if (rp_path_base(name)[0] != '.') {
        rp_fail(err, RP_E_INPUT,
                "'%s' has '%s', which is no C: only models generated as C can be packaged",
                mlf->path, name);
        return rp_hint(err, "generate with the target \"c\"");
    }
    return true;
}

static bool finish(const struct rp_mlf *mlf, struct rp_error *err) {
    return mlf->sources.count != 0 ||
           rp_fail(err, RP_E_INPUT, "'%s' has no C file in %.*s: it is no TVM model as C",
                   mlf->path, (int)sizeof SOURCES - 2, SOURCES);
}

/* ---- a folder ---- */

static bool take_folder(struct rp_mlf *mlf, struct rp_arena *arena, const char *folder,
                        struct rp_error *err) {
    struct rp_strings names = {0};
    const char *dir = rp_path_join(arena, mlf->path, folder);
    if (!rp_path_is_dir(dir))
        return true;
    if (!rp_list_dir(arena, dir, &names, err))
        return false;
    for (size_t i = 0; i < names.count; i++) {
        const char *name = rp_format(arena, "%s%s", folder, names.items[i]);
        struct rp_mlf_file file = {rp_path_join(arena, mlf->path, name), {NULL, 0}};
        if (rp_path_is_dir(file.path) || (!rp_has_prefix(name, "codegen/") && !is_relay(name)))
            continue;
        if (!rp_file_read(arena, file.path, TEXT_MAX, &file.text, err) ||
            !sort_file(mlf, arena, name, &file, err))
            return false;
    }
    return true;
}

static bool load_folder(struct rp_mlf *mlf, struct rp_arena *arena, struct rp_error *err) {
    static const char *const folders[] = {SOURCES, "codegen/host/lib/", HEADERS, "src/"};
    static const char *const includes[] = {HEADERS, RUNTIME};
    const char *metadata = rp_path_join(arena, mlf->path, METADATA);
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        if (!take_folder(mlf, arena, folders[i], err))
            return false;
    for (size_t i = 0; i < sizeof includes / sizeof includes[0]; i++)
        if (rp_path_is_dir(rp_path_join(arena, mlf->path, includes[i])))
            rp_strings_push(arena, &mlf->include_dirs, rp_path_join(arena, mlf->path, includes[i]));
    if (!rp_path_is_file(metadata))
        return true;
    mlf->metadata_path = metadata;
    return rp_file_read(arena, metadata, TEXT_MAX, &mlf->metadata, err);
}

/* ---- a tar ---- */

static bool load_tar(struct rp_mlf *mlf, struct rp_arena *arena, struct rp_error *err) {
    struct rp_tar tar = {0};
    mlf->in_tar = true;
    if (!rp_tar_read(&tar, arena, mlf->path, is_wanted, err))
        return false;
    for (size_t i = 0; i < tar.count; i++) {
        const struct rp_mlf_file file = {tar.items[i].name, tar.items[i].bytes};
        if (!sort_file(mlf, arena, file.path, &file, err))
            return false;
    }
    RP_PUSH_WORDS(arena, &mlf->include_dirs, HEADERS, RUNTIME);
    return true;
}

bool rp_mlf_unpack(const struct rp_mlf *mlf, struct rp_arena *arena, const char *dir,
                   struct rp_error *err) {
    const struct rp_mlf_files *lists[] = {&mlf->sources, &mlf->headers};
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < lists[k]->count; i++) {
            const struct rp_mlf_file *file = &lists[k]->items[i];
            const char *to = rp_path_join(arena, dir, file->path);
            if (!rp_make_dirs(rp_path_dir(arena, to), err) ||
                !rp_file_write(to, file->text.data, file->text.size, err))
                return false;
        }
    return true;
}

/* ---- one file and its neighbours ---- */

/* The length of "default_lib" in "default_lib0.c"; 0 for other names. */
static size_t library_prefix(const char *name) {
    const char *at = strstr(name, "lib");
    for (; at != NULL; at = strstr(at + 1, "lib")) {
        const char *digits = at + strlen("lib");
        size_t count = strspn(digits, "0123456789");
        if (count != 0 && strcmp(digits + count, ".c") == 0)
            return (size_t)(digits - name);
    }
    return 0;
}

/* The C files of the folder that belong to the named file, or to the model of the header. */
static bool take_parts(struct rp_mlf *mlf, struct rp_arena *arena, const char *dir,
                       struct rp_error *err) {
    struct rp_strings names = {0};
    const char *like = rp_path_base(mlf->path);
    const char *model = rp_has_suffix(like, ".h") ? rp_path_stem(arena, like) : NULL;
    size_t prefix = library_prefix(like);
    if (!rp_list_dir(arena, dir, &names, err))
        return false;
    for (size_t i = 0; i < names.count; i++) {
        const char *name = names.items[i], *path = rp_path_join(arena, dir, name);
        struct rp_bytes text;
        size_t own = library_prefix(name);
        if (model != NULL ? own == 0
                          : strcmp(name, like) != 0 &&
                                (prefix == 0 || own != prefix || strncmp(name, like, prefix) != 0))
            continue;
        if (!rp_file_read(arena, path, TEXT_MAX, &text, err))
            return false;
        if (model == NULL || strstr((const char *)text.data, model) != NULL)
            push(arena, &mlf->sources, path, text);
    }
    return true;
}

bool rp_mlf_add_headers(struct rp_mlf *mlf, struct rp_arena *arena, const char *dir,
                        struct rp_error *err) {
    struct rp_strings names = {0};
    if (!rp_list_dir(arena, dir, &names, err))
        return false;
    for (size_t i = 0; i < names.count; i++) {
        const char *path = rp_path_join(arena, dir, names.items[i]);
        struct rp_bytes text;
        if (!rp_has_prefix(names.items[i], "tvmgen_") || !rp_has_suffix(path, ".h"))
            continue;
        if (!rp_file_read(arena, path, TEXT_MAX, &text, err))
            return false;
        push(arena, &mlf->headers, path, text);
    }
    return true;
}

static bool take_headers(struct rp_mlf *mlf, struct rp_arena *arena, const char *dir,
                         struct rp_error *err) {
    if (!rp_path_is_dir(dir))
        return true;
    rp_strings_push(arena, &mlf->include_dirs, dir);
    return rp_mlf_add_headers(mlf, arena, dir, err);
}

/* Sources are beside the header or in ../src, headers beside the source or in ../include. */
static bool load_file(struct rp_mlf *mlf, struct rp_arena *arena, struct rp_error *err) {
    const char *dir = rp_path_dir(arena, mlf->path), *up = rp_path_dir(arena, dir);
    const char *src = rp_path_join(arena, up, "src");
    return take_parts(mlf, arena, dir, err) &&
           (mlf->sources.count != 0 || !rp_path_is_dir(src) || take_parts(mlf, arena, src, err)) &&
           take_headers(mlf, arena, dir, err) &&
           (strcmp(rp_path_base(dir), "include") == 0 ||
            take_headers(mlf, arena, rp_path_join(arena, up, "include"), err));
}

bool rp_mlf_load(struct rp_mlf *mlf, struct rp_arena *arena, const char *path,
                 struct rp_error *err) {
    *mlf = (struct rp_mlf){.path = path};
    bool whole = rp_path_is_dir(path) || rp_mlf_is_tar(path);
    bool ok = rp_path_is_dir(path)  ? load_folder(mlf, arena, err)
              : rp_mlf_is_tar(path) ? load_tar(mlf, arena, err)
                                    : load_file(mlf, arena, err);
    if (!ok || whole)
        return ok && finish(mlf, err);
    return mlf->sources.count != 0 ||
           rp_fail(err, RP_E_INPUT, "'%s': there is no '*lib0.c' beside it or in ../src", path);
}

/* ---- metadata.json ---- */

struct describing {
    struct rp_mlf *mlf;
    struct rp_arena *arena;
    struct rp_error *err;
};

/* The row of a device may repeat tensors. Refuses two names that become one identifier. */
static bool push_tensor(struct describing *about, const struct rp_mlf_tensor *tensor) {
    const struct rp_mlf_tensors *all = &about->mlf->tensors;
    for (size_t i = 0; i < all->count; i++) {
        const struct rp_mlf_tensor *other = &all->items[i];
        if (other->is_output != tensor->is_output || strcmp(other->name, tensor->name) != 0)
            continue;
        return (other->dtype == tensor->dtype && other->size_bytes == tensor->size_bytes) ||
               rp_fail(about->err, RP_E_MANIFEST,
                       "%s: two tensors are named '%s' and differ in type or size",
                       about->mlf->metadata_path, tensor->name);
    }
    if (all->count == TENSORS_MAX)
        return rp_fail(about->err, RP_E_TOO_LARGE, "%s: more than %d tensors",
                       about->mlf->metadata_path, TENSORS_MAX);
    *RP_PUSH(about->arena, &about->mlf->tensors) = *tensor;
    return true;
}

static bool take_tensors(struct describing *about, const struct rp_json *list, bool is_output) {
    for (const struct rp_json *item = rp_json_first(list); item != NULL;
         item = rp_json_next(item)) {
        const char *type = rp_json_text(item, "dtype", NULL);
        int64_t size;
        if (rp_json_key(item) == NULL || type == NULL ||
            !rp_json_integer(rp_json_member(item, "size"), 1, UINT32_MAX, &size))
            return rp_fail(about->err, RP_E_MANIFEST, "%s: tensor '%s' lacks name, dtype or size",
                           about->mlf->metadata_path,
                           rp_json_key(item) != NULL ? rp_json_key(item) : "");
        const struct rp_mlf_tensor tensor = {
            .name = rp_c_identifier(about->arena, rp_json_key(item)),
            .is_output = is_output,
            .dtype = rp_dtype_find(type),
            .dtype_name = rp_strdup(about->arena, type),
            .size_bytes = (uint64_t)size,
        };
        if (!push_tensor(about, &tensor))
            return false;
    }
    return true;
}

/* There is one row for each device whose memory is used. */
static bool take_memory(struct describing *about, const struct rp_json *module) {
    const struct rp_json *functions = rp_json_member(rp_json_member(module, "memory"), "functions");
    for (const struct rp_json *row = rp_json_first(rp_json_member(functions, "main")); row != NULL;
         row = rp_json_next(row)) {
        int64_t bytes;
        if (rp_json_integer(rp_json_member(row, "workspace_size_bytes"), 0, UINT32_MAX, &bytes))
            about->mlf->workspace_bytes += (uint64_t)bytes;
        if (!take_tensors(about, rp_json_member(row, "inputs"), false) ||
            !take_tensors(about, rp_json_member(row, "outputs"), true))
            return false;
    }
    return true;
}

static bool check_executor(struct describing *about, const struct rp_json *module) {
    const struct rp_json *list = rp_json_member(module, "executors");
    const struct rp_json *item = rp_json_first(list);
    for (; item != NULL; item = rp_json_next(item))
        if (rp_json_string(item) != NULL && strcmp(rp_json_string(item), "aot") == 0)
            return true;
    if (rp_json_first(list) == NULL)
        return true;
    const char *first = rp_json_string(rp_json_first(list));
    rp_fail(about->err, RP_E_INPUT,
            "%s: the model is for the executor '%s'; only 'aot' can be "
            "packaged",
            about->mlf->metadata_path, first != NULL ? first : "?");
    return rp_hint(about->err, RP_HINT_TVM_AOT);
}

/* Version 7 has a member for each model, older ones describe one. */
static const struct rp_json *find_module(struct describing *about, const struct rp_json *root,
                                         const char *model) {
    const struct rp_json *modules = rp_json_member(root, "modules");
    struct rp_buf names = {.arena = about->arena};
    if (modules == NULL)
        return root;
    for (const struct rp_json *item = rp_json_first(modules); item != NULL;
         item = rp_json_next(item)) {
        if (rp_json_key(item) == NULL)
            break;
        if (rp_json_count(modules) == 1 ||
            strcmp(rp_c_identifier(about->arena, rp_json_key(item)), model) == 0)
            return item;
        rp_buf_printf(&names, " %s", rp_json_key(item));
    }
    rp_fail(about->err, RP_E_INPUT, "%s: it describes%s, but the code is of model '%s'",
            about->mlf->metadata_path, names.len != 0 ? names.data : " no model", model);
    return NULL;
}

static bool describe(struct describing *about, const struct rp_json *root, const char *model) {
    int64_t version;
    if (!rp_json_integer(rp_json_member(root, "version"), 1, VERSION_MAX, &version)) {
        rp_fail(about->err, RP_E_INPUT,
                "%s: no Model Library Format of a version that is known (1 to %d)",
                about->mlf->metadata_path, VERSION_MAX);
        return rp_hint(about->err, "name the C file instead: -i .../codegen/host/src/NAME_lib0.c");
    }
    const struct rp_json *module = find_module(about, root, model);
    return module != NULL && check_executor(about, module) && take_memory(about, module);
}

bool rp_mlf_describe(struct rp_mlf *mlf, struct rp_arena *arena, const char *model,
                     struct rp_error *err) {
    struct describing about = {mlf, arena, err};
    if (mlf->metadata.data == NULL)
        return true;
    struct rp_json *root = rp_json_parse((const char *)mlf->metadata.data, mlf->metadata.size,
                                         mlf->metadata_path, err);
    if (root == NULL)
        return false;
    bool ok = describe(&about, root, model);
    rp_json_free(root);
    return ok;
}
