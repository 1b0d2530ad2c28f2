/* SPDX-License-Identifier: Apache-2.0 */
/* Error records and the table of errors: see error.h and errors.def. */
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct rp_error_info table[] = {
#define X(name, number, exit_code, title, text) {RP_E_##name, exit_code, title, text},
#include "base/errors.def"
#undef X
};

bool rp_fail(struct rp_error *err, enum rp_error_id id, const char *fmt, ...) {
    if (err == NULL || err->id != 0)
        return false;
    err->id = id;
    err->hint[0] = err->file[0] = err->symbol[0] = '\0';
    err->line = 0;
    va_list args;
    va_start(args, fmt);
    vsnprintf(err->message, sizeof err->message, fmt, args);
    va_end(args);
    return false;
}

bool rp_hint(struct rp_error *err, const char *fmt, ...) {
    if (err == NULL || err->hint[0] != '\0')
        return false;
    va_list args;
    va_start(args, fmt);
    vsnprintf(err->hint, sizeof err->hint, fmt, args);
    va_end(args);
    return false;
}

bool rp_fail_in(struct rp_error *err, const char *file, unsigned line) {
    if (err != NULL && err->file[0] == '\0') {
        snprintf(err->file, sizeof err->file, "%s", file);
        err->line = line;
    }
    return false;
}

bool rp_fail_symbol(struct rp_error *err, const char *symbol) {
    if (err != NULL && err->symbol[0] == '\0')
        snprintf(err->symbol, sizeof err->symbol, "%s", symbol);
    return false;
}

bool rp_fail_errno(struct rp_error *err, int errnum, const char *what, const char *path) {
    enum rp_error_id id =
        errnum == ENOSPC || errnum == EDQUOT || errnum == EFBIG ? RP_E_NO_SPACE : RP_E_SYSTEM;
    rp_fail(err, id, "%s '%s': %s", what, path, strerror(errnum));
    return rp_fail_in(err, path, 0);
}

const struct rp_error_info *rp_error_lookup(int id) {
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if ((int)table[i].id == id)
            return &table[i];
    return NULL;
}

const struct rp_error_info *rp_error_at(size_t index) {
    return index < sizeof table / sizeof table[0] ? &table[index] : NULL;
}

enum rp_exit rp_exit_code(const struct rp_error *err) {
    const struct rp_error_info *info = rp_error_lookup((int)err->id);
    return info != NULL ? info->exit_code : RP_EXIT_FAILURE;
}
