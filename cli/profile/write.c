/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles in files: see write.h. */
#include "cli/profile/write.h"

#include <stdlib.h>

#include "base/output.h"
#include "base/path.h"
#include "cli/document.h"
#include "cli/profile/json.h"
#include "cli/profile/text.h"

static void format(const struct rp_profile *profile, const char *path, struct rp_buf *out) {
    if (!rp_has_suffix(path, ".json")) {
        rp_profile_print(profile, rp_has_suffix(path, ".md"), out);
        return;
    }
    struct rp_json *object = rp_document("profile", 1, NULL);
    rp_profile_put(object, profile);
    char *text = rp_json_print(object);
    rp_buf_puts(out, text);
    free(text);
    rp_json_free(object);
}

bool rp_profile_write(const struct rp_profile *profile, const char *path,
                      const struct rp_strings *inputs, struct rp_error *err) {
    struct rp_buf text = {.arena = profile->arena};
    struct rp_outputs set;
    format(profile, path, &text);
    bool ok = rp_outputs_begin(&set, profile->arena, NULL, err) &&
              rp_outputs_add_named(&set, path, text.data, text.len, err) &&
              rp_outputs_check(&set, err) && rp_outputs_spare(&set, inputs, "an input", err) &&
              rp_outputs_commit(&set, err);
    if (!ok)
        rp_outputs_abort(&set);
    return ok;
}
