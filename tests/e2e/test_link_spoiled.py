# SPDX-License-Identifier: Apache-2.0
"""A linked file that differs from its objects is never packaged. The linker here is a script that calls
the real one and spoils its output, in each way that spoil.py knows, for each dialect.
"""
import pathlib
import shutil
import sys

import kit
import npu_kit
import spoil
import test_combinations as combinations
import test_npu_llvm
from kit import CROSS, check, each, equal, has

ROWS = {
    "c": (combinations.digits, []),
    "c-llvm": (combinations.digits, ["-r", "llvm"]),
    "c-copy-only": (combinations.digits, ["-r", "copy-only"]),
    "c-compact": (combinations.digits, ["-r", "compact"]),
    "c-libc": (combinations.digits, ["-r", "copy-only", "--math", "libc"]),
    "c-imports": (combinations.functions, []),
    "c-plus-plus": (combinations.cplusplus, []),
    "emlearn": (combinations.trees, []),
    "tvm": (combinations.mix, []),
    "tvm-llvm": (combinations.mix, ["-r", "llvm"]),
    "glow": (combinations.bundle_table, []),
    "st-ai": (combinations.st_ai, []),
    "st-ai-llvm": (combinations.st_ai, ["-r", "llvm"]),
    "stai": (combinations.stai, []),
}
# The kinds for which every image has something.
LEAST = {"code", "left_out", "lost", "twice", "symbol", "magic"}


def linker(case, real):
    """A program that runs the real linker and spoils its output as the file beside it says."""
    script = shutil.copy(spoil.__file__, case.path("bin/spoil.py"))
    program = case.write("bin/spoil-gcc", f"""#!/bin/sh
{shutil.which(real)} "$@" || exit
case "$*" in *link.rsp*)
    # 3: a first link of several, which has nothing of the kind
    if [ -e {case.dir}/kind ]; then {sys.executable} {script} . $(cat {case.dir}/kind) >&2 || [ $? = 3 ]; fi ;;
esac
""")
    program.chmod(0o755)
    for name in ("objdump", "nm", "readelf", "objcopy", "ar", "as", "ld"):
        if shutil.which(CROSS + name) and not (program.parent / f"spoil-{name}").exists():
            (program.parent / f"spoil-{name}").symlink_to(shutil.which(CROSS + name))
    return program


def try_all(case, run):
    """run(status) packages into out/ with the workspace work/."""
    kind_file = case.dir / "kind"
    run(0)
    shutil.rmtree(case.dir / "out")
    kinds = spoil.possible(case.dir / "work")
    check(LEAST <= {kind for kind, _ in kinds} and any(kind == "field" for kind, _ in kinds), f"too few kinds: {kinds}")
    for kind, argument in kinds:
        kind_file.write_text(f"{kind} {argument or ''}\n")
        (case.dir / "work/image.elf").unlink()
        result = run(None)
        label = f"{kind} {argument or ''}\n{result.show()}"
        check(result.status in (4, 5), f"not found: {label}")
        check("error RP2406: " in result.err or "error RP2504: " in result.err, f"found as something else: {label}")
        check(not (case.dir / "out").exists() or not kit.visible(case.dir / "out"), f"files were left: {label}")
    return [kind for kind, _ in kinds]


@each(list(ROWS), needs=["clang"])
def found(case, label):
    make, words = ROWS[label]
    source, more, env, _, _ = make(case)
    prefix = str(linker(case, f"{CROSS}gcc")).removesuffix("gcc")

    def run(status):
        return case.generate(source, *more, *words, "--cross-compile", prefix, "--workspace", case.dir / "work",
                             env=env, status=status)
    try_all(case, run)


@each(["gcc", "lld"], needs=["clang", "ld.lld"])
def found_neural_art(case, label):
    net = npu_kit.network(case, pools="mix", epoch_controller=True)
    if label == "gcc":
        prefix, root = str(linker(case, f"{CROSS}gcc")).removesuffix("gcc"), npu_kit.pack(case, net.options.version)
        words = ["--cross-compile", prefix]
    else:
        root = test_npu_llvm.pack(case, net.options.version)
        test_npu_llvm.words_for(case, "st-clang")
        program = case.dir / "bin/starm-clang"
        program.rename(case.dir / "bin/real-clang")
        linker(case, str(case.dir / "bin/real-clang")).rename(program)
        words = ["-r", "st-clang", "--launcher", "none", "--custom",
                 test_npu_llvm.custom(case, extra_system_path=str(program.parent))]

    def run(status):
        return npu_kit.generate(case, net, *words, "--workspace", case.dir / "work", root=root, status=status)
    try_all(case, run)
