#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Proves the contracts of the loader's checks by Frama-C's WP: run.py BUILD [FUNCTION...]

Every function of the proved files needs a contract, every loop a variant, and every goal has to be valid; a
warning of WP is a failure too. Limits are steps of the provers and no time, so that a busy machine changes
nothing. The provers' configuration is written to BUILD, so none of the user's is read.
"""
import os
import re
import subprocess
import sys

PROVED = ["runtime/reloc_file.h", "runtime/reloc_header.h", "runtime/reloc_core.h"]
SOURCES = ["tests/prove/cortex_m.c"]
PROVERS = [("cvc4", 60000), ("z3", 3000000)]  # each takes what the one before left, within so many steps
SECONDS = 300  # only ends what hangs

FUNCTION = re.compile(r"(/\*@(?:(?!\*/).)*\*/\n)?^(?:static|RELOC_INLINE|RELOC_OUTLINE|RELOC_ONCE)\b[^;{=]*?\b(\w+)\([^;{=]*\) \{$",
                      re.M | re.S)


def functions(path):
    """Names of the functions of a file, and what is wrong with their contracts."""
    text = open(path, encoding="utf-8").read()
    target = re.search(r"#if defined\(__GNUC__\) && defined\(__ARM_ARCH_PROFILE\).*?#else\n", text, re.S)
    if target:  # what only the target compiles: one load, and one store
        text = text.replace(target.group(0), "")
    found = FUNCTION.findall(text)
    wrong = [f"{path}: {name}: no contract" for contract, name in found if not contract]
    loops = len(re.findall(r"^\s+(?:for|while) \(", text, re.M))
    if loops != text.count("loop variant"):
        wrong.append(f"{path}: {loops} loops, but {text.count('loop variant')} variants")
    return [name for _, name in found], wrong


def prove(build, source, names):
    """What WP says about these functions."""
    environment = dict(os.environ, HOME=build, WHY3CONFIG=os.path.join(build, "why3.conf"))
    subprocess.run(["why3", "config", "detect"], env=environment, check=True, capture_output=True)
    options = ["-wp-rte", "-wp-split", "-wp-no-warn-memory-model", "-wp-timeout", str(SECONDS), "-wp-par",
               os.environ.get("PROVE_JOBS", "2"), "-wp-fct", ",".join(names)]
    command = ["frama-c", "-c11", "-machdep", "gcc_x86_32", "-cpp-extra-args=-I. -include tests/prove/environment.h"]
    for number, (prover, steps) in enumerate(PROVERS):
        command += ["-then"] if number else [source]
        command += ["-wp", *options, "-wp-prover", prover, "-wp-steps", str(steps)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def judge(done):
    """Goals that were proved, and what is wrong."""
    text = done.stdout + done.stderr
    state = {}
    for prover, goal, result in re.findall(r"\[wp\] \[([^\]]+)\] Goal (\S+) : (\w+)", text):
        del prover
        state[goal] = state.get(goal) == "Valid" or result == "Valid"
        state[goal] = "Valid" if state[goal] else result
    for goal in re.findall(r"\[wp\] \[Failed\] Goal (\S+)", text):
        state.setdefault(goal, "Failed")
    wrong = [f"{goal}: not proved" for goal, result in sorted(state.items()) if result != "Valid"]
    wrong += re.findall(r"^.*[Ww]arning:.*(?:\n  .*)?", text, re.M)
    if done.returncode != 0 or not state:
        wrong.append(text[-2000:])
    return sum(result == "Valid" for result in state.values()), wrong


def main():
    build, only = os.path.abspath(sys.argv[1]), sys.argv[2:]
    os.makedirs(build, exist_ok=True)
    names, wrong, proved = [], [], 0
    for path in PROVED:
        found, faults = functions(path)
        names, wrong = names + found, wrong + faults
    for source in SOURCES:
        goals, faults = judge(prove(build, source, only or names))
        proved, wrong = proved + goals, wrong + faults
    print("\n".join(wrong))
    print(f"{proved} passed, {len(wrong)} failed")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
