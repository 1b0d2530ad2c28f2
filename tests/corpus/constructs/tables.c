/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of functions, pointers and strings, and what compilers make of switches. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#define NOINLINE __attribute__((noinline))
#define MODEL    void model(const uint32_t in[8], uint32_t out[8])
#define EACH     for (int i = 0; i < 8; i++)
static NOINLINE uint32_t add3(uint32_t x) { return x + 3; }
static NOINLINE uint32_t mix(uint32_t x) { return (x ^ (x >> 7)) * 2654435761u; }
static NOINLINE uint32_t flip(uint32_t x) { return ~x; }
typedef uint32_t function(uint32_t);

//@ case function_table_const
static function *const table[] = {add3, mix, flip, add3};
MODEL { EACH out[i] = table[in[i] & 3](in[i]); }

//@ case function_table_writable
static function *table[] = {add3, mix, flip, add3};
MODEL {
    EACH {
        out[i] = table[in[i] & 3](in[i]);
        function *last = table[in[i] & 3];
        table[in[i] & 3] = table[(in[i] >> 2) & 3];
        table[(in[i] >> 2) & 3] = last;
    }
}

//@ case function_table_in_function
MODEL {
    static function *const table[3] = {mix, flip, add3};
    EACH out[i] = table[in[i] % 3](in[i]);
}

//@ case function_table_of_structs
struct layer { const char *name; function *run; uint32_t gain; const struct layer *next; };
static const struct layer layers[3] = {
    {"add", add3, 2, &layers[1]}, {"mix", mix, 3, &layers[2]}, {"flip", flip, 5, NULL}};
MODEL {
    EACH {
        uint32_t x = in[i];
        for (const struct layer *at = layers; at != NULL; at = at->next)
            x = at->run(x) * at->gain + (uint32_t)at->name[1];
        out[i] = x;
    }
}

//@ case function_table_nulls
static function *const table[8] = {[1] = add3, [4] = mix, [6] = flip};
MODEL { EACH out[i] = table[in[i] & 7] != NULL ? table[in[i] & 7](in[i]) : in[i]; }

//@ case function_table_two_dimensions
static function *const table[2][3] = {{add3, mix, flip}, {flip, add3, mix}};
MODEL { EACH out[i] = table[in[i] & 1][in[i] % 3](in[i]); }

//@ case function_address_compared
static function *const table[] = {add3, mix, flip};
static NOINLINE uint32_t which(function *f) { return f == add3 ? 1 : f == mix ? 2 : f == flip ? 3 : 0; }
MODEL { EACH out[i] = which(table[in[i] % 3]) + 10 * which(i & 1 ? mix : flip); }

//@ case function_pointer_kept
static function *kept = mix;
MODEL {
    EACH {
        out[i] = kept(in[i]);
        kept = in[i] & 1 ? add3 : in[i] & 2 ? flip : mix;
    }
}

//@ case function_pointer_volatile
static function *volatile kept = mix;
MODEL { EACH out[i] = kept(in[i]) + (kept == mix); }

//@ case function_pointer_argument
static NOINLINE uint32_t apply(function *f, uint32_t x, int times) {
    while (times-- > 0)
        x = f(x);
    return x;
}
MODEL { EACH out[i] = apply(in[i] & 1 ? mix : flip, in[i], i) + apply(add3, in[i], 3); }

//@ case function_pointer_returned
static NOINLINE function *choose(uint32_t x) { return x % 3 == 0 ? add3 : x % 3 == 1 ? mix : flip; }
MODEL { EACH out[i] = choose(in[i])(in[i]); }

//@ case function_pointer_as_integer
static const uintptr_t table[] = {(uintptr_t)add3, (uintptr_t)mix};
MODEL { EACH out[i] = ((function *)table[in[i] & 1])(in[i]); }

//@ case tail_calls
static function *const table[] = {add3, mix, flip};
static NOINLINE uint32_t through(uint32_t x, uint32_t n) { return table[n](x); }
static NOINLINE uint32_t twice(uint32_t x, uint32_t n) { return through(x ^ 1, (n + 1) % 3); }
MODEL { EACH out[i] = twice(in[i], in[i] % 3); }

//@ case computed_goto
MODEL {
    static const void *const to[] = {&&a, &&b, &&c, &&d};
    EACH {
        uint32_t x = in[i];
        goto *to[x & 3];
    a: x += 7;
    b: x *= 3; goto d;
    c: x ^= 0x55;
    d: out[i] = x;
    }
}

