/* SPDX-License-Identifier: Apache-2.0 */
/*
 * DWARF through libdw: see dwarf.h. libdwfl applies the relocations of objects and walks through
 * the members of archives. The library bounds all sizes and offsets; nesting is bounded here.
 */
#include "toolchain/calls/dwarf.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <string.h>

#include "base/path.h"

/* Types may refer to each other endlessly, each to several others. */
enum { DEPTH_MAX = 24, PARAMS_MAX = 256, DIES_MAX = 1 << 22, TYPES_MAX = 1 << 18 };

struct reading {
    struct rp_arena *arena;
    const struct rp_strings *names;
    struct rp_declared_list *out;
    bool used;    /* mere declarations, not definitions */
    size_t left;  /* entries that may still be looked at */
    size_t types; /* and types that may still be read */
};

static const struct rp_ctype *read_type(struct reading *reading, Dwarf_Die *die, unsigned depth);

static bool number_at(Dwarf_Die *die, unsigned name, Dwarf_Word *value) {
    Dwarf_Attribute attribute;
    return dwarf_attr_integrate(die, name, &attribute) != NULL &&
           dwarf_formudata(&attribute, value) == 0;
}

static bool flag_at(Dwarf_Die *die, unsigned name) {
    Dwarf_Attribute attribute;
    bool value = false;
    return dwarf_attr_integrate(die, name, &attribute) != NULL &&
           dwarf_formflag(&attribute, &value) == 0 && value;
}

/* The type of the entry; NULL: there is none, which means void. */
static const struct rp_ctype *type_of(struct reading *reading, Dwarf_Die *die, unsigned depth) {
    static const struct rp_ctype nothing = {.kind = RP_CTYPE_VOID, .name = "void"};
    Dwarf_Attribute attribute;
    Dwarf_Die target;
    if (dwarf_attr_integrate(die, DW_AT_type, &attribute) == NULL)
        return &nothing;
    if (dwarf_formref_die(&attribute, &target) == NULL || depth >= DEPTH_MAX || reading->types == 0)
        return &rp_ctype_unknown;
    reading->types--;
    return read_type(reading, &target, depth + 1);
}

/* ---- single types ---- */

static const struct rp_dtype *number_of(Dwarf_Word encoding, Dwarf_Word size) {
    static const struct {
        Dwarf_Word encoding;
        const char *names[4]; /* of 1, 2, 4 and 8 bytes */
    } table[] = {
        {DW_ATE_boolean, {"bool"}},
        {DW_ATE_float, {NULL, NULL, "float32", "float64"}},
        {DW_ATE_signed, {"int8", "int16", "int32", "int64"}},
        {DW_ATE_signed_char, {"int8"}},
        {DW_ATE_unsigned, {"uint8", "uint16", "uint32", "uint64"}},
        {DW_ATE_unsigned_char, {"uint8"}},
    };
    unsigned place = size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : size == 8 ? 3 : 4;
    for (size_t i = 0; place < 4 && i < sizeof table / sizeof table[0]; i++)
        if (table[i].encoding == encoding && table[i].names[place] != NULL)
            return rp_dtype_find(table[i].names[place]);
    return NULL;
}

static void read_base(Dwarf_Die *die, struct rp_ctype *type) {
    Dwarf_Word encoding = 0, size = 0;
    bool known =
        number_at(die, DW_AT_encoding, &encoding) && number_at(die, DW_AT_byte_size, &size);
    type->dtype = known ? number_of(encoding, size) : NULL;
    bool other = type->dtype == NULL || strcmp(type->name, "long double") == 0;
    type->kind = !known ? RP_CTYPE_UNKNOWN : other ? RP_CTYPE_OTHER : RP_CTYPE_NUMBER;
    type->is_byte =
        size == 1 && (strcmp(type->name, "char") == 0 || strcmp(type->name, "unsigned char") == 0);
}

/* Elements of one dimension; 0: unknown. */
static uint64_t count_of(Dwarf_Die *dimension) {
    Dwarf_Word value = 0;
    Dwarf_Attribute attribute;
    Dwarf_Sword last = -1;
    if (number_at(dimension, DW_AT_count, &value))
        return value;
    /* "[]" and "[0]" have no bound, or one of all ones */
    if (dwarf_attr_integrate(dimension, DW_AT_upper_bound, &attribute) == NULL ||
        dwarf_formsdata(&attribute, &last) != 0 || last < 0 || last >= UINT32_MAX) {
        if (dwarf_attr_integrate(dimension, DW_AT_upper_bound, &attribute) == NULL ||
            dwarf_formudata(&attribute, &value) != 0 || value >= UINT32_MAX)
            return 0;
        return value + 1;
    }
    return (uint64_t)last + 1;
}

