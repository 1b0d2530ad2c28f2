/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of functions of C++: see cplusplus.h. */
#include "toolchain/calls/cplusplus.h"

#include <ctype.h>
#include <string.h>

#include "base/path.h"
#include "toolchain/calls/said.h"

char *rp_cplusplus_plain_name(struct rp_arena *arena, const char *name) {
    struct rp_buf plain = {.arena = arena};
    unsigned depth = 0;
    for (const char *c = name; *c != '\0'; c++) {
        depth += (unsigned)(*c == '<');
        if (depth == 0)
            rp_buf_append(&plain, c, 1);
        depth -= (unsigned)(*c == '>');
    }
    return rp_buf_text(&plain);
}

/* What stands before the last "::" outside of < >; NULL: nothing. */
static char *scope_of(struct rp_arena *arena, const char *name) {
    unsigned depth = 0;
    const char *last = NULL;
    for (const char *c = name; *c != '\0'; c++) {
        depth += (unsigned)(*c == '<');
        depth -= (unsigned)(*c == '>');
        if (depth == 0 && c[0] == ':' && c[1] == ':')
            last = c;
    }
    return last != NULL ? rp_strndup(arena, name, (size_t)(last - name)) : NULL;
}

void rp_cplusplus_choose(struct rp_model *model, struct rp_arena *arena,
                         const struct rp_functions *all) {
    const char *name = rp_cplusplus_plain_name(arena, model->entry.name);
    const char *scope = scope_of(arena, model->entry.name);
    bool needs_object =
        scope != NULL && !rp_strings_have(&all->namespaces, rp_cplusplus_plain_name(arena, scope));
    for (size_t i = 0; needs_object && i < all->count; i++)
        needs_object = strcmp(all->items[i].name, name) != 0 || !all->items[i].is_static;
    model->entry.class_name = needs_object ? scope : NULL;
}

/* ---- C++ text ---- */

/* No header of the C++ library: it need not be installed. */
static const char types[] =
    "#define _Bool bool\n"
    "namespace {\n"
    "template <bool, typename T = void> struct rp_if {};\n"
    "template <typename T> struct rp_if<true, T> { typedef T type; };\n"
    "template <typename T> struct rp_bare { typedef T type; };\n"
    "template <typename T> struct rp_bare<const T> { typedef T type; };\n"
    /* kinds of numbers: 1 is bool; the size of an integer, and whether it has a sign */
    "template <typename T, bool = __is_enum(T)> struct rp_kind { enum { value = 0 }; };\n"
    "#define RP_KIND(type, number) \\\n"
    "    template <> struct rp_kind<type, false> { enum { value = (number) }; };\n"
    "#define RP_INTEGER(type) \\\n"
    "    RP_KIND(signed type, 16 * sizeof(type) + 1) RP_KIND(unsigned type, 16 * sizeof(type))\n"
    "RP_KIND(bool, 1) RP_KIND(float, 2) RP_KIND(double, 3)\n"
    "RP_INTEGER(char) RP_INTEGER(short) RP_INTEGER(int) RP_INTEGER(long) RP_INTEGER(long long)\n"
    "RP_KIND(char, 16 + (static_cast<char>(-1) < 0))\n"
    "template <typename T> struct rp_kind<T, true> {\n"
    "    enum { value = rp_kind<__underlying_type(T)>::value };\n"
    "};\n"
    /* what is said to be D: elements of T, one or an array of them */
    "template <typename T> struct rp_memory {\n"
    "    enum { kind = rp_kind<typename rp_bare<T>::type>::value, is_const = __is_same(T, const "
    "T),\n"
    "           count = 1, is_array = 0 };\n"
    "};\n"
    "template <typename T, decltype(sizeof 0) N> struct rp_memory<T[N]> {\n"
    "    enum { kind = rp_memory<T>::kind, is_const = rp_memory<T>::is_const,\n"
    "           count = N * rp_memory<T>::count, is_array = 1 };\n"
    "};\n"
    "template <typename D, bool out, unsigned count> struct rp_tensor {\n"
    "    void *at;\n"
    "    template <typename T> static constexpr bool is() {\n"
    "        return int(rp_memory<T>::kind) == int(rp_kind<D>::value) &&\n"
    "               !(out && rp_memory<T>::is_const);\n"
    "    }\n"
    "    template <typename T, typename = typename rp_if<is<T>() && count % rp_memory<T>::count == "
    "0>::type>\n"
    "    operator T *() const { return static_cast<T *>(at); }\n"
    "    template <typename T, typename = typename rp_if<is<T>() && count == "
    "rp_memory<T>::count>::type>\n"
    "    operator T &() const { return *static_cast<T *>(at); }\n"
    "};\n"
    /* what the function returns: a value, or an address */
    "template <typename D, unsigned count, typename R> int rp_take(void *to, R result) {\n"
    "    static_assert(int(rp_kind<R>::value) == int(rp_kind<D>::value) && count == 1,\n"
    "                  \"--entry gives what the function returns another type\");\n"
    "    *static_cast<D *>(to) = static_cast<D>(result);\n"
    "    return 1;\n"
    "}\n"
    "template <typename D, unsigned count, typename R> int rp_take(void *to, R *from) {\n"
    "    static_assert(int(rp_memory<R>::kind) == int(rp_kind<D>::value) &&\n"
    "                  count % rp_memory<R>::count == 0,\n"
    "                  \"--entry gives what the function returns another type\");\n"
    "    if (from == nullptr)\n"
    "        return 0;\n"
    "    memcpy(to, from, count * sizeof(D));\n"
    "    return 1;\n"
    "}\n"
    "}\n";

