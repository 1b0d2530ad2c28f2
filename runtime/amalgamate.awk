# SPDX-License-Identifier: Apache-2.0
# Joins a file of runtime/ and the files that it includes, by POSIX's awk:
#   awk -f runtime/amalgamate.awk [-v beside=HEADER] [-v version=TEXT] [-v more=FOLDER/] [-v keep="HEADER..."] runtime/FILE > FILE
# writes the joined file. Parts that HEADER, joined in the same way, has already are left out. more: a second folder
# with parts. keep: headers that the user gets as files, so they are not joined.
#   awk -f runtime/amalgamate.awk -v list=yes runtime/FILE...
# writes the paths of the parts instead, each once.
#
# `#include "x"` is replaced by the file x, whose path is relative to the file that includes it, or else to the folder of
# FILE, as with a compiler. A line whose file is not there stays as it is (a macro, a vendor's header). A file with an
# include guard is taken once, a file without one each time. A file that was taken under a condition and is needed
# where that condition may not hold is an error.

function fail(text) {
    print "amalgamate.awk: " text > "/dev/stderr"
    failed = 1
    exit 1
}

function emit(line) {
    if (!silent && !list)
        print line
}

# Lines of a file to text[1..]; how many there are, or -1.
function read_file(path, text,    line, n, status) {
    n = 0
    while ((status = (getline line < path)) > 0)
        text[++n] = line
    close(path)
    return status < 0 ? -1 : n
}

# The same for a part, whose path is relative to one of the two folders.
function read_part(name, text,    n) {
    n = read_file(folder name, text)
    return n < 0 && more != "" ? read_file(more name, text) : n
}

# The path of what the file from includes by a name.
function path_from(from, name) {
    sub(/[^\/]*$/, "", from)
    name = from name
    while (match(name, /[^\/]+\/\.\.\//))
        name = substr(name, 1, RSTART - 1) substr(name, RSTART + RLENGTH)
    return name
}

# The macro of the guard around all of text[1..n]; "" when there is none.
function guard_of(text, n,    i, at, depth, name) {
    at = depth = 0
    for (i = 1; i <= n; i++) {
        if (text[i] !~ /^[ \t]*#/)
            continue
        if (!at) {
            at = i
            if (text[i] !~ /^#ifndef [A-Za-z_]+[ \t]*$/)
                return ""
            name = substr(text[i], 9)
            depth = 1
            if (text[i + 1] != "#define " name)
                return ""
        } else if (depth == 0) {
            return ""
        } else if (text[i] ~ /^[ \t]*#[ \t]*if/) {
            depth++
        } else if (text[i] ~ /^[ \t]*#[ \t]*endif/) {
            depth--
        } else if (depth == 1 && text[i] ~ /^[ \t]*#[ \t]*el/) {
            return ""
        }
    }
    return name
}

# The conditions that hold here, as a text: one number for each.
function conditions(    i, text) {
    text = " "
    for (i = 1; i <= depth_now; i++)
        text = text branch[i] " "
    return text
}

function follow_condition(line) {
    if (line ~ /^[ \t]*#[ \t]*if/)
        branch[++depth_now] = ++branches
    else if (line ~ /^[ \t]*#[ \t]*el/)
        branch[depth_now] = ++branches
    else if (line ~ /^[ \t]*#[ \t]*endif/)
        depth_now--
}

function include(line, from,    given, name, text, n) {
    given = line
    sub(/^[^"]*"/, "", given)
    sub(/".*$/, "", given)
    name = path_from(from, given)
    if (name == beside && !silent || index(" " keep " ", " " name " ")) {
        sub(/"[^"]*"/, "\"" name "\"", line)
        emit(line)
        return
    }
    n = read_part(name, text)
    if (n < 0 && name != given)
        n = read_part(name = given, text)
    if (n < 0)
        emit(line)
    else if (!(name in taken))
        expand(name, text, n)
    else if (index(conditions(), taken[name]) != 1)
        fail(from " includes " name ", which was taken already where a condition may not hold")
}

function expand(name, text, n,    i, guard, depth) {
    guard = guard_of(text, n)
    if (list && !(name in named)) {
        named[name] = 1
        print name
    }
    if (guard != "")
        taken[name] = conditions()
    if (name != root)
        emit("/* ---- " name " ---- */")
    depth = 0
    for (i = 1; i <= n; i++) {
        if (i == 1 && text[i] ~ /SPDX/) {
            if (name == root)
                head(text[i])
            continue
        }
        if (text[i] ~ /^[ \t]*#[ \t]*include[ \t]*"/) {
            include(text[i], name)
            continue
        }
        if (text[i] ~ /^[ \t]*#/) {
            # the guard of a file that is taken once always holds
            if (text[i] ~ /^[ \t]*#[ \t]*endif/)
                depth--
            if (guard == "" || depth != 0)
                follow_condition(text[i])
            if (text[i] ~ /^[ \t]*#[ \t]*if/)
                depth++
        }
        emit(text[i])
    }
    if (name != root)
        emit("/* ---- end of " name " ---- */")
}

function head(license) {
    emit(license)
    emit("/*")
    emit(" * One file made of several" (version != "" ? " of relocpack " version : "") ". Do not edit it:")
    if (more == "") {
        emit(" * its parts are in the folder runtime/ of relocpack, and `relocpack generate --loader-sources`")
        emit(" * writes them.")
    } else {
        emit(" * its parts are in the folders " folder " and " more " of relocpack.")
    }
    emit(" */")
}

function start(path,    text, n) {
    folder = path
    sub(/[^\/]*$/, "", folder)
    root = substr(path, length(folder) + 1)
    if (root in taken)
        return
    n = read_file(path, text)
    if (n < 0)
        fail("cannot read " path)
    expand(root, text, n)
    if (depth_now != 0)
        fail(path ": #if without #endif")
}

BEGIN {
    for (a = 1; a < ARGC; a++) {
        if (beside != "") {
            silent = 1
            folder = ARGV[a]
            sub(/[^\/]*$/, "", folder)
            start(folder beside)
            silent = 0
        }
        start(ARGV[a])
    }
    exit failed
}
