/* SPDX-License-Identifier: Apache-2.0 */
/* Pointers: before, past and into the middle of what they point to, and pointers to pointers. */
#include <stddef.h>
#include <stdint.h>
#define NOINLINE __attribute__((noinline))
#define MODEL    void model(const uint32_t in[8], uint32_t out[8])
#define EACH     for (int i = 0; i < 8; i++)
#define COUNT_64 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, \
        27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, \
        53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64

//@ case past_constant
static const uint32_t w[5] = {1, 2, 3, 4, 5};
static const uint32_t *const end = w + 5;
static const uint32_t *volatile at_end = w + 5;
MODEL { EACH out[i] = end[-1 - (int)(in[i] % 5)] + at_end[-2]; }

//@ case past_weights
static const uint32_t w[64] = {COUNT_64};
static const uint32_t *volatile end = w + 64;
MODEL { EACH out[i] = end[-1 - (int)(in[i] % 64)]; }

//@ case past_variable
static uint32_t v[5] = {1, 2, 3, 4, 5};
static uint32_t *volatile end = v + 5;
MODEL { EACH out[i] = end[-1 - (int)(in[i] % 5)] += in[i]; }

//@ case past_zeroed
static uint32_t v[5];
static uint32_t *volatile end = v + 5;
MODEL { EACH out[i] = end[-1 - (int)(in[i] % 5)] += in[i]; }

//@ case past_activations
static uint32_t v[100];
static uint32_t *volatile end = v + 100;
MODEL { EACH out[i] = end[-1 - (int)(in[i] % 100)] += in[i]; }

//@ case before_constant
static const uint32_t w[5] = {1, 2, 3, 4, 5};
static const uint32_t *volatile before = w - 1;
MODEL { EACH out[i] = before[1 + in[i] % 5]; }

//@ case before_weights
static const uint32_t w[64] = {COUNT_64};
static const uint32_t *volatile before = w - 1;
MODEL { EACH out[i] = before[1 + in[i] % 64]; }

//@ case before_variable
static uint32_t v[5] = {1, 2, 3, 4, 5};
static uint32_t *volatile before = v - 1;
MODEL { EACH out[i] = before[1 + in[i] % 5] += in[i]; }

//@ case before_zeroed
static uint32_t v[5];
static uint32_t *volatile before = v - 1;
MODEL { EACH out[i] = before[1 + in[i] % 5] += in[i]; }

//@ case before_activations
static uint32_t v[100];
static uint32_t *volatile before = v - 1;
MODEL { EACH out[i] = before[1 + in[i] % 100] += in[i]; }

//@ case far_before_constant expect="RP2500"
static const uint32_t w[5] = {1, 2, 3, 4, 5};
static const uint32_t *volatile before = w - 4096;
MODEL { EACH out[i] = before[4096 + in[i] % 5]; }

//@ case far_past_variable expect="RP2500"
static uint32_t v[5] = {1, 2, 3, 4, 5};
static uint32_t *volatile past = v + 1000;
MODEL { EACH out[i] = past[-1000 + (int)(in[i] % 5)]; }

//@ case before_in_code
static const uint32_t w[64] = {COUNT_64};
static NOINLINE uint32_t one_based(const uint32_t *p, uint32_t n) { return p[n]; }
MODEL { EACH out[i] = one_based(w - 1, 1 + in[i] % 64) + w[in[i] % 64]; }

//@ case before_variable_in_code
static uint32_t v[64] = {COUNT_64};
static NOINLINE uint32_t one_based(uint32_t *p, uint32_t n) { return p[n] ^= n; }
MODEL { EACH out[i] = one_based(v - 1, 1 + in[i] % 64) + v[in[i] % 64]; }

//@ case downward_loop
static const uint16_t w[8] = {3, 1, 4, 1, 5, 9, 2, 6};
MODEL {
    EACH {
        uint32_t sum = 0;
        for (const uint16_t *at = w + 7; at >= w; at--)
            sum = sum * 3 + (*at ^ (in[i] & 15));
        out[i] = sum;
    }
}

//@ case middle_of_constant
static const uint8_t w[40] = {[3] = 3, [17] = 17, [39] = 39};
static const uint8_t *const parts[] = {w + 3, &w[17], w + 39, w};
MODEL { EACH out[i] = *parts[in[i] & 3] + (uint32_t)(parts[in[i] & 3] - w) * 256; }

//@ case middle_of_weights
static const uint32_t w[64] = {COUNT_64};
static const uint32_t *const parts[] = {w + 3, &w[17], w + 63, w};
MODEL { EACH out[i] = *parts[in[i] & 3] + (uint32_t)(parts[in[i] & 3] - w) * 256; }

//@ case middle_of_activations
static uint8_t v[400];
static uint8_t *parts[] = {v + 3, &v[17], v + 399, v};
MODEL { EACH out[i] = *parts[in[i] & 3] = (uint8_t)(*parts[(in[i] >> 2) & 3] + in[i]); }

//@ case middle_of_string
static const char *const tail = "prefix:body" + 7;
MODEL { EACH out[i] = (uint32_t)tail[in[i] & 3]; }

