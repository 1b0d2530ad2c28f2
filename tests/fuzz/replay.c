/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a fuzz target without a fuzzer: each file of a folder of seeds, its beginnings, and
 * mutations of it from a fixed seed. It knows no coverage, as libFuzzer does, but needs no other
 * compilation than that of the unit tests. replay RUNS FOLDER    RUNS: mutations in all A finding
 * is a crash; the input is then in the file "finding" of the folder above.
 */
#include <dirent.h>

#include "tests/fuzz/fuzz.h"

enum { SIZE_MAX_BYTES = 1 << 20, SEEDS_MAX = 512, BEGINNINGS = 16 };

struct seed {
    uint8_t *bytes;
    size_t size;
};

struct seeds {
    struct seed all[SEEDS_MAX];
    size_t count;
};

static char finding[4096];

/* xorshift32 */
static uint32_t next_random(void) {
    static uint32_t state = 1;
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

static size_t below(size_t limit) {
    return next_random() % limit;
}

static void read_seed(const char *folder, const char *name, struct seeds *seeds) {
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    require(file != NULL && seeds->count < SEEDS_MAX);
    struct seed *seed = &seeds->all[seeds->count++];
    seed->bytes = malloc(SIZE_MAX_BYTES);
    require(seed->bytes != NULL);
    seed->size = fread(seed->bytes, 1, SIZE_MAX_BYTES, file);
    (void)fclose(file);
}

/* In the order of their names, so that each run does the same. */
static void read_seeds(const char *folder, struct seeds *seeds) {
    struct dirent **names;
    int count = scandir(folder, &names, NULL, alphasort);
    require(count > 0);
    for (int i = 0; i < count; i++) {
        if (names[i]->d_name[0] != '.')
            read_seed(folder, names[i]->d_name, seeds);
        free(names[i]);
    }
    free(names);
}

/* Written first, because a crash ends the process; in a block of its size, so that reading beyond
 * its end is seen. */
static void try_input(const uint8_t *bytes, size_t size) {
    FILE *file = fopen(finding, "wb");
    require(file != NULL && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
    uint8_t *exact = malloc(size > 0 ? size : 1);
    require(exact != NULL);
    memcpy(exact, bytes, size);
    (void)LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

/* One to eight changes: a byte, a bit, a number at a limit, a piece of another seed, a cut. */
static size_t mutate(uint8_t *bytes, size_t size, const struct seeds *seeds) {
    static const uint8_t limits[] = {0, 1, 0x7f, 0x80, 0xff, '"', '{', '\n'};
    for (size_t changes = 1 + below(8); changes > 0 && size > 0; changes--) {
        const struct seed *other = &seeds->all[below(seeds->count)];
        size_t at = below(size);
        size_t some = 1 + below(16);
        switch (below(5)) {
        case 0:
            bytes[at] = (uint8_t)next_random();
            break;
        case 1:
            bytes[at] ^= (uint8_t)(1U << below(8));
            break;
        case 2:
            memset(bytes + at, limits[below(sizeof limits)], some < size - at ? some : size - at);
            break;
        case 3:
            if (other->size > some)
                memcpy(bytes + at, other->bytes + below(other->size - some),
                       some < size - at ? some : size - at);
            break;
        default:
            size = below(8) == 0 ? at : size;
        }
    }
    return size;
}

int main(int argc, char **argv) {
    require(argc == 3);
    static struct seeds seeds;
    static uint8_t bytes[SIZE_MAX_BYTES];
    (void)snprintf(finding, sizeof finding, "%s-finding", argv[2]);
    read_seeds(argv[2], &seeds);
    require(seeds.count > 0);
    for (size_t i = 0; i < seeds.count; i++)
        for (size_t part = 0; part <= BEGINNINGS; part++)
            try_input(seeds.all[i].bytes, seeds.all[i].size * part / BEGINNINGS);
    long runs = strtol(argv[1], NULL, 10);
    for (long run = 0; run < runs; run++) {
        const struct seed *seed = &seeds.all[below(seeds.count)];
        memcpy(bytes, seed->bytes, seed->size);
        try_input(bytes, mutate(bytes, seed->size, &seeds));
    }
    (void)remove(finding);
    (void)printf("%zu seeds, %ld mutations\n", seeds.count, runs);
    return 0;
}
