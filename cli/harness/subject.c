/* SPDX-License-Identifier: Apache-2.0 */
/* Images and what lies beside them: see subject.h. */
#include "cli/harness/subject.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/path.h"
#include "elfpack/image/image.h"

/* NAME_rel.bin → NAME + suffix; NULL when the image is not named like this. */
static const char *sibling(const struct rp_subject *subject, struct rp_arena *arena,
                           const char *suffix) {
    size_t len = strlen(subject->path), tail = strlen("_rel.bin");
    return rp_has_suffix(subject->path, "_rel.bin")
               ? rp_format(arena, "%.*s%s", (int)(len - tail), subject->path, suffix)
               : NULL;
}

const char *rp_subject_report(const struct rp_subject *subject, struct rp_arena *arena) {
    return sibling(subject, arena, "_generate_rel.json");
}

const char *rp_subject_elf(const struct rp_subject *subject, struct rp_arena *arena) {
    return sibling(subject, arena, "_rel.elf");
}

bool rp_subject_is_image(const char *path) {
    uint8_t start[4] = {0};
    FILE *file = fopen(path, "rb");
    bool ok = file != NULL && fread(start, 1, sizeof start, file) == sizeof start;
    if (file != NULL)
        (void)fclose(file);
    return ok && rp_get_le32(start) == RELOC_MAGIC;
}

uint32_t rp_subject_weights_size(const struct rp_subject *subject) {
    const struct rp_image_view *view = &subject->view;
    return view->view.weights_start != 0 ? 0 : view->needs.weights;
}

static bool find_weights(struct rp_subject *subject, struct rp_arena *arena, const char *given,
                         struct rp_error *err) {
    if (rp_subject_weights_size(subject) == 0)
        return true;
    subject->weights_path = given != NULL ? given : sibling(subject, arena, "_data.bin");
    if (given == NULL && subject->weights_path != NULL && !rp_path_is_file(subject->weights_path)) {
        const char *vendors = sibling(subject, arena, "_rel_params.bin");
        subject->weights_path = rp_path_is_file(vendors) ? vendors : subject->weights_path;
    }
    if (subject->weights_path == NULL)
        return rp_fail(err, RP_E_USAGE, "'%s' needs its weights file: --weights FILE",
                       subject->path);
    struct rp_mapped weights;
    bool ok = rp_map_file(&weights, subject->weights_path, err) &&
              rp_weights_check(&subject->view, &weights, err);
    rp_unmap_file(&weights);
    return ok;
}

bool rp_subject_hint(struct rp_arena *arena, const char *path, struct rp_error *err) {
    struct rp_strings names = {0};
    const char *found = NULL;
    if (access(path, F_OK) != 0)
        return false;
    if (rp_path_is_dir(path)) {
        (void)rp_list_dir(arena, path, &names, NULL);
        for (size_t i = 0; found == NULL && i < names.count; i++)
            if (rp_has_suffix(names.items[i], "_rel.bin"))
                found = names.items[i];
        return found != NULL ? rp_hint(err, "it is a folder; an image in it: %s",
                                       rp_path_join(arena, path, found))
                             : rp_hint(err, "it is a folder, and no NAME_rel.bin is in it");
    }
    if (rp_has_suffix(path, "_generate_rel.json"))
        return rp_hint(err, "that is the report of an image: give NAME_rel.bin, beside it");
    static const char *const inputs[] = {".c", ".cc", ".cpp", ".json", ".onnx", ".tflite", ".tar"};
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++)
        if (rp_has_suffix(path, inputs[i]))
            return rp_hint(err, "relocpack generate -i %s --target SERIES makes an image of it",
                           path);
    return false;
}

bool rp_subject_open_image(struct rp_subject *subject, struct rp_arena *arena, const char *path,
                           struct rp_error *err) {
    *subject = (struct rp_subject){.path = path};
    if (rp_is_weights_file(path)) {
        rp_fail(err, RP_E_IMAGE, "'%s' is the weights file of an image, not an image", path);
        return rp_hint(err, "give the image (NAME_rel.bin): its weights are found beside it, or "
                            "named with --weights");
    }
    if (!rp_map_file(&subject->file, path, err) ||
        !rp_image_read(&subject->view, &subject->file, err))
        return rp_subject_hint(arena, path, err);
    subject->format = rp_format_of(subject->view.format->major);
    return true;
}

bool rp_subject_open(struct rp_subject *subject, struct rp_arena *arena, const char *path,
                     const char *weights, struct rp_error *err) {
    return rp_subject_open_image(subject, arena, path, err) &&
           find_weights(subject, arena, weights, err);
}

void rp_subject_close(struct rp_subject *subject) {
    rp_unmap_file(&subject->file);
}