static void put_argument(struct rp_buf *out, const struct rp_model *model, const char *value) {
    if (!isalpha((unsigned char)value[0])) {
        rp_buf_puts(out, rp_said_in_c(out->arena, value));
        return;
    }
    const struct rp_tensor *tensor = rp_tensor_at(model, value);
    bool output = rp_has_prefix(value, "out");
    rp_buf_printf(out, "rp_tensor<%s, %s, %lluu>{rp_%s[%s]}", tensor->dtype->c_type,
                  output ? "true" : "false", (unsigned long long)rp_tensor_elements(tensor),
                  output ? "out" : "in", value + (output ? 3 : 2));
}

static void put_call(struct rp_buf *out, const struct rp_model *model) {
    const struct rp_model_entry *entry = &model->entry;
    const char *name = entry->name;
    if (entry->class_name != NULL)
        rp_buf_printf(out, "rp_object.%s(", name + strlen(entry->class_name) + 2);
    else
        rp_buf_printf(out, "::%s(", name);
    for (size_t i = 0; i < entry->arguments.count; i++) {
        rp_buf_puts(out, i != 0 ? ", " : "");
        put_argument(out, model, entry->arguments.items[i]);
    }
    rp_buf_puts(out, ")");
}

void rp_cplusplus_put(struct rp_buf *out, const struct rp_model *model) {
    const struct rp_model_entry *entry = &model->entry;
    const char *result = entry->result;
    rp_buf_puts(out, types);
    if (entry->class_name != NULL)
        rp_buf_printf(out, "static __constinit ::%s rp_object;\n", entry->class_name);
    rp_buf_puts(out, "int rp_model_run(void **rp_in, void **rp_out) {\n    (void)rp_in;\n    "
                     "(void)rp_out;\n    ");
    bool output = result != NULL && isalpha((unsigned char)result[0]);
    if (output) {
        const struct rp_tensor *tensor = rp_tensor_at(model, result);
        rp_buf_printf(out, "return rp_take<%s, %lluu>(rp_out[%s], ", tensor->dtype->c_type,
                      (unsigned long long)rp_tensor_elements(tensor), result + 3);
        put_call(out, model);
        rp_buf_puts(out, ");\n}\n");
        return;
    }
    rp_buf_puts(out, result != NULL ? "return " : "(void)");
    put_call(out, model);
    if (result != NULL)
        rp_buf_printf(out, " == %s;\n}\n", result);
    else
        rp_buf_puts(out, ";\n    return 1;\n}\n");
}
