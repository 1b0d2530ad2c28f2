/* SPDX-License-Identifier: Apache-2.0 */
/* How a run ended: see outcome.h. */
#include "cli/report/ci/outcome.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/path.h"

const char *rp_outcome_text(const struct rp_outcome *outcome, const struct rp_diagnostic *one) {
    return one->hint != NULL ? rp_format(outcome->arena, "%s\nhint: %s", one->message, one->hint)
                             : one->message;
}

/* The variables name the folder of the checkout: of GitHub, of GitLab. */
const char *rp_outcome_place(struct rp_arena *arena, const char *file) {
    static const char *const variables[] = {"GITHUB_WORKSPACE", "CI_PROJECT_DIR"};
    char here[4096];
    const char *path = rp_path_absolute(arena, file, NULL);
    for (size_t i = 0; path != NULL && i < 3; i++) {
        const char *root = i < 2 ? getenv(variables[i]) : getcwd(here, sizeof here);
        if (root == NULL || root[0] != '/')
            continue;
        size_t len = strlen(root);
        while (len > 1 && root[len - 1] == '/')
            len--;
        if (strncmp(path, root, len) == 0 && path[len] == '/')
            return path[len + 1] != '\0' ? path + len + 1 : ".";
    }
    return path != NULL ? path : file;
}

const char *rp_outcome_input(const struct rp_outcome *outcome) {
    static const char *const names[] = {"model", "input"};
    const struct rp_command_line *line = outcome->line;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct rp_option *row = rp_option_row(outcome->command, names[i]);
        const char *value =
            row != NULL && row->kind == RP_OPT_TEXT
                ? *(const char *const *)(const void *)((const char *)line->options + row->offset)
                : NULL;
        if (value != NULL && value[0] != '\0')
            return value;
    }
    bool is_named = line->arguments.count != 0 && line->arguments.items[0][0] != '\0';
    return is_named ? line->arguments.items[0] : ".";
}
