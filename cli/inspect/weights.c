/* SPDX-License-Identifier: Apache-2.0 */
/* A weights file: its trailer, and the image beside it that it belongs to. See weights.h. */
#include "cli/inspect/weights.h"

#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/path.h"
#include "cli/document.h"
#include "cli/inspect/parts.h"
#include "cli/terminal.h"

struct belongs {
    const char *image; /* path of the image with the same name, or NULL */
    bool is_read;      /* the image could be read */
    bool same_build;   /* it could be read and is of the same build */
};

/* NAME_data.bin, or the vendor's NAME_rel_params.bin, belongs to NAME_rel.bin beside it. */
static struct belongs find_image(struct rp_arena *arena, const char *path,
                                 const struct rp_trailer *trailer) {
    static const char *const suffixes[] = {"_data.bin", "_rel_params.bin"};
    struct belongs found = {0};
    for (size_t i = 0; i < 2 && found.image == NULL; i++) {
        size_t len = strlen(path), tail = strlen(suffixes[i]);
        if (!rp_has_suffix(path, suffixes[i]))
            continue;
        const char *image = rp_format(arena, "%.*s_rel.bin", (int)(len - tail), path);
        found.image = rp_path_is_file(image) ? image : NULL;
    }
    if (found.image == NULL)
        return found;
    struct rp_mapped file;
    struct rp_image_view view;
    bool mapped = rp_map_file(&file, found.image, NULL);
    found.is_read = mapped && rp_image_read(&view, &file, NULL) && view.has_trailer;
    found.same_build = found.is_read && memcmp(view.trailer.build_id, trailer->build_id,
                                               sizeof trailer->build_id) == 0;
    rp_unmap_file(&file);
    return found;
}

static void print_text(struct rp_arena *arena, const struct rp_mapped *file,
                       const struct rp_trailer *trailer, const struct belongs *belongs) {
    printf("weights      %s, %u bytes: the weights or params file of a split image\n",
           rp_printable(arena, file->path), file->size);
    if (belongs->image == NULL)
        printf("image        there is none of this name beside it\n");
    else
        printf("image        %s: %s\n", rp_printable(arena, belongs->image),
               !belongs->is_read     ? "cannot be read, or has no trailer"
               : belongs->same_build ? "of the same build"
                                     : "of ANOTHER build, these weights are not for it");
    printf("payload      %u bytes, CRC-32 %08x\n", trailer->weights_length, trailer->weights_crc32);
    rp_inspect_trailer(trailer);
}

static void print_json(const struct rp_mapped *file, const struct rp_trailer *trailer,
                       const struct belongs *belongs) {
    struct rp_json *root = RP_JSON_PUT(
        rp_document("inspect", 1, "inspect"), RP_JSON_S("kind", "weights"),
        RP_JSON_N("size_bytes", file->size), RP_JSON_N("payload_bytes", trailer->weights_length),
        RP_JSON_W("payload_crc32", trailer->weights_crc32));
    if (belongs->image != NULL) {
        rp_json_put_string(root, "image", belongs->image);
        rp_json_put_bool(root, "same_build", belongs->same_build);
    }
    rp_inspect_trailer_json(root, trailer, trailer->sum.length);
    rp_print_json(root);
}

bool rp_inspect_weights(struct rp_arena *arena, const struct rp_mapped *file, bool json,
                        struct rp_error *err) {
    struct rp_trailer trailer;
    if (!rp_weights_read(&trailer, file, err))
        return false;
    const struct belongs belongs = find_image(arena, file->path, &trailer);
    if (json)
        print_json(file, &trailer, &belongs);
    else
        print_text(arena, file, &trailer, &belongs);
    return true;
}
