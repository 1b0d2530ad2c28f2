/* SPDX-License-Identifier: Apache-2.0 */
/* Images made again: see again.h. */
#include "cli/profile/again.h"

#include <string.h>

#include "cli/pipeline/open.h"
#include "cli/pipeline/settle.h"
#include "cli/pipeline/write.h"
#include "toolchain/compile/compiler.h"

struct rp_source_options *rp_again_options(struct rp_arena *arena, const struct rp_subject *subject,
                                           const struct rp_source_options *source) {
    const struct rp_image_view *view = &subject->view;
    struct rp_source_options *options = rp_alloc(arena, 1, sizeof *options);
    *options = *source;
    options->input.compiler = rp_compiler_of_tool(RELOC_FLAGS_TOOLCHAIN(view->view.flags));
    options->input.copy_only = view->patches != 0;
    options->input.compact = view->compact_bytes != 0;
    return options;
}

/* The file just made has to be the image. */
static bool check_same(const struct rp_subject *subject, const char *path, struct rp_error *err) {
    struct rp_mapped made;
    if (!rp_map_file(&made, path, err))
        return false;
    bool same = made.size == subject->file.size &&
                memcmp(made.data, subject->file.data, subject->file.size) == 0;
    rp_unmap_file(&made);
    if (same)
        return true;
    rp_fail(err, RP_E_PROFILE,
            "'%s' cannot be profiled: what is made from its sources now is another image, so its "
            "functions are not known",
            subject->path);
    return rp_hint(err, "the sources, their options or the compiler have changed: generate the "
                        "image again");
}

bool rp_again_make(struct rp_package *image, struct rp_arena *arena,
                   const struct rp_source_options *options, const struct rp_subject *subject,
                   struct rp_error *err) {
    struct rp_image_result result;
    bool split = rp_subject_weights_size(subject) != 0;
    if (!rp_package_open(image, arena, options, err) || !rp_package_settle(image, err))
        return false;
    const char *path = rp_build_path(&image->build, "image_rel.bin");
    const char *weights = split ? rp_build_path(&image->build, "image_data.bin") : NULL;
    return rp_package_write(image, path, weights, &result, err) && check_same(subject, path, err);
}

/*
 * The two APIs of the vendor make its name from the model's. One that was inlined is part of what
 * calls it.
 */
uint32_t rp_again_entry(const struct rp_package *image, const struct rp_scopes *scopes) {
    const struct rp_model_entry *entry = &image->model.entry;
    const char *name = entry->name != NULL ? entry->name : "";
    const char *const names[] = {entry->called != NULL ? entry->called : name, name,
                                 rp_format(image->arena, "ai_%s_run", name),
                                 rp_format(image->arena, "stai_%s_run", name)};
    uint32_t found = RP_NO_SCOPE;
    for (size_t i = 0; found == RP_NO_SCOPE && i < sizeof names / sizeof names[0]; i++)
        found = rp_scope_named(scopes, names[i]);
    return found;
}
