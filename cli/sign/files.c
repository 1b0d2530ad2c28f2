/* SPDX-License-Identifier: Apache-2.0 */
/* Key files and passphrases: see files.h. */
#include "cli/sign/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/file.h"
#include "toolchain/compile/process.h"

enum { KEY_FILE_MAX = 64 * 1024 };

/* ---- passphrases ---- */

/* Reads up to the end of the first line; -1 with an error. At most room - 1 bytes, and a 0. */
static int read_line(int fd, const char *path, char *out, size_t room, struct rp_error *err) {
    size_t len = 0;
    while (len < room - 1) {
        ssize_t got = read(fd, out + len, 1); /* what follows is left for others */
        if (got < 0 && errno == EINTR && !rp_process_interrupted(err))
            continue;
        if (got < 0) {
            rp_fail(err, RP_E_KEY, "cannot read the passphrase from '%s': %s", path,
                    strerror(errno));
            return -1;
        }
        if (got == 0 || out[len] == '\n')
            break;
        len++;
    }
    if (len != 0 && out[len - 1] == '\r')
        len--;
    out[len] = '\0';
    if (len != 0 && len < room - 1 && memchr(out, 0, len) == NULL)
        return (int)len;
    rp_fail(err, RP_E_KEY, "the passphrase in '%s' is %s", path,
            len == 0          ? "empty"
            : len == room - 1 ? "too long"
                              : "not a text");
    return -1;
}

static int read_passphrase_file(const char *path, char *out, size_t room, struct rp_error *err) {
    if (strcmp(path, "-") == 0)
        return read_line(STDIN_FILENO, "the standard input", out, room, err);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        rp_fail(err, RP_E_KEY, "cannot read the passphrase from '%s': %s", path, strerror(errno));
        return -1;
    }
    int len = read_line(fd, path, out, room, err);
    close(fd);
    return len;
}

/* Asks on the terminal, without echo. */
static int ask(const char *question, const char *path, char *out, size_t room,
               struct rp_error *err) {
    struct termios shown, hidden;
    int fd = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
    if (fd < 0 || tcgetattr(fd, &shown) != 0) {
        if (fd >= 0)
            close(fd);
        rp_fail(err, RP_E_KEY, "'%s': the key is encrypted, and there is no terminal to ask", path);
        rp_hint(err, "--passphrase-file FILE, or - for the standard input, gives the passphrase");
        return -1;
    }
    hidden = shown;
    hidden.c_lflag &= ~(tcflag_t)ECHO;
    (void)tcsetattr(fd, TCSAFLUSH, &hidden); /* before the question: a fast answer is not lost */
    dprintf(fd, "%s %s: ", question, path);
    int len = read_line(fd, "the terminal", out, room, err);
    (void)tcsetattr(fd, TCSADRAIN, &shown);
    dprintf(fd, "\n");
    close(fd);
    return len;
}

/* context: the name of the passphrase's file, or NULL. */
static int give(void *context, const char *path, char *out, size_t room, struct rp_error *err) {
    const char *const *file = context;
    return *file != NULL ? read_passphrase_file(*file, out, room, err)
                         : ask("passphrase of", path, out, room, err);
}

const char *rp_new_passphrase(struct rp_arena *arena, const char *passphrase_file,
                              struct rp_error *err) {
    char *first = rp_alloc(arena, RP_PASSPHRASE_MAX, 1);
    char *again = rp_alloc(arena, RP_PASSPHRASE_MAX, 1);
    if (passphrase_file != NULL)
        return read_passphrase_file(passphrase_file, first, RP_PASSPHRASE_MAX, err) > 0 ? first
                                                                                        : NULL;
    if (ask("passphrase for", "the new key", first, RP_PASSPHRASE_MAX, err) < 0 ||
        ask("once more, for", "the new key", again, RP_PASSPHRASE_MAX, err) < 0)
        return NULL;
    if (strcmp(first, again) == 0)
        return first;
    rp_fail(err, RP_E_KEY, "the two passphrases differ");
    return NULL;
}

/* ---- key files ---- */

struct rp_key *rp_private_key(struct rp_arena *arena, const char *path, const char *passphrase_file,
                              struct rp_error *err) {
    struct rp_bytes text;
    const struct rp_passphrase passphrase = {give, &passphrase_file};
    return rp_file_read(arena, path, KEY_FILE_MAX, &text, err)
               ? rp_key_read_private(text.data, text.size, path, &passphrase, err)
               : NULL;
}

struct rp_key *rp_public_key(struct rp_arena *arena, const char *path, struct rp_error *err) {
    struct rp_bytes text;
    return rp_file_read(arena, path, KEY_FILE_MAX, &text, err)
               ? rp_key_read_public(text.data, text.size, path, err)
               : NULL;
}

bool rp_read_u32(const char *text, uint32_t *number) {
    uint64_t value = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9' && value <= UINT32_MAX; at++)
        value = 10 * value + (uint64_t)(*at - '0');
    if (at == text || *at != '\0' || value > UINT32_MAX)
        return false;
    *number = (uint32_t)value;
    return true;
}
