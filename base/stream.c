/* SPDX-License-Identifier: Apache-2.0 */
/* Writes to the standard output, FIFOs and devices: see stream.h. */
#include "base/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STREAMS_MAX = 8 }; /* a run has four options that name files */

/* Streams that were opened. why: errno of the open or write that failed, or 0. */
static struct {
    dev_t device;
    ino_t inode;
    int fd;
    int why;
} opened[STREAMS_MAX];
static size_t opened_count;

static bool is_open_as(const struct stat *st, int fd) {
    struct stat own;
    return fstat(fd, &own) == 0 && own.st_dev == st->st_dev && own.st_ino == st->st_ino;
}

bool rp_stream_is_stdout(const char *path) {
    struct stat st;
    return path != NULL &&
           (strcmp(path, "-") == 0 ||
            (stat(path, &st) == 0 && !S_ISCHR(st.st_mode) && is_open_as(&st, STDOUT_FILENO)));
}

bool rp_stream_is(const char *path) {
    struct stat st;
    return rp_stream_is_stdout(path) || (stat(path, &st) == 0 && !S_ISREG(st.st_mode));
}

/* Opens a stream, unless it is open, and finds its place in the list. */
static bool open_stream(const char *path, size_t *index, struct rp_error *err) {
    struct stat st;
    if (stat(path, &st) != 0)
        return rp_fail_errno(err, errno, "cannot write to", path);
    if (S_ISBLK(st.st_mode))
        return rp_fail(err, RP_E_USAGE, "'%s' is a block device, which relocpack never writes to",
                       path);
    for (*index = 0; *index < opened_count; ++*index)
        if (opened[*index].device == st.st_dev && opened[*index].inode == st.st_ino)
            return true;
    if (opened_count == STREAMS_MAX)
        return rp_fail(err, RP_E_SYSTEM, "cannot write to '%s': too many streams are open", path);
    int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    int why = fd < 0 ? errno : 0;
    opened[opened_count].device = st.st_dev;
    opened[opened_count].inode = st.st_ino;
    opened[opened_count].fd = fd;
    opened[opened_count++].why = why;
    return true;
}

/* Returns 0 or an errno value. If the reader has gone, this is EPIPE and not a signal. */
static int write_all(int fd, const char *text, size_t size) {
    struct sigaction ignore, before;
    int why = 0;
    memset(&ignore, 0, sizeof ignore);
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &ignore, &before);
    while (size != 0 && why == 0) {
        ssize_t put = write(fd, text, size);
        if (put > 0) {
            text += put;
            size -= (size_t)put;
        } else {
            why = put < 0 ? errno : EIO;
        }
    }
    sigaction(SIGPIPE, &before, NULL);
    return why;
}

bool rp_stream_write(const char *path, const char *text, size_t size, struct rp_error *err) {
    size_t index = 0;
    if (rp_stream_is_stdout(path)) {
        int why = fflush(stdout) != 0 ? errno : write_all(STDOUT_FILENO, text, size);
        return why == 0 || rp_fail_errno(err, why, "cannot write to", "the standard output");
    }
    if (!open_stream(path, &index, err))
        return false;
    if (opened[index].why == 0)
        opened[index].why = write_all(opened[index].fd, text, size);
    return opened[index].why == 0 || rp_fail_errno(err, opened[index].why, "cannot write to", path);
}