//@ case computed_goto_of_many_values
static uint32_t counts[8];
static const uint32_t constants[8] = {3, 1, 4, 1, 5, 9, 2, 6};
#define STIR a += b * t; b ^= c + n; c -= d * a; d += e ^ b; e -= f * c; f ^= g + d; g += h * e; h -= k ^ f; k += l * g; l ^= a;
#define ALL (a + b + c + d + e + f + g + h + k + l)
static NOINLINE uint32_t many(uint32_t x, const uint32_t *from) {
    static const void *const to[] = {&&one, &&two, &&three, &&four};
    uint32_t a = from[0], b = from[1], c = from[2], d = from[3], e = x, f = x * 3, g = x ^ 7, h = x + 9, k = x - 5;
    uint32_t l = x * x, n = 0, t = 1;
    goto *to[x & 3];
one: t += counts[a & 7]; STIR if (n++ > 20) return ALL; goto *to[a & 3];
two: t ^= constants[b & 7]; STIR if (n++ > 20) return ALL; goto *to[b & 3];
three: t += c; STIR if (n++ > 20) return ALL + 1; goto *to[c & 3];
four: t -= d; STIR if (n++ > 20) return ALL + 2; goto *to[d & 3];
}
MODEL { uint32_t from[4] = {3, 5, 7, 9}; EACH { from[i & 3] = in[i]; out[i] = many(in[i], from); } }

//@ case computed_goto_differences
MODEL {
    static const int to[] = {&&a - &&a, &&b - &&a, &&c - &&a, &&d - &&a};
    EACH {
        uint32_t x = in[i];
        goto *(&&a + to[x & 3]);
    a: x += 7;
    b: x *= 3; goto d;
    c: x ^= 0x55;
    d: out[i] = x;
    }
}

//@ case label_in_variable
MODEL {
    EACH {
        uint32_t x = in[i];
        void *to = x & 1 ? &&odd : &&even;
        if (x & 4)
            x += 2;
        goto *to;
    odd: x = x * 3 + 1; goto end;
    even: x /= 2;
    end: out[i] = x;
    }
}

//@ case switch_bytes
static NOINLINE uint32_t pick(uint32_t x) {
    switch (x) {
    case 0: return x + 9;
    case 1: return mix(x);
    case 2: return x * 11;
    case 3: return flip(x);
    case 4: return x << 9;
    case 5: return add3(x) ^ 1;
    case 6: return x - 77;
    case 7: return 5 / (x + 1);
    }
    return 1;
}
MODEL { EACH out[i] = pick(in[i] % 10); }

//@ case switch_halfwords
#define CASE(n) case n: return mix(x + n) + add3(x * n) - flip(x ^ n) * (n + 1) + mix(x - n) * add3(x + 3 * n);
static NOINLINE uint32_t pick(uint32_t x, uint32_t which) {
    switch (which) {
        CASE(0) CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7) CASE(8) CASE(9)
        CASE(10) CASE(11) CASE(12) CASE(13) CASE(14) CASE(15) CASE(16) CASE(17) CASE(18) CASE(19)
    }
    return 1;
}
MODEL { EACH out[i] = pick(in[i], in[i] % 22); }

//@ case switch_to_table
static NOINLINE uint32_t pick(uint32_t x) {
    switch (x) {
    case 0: return 17; case 1: return 4; case 2: return 99; case 3: return 3; case 4: return 1000;
    case 5: return 70000; case 6: return 5; case 7: return 8; case 8: return 123456789; case 9: return 2;
    }
    return 0;
}
MODEL { EACH out[i] = pick(in[i] % 12); }

//@ case switch_to_pointers
static NOINLINE const char *pick(uint32_t x) {
    switch (x) {
    case 0: return "zero"; case 1: return "one"; case 2: return "two"; case 3: return "three";
    case 4: return "four"; case 5: return "five"; case 6: return "six"; case 7: return "seven";
    }
    return "many";
}
MODEL { EACH out[i] = (uint32_t)strlen(pick(in[i] % 10)) * 256 + (uint32_t)pick(in[i] % 9)[0]; }

//@ case switch_of_functions
static NOINLINE function *pick(uint32_t x) {
    switch (x) {
    case 0: return add3; case 1: return mix; case 2: return flip; case 3: return add3; case 4: return flip;
    case 5: return mix; case 6: return add3; case 7: return mix;
    }
    return flip;
}
MODEL { EACH out[i] = pick(in[i] % 10)(in[i]); }

