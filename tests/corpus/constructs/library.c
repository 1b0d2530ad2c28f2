/* SPDX-License-Identifier: Apache-2.0 */
/* What models take of the C library, and what an image cannot have of it. */
#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define NOINLINE __attribute__((noinline))
#define MODEL    void model(const uint32_t in[8], uint32_t out[8])
#define EACH     for (int i = 0; i < 8; i++)

//@ case sort_with_own_comparison
static void sort(uint32_t *v, int n, int (*less)(const uint32_t *, const uint32_t *)) { for (int i = 1; i < n; i++) for (int k = i; k > 0 && less(&v[k], &v[k - 1]); k--) { uint32_t t = v[k]; v[k] = v[k - 1]; v[k - 1] = t; } }
static uint32_t calls;
static int up(const uint32_t *a, const uint32_t *b) { calls++; return *a < *b; }
static int down(const uint32_t *a, const uint32_t *b) { return *a > *b; }
MODEL { memcpy(out, in, 32); sort(out, 8, in[0] & 1 ? up : down); out[0] += calls; }

//@ case sort_of_the_library
static int up(const void *a, const void *b) { uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b; return x < y ? -1 : x > y; }
MODEL { memcpy(out, in, 32); qsort(out, 8, 4, up); }

//@ case sort_counting expect="RP2503", says="qsort"
static uint32_t calls;
static int up(const void *a, const void *b) { calls++; uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b; return x < y ? -1 : x > y; }
MODEL { memcpy(out, in, 32); qsort(out, 8, 4, up); out[0] += calls; }

//@ case sort_by_table expect="RP2503"
static const uint8_t rank[256] = {[1] = 9, [2] = 8, [77] = 1};
static int up(const void *a, const void *b) { return rank[*(const uint8_t *)a] - rank[*(const uint8_t *)b]; }
MODEL { memcpy(out, in, 32); qsort(out, 8, 4, up); }

//@ case search_of_the_library
static const uint32_t keys[6] = {1, 3, 7, 100, 5000, 4000000000u};
static int compare(const void *a, const void *b) { uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b; return x < y ? -1 : x > y; }
MODEL { EACH { const uint32_t *p = bsearch(&in[i], keys, 6, 4, compare); out[i] = p ? (uint32_t)(p - keys) : 99; } }

//@ case search_with_state expect="RP2503"
static uint32_t calls;
static const uint32_t keys[6] = {1, 3, 7, 100, 5000, 4000000000u};
static int compare(const void *a, const void *b) { calls++; uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b; return x < y ? -1 : x > y; }
MODEL { EACH { const uint32_t *p = bsearch(&in[i], keys, 6, 4, compare); out[i] = (p ? (uint32_t)(p - keys) : 99) + calls; } }

//@ case memory_functions
static uint8_t a[300], b[300];
static const uint8_t c[300] = {1, 2, 3, [299] = 4};
MODEL { EACH { uint32_t n = in[i] % 150; memcpy(a, c + 149, n); memmove(a + 3, a, n + 50); memset(b + n, (int)in[i], 30); memmove(b, b + 1, n + 20); out[i] = a[n] + b[n / 2] * 256u + (uint32_t)(memcmp(a, b, n) < 0) * 65536u + (memchr(a, 4, 300) ? 1u << 20 : 0); } }

//@ case memory_functions_by_pointer
static void *(*const copy[])(void *, const void *, size_t) = {memcpy, memmove};
static uint32_t a[8];
MODEL { EACH { copy[in[i] & 1](a, in, 4 * (in[i] % 9)); out[i] = a[i]; } }

//@ case memory_helpers_of_the_abi
void __aeabi_memcpy(void *, const void *, size_t);
void __aeabi_memclr4(void *, size_t);
void __aeabi_memset(void *, size_t, int);
static uint32_t a[20];
MODEL { EACH { __aeabi_memcpy(a, in, 32); __aeabi_memset(a + 8, in[i] & 15, 7); out[i] = a[in[i] % 20]; __aeabi_memclr4(a, 16); } }