//@ case member_of_struct
static struct { uint8_t head; struct { uint16_t x, y[3]; } body[4]; uint32_t tail; } s = {1, {[2] = {5, {6, 7, 8}}}, 9};
static uint16_t *const to[] = {&s.body[2].y[1], &s.body[0].x, &s.body[3].y[2]};
static uint32_t *const tail = &s.tail;
MODEL { EACH { *to[in[i] % 3] = (uint16_t)(*to[in[i] % 3] * 3u + in[i]); out[i] = s.body[2].y[1] + (*tail += s.body[0].x); } }

//@ case pointer_to_pointer
static uint32_t value = 11, other = 22;
static uint32_t *first = &value;
static uint32_t **second = &first;
static uint32_t ***third = &second;
MODEL { EACH { ***third += in[i]; **third = in[i] & 1 ? &value : &other; out[i] = **second + value; } }

//@ case pointer_to_pointer_const
static const uint32_t value = 11;
static const uint32_t *const first = &value;
static const uint32_t *const *const second = &first;
static const uint32_t *const *const *volatile third = &second;
MODEL { EACH out[i] = ***third + in[i]; }

//@ case pointers_with_unlike_types
static const float f[3] = {1.5f, -2.25f, 1e-40f};
static const void *const p[] = {f, f + 1, &f[2]};
MODEL { EACH out[i] = *(const uint32_t *)p[in[i] % 3]; }

//@ case pointer_differences
struct pair { char c; uint32_t x; };
static const uint32_t a[12] = {1};
static const ptrdiff_t d = &a[7] - &a[2];
static uint32_t v[9];
static const uint32_t far = (uint32_t)(sizeof v - offsetof(struct pair, x));
MODEL { EACH out[i] = (uint32_t)d + far + (uint32_t)(&v[in[i] % 9] - v) + a[in[i] % 12]; }

//@ case pointer_comparison
static uint32_t v[8], w[8];
MODEL {
    EACH {
        uint32_t *p = in[i] & 1 ? v : w, *q = p + in[i] % 8;
        out[i] = (p < q) + 2 * (q == v) + 4 * (q >= w && q < w + 8) + 8 * (p != w);
    }
}

//@ case pointer_tagged
static uint32_t v[2] = {3, 4};
static uintptr_t tagged[2] = {(uintptr_t)&v[0] + 1, (uintptr_t)&v[1] + 2};
MODEL { EACH { uintptr_t t = tagged[in[i] & 1]; out[i] = *(uint32_t *)(t & ~(uintptr_t)3) * 4 + (t & 3); } }

//@ case pointer_in_packed_struct expect="RP2500", copy="RP2500"
static uint32_t v = 9;
static const struct __attribute__((packed)) { uint8_t tag; uint32_t *p; } s[2] = {{1, &v}, {2, &v}};
MODEL { EACH out[i] = *s[in[i] & 1].p + s[in[i] & 1].tag; }

//@ case pointer_by_offset
struct three { uint32_t x, y, z; };
static struct { uint32_t a, b, c; } s = {1, 2, 3};
static uint32_t *const p = (uint32_t *)((char *)&s + offsetof(struct three, z));
MODEL { EACH out[i] = *p + in[i] * s.b; }

//@ case pointer_through_volatile
static uint32_t a = 1, b = 2;
static uint32_t *volatile list[2] = {&a, &b};
MODEL { EACH { *list[in[i] & 1] += in[i]; uint32_t *t = list[0]; list[0] = list[1]; list[1] = t; out[i] = a * 3 + b; } }

//@ case pointer_to_output io="u32:8 > u32:8"
static uint32_t *kept;
MODEL { kept = out; EACH kept[7 - i] = in[i] * 5; kept = NULL; }

//@ case pointer_restrict
static NOINLINE void scale(uint32_t *restrict to, const uint32_t *restrict from, int n) {
    while (n-- > 0)
        *to++ = *from++ * 3;
}
static uint32_t work[8];
MODEL { scale(work, in, 8); scale(out, work, 8); }

//@ case pointer_arrays_of_arrays
static uint32_t grid[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
static uint32_t (*row)[4] = &grid[1];
static uint32_t (*const all)[3][4] = &grid;
MODEL { EACH { out[i] = (*row)[in[i] & 3] + (*all)[2][i & 3]; row = &grid[in[i] % 3]; grid[in[i] % 3][0]++; } }

//@ case pointer_list_in_activations
static struct node { struct node *next; uint32_t value; } nodes[64];
MODEL {
    struct node *head = NULL;
    EACH { struct node *n = &nodes[in[i] % 8 + 8 * (uint32_t)i]; n->value = in[i]; n->next = head; head = n; }
    for (int i = 0; i < 8; i++, head = head->next)
        out[i] = head->value;
}

//@ case pointer_weights_and_activations
static const int8_t w[300] = {1, -2, 3, [299] = 7};
static int8_t a[300];
static const struct { const int8_t *w; int8_t *a; int n; } layer = {w, a, 300};
MODEL {
    for (int i = 0; i < layer.n; i++)
        layer.a[i] = (int8_t)(layer.w[i] * (int8_t)in[i & 7]);
    EACH out[i] = (uint32_t)(layer.a[i] + layer.a[299 - i]);
}
