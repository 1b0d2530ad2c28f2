/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is compiled and linked in a private workspace: the units, each with its argument vectors,
 * and the arguments of the link. make.h runs the compilers.
 */
#ifndef RP_TOOLCHAIN_COMPILE_BUILD_H
#define RP_TOOLCHAIN_COMPILE_BUILD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "toolchain/compile/workspace.h"

struct rp_build_options {
    const char *cross_compile; /* "arm-none-eabi-", or a path ending in it */
    const char *compiler;      /* replaces <cross_compile>gcc; or NULL */
    const char *get_compiler;  /* hint if it is missing */
    const char *refused;       /* hint if the compiler refuses code for unknown reasons; or NULL */
    bool gcc_links;            /* <cross_compile>gcc links, and its C library is used */
    const char *search_path;   /* folder searched for it before PATH, or NULL */
    const char *launcher;      /* words before the compiler; "" = none */
    const char
        *unwritable_cache; /* ccache's folder, if ccache is not used because of it; or NULL */
    const char *data_dir;  /* holds templates/ and runtime/ */
    const char *workspace; /* folder; NULL = a temporary one */
    bool keep;             /* do not remove it */
    bool no_lto;           /* refuse objects that the linker would compile (-flto), by
                              options inside them, such as -Xassembler */
    bool dry_run;          /* print the commands, run nothing */
    bool verbose;          /* print the commands and all diagnostics */
    unsigned jobs;         /* 0 = an outer make's jobserver, else one per processor */
    const char *log;       /* file that all output is added to, or NULL */
    const struct rp_strings *passed; /* environment variables to pass on, or NULL */
};

/* What the compiler makes of a unit: obj/NNN.i, obj/NNN.s, obj/NNN.o, obj/NNN.types.o. */
enum rp_product { RP_PREPROCESSED, RP_ASSEMBLY, RP_OBJECT, RP_TYPES, RP_PRODUCTS };

/* One compilation. */
struct rp_unit {
    unsigned number;            /* obj/NNN.o */
    const char *source;         /* for messages and reports */
    struct rp_strings cpp;      /* arguments of its preprocessor run; empty = none */
    struct rp_strings assembly; /* of its run that writes obj/NNN.s; empty = none */
    struct rp_strings types;    /* of its run that writes obj/NNN.types.o; empty = none */
    struct rp_strings cc;       /* arguments of the compiler */
    bool shown;                 /* its command has been printed */
    bool looked_at;             /* the files that it read have been examined after compiling, … */
    bool alone;                 /* … and a cache may not know all of them: no launcher */
    bool cplusplus;             /* it is C++, whatever its name says */
    bool own;        /* a cache may trust the names of its headers: they are relocpack's, or … */
    const char *key; /* … the same as long as these files of the workspace are: "a:b", or NULL.
                        Files written for a model are among them */
    bool read;       /* obj/NNN.key has its preprocessed text: that is one of these files, too */
    bool clean;      /* all products of an earlier run are removed */
    bool unread;     /* it is one of build->unread */
    bool waits;      /* not compiled, because nothing has needed it so far */
    bool later;      /* not compiled, because it depends on the other objects */
    bool crashed;    /* the compiler crashed on it and is run without one pass */
    bool kept;       /* its object is from an earlier attempt of this run */
    struct rp_strings made[RP_PRODUCTS]; /* arguments used for each product; empty: not made */
};

struct rp_units {
    struct rp_unit *items;
    size_t count;
    size_t capacity;
};

struct rp_build {
    struct rp_arena *arena;
    const struct rp_build_options *options;
    const char *cc;           /* compiler path */
    const char *ld;           /* what links: the same, or gcc */
    const char *libc_headers; /* with gcc_links: the folder of gcc's C library */
    const char *dir;          /* workspace, absolute */
    struct rp_workspace workspace;
    struct rp_units units;
    struct rp_strings unread;  /* sources without any of the names that a dialect looks for */
    struct rp_strings waiting; /* of these, those that nothing has needed so far */
    struct rp_units before;    /* of the previous attempt in this workspace: rp_build_again */
    size_t model_units; /* number of leading units that belong to the model; 0: one for each of its
                           sources */
    struct rp_strings link; /* arguments of the link */
    bool no_lto;            /* the linker takes the machine code of all objects */
    const char *commands;   /* of the current goal, one a line */
    bool link_refused;      /* by the linker, because of what is linked */
    bool log_is_input;      /* the log that was asked for is a file that was compiled */
};

