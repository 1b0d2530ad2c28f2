/* SPDX-License-Identifier: Apache-2.0 */
/* What a compiler cache may go by: see cached.h. */
#include "toolchain/npu/cached.h"

#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "toolchain/compile/searched.h"

#define PACK_NAMES    "pack.names"
#define NETWORK_NAMES "network.names"

bool rp_npu_reads_nothing(const char *option) {
    static const char *const kept[] = {"-D", "-U", "-O", "-f", "-g", "-m", "-std="};
    bool reads_nothing = false;
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        reads_nothing = reads_nothing || rp_has_prefix(option, kept[i]);
    return reads_nothing;
}

/* Do the network's options name no folder but those of the list? gcc's only: clang has more. */
static bool are_known(const struct rp_strings *flags, const struct rp_strings *folders) {
    size_t known = 0;
    for (size_t i = 0; i < flags->count; i++) {
        const char *word = flags->items[i];
        known += rp_npu_reads_nothing(word) ||
                 (rp_has_prefix(word, "-I") && rp_strings_have(folders, word + 2));
    }
    return known == flags->count;
}

/* Where headers of the network's unit are looked for: its own folder, the pack's, ours. */
static struct rp_strings folders_of(const struct rp_model *model, const struct rp_build *build) {
    struct rp_strings folders = {0};
    const char *ours = rp_path_join(build->arena, build->options->data_dir, "templates/npu");
    rp_strings_append(build->arena, &folders, &model->code.include_dirs);
    rp_strings_push(build->arena, &folders, ours);
    rp_strings_push(build->arena, &folders, rp_path_join(build->arena, ours, "no_registers"));
    return folders;
}

bool rp_npu_hides_headers(const struct rp_model *model, const struct rp_build *build) {
    const struct rp_strings folders = folders_of(model, build);
    struct rp_strings names = {0};
    bool hides = !rp_list_dir(build->arena, folders.items[0], &names, NULL);
    for (size_t i = 0; i < names.count; i++)
        for (size_t k = 1; !hides && k < folders.count; k++)
            hides = access(rp_path_join(build->arena, folders.items[k], names.items[i]), F_OK) == 0;
    return hides;
}

bool rp_npu_trust_names(const struct rp_model *model, struct rp_build *build,
                        const struct rp_plan_flags *flags, struct rp_error *err) {
    struct rp_arena *arena = build->arena;
    struct rp_buf pack = {.arena = arena}, network = {.arena = arena};
    const struct rp_strings *passed = build->options->passed;
    const struct rp_strings folders = folders_of(model, build);
    bool known = passed == NULL || passed->count == 0;
    for (size_t i = 1; i < folders.count; i++)
        known = known && rp_searched_names(&pack, folders.items[i]);
    if (!known)
        return true;
    known = are_known(&flags->model, &folders) && rp_searched_names(&network, folders.items[0]);
    for (size_t i = 0; i < build->units.count; i++) {
        struct rp_unit *unit = &build->units.items[i];
        unit->own = i != 0 || known;
        unit->key = i == 0              ? PACK_NAMES ":" NETWORK_NAMES
                    : unit->key == NULL ? PACK_NAMES
                                        : rp_format(arena, PACK_NAMES ":%s", unit->key);
    }
    return rp_build_write(build, PACK_NAMES, pack.data, pack.len, err) &&
           (!known || rp_build_write(build, NETWORK_NAMES, network.data, network.len, err));
}
