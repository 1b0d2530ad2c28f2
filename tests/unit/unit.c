/* SPDX-License-Identifier: Apache-2.0 */
/* Helpers of the unit tests: see unit.h. */
#include "tests/unit/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"

int unit_setup(void **state) {
    struct unit *unit = calloc(1, sizeof *unit);
    if (unit == NULL)
        return -1;
    strcpy(unit->dir, "/tmp/relocpack-unit-XXXXXX");
    *state = unit;
    return mkdtemp(unit->dir) != NULL ? 0 : -1;
}

int unit_teardown(void **state) {
    struct unit *unit = *state;
    rp_remove_tree(unit->dir);
    rp_arena_release(&unit->arena);
    free(unit);
    return 0;
}

char *unit_path(struct unit *unit, const char *name) {
    return rp_path_join(&unit->arena, unit->dir, name);
}

char *unit_write(struct unit *unit, const char *name, const void *data, size_t size) {
    char *path = unit_path(unit, name);
    FILE *file = fopen(path, "wbe");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    return path;
}

char *unit_text(struct unit *unit, const char *name, const char *text) {
    return unit_write(unit, name, text, strlen(text));
}

char *unit_slurp(struct unit *unit, const char *name, size_t *size) {
    FILE *file = fopen(unit_path(unit, name), "rbe");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    size_t length = (size_t)ftell(file);
    rewind(file);
    char *data = rp_alloc(&unit->arena, length + 1, 1);
    assert_int_equal(fread(data, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
    if (size != NULL)
        *size = length;
    return data;
}

void *unit_exact(const void *data, size_t size) {
    void *copy = malloc(size != 0 ? size : 1);
    assert_non_null(copy);
    if (size != 0)
        memcpy(copy, data, size);
    return copy;
}

void unit_accepted(struct unit *unit, struct unit_call call) {
    if (call.result && unit->err.id == 0)
        return;
    print_error("%s: RP%d: %s\n", call.text, (int)unit->err.id, unit->err.message);
    _fail(call.file, call.line);
}

void unit_refused(struct unit *unit, struct unit_call call, enum rp_error_id id, const char *part) {
    if (call.result || unit->err.id != id || strstr(unit->err.message, part) == NULL) {
        print_error("%s: result %d, wanted RP%d '%s', got RP%d: %s\n", call.text, call.result,
                    (int)id, part, (int)unit->err.id, unit->err.message);
        _fail(call.file, call.line);
    }
    unit->err = (struct rp_error){0};
}

void unit_contains(const char *text, const char *part, const char *file, int line) {
    if (text != NULL && strstr(text, part) != NULL)
        return;
    print_error("'%s' is not in:\n%s\n", part, text != NULL ? text : "(null)");
    _fail(file, line);
}

/* The caller may ignore signals: nohup does, and so do shells for a background job. */
static void default_signals(void) {
    static const int numbers[] = {SIGHUP, SIGINT, SIGPIPE, SIGTERM, SIGCHLD};
    for (size_t i = 0; i < COUNT(numbers); i++)
        (void)signal(numbers[i], SIG_DFL);
}

int unit_in_child(void (*body)(void *context), void *context) {
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        default_signals();
        int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
        if (null >= 0)
            (void)dup2(null, STDERR_FILENO);
        body(context);
        _exit(0);
    }
    int status = 0;
    assert_true(pid > 0);
    pid_t got;
    do
        got = waitpid(pid, &status, 0);
    while (got < 0 && errno == EINTR); /* another child ended */
    assert_int_equal(got, pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void unit_put32(uint8_t *at, uint32_t word) {
    for (unsigned i = 0; i < 4; i++)
        at[i] = (uint8_t)(word >> (8 * i));
}

uint32_t unit_get32(const uint8_t *at) {
    return at[0] + 256u * at[1] + 65536u * at[2] + 16777216u * at[3];
}

uint32_t unit_crc32(const void *bytes, size_t len) {
    const uint8_t *at = bytes;
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < len; i++) {
        crc ^= at[i];
        for (int bit = 0; bit < 8; bit++)
            crc = (crc & 1u) != 0 ? crc >> 1 ^ 0xEDB88320u : crc >> 1;
    }
    return ~crc;
}

static uint32_t rotate(uint32_t word, unsigned by) {
    return word >> by | word << (32 - by);
}

__extension__ typedef unsigned __int128 wide; /* the cube below has up to 120 bits */

/* The constants are the first 32 bits of the fractions of cube roots of primes. */
static uint32_t round_constant(unsigned index) {
    unsigned prime = 2;
    for (unsigned found = 0;; prime++) {
        unsigned divisor = 2;
        while (divisor * divisor <= prime && prime % divisor != 0)
            divisor++;
        if (divisor * divisor > prime && found++ == index)
            break;
    }
    /* floor(cbrt(prime) * 2^32) by bisection */
    wide low = 0, high = (wide)8 << 32;
    while (high - low > 1) {
        wide mid = (low + high) / 2;
        if (mid * mid * mid <= (wide)prime << 96)
            low = mid;
        else
            high = mid;
    }
    return (uint32_t)low;
}

static void sha_block(uint32_t h[8], const uint8_t *block) {
    static uint32_t k[64];
    uint32_t w[64], v[8];
    for (unsigned i = 0; i < 64 && k[63] == 0; i++)
        k[i] = round_constant(i);
    for (unsigned i = 0; i < 64; i++)
        w[i] = i < 16 ? (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
                            (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3]
                      : w[i - 16] + w[i - 7] +
                            (rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3) +
                            (rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10);
    memcpy(v, h, sizeof v);
    for (unsigned i = 0; i < 64; i++) {
        uint32_t s1 = rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25);
        uint32_t s0 = rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22);
        uint32_t t1 = v[7] + s1 + ((v[4] & v[5]) ^ (~v[4] & v[6])) + k[i] + w[i];
        uint32_t t2 = s0 + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof v[0]);
        v[4] += t1;
        v[0] = t1 + t2;
    }
    for (unsigned i = 0; i < 8; i++)
        h[i] += v[i];
}

void unit_sha256(uint8_t out[32], const void *bytes, size_t len) {
    uint32_t h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                     0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    uint8_t tail[128] = {0};
    size_t whole = len / 64 * 64, rest = len - whole;
    for (size_t i = 0; i < whole; i += 64)
        sha_block(h, (const uint8_t *)bytes + i);
    if (rest != 0)
        memcpy(tail, (const uint8_t *)bytes + whole, rest);
    tail[rest] = 0x80;
    size_t end = rest < 56 ? 64 : 128;
    for (unsigned i = 0; i < 8; i++)
        tail[end - 1 - i] = (uint8_t)((uint64_t)len * 8 >> (8 * i));
    for (size_t i = 0; i < end; i += 64)
        sha_block(h, tail + i);
    for (unsigned i = 0; i < 32; i++)
        out[i] = (uint8_t)(h[i / 4] >> (24 - 8 * (i % 4)));
}
