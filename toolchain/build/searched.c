/* SPDX-License-Identifier: Apache-2.0 */
/* Names where a compiler looks for headers: see searched.h. */
#include "toolchain/build/searched.h"

#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"

/* A circle of links ends at the limit, or where the system follows no more of them. */
static bool add_below(struct rp_buf *names, const char *folder, const char *prefix,
                      unsigned *left) {
    struct rp_strings found = {0};
    if (!rp_list_dir(names->arena, folder, &found, NULL))
        return false;
    for (size_t i = 0; i < found.count; i++) {
        const char *name = rp_format(names->arena, "%s%s", prefix, found.items[i]);
        const char *path = rp_path_join(names->arena, folder, found.items[i]);
        bool is_dir = rp_path_is_dir(path);
        char kind = is_dir ? 'd' : access(path, F_OK) == 0 ? 'f' : '-'; /* a link to nothing */
        if ((*left)-- == 0)
            return false;
        rp_buf_append(names, &kind, 1);
        rp_buf_append(names, name, strlen(name) + 1);
        if (is_dir && !add_below(names, path, rp_format(names->arena, "%s/", name), left))
            return false;
    }
    return true;
}

bool rp_searched_names(struct rp_buf *names, const char *folder) {
    unsigned left = RP_SEARCHED_MAX;
    rp_buf_append(names, "", 1); /* here another folder begins */
    return access(folder, F_OK) != 0 || add_below(names, folder, "", &left);
}
