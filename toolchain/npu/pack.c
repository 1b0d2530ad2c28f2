/* SPDX-License-Identifier: Apache-2.0 */
/* The vendor's pack: see pack.h. */
#include "toolchain/npu/pack.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/json.h"
#include "base/nearest.h"
#include "base/path.h"
#include "toolchain/compile/series.h"
#include "toolchain/cread/define.h"

enum { JSON_MAX = 1 << 20, HEADER_MAX = 16 << 20 };

/* What a value names, and so what has to be there. */
enum value { VALUE_TEXT, VALUE_FILE, VALUE_DIR };

/* The keys of the vendor's custom file and where their values go. */
static const struct {
    const char *key;
    size_t member;
    enum value value;
    bool is_read; /* only: it has no say in which programs are started, as clang's sysroot has */
} keys[] = {
    {"runtime_network_lib", offsetof(struct rp_pack, runtime_lib), VALUE_FILE, true},
    {"extra_system_path", offsetof(struct rp_pack, extra_system_path), VALUE_DIR, false},
    {"stedgeai_install_path", offsetof(struct rp_pack, root), VALUE_DIR, true},
    {"llvm_install_path", offsetof(struct rp_pack, llvm_install_path), VALUE_DIR, false},
    {"target_triplet", offsetof(struct rp_pack, target_triplet), VALUE_TEXT, false},
    {"llvm_sysroot", offsetof(struct rp_pack, llvm_sysroot), VALUE_DIR, false},
};
enum { KEY_COUNT = sizeof keys / sizeof keys[0] };

/* "~/x" as a shell would have it: the vendor's tool expands it. */
static const char *expand(struct rp_arena *arena, const char *text) {
    const char *home = getenv("HOME");
    bool tilde = text[0] == '~' && (text[1] == '/' || text[1] == '\0');
    return tilde && home != NULL ? rp_format(arena, "%s%s", home, text + 1)
                                 : rp_strdup(arena, text);
}

static bool check_value(const struct rp_input *input, size_t k, const char *value,
                        struct rp_error *err) {
    const char *path = input->custom;
    if (input->custom_unsaid && !keys[k].is_read) {
        rp_fail(err, RP_E_UNTRUSTED,
                "%s: only the image's report names this file, and its member '%s' chooses what "
                "would be started: '%s'",
                path, keys[k].key, value);
        rp_fail_in(err, path, 0);
        return rp_hint(err, RP_HINT_TRUST);
    }
    bool there = keys[k].value == VALUE_TEXT  ? true
                 : keys[k].value == VALUE_DIR ? rp_path_is_dir(value)
                                              : rp_path_is_file(value);
    if (there)
        return true;
    rp_fail(err, RP_E_MANIFEST, "%s: member '%s': '%s' is no %s", path, keys[k].key, value,
            keys[k].value == VALUE_DIR ? "folder" : "file");
    rp_fail_in(err, path, 0);
    return rp_hint(err, "correct the path, or make the value \"\" for the default; a relative one "
                        "counts from the current folder");
}

/* null and "" are no value, as for the vendor's scripts. */
static bool take_value(struct rp_pack *pack, struct rp_arena *arena, size_t k,
                       const struct rp_json *item, struct rp_error *err) {
    const char *path = pack->input->custom;
    const char *text = rp_json_string(item);
    const char **slot = (const char **)(void *)((char *)pack + keys[k].member);
    if (rp_json_type_of(item) == RP_JSON_NULL)
        text = "";
    if (text == NULL)
        return rp_fail(err, RP_E_MANIFEST, "%s: member '%s' has to be a string", path, keys[k].key);
    *slot = text[0] != '\0' ? expand(arena, text) : NULL;
    return *slot == NULL || check_value(pack->input, k, *slot, err);
}

static bool take_custom(struct rp_pack *pack, struct rp_model *model, struct rp_arena *arena,
                        const struct rp_json *root, struct rp_error *err) {
    const char *path = pack->input->custom;
    for (const struct rp_json *item = rp_json_first(root); item != NULL;
         item = rp_json_next(item)) {
        const char *key = rp_json_key(item);
        size_t k = 0;
        while (k < KEY_COUNT && strcmp(keys[k].key, key) != 0)
            k++;
        if (key[0] == '_') /* "_comment" */
            continue;
        if (k < KEY_COUNT) {
            if (!take_value(pack, arena, k, item, err))
                return false;
            continue;
        }
        /* what the vendor's scripts read, or its files have, for something not done here */
        if (strcmp(key, "resources_dir") != 0 && strcmp(key, "dev") != 0 &&
            !rp_has_prefix(key, "dev.")) {
            rp_fail(err, RP_E_MANIFEST, "%s: member '%s' is not known", path, key);
            rp_fail_in(err, path, 0);
            return rp_hint_nearest(err, key, "",
                                   "runtime_network_lib extra_system_path stedgeai_install_path "
                                   "llvm_install_path target_triplet llvm_sysroot resources_dir");
        }
        rp_diagnose(arena, &model->notes, "RP1062",
                    rp_format(arena,
                              "%s: member '%s' is the vendor's and has no effect here: the "
                              "tool's own makefile and templates are used, and the pack's headers "
                              "and runtime",
                              rp_path_base(path), rp_strdup(arena, key)))
            ->file = path;
    }
    return true;
}

