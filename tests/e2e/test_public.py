# SPDX-License-Identifier: Apache-2.0
"""tests/public.py, which compares what comes out of other projects' code, on a folder of two small inputs."""
import sys

import kit
from kit import EXAMPLES, check, equal, has, has_not, test

RUNNER = kit.ROOT / "tests" / "public.py"
DOUBLED = "void entry(const float a[2], float b[2]) { b[0] = TIMES * a[0]; b[1] = TIMES * a[1]; }\n"
ROWS = ("# two inputs, and one that nobody has\n"
        "some/one\t0\ttwice.c\tc\t--target stm32f4 -I {repo}/inc\n"
        "some/other\t0\ttiny.c\tc\t--target stm32f4 -I {repo:some/one}/inc\n"
        "some/third\t0\tx.c\tc\t--target stm32f4\n")


def folder(case, rows=ROWS):
    case.write("co/some/one/twice.c", '#include "times.h"\n' + DOUBLED)
    case.write("co/some/one/inc/times.h", "#define TIMES 2.0f\n")
    case.write("co/some+other/tiny.c", (EXAMPLES / "tiny" / "tiny.c").read_text())
    case.write("co/inputs.tsv", rows)


def public(case, *argv, status=0):
    return case.run(sys.executable, RUNNER, "--tool", case.tool, *argv, case.dir / "co", status=status).out


def last(out):
    return out.splitlines()[-1]


@test
def what_comes_out_is_recorded_and_compared(case):
    folder(case)
    equal(last(public(case, status=1)), "0 passed, 2 failed, 1 skipped", "rows without a record")
    out = public(case, "--update")
    has(out, "skipped some/third x.c: no checkout")
    equal(last(out), "2 passed, 0 failed, 1 skipped", "recorded")
    table = case.path("co/inputs.tsv").read_text()
    has(table, "# two inputs", "some/third\t0\tx.c\tc\t--target stm32f4\t\t", "\t0\t\theader=", "twice_rel.bin=")
    equal(last(public(case, "--strict")), "2 passed, 0 failed, 1 skipped", "the same again")
    equal(case.path("co/inputs.tsv").read_text(), table, "a table that was only compared")


@test
def changes_are_reported_and_refusals_are_failures(case):
    folder(case)
    public(case, "--update")
    case.write("co/some/one/inc/times.h", "#define TIMES 3.0f\n")
    out = public(case)
    has(out, "passed  some/one twice.c: changed: ", "files twice_rel.bin=")
    equal(last(out), "2 passed, 0 failed, 1 skipped", "another hash")
    equal(last(public(case, "--strict", status=1)), "1 passed, 1 failed, 1 skipped", "another hash with --strict")
    case.write("co/some/one/inc/times.h", "")
    out = public(case, status=1)
    has(out, "failed  some/one twice.c: refused now: ", "error RP")
    equal(last(out), "1 passed, 1 failed, 1 skipped", "an input that is refused now")
    has(public(case, "--update"), "passed  some/one twice.c: refused: ")
    equal(last(public(case, "--strict")), "2 passed, 0 failed, 1 skipped", "a recorded refusal")
    case.write("co/some/one/inc/times.h", "#define TIMES 2.0f\n")
    has(public(case), "passed  some/one twice.c: changed: exit ")


@test
def what_is_not_a_result_fails(case):
    folder(case, ROWS.replace("twice.c\tc\t", "twice.c\ttvm\t"))
    out = public(case, "--update", status=1)
    has(out, "failed  some/one twice.c: dialect c instead of tvm")
    has_not(case.path("co/inputs.tsv").read_text(), "twice_rel.bin=")
    folder(case)
    crash = case.write("crash", "#!/bin/sh\nkill -SEGV $$\n")
    crash.chmod(0o755)
    out = case.run(sys.executable, RUNNER, "--tool", crash, "--update", case.dir / "co", status=1).out
    has(out, "broke off, exit -11")
    equal(last(out), "0 passed, 2 failed, 1 skipped", "crashes")


@test(needs=["git"])
def no_input_is_a_failure(case):
    folder(case)
    none = ROWS.splitlines()[3] + "\n" + ROWS.splitlines()[2].replace("{repo:some/one}", "{repo:some/fourth}") + "\n"
    out = public(case, "--table", case.write("none.tsv", none), status=1)
    has(out, "skipped some/other tiny.c: no checkout of some/fourth, which it needs")
    equal(last(out), "0 passed, 0 failed, 2 skipped", "nothing was packaged")
    result = case.run(sys.executable, RUNNER, "--table", case.write("short.tsv", "some/one\t0\n"), case.dir / "co", status=1)
    has(result.err, "short.tsv:1: 2 columns")
    git = ["git", "-c", "user.name=x", "-c", "user.email=x", "-C", case.dir / "co/some/one"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "x"]):
        case.run(*git, *words)
    has(public(case, "--update"), "skipped some/one twice.c: the checkout is at ")
    check("twice_rel.bin=" not in case.path("co/inputs.tsv").read_text(), "an input of another commit was recorded")