static const struct rp_ctype *read_array(struct reading *reading, Dwarf_Die *die, unsigned depth) {
    uint64_t counts[RP_RANK_MAX + 1];
    size_t rank = 0;
    Dwarf_Die child;
    if (flag_at(die, DW_AT_GNU_vector))
        return NULL;
    for (int more = dwarf_child(die, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
        if (dwarf_tag(&child) != DW_TAG_subrange_type)
            continue;
        if (rank > RP_RANK_MAX)
            return &rp_ctype_unknown;
        counts[rank++] = count_of(&child);
    }
    const struct rp_ctype *type = type_of(reading, die, depth);
    while (rank-- > 0) {
        struct rp_ctype *array = rp_alloc(reading->arena, 1, sizeof *array);
        *array = (struct rp_ctype){.kind = RP_CTYPE_ARRAY, .count = counts[rank], .of = type};
        type = array;
    }
    return type;
}

static size_t count_params(Dwarf_Die *die) {
    size_t count = 0;
    Dwarf_Die child;
    for (int more = dwarf_child(die, &child); more == 0 && count < PARAMS_MAX;
         more = dwarf_siblingof(&child, &child))
        count += dwarf_tag(&child) == DW_TAG_formal_parameter;
    return count;
}

/* A function of C that is defined without a prototype: f(a) float a; { }. */
static bool is_promoting(Dwarf_Die *die) {
    static const int c[] = {DW_LANG_C89, DW_LANG_C, DW_LANG_C99, DW_LANG_C11};
    Dwarf_Die unit;
    bool is_c = false;
    int language = dwarf_diecu(die, &unit, NULL, NULL) != NULL ? dwarf_srclang(&unit) : -1;
    for (size_t i = 0; i < sizeof c / sizeof c[0]; i++)
        is_c = is_c || language == c[i];
    return is_c && !flag_at(die, DW_AT_prototyped);
}

static void read_function(struct reading *reading, Dwarf_Die *die, struct rp_ctype *type,
                          unsigned depth) {
    Dwarf_Die child;
    struct rp_cparam *params = rp_alloc(reading->arena, count_params(die) + 1, sizeof *params);
    type->kind = RP_CTYPE_FUNCTION;
    type->params = params;
    type->of = type_of(reading, die, depth);
    const bool promotes = is_promoting(die);
    for (int more = dwarf_child(die, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
        if (dwarf_tag(&child) == DW_TAG_unspecified_parameters)
            type->variadic = true;
        if (dwarf_tag(&child) != DW_TAG_formal_parameter)
            continue;
        if (type->param_count == PARAMS_MAX) {
            type->params_unknown = true;
            return;
        }
        const char *name = dwarf_diename(&child);
        const struct rp_ctype *passed = type_of(reading, &child, depth);
        params[type->param_count++] =
            (struct rp_cparam){rp_strdup(reading->arena, name != NULL ? name : ""),
                               promotes ? rp_ctype_promoted(reading->arena, passed) : passed};
    }
}

/* ---- any type ---- */

/* The name of a typedef wins over the name of its type. */
static const struct rp_ctype *renamed(struct rp_arena *arena, const char *name,
                                      const struct rp_ctype *type) {
    if (name == NULL || type->name == NULL || type->kind == RP_CTYPE_VOID)
        return type;
    struct rp_ctype *copy = rp_alloc(arena, 1, sizeof *copy);
    *copy = *type;
    copy->name = rp_strdup(arena, name);
    return copy;
}

static const struct rp_ctype *read_type(struct reading *reading, Dwarf_Die *die, unsigned depth) {
    struct rp_arena *arena = reading->arena;
    const char *name = dwarf_diename(die);
    struct rp_ctype *type = rp_alloc(arena, 1, sizeof *type);
    *type = (struct rp_ctype){.name = rp_strdup(arena, name != NULL ? name : "?")};
    switch (dwarf_tag(die)) {
    case DW_TAG_base_type:
        read_base(die, type);
        return type;
    case DW_TAG_typedef:
        return renamed(arena, name, type_of(reading, die, depth));
    case DW_TAG_const_type:
        return rp_ctype_as_const(arena, type_of(reading, die, depth));
    case DW_TAG_volatile_type:
    case DW_TAG_restrict_type:
        return type_of(reading, die, depth);
    case DW_TAG_pointer_type:
        *type = (struct rp_ctype){.kind = RP_CTYPE_POINTER, .of = type_of(reading, die, depth)};
        return type;
    case DW_TAG_array_type: {
        const struct rp_ctype *array = read_array(reading, die, depth);
        type->kind = RP_CTYPE_OTHER;
        type->name = "vector";
        return array != NULL ? array : type;
    }
    case DW_TAG_enumeration_type: {
        const struct rp_ctype *stored = type_of(reading, die, depth);
        type->name = rp_format(arena, "enum %s", name != NULL ? name : "");
        type->kind = RP_CTYPE_ENUM;
        type->dtype = stored->kind == RP_CTYPE_NUMBER ? stored->dtype : NULL;
        return type;
    }
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type:
        type->kind = RP_CTYPE_RECORD;
        (void)number_at(die, DW_AT_byte_size, &type->size_bytes);
        type->name = rp_format(
            arena, "%s %s", dwarf_tag(die) == DW_TAG_union_type ? "union" : "struct", type->name);
        return type;
    case DW_TAG_subroutine_type:
        type->name = NULL;
        read_function(reading, die, type, depth);
        return type;
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type:
        type->kind = RP_CTYPE_OTHER;
        type->name = "reference";
        return type;
    default:
        return type; /* unknown */
    }
}

/* ---- functions and variables ---- */

/*
 * The name for the linker, by which C can call the function: an asm label or C++ may have changed
 * the one in the source.
 */
static const char *linked_name(Dwarf_Die *die) {
    Dwarf_Attribute attribute;
    unsigned const linkage[] = {DW_AT_linkage_name, DW_AT_MIPS_linkage_name};
    for (size_t i = 0; i < sizeof linkage / sizeof linkage[0]; i++)
        if (dwarf_attr_integrate(die, linkage[i], &attribute) != NULL)
            return dwarf_formstring(&attribute);
    return dwarf_diename(die);
}

/* An instance of an inline function has an origin, which is read instead. */
static void take(struct reading *reading, Dwarf_Die *die) {
    int tag = dwarf_tag(die);
    const char *name = linked_name(die);
    if ((tag != DW_TAG_subprogram && tag != DW_TAG_variable) || name == NULL ||
        dwarf_hasattr(die, DW_AT_abstract_origin) ||
        flag_at(die, DW_AT_declaration) != reading->used || !rp_strings_have(reading->names, name))
        return;
    struct rp_ctype *function = rp_alloc(reading->arena, 1, sizeof *function);
    if (tag == DW_TAG_subprogram)
        read_function(reading, die, function, 0);
    const char *file = dwarf_decl_file(die), *source = dwarf_diename(die);
    int line = 0;
    (void)dwarf_decl_line(die, &line);
    *RP_PUSH(reading->arena, reading->out) = (struct rp_declared){
        .name = rp_strdup(reading->arena, source != NULL ? source : name),
        .linked =
            source != NULL && strcmp(source, name) != 0 ? rp_strdup(reading->arena, name) : NULL,
        .file = rp_strdup(reading->arena, file != NULL ? rp_path_base(file) : "?"),
        .line = line > 0 ? (unsigned)line : 0,
        .type = tag == DW_TAG_subprogram ? function : type_of(reading, die, 0),
        .is_static = !flag_at(die, DW_AT_external),
        .is_definition = !reading->used,
    };
}

static int read_module(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr start,
                       void *context) {
    struct reading *reading = context;
    Dwarf_Addr bias;
    (void)user;
    (void)name;
    (void)start;
    Dwarf *dwarf = dwfl_module_getdwarf(module, &bias);
    Dwarf_CU *unit = NULL;
    Dwarf_Die top, die;
    while (dwarf != NULL && dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &top, NULL) == 0)
        for (int more = dwarf_child(&top, &die); more == 0 && reading->left != 0;
             more = dwarf_siblingof(&die, &die)) {
            reading->left--;
            take(reading, &die);
        }
    return DWARF_CB_OK;
}

/* Debug information in other files is not looked for. */
static int find_nothing(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base,
                        const char *file, const char *link, GElf_Word crc, char **found) {
    (void)module;
    (void)user;
    (void)name;
    (void)base;
    (void)file;
    (void)link;
    (void)crc;
    (void)found;
    return -1;
}

static void read_file(struct reading *reading, const char *path) {
    static const Dwfl_Callbacks callbacks = {.find_debuginfo = find_nothing,
                                             .section_address = dwfl_offline_section_address};
    Dwfl *session = dwfl_begin(&callbacks);
    if (session == NULL)
        return;
    dwfl_report_begin(session);
    (void)dwfl_report_offline(session, "", path, -1);
    dwfl_report_end(session, NULL, NULL);
    (void)dwfl_getmodules(session, read_module, reading, 0);
    dwfl_end(session);
}

void rp_dwarf_read(struct rp_arena *arena, const char *path, const struct rp_strings *names,
                   struct rp_declared_list *out) {
    struct reading reading = {arena, names, out, false, DIES_MAX, TYPES_MAX};
    read_file(&reading, path);
}

void rp_dwarf_read_used(struct rp_arena *arena, const char *path, const struct rp_strings *names,
                        struct rp_declared_list *out) {
    struct reading reading = {arena, names, out, true, DIES_MAX, TYPES_MAX};
    read_file(&reading, path);
}
