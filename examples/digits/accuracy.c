/* SPDX-License-Identifier: Apache-2.0
 *
 * Accuracy of a digits model on the host, over the held-out images.
 *
 *   cc -o accuracy_float accuracy.c digits_float.c -lm && ./accuracy_float
 *   cc -DDIGITS_INT8 -o accuracy_int8 accuracy.c digits_int8.c && ./accuracy_int8
 *
 * In:  the folder with test_images_u8.bin (64 bytes per image, pixels 0..16) and test_labels.bin
 *      (one byte per image, 0..9) as the only argument; default is the current folder.
 * Out: one line on stdout.
 *
 * Exits 0 when at least 97 % are right, 1 when fewer, 2 when a file is missing or wrong.
 */
#include <stdint.h>
#include <stdio.h>

enum {
    PIXELS = 64,
    CLASSES = 10,
    MAX_IMAGES = 2000,
    REQUIRED_PERCENT = 97
};

#ifdef DIGITS_INT8
#define MODEL_NAME "digits_int8"
typedef int8_t value;
void digits_int8(const int8_t image[1][8][8], int8_t scores[1][10]);

static void run(const value image[1][8][8], value scores[1][10]) {
    digits_int8(image, scores);
}

/* Scale 1/16, zero point -128, as in digits_int8.json. */
static value from_pixel(uint8_t pixel) {
    return (value)(pixel - 128);
}
#else
#define MODEL_NAME "digits_float"
typedef float value;
void digits_float(const float image[1][8][8], float probs[1][10]);

static void run(const value image[1][8][8], value scores[1][10]) {
    digits_float(image, scores);
}

static value from_pixel(uint8_t pixel) {
    return (value)pixel / 16.0f;
}
#endif

static int predict(const uint8_t pixels[PIXELS]) {
    value image[1][8][8];
    value scores[1][CLASSES];
    for (int i = 0; i < PIXELS; i++) {
        image[0][i / 8][i % 8] = from_pixel(pixels[i]);
    }
    run((const value(*)[8][8])image, scores);
    int best = 0;
    for (int i = 1; i < CLASSES; i++) {
        best = scores[0][i] > scores[0][best] ? i : best;
    }
    return best;
}

/* Returns the bytes read, at most room; 0 when the file cannot be opened or is empty. */
static size_t read_file(const char *folder, const char *name, uint8_t *out, size_t room) {
    char path[1024];
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (length < 0 || (size_t)length >= sizeof path) {
        return 0;
    }
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return 0;
    }
    size_t size = fread(out, 1, room, file);
    fclose(file);
    return size;
}

int main(int argc, char **argv) {
    static uint8_t images[MAX_IMAGES * PIXELS];
    static uint8_t labels[MAX_IMAGES];
    const char *folder = argc > 1 ? argv[1] : ".";
    size_t count = read_file(folder, "test_labels.bin", labels, sizeof labels);
    size_t image_bytes = read_file(folder, "test_images_u8.bin", images, sizeof images);
    if (count == 0 || image_bytes != count * PIXELS) {
        fprintf(stderr, "accuracy: test data in %s: missing, or counts that differ\n", folder);
        return 2;
    }
    size_t correct = 0;
    for (size_t i = 0; i < count; i++) {
        correct += predict(&images[i * PIXELS]) == labels[i];
    }
    printf("%s: %zu of %zu right, %.2f %%\n", MODEL_NAME, correct, count,
           100.0 * (double)correct / (double)count);
    return correct * 100 >= count * REQUIRED_PERCENT ? 0 : 1;
}
