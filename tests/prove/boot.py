#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""
Proves the boot code of images (runtime/image/image_boot.h) with Frama-C: in each form that is built, every goal of its
contracts. Limits are steps of the provers and no time.
--smoke: instead, in the form with everything, that no goal holds only because assumptions contradict each other.
--mutants: instead removes each condition, one at a time; the proof of the function has to fail.
"""
import argparse
import itertools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCE = "runtime/image/image_boot.h"
FEATURES = ["RP_COPY_ONLY", "RP_IMPORTS", "RP_COMPACT"]
KEPT = [52, 72, 76, 80]  # bytes of RAM that the glues keep

# Conditions that decide something else than where is read or written, and why the proof holds without them. The text
# is the function's name and the condition's.
CHOICE = "which value is written, or whether one is; the place is bounded either way"
REPORT = "only tells that the image is damaged; the function that it calls has bounded the place"
NO_BOUND = {
    "rp_boot_sync: (ccr & UINT32_C(1) << 16) != 0": "whether there is a data cache",
    "rp_boot_sync: (ccr & UINT32_C(1) << 17) != 0": "whether there is an instruction cache",
    "rp_boot_put: (where & RELOC_SEG_MASK) != RELOC_SEG_RAM": "rp_boot_is_word refuses addresses of code as well",
    "rp_boot_patch: (where & RELOC_SEG_MASK) == RELOC_SEG_RAM": "rp_boot_put_code refuses addresses of RAM as well",
    "rp_boot_patch: segment == RELOC_SEG_FLASH": CHOICE,
    "rp_boot_patch: segment == RELOC_SEG_FLASH #2": CHOICE,
    "rp_boot_patch: segment == RELOC_SEG_RAM": CHOICE,
    "rp_boot_patch: !rp_boot_put_code(flash, where, (segment == RELOC_SEG_FLASH ? flash : ram) + rp_boot_offset(target))": REPORT,
    "rp_boot_patch: patches": "whether caches have to be cleaned",
    "rp_boot_bind: (target & RELOC_SEG_MASK) == RELOC_SEG_IMPORT": CHOICE,
    "rp_boot_bind: RELOC_IMPORT_INDEX(target) == index": CHOICE,
    "rp_boot_bind: !rp_boot_put(flash, data_end, rp_boot_get(at - RELOC_FIXUP_TARGET), address + RELOC_IMPORT_ADDEND_OF(target))": REPORT,
    "rp_boot_find: !rp_boot_same(name, import + 4)": "which of the firmware's rows it is",
    "rp_boot_find: other": "which of the firmware's rows it is",
    "rp_boot_find: wanted == 0": "which of the firmware's rows it is",
    "rp_boot_find: rp_boot_get_given(row + RELOC_SYM_VERSION) == wanted": "which of the firmware's rows it is",
    "rp_boot_import: count == 0": "an image without imports asks for no config",
    "rp_boot_import: !rp_boot_bind(i, rp_boot_get_given(row + RELOC_SYM_ADDRESS), flash)": REPORT,
    "rp_boot_rebase: rp_boot_get_done(done)": "a second create would add to words twice",
    "rp_boot_rebase: word % 2 == 0": CHOICE,
    "rp_boot_rebase: at >= RELOC_COMPACT_END": CHOICE,
    "rp_boot_rebase: bits % 2 != 0": CHOICE,
    "rp_boot_rebase: value >= RELOC_SEG_RAM": CHOICE,
    "rp_boot_create: code == RP_BOOT_DONE": "rp_boot_rebase needs nothing of what comes before it",
    "rp_boot_create: !rp_boot_rebase(flash)": REPORT,
    "rp_boot_set: segment != RELOC_SEG_WEIGHTS": CHOICE,
    "rp_boot_set: segment != RELOC_SEG_ACTS": CHOICE,
    "rp_boot_set: base == 0": CHOICE,
    "rp_boot_set: base % 4 != 0": CHOICE,
    "rp_boot_set: !rp_boot_put(flash, data_end, where, base + rp_boot_offset(target))": REPORT,
    "rp_boot_set: patches > RELOC_OFFSET_MASK": "whether caches have to be cleaned",
}


def frama_c(root, home, defines, *options):
    """What it prints, and whether all goals are proved."""
    command = ["frama-c", "-c11", f"-cpp-extra-args=-I{root} -I{root}/runtime " + " ".join("-D" + word for word in defines),
               "-wp", "-wp-rte", "-wp-prover", "z3,cvc4", "-wp-par", os.environ.get("PROVE_JOBS", "2"),
               "-wp-steps", "200000", "-wp-timeout", os.environ.get("PROVE_SECONDS", "300"), "-wp-cache", "update", *options,
               str(root / "tests/prove/boot.c")]
    env = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(home), "WHY3CONFIG": str(home / "why3.conf"),
           "FRAMAC_WP_CACHEDIR": str(home / "cache")}
    done = subprocess.run(command, capture_output=True, text=True, env=env, cwd=home)
    told = re.search(r"Proved goals: +(\d+) / (\d+)", done.stdout)
    if done.returncode != 0 or told is None:
        return done.stdout + done.stderr, None
    return done.stdout, (int(told[1]), int(told[2]))


def detect(home):
    (home / "cache").mkdir()
    subprocess.run(["why3", "config", "detect"], check=True, capture_output=True,
                   env={"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(home), "WHY3CONFIG": str(home / "why3.conf")})


def prove(home, smoke):
    proved = failed = 0
    for number, chosen in enumerate([(True,) * len(FEATURES)] if smoke else itertools.product([True, False], repeat=len(FEATURES))):
        defines = [name for name, used in zip(FEATURES, chosen) if used] + [f"RP_BOOT_KEPT={KEPT[number % len(KEPT)]}"]
        text, goals = frama_c(ROOT, home, defines, *(["-wp-smoke-tests", "-wp-smoke-timeout", "1"] if smoke else []))
        good = goals is not None and goals[0] == goals[1] > 0 and "Warning" not in text
        failed += not good
        proved += goals[0] if goals else 0
        print(f"{' '.join(defines)}: {'%d of %d goals' % goals if goals else 'not read'}", flush=True)
        if not good:
            print("\n".join(line for line in text.splitlines() if "Valid" not in line and "Passed" not in line and "annotating" not in line))
    print(f"{proved} passed, {failed} failed")
    return failed > 0


# ---- mutants ----


def without_comments(text):
    """The same length, with blanks in the place of comments and preprocessing."""
    blank = lambda found: re.sub(r"[^\n]", " ", found[0])
    return re.sub(r"/\*.*?\*/|//[^\n]*|^#(?:[^\n]*\\\n)*[^\n]*", blank, text, flags=re.S | re.M)


def closing(text, at):
    """Where the bracket that opens at at closes."""
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] in "([{") - (text[i] in ")]}")
        if depth == 0:
            return i
    raise ValueError(text[at:at + 40])


def leaves(text, start, end):
    """The parts of a condition that && and || join."""
    while text[start].isspace():
        start += 1
    while text[end - 1].isspace():
        end -= 1
    if text[start] == "(" and closing(text, start) == end - 1:
        yield from leaves(text, start + 1, end - 1)
        return
    first, at, cut = start, start, False
    while at < end:
        if text[at] in "([":
            at = closing(text, at)
        elif text[at:at + 2] in ("&&", "||"):
            yield from leaves(text, first, at)
            first, at, cut = at + 2, at + 1, True
        at += 1
    if cut:
        yield from leaves(text, first, end)
    else:
        yield start, end


def leaves_here(text, at):
    """Whether the statement at at, or the last one of the block there, is a return, continue or break."""
    start = len(text) - len(text[at:].lstrip())
    body = ";" + (text[start + 1:closing(text, start)] if text[start] == "{" else text[start:text.index(";", start) + 1])
    return re.search(r";\s*(return|continue|break)\b[^;]*;\s*$", body) is not None


def conditions(text):
    """(start, end, what it becomes) of each; a check that leaves is never true, anything else always is."""
    for found in re.finditer(r"\b(if|while|for|return)\b", text):
        word, at = found[1], text.index("(" if found[1] != "return" else ";", found.end())
        if word == "return":
            choice = text.find("?", found.end(), at)
            if choice >= 0 or "&&" in text[found.end():at] or "||" in text[found.end():at]:
                yield found.end(), at if choice < 0 else choice, "1"
            continue
        end = closing(text, at)
        if word == "for":
            first = text.index(";", at)
            yield first + 1, text.index(";", first + 1), "1"
        elif word == "while":
            yield at + 1, end, "0" if text[:found.start()].rstrip().endswith("}") else "1"
        else:
            yield at + 1, end, "0" if leaves_here(text, end + 1) else "1"
    for found in re.finditer(r"[=,(]([^=?;,(]*[!=<>]=[^?;,(]*)\?", text):
        yield found.start(1), found.end(1), "1"


def mutants(source):
    text = without_comments(source)
    names = [(found.start(), found[1]) for found in re.finditer(r"^(?:(?:__attribute__.*? )?static|RELOC_(?:INLINE|OUTLINE|ONCE)) [^;{]*?\b(\w+)\([^;{]*(?:;\s*)?\{", text, re.M)]
    seen, counts = set(), {}
    for start, end, value in conditions(text):
        function = ([name for at, name in names if at < start] or [""])[-1]  # none: a static assertion
        for a, b in leaves(text, start, end):
            if (a, b) not in seen:
                seen.add((a, b))
                label = f"{function}: {' '.join(source[a:b].split())}"
                counts[label] = counts.get(label, 0) + 1
                if counts[label] > 1:
                    label += f" #{counts[label]}"
                yield function, label, source[:a] + value + source[b:]


def kill(home, only):
    count, left = 0, []
    folder = home / "tree"
    for part in ("runtime", "tests/prove"):
        shutil.copytree(ROOT / part, folder / part)
    used = set()
    for function, label, changed in mutants((ROOT / SOURCE).read_text()):
        if only not in label:
            continue
        (folder / SOURCE).write_text(changed)
        text, goals = frama_c(folder, home, FEATURES, "-wp-fct", function, "-wp-prop=-@assigns")
        survived = goals is not None and goals[0] == goals[1]
        count += 1
        used.add(label)
        if goals is None:
            print(text)
        if goals is None or survived != (label in NO_BOUND):
            left.append(label)
        print(f"{'not read' if goals is None else 'survives' if survived else 'killed'}: {label}", flush=True)
    left += [f"not found: {label}" for label in NO_BOUND if only in label and label not in used]
    choices = len(NO_BOUND.keys() & used)
    print(f"{count} conditions, {count - choices} of them bounds; unexpected: {len(left)}")
    for label in left:
        print(f"  {label}")
    return bool(left)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--smoke", action="store_true")
    parser.add_argument("--mutants", action="store_true")
    parser.add_argument("--list", action="store_true", help="only lists the conditions")
    parser.add_argument("--only", default="", metavar="TEXT", help="only conditions with this in their line of the list")
    options = parser.parse_args()
    if options.list:
        for _, label, _ in mutants((ROOT / SOURCE).read_text()):
            print(label)
        return 0
    with tempfile.TemporaryDirectory() as name:
        home = pathlib.Path(name)
        detect(home)
        return int(kill(home, options.only) if options.mutants else prove(home, options.smoke))


if __name__ == "__main__":
    sys.exit(main())