static bool read_custom(struct rp_pack *pack, struct rp_model *model, struct rp_arena *arena,
                        struct rp_error *err) {
    const char *path = pack->input->custom;
    struct rp_json *root = rp_json_read(arena, path, JSON_MAX, err);
    if (root == NULL)
        return false;
    bool ok = rp_json_type_of(root) == RP_JSON_OBJECT
                  ? take_custom(pack, model, arena, root, err)
                  : rp_fail(err, RP_E_MANIFEST, "%s: not a JSON object", path);
    rp_json_free(root);
    return ok;
}

/* PACK/Utilities/linux/stedgeai → PACK, through links; NULL: it is not in a pack. */
static const char *pack_of_program(struct rp_arena *arena, const char *program) {
    char *plain = realpath(program, NULL);
    if (plain == NULL)
        return NULL;
    const char *platform = rp_path_dir(arena, plain);
    const char *utilities = rp_path_dir(arena, platform);
    const char *pack = rp_path_dir(arena, utilities);
    free(plain);
    bool inside = strcasecmp(rp_path_base(utilities), "utilities") == 0 &&
                  rp_path_is_dir(rp_path_join(arena, pack, "Middlewares"));
    return inside ? pack : NULL;
}

const char *rp_pack_default(struct rp_arena *arena) {
    const char *program = getenv("STEDGEAI_CORE_EXE");
    const char *found =
        program != NULL && program[0] != '\0' ? pack_of_program(arena, program) : NULL;
    if (found == NULL)
        found = getenv("STEDGEAI_CORE_DIR");
    const char *on_path = found == NULL ? rp_find_program(arena, "stedgeai") : NULL;
    return on_path != NULL ? pack_of_program(arena, on_path) : found;
}

bool rp_pack_open(struct rp_pack *pack, struct rp_model *model, struct rp_arena *arena,
                  const struct rp_input *input, struct rp_error *err) {
    const char *root = input->pack_dir != NULL ? input->pack_dir : rp_pack_default(arena);
    *pack = (struct rp_pack){.input = input};
    if (input->custom != NULL) {
        if (!read_custom(pack, model, arena, err))
            return false;
        rp_strings_push(arena, &model->code.used_files, input->custom);
    }
    if (pack->root == NULL && root != NULL && root[0] != '\0')
        pack->root = root;
    if (pack->root != NULL) {
        pack->root = rp_path_absolute(arena, pack->root, err);
        if (pack->root == NULL)
            return false;
        pack->ai = rp_path_join(arena, pack->root, "Middlewares/ST/AI");
        /* Projects contain this folder alone, under a name of their own. */
        if (!rp_path_is_dir(pack->ai) &&
            rp_path_is_file(rp_path_join(arena, pack->root, "Inc/ai_platform.h")))
            pack->ai = pack->root;
    }
    if (pack->runtime_lib != NULL)
        rp_strings_push(arena, &model->code.libraries, pack->runtime_lib);
    model->needs.pack_dir = pack->root;
    model->needs.extra_system_path = pack->extra_system_path;
    return true;
}

/*
 * The archives of the core: in its own folder of the pack, else, as CubeMX copies one to a project,
 * in Lib.
 */
static struct rp_strings find_archives(const struct rp_pack *pack, struct rp_arena *arena,
                                       const struct rp_pack_kernels *kernels, const char *suffix) {
    const char *lib = rp_path_join(arena, pack->ai, "Lib");
    const char *const places[][2] = {
        {rp_format(arena, "%s/%s/ARMCortex%s", lib, kernels->folder, kernels->core), ""},
        {lib, rp_format(arena, "_C%s_", kernels->core)}};
    struct rp_strings found = {0};
    for (size_t k = 0; k < 2 && found.count == 0; k++) {
        struct rp_strings names = {0};
        if (!rp_list_dir(arena, places[k][0], &names, NULL))
            continue;
        for (size_t i = 0; i < names.count; i++)
            if (rp_has_prefix(names.items[i], "NetworkRuntime") &&
                strstr(names.items[i], places[k][1]) != NULL &&
                rp_has_suffix(names.items[i], suffix))
                rp_strings_push(arena, &found, rp_path_join(arena, places[k][0], names.items[i]));
    }
    return found;
}

