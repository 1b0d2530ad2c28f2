#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Proves the contracts of the loader's checks by Frama-C's WP: run.py BUILD [--mutants] [FUNCTION...]

Every function of the proved files needs a contract, every loop a variant, and every goal has to be valid; a
warning of WP is a failure too. Limits are steps of the provers and no time, so that a busy machine changes
nothing. The provers' configuration is written to BUILD, so none of the user's is read.
--mutants: instead removes each condition, one at a time; the proof of the function has to fail.
"""
import os
import re
import subprocess
import sys

import boot

SOURCES = {  # and the files whose functions are proved in it
    "tests/prove/cortex_m.c": ["runtime/format/reloc_file.h", "runtime/format/reloc_header.h", "runtime/format/reloc_core.h"],
    "tests/prove/install.c": ["runtime/cortex_m/ai_reloc_checks.h", "runtime/cortex_m/ai_reloc_install.h", "runtime/cortex_m/ai_reloc_signed_load.h"],
    "tests/prove/npu.c": ["runtime/format/reloc_npu_header.h", "runtime/format/reloc_npu_pools.h", "runtime/format/reloc_npu_words.h",
                          "runtime/format/reloc_npu_core.h"],
    "tests/prove/npu_install.c": ["runtime/neural_art/ll_aton_reloc_checks.h", "runtime/neural_art/ll_aton_reloc_memory.h",
                                  "runtime/neural_art/ll_aton_reloc_plan.h", "runtime/neural_art/ll_aton_reloc_verify.h",
                                  "runtime/neural_art/ll_aton_reloc_install.h"],
}
PACK = ["tests/fixtures/npu/pack/" + part for part in ("Middlewares/ST/AI/Npu/ll_aton", "scripts/N6_reloc/resources/platform/stm32n6")]
PROVED = sum(SOURCES.values(), [])
FORMS = ["runtime/cortex_m/ai_reloc_signed_load.h", "runtime/neural_art/ll_aton_reloc_verify.h"]  # without a condition in what is proved of them
MUTATED = ["tests/prove/cortex_m.c", "tests/prove/install.c", "tests/prove/npu.c", "tests/prove/npu_install.c"]  # whose conditions --mutants removes
# Ways write different members: a goal for each of its parts.
SPLIT = ["reloc_check_weights", "reloc_check_weights_file", "reloc_check_trailer", "reloc_check_trailer_at",
         "reloc_npu_check_entries", "reloc_npu_read_context", "reloc_npu_check_pools", "reloc_npu_rebase_all",
         "reloc_npu_check_parts", "reloc_npu_check_params_trailer"]
STEPS = 200000  # of cvc4, for a goal
SECONDS = int(os.environ.get("PROVE_SECONDS", "300"))  # only ends what hangs

# Conditions without which the contracts still hold, and why.
CORE = "what a core can run; where is read or written does not depend on it"
DAMAGE = "finds what has changed since the check; what is rebased is bounded either way"
SECOND = "AI_RELOC_HARDENED asks again; without it there is one opinion only"
CACHED = "what a cache may hold, and which of its lines are cleaned; where is read or written does not depend on it"
CLEARED = "whether a pool is written; the place is bounded either way"
POINTER = "the word is a pointer of the image's, which the loader does not follow"
STRICT = "without it images are refused that are accepted"
MODE = "any other mode is XIP; words to rebase are bounded in each, and refused in code that is not copied"
FIRMWARE = "what the firmware can run; where is read or written does not depend on it"
NO_BOUND = {
    "check_flags: !reloc_cpu_accepts(RELOC_FLAGS_CPUID(flags), part, CPUID_SUPERSET)": CORE,
    "check_flags: RELOC_FLAGS_FPU(flags)": CORE,
    "check_flags: (LL_ATON_RELOC_READ_CPACR() & CPACR_CP10_CP11) != CPACR_CP10_CP11": CORE,
    "check_flags: (flags & RELOC_NPU_FLAG_SECURE) != 0": FIRMWARE,
    "check_flags: !FIRMWARE_SECURE": FIRMWARE,
    "check_flags: ((flags & RELOC_NPU_FLAG_EB_DBG_INFO) != 0) != FIRMWARE_DBG_INFO": FIRMWARE,
    "check_flags: ((flags & RELOC_NPU_FLAG_ASYNC) != 0) != FIRMWARE_ASYNC": FIRMWARE,
    "same_callbacks: extra == (uint32_t)LL_ATON_VERSION_DEV": FIRMWARE,
    "same_callbacks: FIRMWARE_RT_VERSION != RT_VERSION_1_1_3": FIRMWARE,
    "same_callbacks: LL_ATON_RELOC_GENERATION > 2": FIRMWARE,
    "check_runtime: (v->rt_version & 0xFFFFFF00u) != FIRMWARE_RT_VERSION": FIRMWARE,
    "check_runtime: !same_callbacks(v->rt_version_extra)": FIRMWARE,
    "check_runtime: !early": FIRMWARE,
    "check_runtime: (v->struct_sizes & 0xFFFFu) != SIZES": FIRMWARE,
    "is_in_region: is_inside(start, size, row[i].address, row[i].size)": "without it no pool is in a region",
    "is_allowed: is_in_region(plan->args.regions, plan->args.region_count, start, size)": "without it no pool is in a region",
    "is_in_place: RELOC_NPU_POOL_GET_TYPE(row->flags) == RELOC_NPU_POOL_COPY": "only pools at fixed addresses are asked; of these, all with params alone have this type",
    "plan_relative: is_cacheable(row->flags)": CACHED,
    "plan_relative: start <= RELOC_NPU_EXTERNAL_ADDR": CACHED,
    "may_be_cached: NPU_CACHE_ALWAYS != 0": CACHED,
    "may_be_cached: is_cacheable(flags)": CACHED,
    "make_plan: (code = check_flags(plan->view.base.flags)) != RELOC_OK": FIRMWARE,
    "make_plan: (code = check_runtime(&plan->view)) != RELOC_OK": FIRMWARE,
    "make_plan: (code = plan_mode(plan)) != RELOC_OK": MODE,
    "install_pool: source != 0": CLEARED,
    "install_pool: (plan->config.mode & AI_RELOC_RT_LOAD_MODE_CLEAR) != 0": CLEARED,
    "install_pool: may_be_cached(flags)": CACHED,
    "install_pools: install_pool(plan, &plan->view.rows[i])": CACHED,
    "install_pools: in_place": CACHED,
    "install_pools: plan->kept[KEPT_PARAMS].size != 0": CACHED,
    "uses_npu_cache: is_cacheable(v->rows[i].flags)": CACHED,
    "copy_code: v->base.trailer != 0": DAMAGE,
    "copy_code: reloc_crc32(code_bytes != 0 ? 0 : v->base.crc_ro, block, bytes) != v->base.crc_data": DAMAGE,
    "copy_code: code_bytes != 0 #2": DAMAGE,
    "install_code: code_bytes != 0": "which address words get that lead to the code; the loader does not follow them",
    "install_code: code == RELOC_OK": DAMAGE,
    "install_code: code != RELOC_OK": DAMAGE,
    "clean_caches: !is_copy(plan)": CACHED,
    "clean_caches: params_in_place": CACHED,
    "install: uses_npu_cache(&plan->view)": CACHED,
    "install: code == RELOC_OK": DAMAGE,
    "plan_memory: ram == 0": "which of two codes is returned: no bytes are left before address 0",
    "plan_memory: need > reloc_minus(0, ram)": "RAM that the caller can write does not lead out of the address space",
    "plan_absolute: is_in_place(plan, row)": "without it params that are in place already are refused",
    "plan_mode: (mode & ~(where | AI_RELOC_RT_LOAD_MODE_CLEAR)) != 0": MODE,
    "plan_mode: where != AI_RELOC_RT_LOAD_MODE_XIP": MODE,
    "plan_mode: where != AI_RELOC_RT_LOAD_MODE_COPY": MODE,
    "plan_mode: plan->view.needs_copy": MODE,
    "plan_mode: !is_copy(plan)": MODE,
    "reloc_npu_read_context: v->rt_version >= RELOC_NPU_CTX_SINCE": "which of two layouts is read; the context has room for both",
    "reloc_npu_find_trailer: reloc_npu_trailer_at(file, at)": "without it no trailer is found, as in an image that has none",
    "reloc_npu_check_row: !reloc_npu_row_has_params(row->flags)": STRICT,
    "reloc_npu_check_row: size > v->params_bin_size": "finds params that a packager left empty; what is read is bounded by the file",
    "reloc_npu_check_row: relative #2": POINTER,
    "reloc_npu_check_row: RELOC_NPU_POOL_GET_ID(row->flags) == RELOC_NPU_POOL_ID_PARAM": POINTER,
    "reloc_npu_add_row: !reloc_npu_row_is_relative(row)": STRICT,
    "reloc_npu_add_row: RELOC_NPU_POOL_GET_ID(row->flags) == RELOC_NPU_POOL_ID_EXT_RAM": POINTER,
    "reloc_npu_add_row: v->has_ext_ram": "each of two pools of one id is bounded; the words that lead to it are pointers of the image's",
    "reloc_npu_add_row: v->has_param_0": "each of two pools of one id is bounded; the words that lead to it are pointers of the image's",
    "reloc_npu_check_pools: name == 0": "without it no table ends",
    "reloc_npu_resolve: to->copy != NULL": STRICT,
    "reloc_npu_rebase: !reloc_npu_resolve(v, to, word, &address)": POINTER,
    "reloc_npu_rebase: reloc_get_le32(to->copy, at - to->first) != word": DAMAGE,
    "reloc_npu_rebase_all: !reloc_npu_rebase(v, to, b->ro_bytes + at)": POINTER,
    "reloc_npu_rebase_all: place < reloc_npu_header_bytes(v)": "the header of the copy, which the loader does not read",
    "reloc_npu_rebase_all: !reloc_npu_rebase(v, to, place)": POINTER,
    "reloc_npu_check_params_crc: reloc_crc32(0, params, bytes) == v->params_bin_crc32": STRICT,
    "reloc_npu_check_params_crc: more != 0": "with nothing in front the same bytes were compared above",
    "reloc_npu_check_integrity: v->params_start != 0": "finds damage of params that have no trailer; where is read does not depend on it",
    "reloc_npu_check_integrity: b->size == b->rel_end": "what stands behind an image without a trailer, which nobody reads",
    "reloc_npu_check_integrity: reloc_is_fill(b->image, b->size, b->rel_end)": "what stands behind an image without a trailer, which nobody reads",
    "reloc_npu_check_parts: (code = reloc_npu_check_words(view)) != RELOC_OK": "words are checked again when they are rebased",
    "reloc_npu_check_params_file: RELOC_REQUIRE_TRAILER": "which bytes the CRC covers; all of them can be read",
    "reloc_npu_check_params_file: size == RELOC_SIZE_UNKNOWN": "which bytes the CRC covers; all of them can be read",
    "check_core: !AI_RELOC_RT_MCU_CHECKING": CORE,
    "check_core: !reloc_cpu_accepts(RELOC_FLAGS_CPUID(flags), part, CPUID_SUPERSET)": CORE,
    "check_core: RELOC_FLAGS_FPU(flags)": CORE,
    "check_core: (AI_RELOC_READ_CPACR() & CPACR_CP10_CP11) != CPACR_CP10_CP11": CORE,
    "install: view->trailer != 0": DAMAGE,
    "install: reloc_crc32(code_bytes != 0 ? 0 : view->crc_ro, block, bytes) != view->crc_data": DAMAGE,
    "install: code_bytes != 0 #2": DAMAGE,
    "install: code != RELOC_OK": DAMAGE,
    "install_allowed: second != SECOND_OK": SECOND,
    "place: second != SECOND_OK": SECOND,
    "reloc_rebase_all: word >= segments[word / 0x20000000u].end": POINTER,
    "reloc_rebase_all: rel == v->rel_start - v->ro_bytes": "which of two codes is returned",
    "reloc_rebase_all: reloc_get_le32(copy, offset) != word": DAMAGE,
    "reloc_check_name: v->image[i] != 0": "without it no name is accepted",
    "reloc_check_weights: start == 0": "without it images that have no weights in them are refused",
    "reloc_check_weights: end == 0": "without it images that have no weights in them are refused",
    "reloc_check_trailer: reloc_is_fill(v->image, end, at)": "without it images with fill behind them are refused",
    "reloc_check_trailer: RELOC_REQUIRE_TRAILER": "without it images that have no trailer are refused",
    "reloc_check_tables: word == 0": "without it images that have no tables are refused",
    "reloc_check_weights_file: view->trailer == 0": "without it weights of an image that has no trailer need one",
    "reloc_core_check: code != RELOC_OK": "words are checked again when they are rebased, which relies on nothing that was found before",
}

FUNCTION = re.compile(r"(/\*@(?:(?!\*/).)*\*/\n)?^(?:static|RELOC_INLINE|RELOC_OUTLINE|RELOC_ONCE)\b[^;{=]*?\b(\w+)\([^;{=]*\) \{$",
                      re.M | re.S)


def functions(path):
    """Names of the functions of a file, and what is wrong with their contracts."""
    text = open(path, encoding="utf-8").read()
    signed = re.search(r"#ifndef \w+_SIGNED\n.*?\n#else\n(.*)", text, re.S)
    if signed:  # which is another form of the same functions
        text = text.replace(signed[1], "")
    target = re.search(r"#if defined\(__GNUC__\) && defined\(__ARM_ARCH_PROFILE\).*?#else\n", text, re.S)
    if target:  # what only the target compiles: one load, and one store
        text = text.replace(target.group(0), "")
    found = FUNCTION.findall(text)
    wrong = [f"{path}: {name}: no contract" for contract, name in found if not contract]
    loops = len(re.findall(r"^\s+(?:for|while) \(", text, re.M))
    if loops != text.count("loop variant"):
        wrong.append(f"{path}: {loops} loops, but {text.count('loop variant')} variants")
    return [name for _, name in found], wrong


# ---- definitions are put in the place of their names ----

DEFINITION = re.compile(r"\b(?:predicate|logic \w+) (\w+)\(([^()]*)\) =(.*?);\s*(?=\n    (?:predicate|logic|//)|\n\*/)", re.S)

BOUND = re.compile(r"\\(?:forall|exists) [\w ]+?[ *](\w+(?:, *\*?\w+)*);|\\let (\w+) =")


def arguments(text, at):
    """What stands between the brackets that open at at, and where they close."""
    depth, first, found = 0, at + 1, []
    for i in range(at, len(text)):
        depth += (text[i] in "([{") - (text[i] in ")]}")
        if depth == 0 or (depth == 1 and text[i] == ","):
            found.append(text[first:i].strip())
            first = i + 1
        if depth == 0:
            return found, i + 1
    raise ValueError(text[at:at + 60])


def expand(text, definitions):
    """The text with definitions instead of their names: WP decides most goals when it sees which member changes."""
    if not definitions:
        return text
    out, at = [], 0
    names = re.compile(r"\b(" + "|".join(definitions) + r")\(")
    while (found := names.search(text, at)) is not None:
        out.append(text[at:found.start()])
        given, at = arguments(text, found.end() - 1)
        parameters, body = definitions[found[1]]
        bound = set(re.findall(r"\w+", " ".join(map(" ".join, BOUND.findall(body)))))
        if bound & set(re.findall(r"\w+", " ".join(given))):
            raise ValueError(f"{found[1]}({', '.join(given)}): the definition binds that name itself")
        values = {name: value if value.isidentifier() else f"({value})" for name, value in zip(parameters, given)}
        body = re.sub(r"\b(?:" + "|".join(parameters) + r")\b", lambda name: values[name[0]], body)
        out.append("(" + expand(body, definitions) + ")")
    return "".join(out) + text[at:]


def expanded(texts):
    """The same files, where each contract says in full what it says about a view."""
    definitions = {}
    for text in texts.values():
        for name, parameters, body in DEFINITION.findall(text):
            if re.search(r"\bstruct \w*(view|bases|plan)\b", parameters):
                definitions[name] = ([word.split()[-1].lstrip("*") for word in parameters.split(",")], " ".join(body.split()))
    contract = re.compile(r"/\*@.*?\*/|//@[^\n]*", re.S)

    def one(found):
        return found[0] if DEFINITION.search(found[0]) else expand(found[0], definitions)

    return {path: contract.sub(one, text) for path, text in texts.items()}


def copy(build, changed=None):
    """A copy of the sources, with expanded contracts; changed: text of files instead of what they hold."""
    folder = os.path.join(build, "source")
    paths = [os.path.join(part, name) for top in ("runtime", "tests/prove") for part, _, names in sorted(os.walk(top)) for name in sorted(names)]
    texts = {path: open(path, encoding="utf-8").read() for path in paths if path.endswith((".h", ".c", ".def"))}
    texts.update(changed or {})
    texts.update(expanded({path: texts[path] for path in PROVED}))
    for path, text in texts.items():
        os.makedirs(os.path.join(folder, os.path.dirname(path)), exist_ok=True)
        with open(os.path.join(folder, path), "w", encoding="utf-8") as file:
            file.write(text)
    return folder


def prove(build, source, names, *more, changed=None):
    """What WP says about these functions."""
    folder = copy(build, changed)
    pack = "".join(" -I" + os.path.abspath(part) for part in PACK)
    environment = dict(os.environ, HOME=build, PWD=folder, WHY3CONFIG=os.path.join(build, "why3.conf"))
    subprocess.run(["why3", "config", "detect"], env=environment, check=True, capture_output=True)
    command = ["frama-c", "-c11", "-machdep", "gcc_x86_32", "-cpp-extra-args=-I. -include tests/prove/environment.h" + pack, source,
               "-wp", "-wp-rte", "-wp-no-warn-memory-model", "-wp-prover", "cvc4", "-wp-steps", str(STEPS), "-wp-timeout",
               str(SECONDS), "-wp-par", os.environ.get("PROVE_JOBS", "2"), "-wp-fct", ",".join(names), *more]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, cwd=folder)


def judge(done):
    """Goals that were proved, and what is wrong."""
    text = done.stdout + done.stderr
    counts = re.search(r"Proved goals: +(\d+) / (\d+)", text)
    wrong = [f"{goal}: {result}" for goal, result in re.findall(r"\[wp\] \[[^\]]+\] Goal (\S+) : (\w+)", text) if result != "Valid"]
    wrong += re.findall(r"^.*[Ww]arning:.*(?:\n  .*)?", text, re.M)
    if done.returncode != 0 or counts is None or counts[1] != counts[2] and not wrong:
        wrong.append(text[-2000:])
    return int(counts[1]) if counts else 0, wrong


def mutants(only):
    """(source, path, function, label, text) of each condition that is removed."""
    for source, path in ((source, path) for source in MUTATED for path in SOURCES[source] if path not in FORMS):
        proved = functions(path)[0]
        for function, label, text in boot.mutants(open(path, encoding="utf-8").read()):
            condition = label.split(": ", 1)[1].split(" #")[0]
            whole = condition and condition.count("(") == condition.count(")") and not re.search(r"[{;]|\breturn\b", condition)
            if whole and function in proved and (not only or function in only):
                yield source, path, function, label, text


def kill(build, only):
    """Removes conditions; returns those that a proof should have missed, or that were named and are missed."""
    count, left, used = 0, [], set()
    for source, path, function, label, text in mutants(only):
        split = ("-wp-split",) if function in SPLIT else ()
        done = prove(build, source, [function], "-wp-prop=-@assigns", *split, changed={path: text})
        counts = re.search(r"Proved goals: +(\d+) / (\d+)", done.stdout)
        unread = counts is None and "No goal generated" not in done.stdout
        survived = not unread and (counts is None or counts[1] == counts[2])
        count += 1
        used.add(label)
        if unread or survived != (label in NO_BOUND):
            left.append(label)
        print(f"{'not read' if unread else 'survives' if survived else 'killed'}: {label}", flush=True)
    left += [f"not found: {label}" for label in NO_BOUND if label not in used and not only]
    left += [f"{name}: no condition to remove" for name in only if not any(label.startswith(name + ":") for label in used)]
    print("\n".join(left))
    print(f"{count - len(left)} passed, {len(left)} failed")
    return bool(left)


def main():
    build, only = os.path.abspath(sys.argv[1]), sys.argv[2:]
    os.makedirs(build, exist_ok=True)
    if only[:1] == ["--mutants"]:
        sys.exit(kill(build, only[1:]))
    wrong, proved, unknown = [], 0, set(only)
    for source, paths in SOURCES.items():
        names = []
        for path in paths:
            found, faults = functions(path)
            names, wrong = names + found, wrong + faults
        names = [name for name in names if not only or name in only]
        unknown -= set(names)
        split = [name for name in names if name in SPLIT]
        for chosen, more in (([name for name in names if name not in split], ()), (split, ("-wp-split",))):
            if chosen:
                goals, faults = judge(prove(build, source, chosen, *more))
                proved, wrong = proved + goals, wrong + faults
    wrong += [f"{name}: no function that is proved" for name in sorted(unknown)]
    print("\n".join(wrong))
    print(f"{proved} passed, {len(wrong)} failed")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
