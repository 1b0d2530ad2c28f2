/* SPDX-License-Identifier: Apache-2.0 */
/* Error records and the table of errors: see error.h and errors.def. */
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "base/arena.h"

static const struct rp_error_info table[] = {
#define X(name, number, exit_code, title, text) {RP_E_##name, exit_code, title, text},
#include "base/errors.def"
#undef X
};

static struct rp_arena texts;

void rp_error_texts_release(void) {
    rp_arena_release(&texts);
}

__attribute__((format(printf, 2, 0))) static const char *text_of(size_t most, const char *fmt,
                                                                 va_list args) {
    char *text = rp_vformat(&texts, fmt, args);
    if (strlen(text) > most)
        text[most] = '\0';
    return text;
}

bool rp_fail(struct rp_error *err, enum rp_error_id id, const char *fmt, ...) {
    enum { MESSAGE_MAX = 32767 };
    if (err == NULL || err->id != 0)
        return false;
    va_list args;
    va_start(args, fmt);
    *err = (struct rp_error){.id = id, .message = text_of(MESSAGE_MAX, fmt, args)};
    va_end(args);
    return false;
}

bool rp_fail_with(struct rp_error *err, const struct rp_error *other) {
    if (err != NULL && err->id == 0)
        *err = *other;
    return false;
}

bool rp_hint(struct rp_error *err, const char *fmt, ...) {
    enum { HINT_MAX = 1023 };
    if (err == NULL || err->hint != NULL)
        return false;
    va_list args;
    va_start(args, fmt);
    err->hint = text_of(HINT_MAX, fmt, args);
    va_end(args);
    return false;
}

bool rp_fail_in(struct rp_error *err, const char *file, unsigned line) {
    if (err != NULL && err->file == NULL && file[0] != '\0') {
        err->file = rp_strdup(&texts, file);
        err->line = line;
    }
    return false;
}

bool rp_fail_symbol(struct rp_error *err, const char *symbol) {
    if (err != NULL && err->symbol == NULL && symbol[0] != '\0')
        err->symbol = rp_strdup(&texts, symbol);
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