//@ case switch_sparse
static NOINLINE uint32_t pick(uint32_t x) {
    switch (x & 0xFFFF) {
    case 0: return 1; case 7: return 2; case 2: return 3; case 0x7FFF: return mix(x); case 0xFFFF: return add3(x);
    case 100 ... 200: return x * 3; case 0x8000 ... 0x8FFF: return flip(x); case 5000: return 9;
    }
    return x ^ 0x1234;
}
MODEL { EACH out[i] = pick(in[i]); }

//@ case switch_64_bits
static NOINLINE uint32_t pick(uint64_t x) {
    switch (x) {
    case 0: return 11; case 1: return 12; case 0xFFFFFFFFull: return 13; case 0x100000000ull: return 14;
    case 0xFFFFFFFE00000001ull: return 15;
    }
    return (uint32_t)(x >> 32) + (uint32_t)x;
}
MODEL { EACH out[i] = pick((uint64_t)in[i] * in[i]); }

//@ case strings_table
static const char *const names[] = {"conv2d", "dense", "relu", "softmax", "", "pool"};
MODEL {
    EACH {
        uint32_t sum = 0;
        for (const char *at = names[in[i] % 6]; *at; at++)
            sum = sum * 31 + (uint32_t)*at;
        out[i] = sum;
    }
}

//@ case strings_with_shared_tails
static const char *const names[] = {"depthwise_conv", "conv", "v", "nv", "wise_conv", "depthwise_conv"};
MODEL { EACH out[i] = (uint32_t)strlen(names[in[i] % 6]) + (uint32_t)names[in[i] % 6][0] * 256; }

//@ case strings_in_two_files
extern const char *const other_names[];
static const char *const names[] = {"alpha", "beta", "gamma"};
MODEL { EACH out[i] = (uint32_t)strcmp(names[in[i] % 3], other_names[(in[i] >> 2) % 3]) >> 31; }
//@ file other.c
const char *const other_names[] = {"beta", "alpha", "gamma delta"};

//@ case strings_wide
#include <wchar.h>
static const wchar_t *const names[] = {L"eins", L"zwei", L"dr\u00e9i", L""};
MODEL {
    EACH {
        uint32_t sum = 1;
        for (const wchar_t *at = names[in[i] & 3]; *at; at++)
            sum = sum * 33 + (uint32_t)*at;
        out[i] = sum;
    }
}

//@ case strings_utf16
typedef __CHAR16_TYPE__ char16_t;
typedef __CHAR32_TYPE__ char32_t;
static const char16_t *const names[] = {u"one", u"two", u"thr\u00e9e", u""};
static const char32_t *const longs[] = {U"one", U"\U0001F600", U"e", U""};
MODEL { EACH out[i] = names[in[i] & 3][0] + 3 * longs[in[i] & 3][0] + names[2][3]; }

//@ case strings_inside
static const char text[] = "abcdefghijklmnopqrstuvwxyz";
static const char *const inside[] = {text + 3, text + 25, text + 26, text, &text[11]};
MODEL { EACH out[i] = (uint32_t)inside[in[i] % 5][0] + (uint32_t)(inside[in[i] % 5] - text) * 256; }

//@ case strings_two_dimensions
static const char names[4][8] = {"one", "two", "three", "sevenun"};
static const char (*const rows[])[8] = {&names[2], &names[0]};
MODEL { EACH out[i] = (uint32_t)names[in[i] & 3][in[i] >> 2 & 7] + 256u * (uint32_t)(*rows[in[i] & 1])[1]; }

//@ case table_of_constants
static const uint32_t a[] = {1, 2, 3}, b[] = {40, 50}, c[] = {600};
static const uint32_t *const tables[] = {a, b, c, a};
static const uint8_t sizes[] = {3, 2, 1, 3};
MODEL { EACH out[i] = tables[in[i] & 3][in[i] % sizes[in[i] & 3]]; }

//@ case table_of_constants_and_functions
struct op { function *f; const uint16_t *data; uint8_t n; const char *label; };
static const uint16_t one[] = {1, 2, 3, 4}, two[] = {9, 8};
static const struct op ops[] = {{add3, one, 4, "p"}, {mix, two, 2, "q"}, {flip, one + 1, 3, "r"}, {0, 0, 0, 0}};
MODEL {
    EACH {
        out[i] = in[i];
        for (const struct op *op = ops; op->f; op++)
            out[i] = op->f(out[i]) + op->data[out[i] % op->n] + (uint32_t)*op->label;
    }
}