//@ case string_functions
static char text[40];
static const char *const words[] = {"alpha", "beta", "gamma", "al"};
MODEL { EACH { const char *w = words[in[i] & 3]; strcpy(text, w); strcat(text, words[(in[i] >> 2) & 3]); strncat(text, "xyz", 2); out[i] = (uint32_t)strlen(text) + 100u * (strstr(text, "ta") != NULL) + 200u * (strchr(text, 'm') != NULL) + 400u * (strcmp(w, "beta") < 0) + 800u * (strncmp(w, "alp", 2) == 0) + 1600u * (uint32_t)(strrchr(text, 'a') - text); } }

//@ case string_to_numbers expect="RP2500", copy="run"
static const char *const words[] = {"12", "0x3f", "-7", "99999999999"};
MODEL { EACH out[i] = (uint32_t)atoi(words[in[i] & 3]) + (uint32_t)strtol(words[in[i] % 3], NULL, 0); }

//@ case character_classes
static const char text[] = "aB3 _z";
MODEL { EACH { int c = text[in[i] % 6]; out[i] = (uint32_t)(isalpha(c) != 0) + 2u * (isdigit(c) != 0) + 4u * (uint32_t)toupper(c); } }

//@ case absolute_values
MODEL { EACH out[i] = (uint32_t)abs((int)(in[i] >> 1)) + (uint32_t)labs((long)(in[i] >> 2)) + (uint32_t)div((int)(in[i] >> 1), 7).rem; }

//@ case random_numbers expect="RP2500", copy="run"
MODEL { srand(in[0]); EACH out[i] = (uint32_t)rand(); }

//@ case error_number expect="RP2500", copy="run"
MODEL { errno = (int)in[0]; EACH out[i] = in[i] + (uint32_t)errno; }

//@ case memory_allocated expect="RP2600", says="_sbrk"
static uint32_t *volatile kept;
MODEL { EACH { kept = malloc(16); kept[0] = in[i]; out[i] = kept[0]; free(kept); } }

//@ case text_printed expect="RP2600"
MODEL { EACH { printf("%u\n", (unsigned)in[i]); out[i] = in[i]; } }

//@ case text_formatted expect="RP2600"
MODEL { EACH { char t[20]; snprintf(t, sizeof t, "%u", (unsigned)in[i]); out[i] = (uint32_t)t[0]; } }

//@ case assertion expect="RP2600"
#include <assert.h>
#undef NDEBUG
#include <assert.h>
MODEL { EACH { assert(in[i] != 0x87654321); out[i] = in[i]; } }

//@ case assertion_compiled_out cflags="-DNDEBUG"
#include <assert.h>
MODEL { EACH { assert(in[i] == 1); out[i] = in[i]; } }

//@ case exit_never_reached expect="RP2600"
MODEL { EACH { if (in[i] == 0x87654321) abort(); out[i] = in[i]; } }

//@ case exit_in_what_nothing_calls linked="-Wl,--unresolved-symbols=ignore-all"
void unused(void) { exit(1); }
MODEL { EACH out[i] = in[i]; }

//@ case at_exit expect="RP2500", copy="run"
static void end(void) {}
MODEL { EACH { if (in[i] == 0x87654321) atexit(end); out[i] = in[i]; } }

//@ case thread_local expect="RP2404", llvm="RP2404"
static _Thread_local uint32_t state = 3;
MODEL { EACH out[i] = in[i] + state++; }

//@ case constructor llvm="run", expect="RP2403"
static uint32_t state;
__attribute__((constructor)) static void start(void) { state = 5; }
MODEL { EACH out[i] = in[i] + state; }

//@ case destructor expect="RP2403"
static uint32_t state;
__attribute__((destructor)) static void stop(void) { state = 5; }
MODEL { EACH out[i] = in[i] + state; }