/* CubeMX copies the archive for the toolchain of the project. NULL: there is none of another one.
 */
static const char *find_foreign(const struct rp_pack *pack, struct rp_arena *arena,
                                const struct rp_pack_kernels *kernels) {
    static const char *const suffixes[] = {"_Keil.lib", "_Keil_COMPATIBLE.a", "_IAR.a"};
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        const struct rp_strings found = find_archives(pack, arena, kernels, suffixes[i]);
        if (found.count != 0)
            return rp_path_base(found.items[0]);
    }
    return NULL;
}

bool rp_pack_find_kernels(const struct rp_pack *pack, struct rp_model *model,
                          struct rp_arena *arena, const struct rp_pack_kernels *kernels,
                          struct rp_error *err) {
    struct rp_strings fixed = {0};
    if (model->code.libraries.count != 0 || pack->ai == NULL)
        return true;
    const struct rp_strings pic = find_archives(pack, arena, kernels, kernels->suffix);
    if (pic.count == 0 && kernels->fixed != NULL)
        fixed = find_archives(pack, arena, kernels, kernels->fixed);
    const bool may_be_fixed = pack->input->copy_only || pack->input->takes_fixed;
    const struct rp_strings *found = pic.count == 0 && may_be_fixed ? &fixed : &pic;
    if (found->count == 1) {
        rp_strings_push(arena, &model->code.libraries, found->items[0]);
        return true;
    }
    if (found->count > 1)
        return rp_fail(err, RP_E_INPUT,
                       "'%s' has two kernel archives, %s and %s: name one with --runtime-lib",
                       rp_path_dir(arena, found->items[0]), rp_path_base(found->items[0]),
                       rp_path_base(found->items[1]));
    const char *foreign = fixed.count == 0 ? find_foreign(pack, arena, kernels) : NULL;
    const char *other = fixed.count != 0 ? rp_path_base(fixed.items[0]) : foreign;
    rp_fail(err, RP_E_INPUT,
            "'%s/Lib/%s/ARMCortex%s' has no kernel archive NetworkRuntime*%s%s%s%s", pack->ai,
            kernels->folder, kernels->core, kernels->suffix, other != NULL ? ", only '" : "",
            other != NULL ? other : "",
            fixed.count != 0  ? "', which is for static use"
            : foreign != NULL ? "', which is for another compiler"
                              : "");
    if (fixed.count != 0)
        return rp_hint(err, "-r copy-only takes it: the image is then copied to RAM");
    return rp_hint(err,
                   foreign != NULL
                       ? "copy the archive for GCC from the pack of that release beside it, or "
                         "have CubeMX generate the project for a toolchain with GCC, such as "
                         "STM32CubeIDE"
                       : "name one with --runtime-lib");
}

/* ---- headers ---- */

const char *rp_find_beside(const struct rp_model *model, struct rp_arena *arena, const char *dir,
                           const char *name) {
    const char *path = rp_path_join(arena, dir, name);
    for (size_t i = 0; !rp_path_is_file(path) && i < model->code.include_dirs.count; i++)
        path = rp_path_join(arena, model->code.include_dirs.items[i], name);
    return rp_path_is_file(path) ? path : NULL;
}

const char *rp_find_header(const struct rp_model *model, struct rp_arena *arena, const char *name) {
    struct rp_bytes text;
    for (size_t i = 0; i < model->code.include_dirs.count; i++)
        if (rp_file_read(arena, rp_path_join(arena, model->code.include_dirs.items[i], name),
                         HEADER_MAX, &text, NULL))
            return (const char *)text.data;
    return NULL;
}

bool rp_pack_finish(const struct rp_pack *pack, struct rp_model *model, struct rp_arena *arena,
                    const char *header, struct rp_error *err) {
    if (rp_find_header(model, arena, header) == NULL) {
        rp_fail(err, RP_E_INPUT, "'%s': the vendor's header %s was not found", pack->input->path,
                header);
        return rp_hint(err, "set STEDGEAI_CORE_DIR (or STEDGEAI_CORE_EXE) to the pack, or give -I "
                            "PACK/Middlewares/ST/AI/Inc "
                            "and --runtime-lib ARCHIVE");
    }
    const struct rp_pack_kernels kernels = {"GCC", pack->input->target->core->label, "_GCC_PIC.a",
                                            "_GCC.a"};
    return rp_pack_find_kernels(pack, model, arena, &kernels, err);
}