/*
 * Creates the workspace of a zeroed build, to write files before rp_build_begin. Errors of
 * rp_workspace_open.
 */
bool rp_build_open(struct rp_build *build, struct rp_arena *arena,
                   const struct rp_build_options *options, struct rp_error *err);
/*
 * Finds the compiler and creates the workspace of a zeroed build, or uses that of an open one.
 * Waits while another run uses the workspace. RP_E_TOOL_MISSING names the Debian package; errors of
 * rp_workspace_open.
 */
bool rp_build_begin(struct rp_build *build, struct rp_arena *arena,
                    const struct rp_build_options *options, struct rp_error *err);
/*
 * Starts again in the same workspace, without units; products are kept for units with the same
 * number, source and arguments.
 */
void rp_build_again(struct rp_build *build, const struct rp_build_options *options);
/* Adds a unit with the compiler arguments flags -c source -o obj/NNN.o. */
struct rp_unit *rp_build_add(struct rp_build *build, const char *source,
                             const struct rp_strings *flags);
/*
 * Compiles a text after the unit's source, in one translation unit: a file of the workspace that
 * first includes the source. Errors of rp_build_write.
 */
bool rp_build_complete(struct rp_build *build, struct rp_unit *unit, const struct rp_buf *text,
                       struct rp_error *err);
/* Requests that the file `text` be preprocessed into obj/NNN.i (rp_build_make "preprocess"). */
void rp_build_preprocess(struct rp_build *build, struct rp_unit *unit, const char *text,
                         const struct rp_strings *flags);
/*
 * Makes text, that of obj/NNN.i, part of a cache's key, so that the cache need not preprocess the
 * unit again, unless a file that the text came from has "::" in its name. Errors of rp_build_write.
 */
bool rp_build_key_text(struct rp_build *build, struct rp_unit *unit, const char *text,
                       struct rp_error *err);
/*
 * The files in a cache's key for the unit, "a:b"; NULL: none, so the cache preprocesses the unit.
 */
const char *rp_unit_key(struct rp_build *build, const struct rp_unit *unit);
/*
 * Lets a cache trust the names of the headers of one of relocpack's units, unless variables of the
 * user are passed (CPATH could put another header before one of the C library) or the compiler's
 * arguments have "::". Call it when these are complete.
 */
void rp_build_trust_names(const struct rp_build *build, struct rp_unit *unit);
/* Does it read only files of relocpack and the C library, none of which assembly includes? */
bool rp_unit_is_ours(const struct rp_unit *unit);
/* Appends the objects of all units that are compiled, for the linker. */
void rp_build_push_objects(const struct rp_build *build, struct rp_strings *list);
/*
 * Requests that the unit be compiled to obj/NNN.s (rp_build_make "assembly"), and obj/NNN.o be made
 * from obj/NNN.moved.s, which the caller writes.
 */
void rp_build_by_assembly(struct rp_build *build, struct rp_unit *unit);
/*
 * Requests a second, quick compilation of the unit to obj/NNN.types.o with debug information (made
 * with "objects"), for a compiler whose code is read as assembly. Call it before
 * rp_build_by_assembly.
 */
void rp_build_types(struct rp_build *build, struct rp_unit *unit);
/*
 * Writes a file into the workspace. If this run has written a different text under this name
 * before, all is compiled again. RP_E_FOREIGN: a file of this name is not relocpack's. RP_E_SYSTEM,
 * RP_E_NO_SPACE.
 */
bool rp_build_write(struct rp_build *build, const char *name, const char *text, size_t len,
                    struct rp_error *err);
/* Path in the workspace. */
char *rp_build_path(struct rp_build *build, const char *name);
char *rp_build_object(struct rp_build *build, const struct rp_unit *unit); /* absolute */
/*
 * Runs a program of the toolchain and returns its output; text is "" when its status is not 0.
 * RP_E_NO_SPACE, RP_E_TOOL_MISSING, RP_E_INTERRUPTED.
 */
bool rp_build_ask(struct rp_build *build, const struct rp_strings *argv, const char **text,
                  struct rp_error *err);
/* The version that the compiler reports, or "". */
const char *rp_build_version(struct rp_build *build);
/* RP_E_TOOL_OLD: the version does not know the options that are used. */
bool rp_build_is_recent(const struct rp_build *build, const char *version, struct rp_error *err);
/* Removes a temporary workspace, unless the options keep it. */
void rp_build_end(struct rp_build *build);

#endif
