/* SPDX-License-Identifier: Apache-2.0 */
/* The signature of an image: see signature.h. */
#include "cli/inspect/signature.h"

#include <stdio.h>

#include "cli/report/signature.h"

struct state {
    uint32_t size; /* bytes behind the trailer; 0: not signed */
    bool is_read;  /* they have the form of the format */
    bool fits;     /* target, build id and presence of weights */
    bool weights_seen;
    struct reloc_signed s;
    struct rp_signed_digests right;
};

static struct state look(const struct rp_mapped *file, const struct rp_image_view *image,
                         const struct rp_mapped *weights) {
    struct state state = {0};
    if (!image->has_trailer)
        return state;
    struct rp_subject subject = {.file = file, .weights = weights, .image = *image};
    subject.content = reloc_signed_content(&image->view, image->view.weights_start,
                                           file->data + image->view.trailer);
    state.size = rp_get_le32(file->data + image->view.trailer + RELOC_TRL_SIGNATURE_SIZE);
    state.is_read = reloc_signed_of_image(&subject.content, &state.s) == RELOC_OK;
    if (!state.is_read)
        return state;
    state.fits = reloc_signed_check_content(&state.s, &subject.content) == RELOC_OK;
    state.weights_seen =
        subject.content.has_weights && (!subject.content.weights_apart || weights != NULL);
    state.right = rp_signed_digests(&subject, &state.s);
    return state;
}

void rp_inspect_signature(const struct rp_mapped *file, const struct rp_image_view *image,
                          const struct rp_mapped *weights) {
    const struct state state = look(file, image, weights);
    const uint32_t stray = rp_image_stray(image, file);
    if (stray != 0)
        printf("stray        %u bytes at the end belong to nothing: sign and verify-signature "
               "refuse the file\n",
               stray);
    if (state.size == 0)
        return;
    printf("signature    %u bytes, ", state.size);
    if (!state.is_read) {
        printf("damaged, or of another version\n");
        return;
    }
    printf("for %s image, %s; verify-signature asks a key\n",
           state.fits && state.right.image ? "this" : "ANOTHER",
           state.s.at[RELOC_SGN_WEIGHTS_SHA256] == 0 ? "no weights"
           : !state.weights_seen                     ? "weights not looked at (--weights)"
           : state.right.weights                     ? "these weights"
                                                     : "OTHER weights");
    rp_signature_print(&state.s);
}

void rp_inspect_signature_json(struct rp_json *root, const struct rp_mapped *file,
                               const struct rp_image_view *image, const struct rp_mapped *weights) {
    const struct state state = look(file, image, weights);
    const uint32_t stray = rp_image_stray(image, file);
    if (stray != 0)
        rp_json_put_int(root, "stray_bytes", stray);
    if (state.size == 0)
        return;
    struct rp_json *signature = rp_json_new_object(root, "signature");
    RP_JSON_PUT(signature, RP_JSON_N("size_bytes", state.size),
                RP_JSON_B("well_formed", state.is_read));
    if (!state.is_read)
        return;
    rp_json_put_bool(signature, "image_matches", state.fits && state.right.image);
    if (state.weights_seen)
        rp_json_put_bool(signature, "weights_match", state.right.weights);
    rp_signature_json(signature, &state.s);
}
