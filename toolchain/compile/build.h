/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is compiled and linked in a private workspace: the units, each with its argument vectors,
 * and the arguments of the link. make.h has them made.
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
    const char *get_compiler;  /* hint if that is missing */
    const char *refused;       /* hint when the compiler refuses code and says no more; or NULL */
    bool gcc_links;            /* <cross_compile>gcc links, and its C library is used */
    const char *search_path;   /* folder searched for it before PATH, or NULL */
    const char *launcher;      /* words before the compiler; "" = none */
    const char *unwritable_cache;    /* ccache's folder, which is why it is left out; or NULL */
    const char *data_dir;            /* holds templates/ and runtime/ */
    const char *workspace;           /* folder; NULL = a temporary one */
    bool keep;                       /* do not remove it */
    bool no_lto;                     /* objects of link-time optimisation are not compiled: options
                                        that are inside them count then, such as -Xassembler */
    bool dry_run;                    /* print the commands, run nothing */
    bool verbose;                    /* print the commands and all diagnostics */
    unsigned jobs;                   /* 0 = an outer make's jobserver, else one per processor */
    const char *log;                 /* file that all output is added to, or NULL */
    const struct rp_strings *passed; /* variables of the environment that are handed on, or NULL */
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
    bool looked_at;             /* after it was compiled, what it read was looked at, … */
    bool alone;                 /* … and a cache may not know all of it: no launcher */
    bool cplusplus;             /* it is C++, whatever its name says */
    bool own;        /* a cache may trust the names of its headers: they are our own, or … */
    const char *key; /* … no others as long as these files of the workspace are the same: "a:b", or
                        NULL. What is written for a model is among them */
    bool read;       /* obj/NNN.key has its text as preprocessed: that is such a file, too */
    bool clean;      /* nothing is left of what an earlier run made of it */
    bool unread;     /* it is one of build->unread */
    bool waits;      /* it is not compiled, because nothing has needed it so far */
    bool later;      /* nor this, because what it has to do depends on the other objects */
    bool crashed;    /* the compiler broke down on it, and left a pass out then */
    bool kept;       /* its object is of an earlier try of this run */
    struct rp_strings made[RP_PRODUCTS]; /* arguments that each was made with; empty: it was not */
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
    struct rp_strings unread;  /* sources that have none of the names that a dialect looks for */
    struct rp_strings waiting; /* of these, those that nothing has needed so far */
    struct rp_units before;    /* of the last try in this workspace: rp_build_again */
    size_t model_units; /* number of leading units that belong to the model; 0: one for each of its
                           sources */
    struct rp_strings link; /* arguments of the link */
    bool no_lto;            /* the linker takes the machine code of all objects */
    const char *commands;   /* of the current goal, one a line */
};

/*
 * Creates the workspace of a build that is all zeros, for what has to be there before it begins.
 * Errors of rp_workspace_open.
 */
bool rp_build_open(struct rp_build *build, struct rp_arena *arena,
                   const struct rp_build_options *options, struct rp_error *err);
/*
 * Finds the compiler and creates the workspace, unless the build is open; else it has to be all
 * zeros. Waits while another run uses the workspace. RP_E_TOOL_MISSING
 * names the Debian package; errors of rp_workspace_open.
 */
bool rp_build_begin(struct rp_build *build, struct rp_arena *arena,
                    const struct rp_build_options *options, struct rp_error *err);
/*
 * Begins once more in the same workspace, without units. What was made is kept for units of the
 * same number, source and arguments.
 */
void rp_build_again(struct rp_build *build, const struct rp_build_options *options);
/* Adds a unit with the compiler arguments flags -c source -o obj/NNN.o. */
struct rp_unit *rp_build_add(struct rp_build *build, const char *source,
                             const struct rp_strings *flags);
/*
 * Has a text compiled behind the unit's source, in one translation unit: in a file of the
 * workspace, before which the source is included. RP_E_FOREIGN, RP_E_OUTPUT as rp_build_write.
 */
bool rp_build_complete(struct rp_build *build, struct rp_unit *unit, const struct rp_buf *text,
                       struct rp_error *err);
/* Has the file text preprocessed into obj/NNN.i (rp_build_make "preprocess"). */
void rp_build_preprocess(struct rp_build *build, struct rp_unit *unit, const char *text,
                         const struct rp_strings *flags);
/*
 * Notes text, which obj/NNN.i has, as part of a cache's key: then the cache need not preprocess the
 * unit again, unless a file that the text came from has "::" in its name. Errors of rp_build_write.
 */
bool rp_build_key_text(struct rp_build *build, struct rp_unit *unit, const char *text,
                       struct rp_error *err);
/* The files that a cache's key has for the unit, "a:b"; NULL: none, it preprocesses the unit. */
const char *rp_unit_key(struct rp_build *build, const struct rp_unit *unit);
/*
 * A cache may trust the names of the headers of unit, which is ours: unless variables of the user's
 * are passed, CPATH among them, which may put another header before one of the C library, or the
 * arguments of the compiler have "::". Call it when these are complete.
 */
void rp_build_trust_names(const struct rp_build *build, struct rp_unit *unit);
/* Does it read no files but ours and the C library's? They are known to include none by assembly.
 */
bool rp_unit_is_ours(const struct rp_unit *unit);
/* Appends the objects of all units that are compiled, for the linker. */
void rp_build_push_objects(const struct rp_build *build, struct rp_strings *list);
/*
 * Has the unit compiled to obj/NNN.s (rp_build_make "assembly"), and obj/NNN.o made from
 * obj/NNN.moved.s, which the caller writes.
 */
void rp_build_by_assembly(struct rp_build *build, struct rp_unit *unit);
/*
 * Has the unit compiled once more, quickly, to obj/NNN.types.o with debug information (made with
 * "objects"), for a compiler whose code is read as assembly. To be called before
 * rp_build_by_assembly.
 */
void rp_build_types(struct rp_build *build, struct rp_unit *unit);
/*
 * Writes a file into the workspace. RP_E_FOREIGN: the one that is there is somebody else's. When
 * this run has written another text under that name, what was compiled is compiled again.
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
/* The compiler's version, as it says when it is asked; "": it does not. */
const char *rp_build_version(struct rp_build *build);
/* Is it one that knows the options that are used? RP_E_TOOL_OLD names both. */
bool rp_build_is_recent(const struct rp_build *build, const char *version, struct rp_error *err);
/* Removes a temporary workspace, unless the options keep it. */
void rp_build_end(struct rp_build *build);

#endif
