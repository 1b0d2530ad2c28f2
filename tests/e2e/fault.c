/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes one call that changes files fail, or kills the process there; test_atomic.py preloads it
 * into relocpack. Calls are counted only in the program of that name, not in processes that it
 * starts.
 *
 * Environment: FAULT_AT (number of the call, from 1), FAULT_MODE (ENOSPC, EIO, KILL: the program
 * itself, KILLCHILD: only in a process that the program forked), FAULT_MARK (a file that is created
 * when the fault happens, with the call's name in it).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FDS = 4096 };

static long at;
static long calls;
static const char *mode = "";
static const char *mark = "";
static pid_t program;
static bool writable[FDS];

__attribute__((constructor)) static void start(void) {
    char self[4096] = "";
    ssize_t len = readlink("/proc/self/exe", self, sizeof self - 1);
    const char *base = len > 0 ? strrchr(self, '/') : NULL;
    if (base == NULL || strcmp(base, "/relocpack") != 0 || getenv("FAULT_AT") == NULL)
        return;
    at = atol(getenv("FAULT_AT"));
    mode = getenv("FAULT_MODE") != NULL ? getenv("FAULT_MODE") : "EIO";
    mark = getenv("FAULT_MARK") != NULL ? getenv("FAULT_MARK") : "";
    program = getpid();
}

/* Counts the call; true if it has to fail, with errno set. Does not return if it has to kill. */
static bool fault(const char *name) {
    bool child_only = strcmp(mode, "KILLCHILD") == 0;
    if (at == 0 || (child_only && getpid() == program) || ++calls != at)
        return false;
    if (strcmp(mode, "KILL") == 0 && getpid() != program)
        return false; /* that is another process, which goes on */
    long fd = syscall(SYS_openat, AT_FDCWD, mark, O_WRONLY | O_CREAT | O_APPEND, 0666);
    syscall(SYS_write, fd, name, strlen(name));
    syscall(SYS_close, fd);
    if (mode[0] == 'K') {
        kill(getpid(), SIGKILL);
        for (;;)
            pause();
    }
    errno = strcmp(mode, "ENOSPC") == 0 ? ENOSPC : EIO;
    return true;
}

/* Only writes to files count: pipes keep no data and do not get full. */
static bool is_file(int fd) {
    struct stat st;
    return fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
}

#define REAL(result, name, ...)                                                                    \
    static result (*real)(__VA_ARGS__);                                                            \
    if (real == NULL)                                                                              \
    real = (result(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

static int note(int fd, int flags) {
    if (fd >= 0 && fd < FDS)
        writable[fd] = (flags & O_ACCMODE) != O_RDONLY;
    return fd;
}

#define OPEN(name)                                                                                 \
    int name(const char *path, int flags, ...) {                                                   \
        REAL(int, #name, const char *, int, ...);                                                  \
        va_list rest;                                                                              \
        va_start(rest, flags);                                                                     \
        mode_t bits = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;                           \
        va_end(rest);                                                                              \
        if ((flags & O_ACCMODE) != O_RDONLY && fault(#name))                                       \
            return -1;                                                                             \
        return note(real(path, flags, bits), flags);                                               \
    }
OPEN(open)
OPEN(open64)

FILE *fopen(const char *path, const char *how) {
    REAL(FILE *, "fopen", const char *, const char *);
    return how[0] != 'r' && fault("fopen") ? NULL : real(path, how);
}

int fclose(FILE *file) {
    REAL(int, "fclose", FILE *);
    bool wrong = fault("fclose");
    int why = errno;
    int result = real(file);
    errno = wrong ? why : errno;
    return wrong ? EOF : result;
}

ssize_t write(int fd, const void *bytes, size_t size) {
    REAL(ssize_t, "write", int, const void *, size_t);
    if (fd > 2 && is_file(fd) && fault("write")) {
        (void)real(fd, bytes, size / 2); /* the disk gets full in the middle */
        errno = strcmp(mode, "ENOSPC") == 0 ? ENOSPC : EIO;
        return -1;
    }
    return real(fd, bytes, size);
}

int close(int fd) {
    REAL(int, "close", int);
    bool wrong = fd >= 0 && fd < FDS && writable[fd] && fault("close");
    int why = errno;
    if (fd >= 0 && fd < FDS)
        writable[fd] = false;
    int result = real(fd);
    errno = wrong ? why : errno;
    return wrong ? -1 : result;
}

int rename(const char *from, const char *to) {
    REAL(int, "rename", const char *, const char *);
    return fault("rename") ? -1 : real(from, to);
}

int renameat2(int a, const char *from, int b, const char *to, unsigned flags) {
    REAL(int, "renameat2", int, const char *, int, const char *, unsigned);
    return fault("renameat2") ? -1 : real(a, from, b, to, flags);
}

int mkdir(const char *path, mode_t bits) {
    REAL(int, "mkdir", const char *, mode_t);
    return fault("mkdir") ? -1 : real(path, bits);
}

char *mkdtemp(char *path) {
    REAL(char *, "mkdtemp", char *);
    return fault("mkdtemp") ? NULL : real(path);
}

ssize_t sendfile(int out, int in, off_t *offset, size_t count) {
    REAL(ssize_t, "sendfile", int, int, off_t *, size_t);
    return fault("sendfile") ? -1 : real(out, in, offset, count);
}

ssize_t copy_file_range(int in, off64_t *from, int out, off64_t *to, size_t size, unsigned flags) {
    REAL(ssize_t, "copy_file_range", int, off64_t *, int, off64_t *, size_t, unsigned);
    return fault("copy_file_range") ? -1 : real(in, from, out, to, size, flags);
}