//@ case table_of_variables
static uint32_t a[2] = {1, 2}, b[3], c = 77;
static uint32_t *const tables[] = {a, b, &c, a + 1, b + 2};
MODEL { EACH out[i] = *tables[in[i] % 5] += in[i]; }

//@ case table_of_everything
static uint32_t ram = 5, zero[2];
static const uint32_t rom[2] = {7, 8};
union any { const void *p; function *f; uintptr_t n; };
static const union any things[] = {{&ram}, {.f = mix}, {rom + 1}, {zero}, {.n = 1234}, {.p = "text"}, {NULL}};
MODEL {
    EACH {
        out[i] = *(const uint32_t *)things[0].p + things[1].f(in[i]) + *(const uint32_t *)things[2].p +
                 *(const uint32_t *)things[3].p + things[4].n + *(const uint8_t *)things[5].p + (things[6].p == NULL);
        ram ^= in[i];
        zero[0] += in[i];
    }
}

//@ case table_points_to_itself
struct node { const struct node *next; uint32_t value; const void *self; };
static const struct node ring[3] = {{&ring[1], 5, &ring[0]}, {&ring[2], 6, ring}, {&ring[0], 7, &ring[2].value}};
MODEL {
    EACH {
        const struct node *at = ring;
        for (uint32_t n = in[i] % 7; n > 0; n--)
            at = at->next;
        out[i] = at->value + (at->self == at) * 16 + (uint32_t)((const char *)at->self - (const char *)ring) * 256;
    }
}

//@ case table_points_to_itself_writable
struct node { struct node *next; uint32_t value; };
static struct node ring[3] = {{&ring[1], 5}, {&ring[2], 6}, {&ring[0], 7}}, *head = &ring[1];
MODEL { EACH { head->value += in[i]; head = head->next; out[i] = head->value + head->next->value; } }

//@ case table_designated
enum { A, B, C, D, N };
static const struct { int16_t gain[3]; const char *name; struct { uint8_t lo, hi; } range[2]; } table[N] = {
    [C] = {.name = "c", .gain = {[2] = -5}, .range = {[1] = {.hi = 9}}},
    [A] = {.gain = {1, 2, 3}, .name = "a", .range = {{1, 2}, {3, 4}}}, [D].range[0].lo = 200};
MODEL {
    EACH {
        uint32_t n = in[i] & 3;
        out[i] = (uint32_t)table[n].gain[in[i] % 3] + table[n].range[i & 1].hi * 7u + table[n].range[0].lo +
                 (table[n].name ? (uint32_t)table[n].name[0] : 0);
    }
}

//@ case table_large_of_pointers
#define ROW(n) {x + n, "r" #n, n & 1 ? mix : add3}
#define ROWS(n) ROW(n), ROW(n + 1), ROW(n + 2), ROW(n + 3), ROW(n + 4), ROW(n + 5), ROW(n + 6), ROW(n + 7)
static const uint32_t x[64] = {3, 1, 4, 1, 5, 9, 2, 6, [40] = 77};
static const struct { const uint32_t *p; const char *s; function *f; } rows[] = {
    ROWS(0), ROWS(8), ROWS(16), ROWS(24), ROWS(32), ROWS(40), ROWS(48), ROWS(56)};
MODEL { EACH { uint32_t n = in[i] % 64; out[i] = rows[n].f(in[i]) + *rows[n].p + (uint32_t)rows[n].s[1]; } }

//@ case table_of_tables
static const uint8_t a[] = {1, 2}, b[] = {3, 4};
static const uint8_t *const first[] = {a, b}, *const second[] = {b, a + 1};
static const uint8_t *const *const tables[] = {first, second, first + 1};
MODEL { EACH out[i] = tables[in[i] % 3][0][in[i] & 1 & (in[i] % 3 != 1)]; }

//@ case table_shared_between_functions
static const int8_t taps[16] = {1, -2, 3, -4, 5, -6, 7, -8, 9, -10, 11, -12, 13, -14, 15, -16};
static NOINLINE int32_t fir(const int8_t *t, uint32_t x) { return t[0] * (int32_t)(x & 255) + t[1]; }
static NOINLINE int32_t last(uint32_t x) { return taps[15 - (x & 7)]; }
MODEL { EACH out[i] = (uint32_t)(fir(taps + (in[i] & 7), in[i]) + last(in[i])); }
