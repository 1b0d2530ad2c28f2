# SPDX-License-Identifier: Apache-2.0
"""docs/ci: the script that the action for GitHub and the template for GitLab call."""
import os
import pathlib
import re
import xml.etree.ElementTree as ElementTree

import kit
from kit import EXAMPLES, QEMU, check, equal, has, has_not, test

CI = kit.ROOT / "docs/ci"
TINY = EXAMPLES / "tiny/tiny.c"


def run(case, *models, status=0, **variables):
    path = f"{pathlib.Path(case.tool).parent}:{os.environ['PATH']}"
    unset = dict.fromkeys(["GITHUB_ACTIONS", "GITLAB_CI"])
    env = {"RELOCPACK_MODELS": "\n".join(map(str, models)), "RELOCPACK_OPTIONS": "--target stm32f4 --label 'by=a script'", "PATH": path}
    result = case.run("sh", CI / "relocpack-ci.sh", status=status, env=unset | env | variables)
    return result, (case.dir / "relocpack-ci/comment.md").read_text() if (case.dir / "relocpack-ci").exists() else ""


@test
def models_of_a_merge_request(case):
    """Package, verify, compare with the base branch, comment, page; the first failure is the status, and the rest is done."""
    kit.need(QEMU)
    grown = case.write("more/grown.c", "static const float w[{N}] = {{1}}; void grown(const float in[1], float out[1]) {{ int i = (int)in[0]; out[0] = w[i < {N} && i > 0 ? i : 0]; }}\n".format(N=100))
    _, comment = run(case, grown, TINY, RELOCPACK_BASE="base")
    has(comment, "### grown", "### tiny", "12 of 12 runs bit-identical", "% of the code", "| flash | ")
    out = case.dir / "relocpack-ci"
    equal(sorted(path.name for path in out.iterdir() if "tiny" in path.name), ["tiny", "tiny.json", "tiny.log", "tiny.sarif", "tiny.xml"], "files of a model")
    equal(len(ElementTree.parse(out / "tiny.xml").getroot().findall(".//testcase")), 13, "test cases: the runs, and the command")
    has((out / "index.html").read_text(), "grown", "tiny")
    has((out / "tiny.json").read_text(), "a script")
    out.rename(case.dir / "base")
    grown.write_text(grown.read_text().replace("100", "900"))
    result, comment = run(case, grown, TINY, status=7, RELOCPACK_BASE="base", RELOCPACK_LIMITS="flash=+1%")
    has(comment, "| flash | ", "symbols: ", "error RP2700: flash grew", "### tiny")
    has(result.err, "error RP2700: flash grew")
    broken = case.write("broken.c", "void broken(const float in[1], float out[1]) { out[0] = in[0] +; }\n")
    budget = case.write("budget.json", '{"flash": 100}')
    result, comment = run(case, broken, TINY, status=4, RELOCPACK_BUDGET=str(budget), RELOCPACK_VERIFY="--min-coverage 100", GITHUB_ACTIONS="true")
    has(comment, "### broken\n\n    relocpack: error RP2400", "### tiny", "error RP2700: flash has", "12 of 12 runs", "error RP2816")
    has(result.err, "::error")
    has_not(comment, "::error")
    check((out / "index.html").exists() and (out / "tiny.xml").exists(), "what there is, is there")


@test
def what_is_wrong_with_the_job(case):
    """No model, two of one name, a folder of somebody else; nothing is deleted that the script has not made."""
    has(run(case, status=2)[0].err, "RELOCPACK_MODELS names no model")
    same = case.write("other/tiny.c", TINY.read_text())
    has(run(case, TINY, same, status=2, RELOCPACK_VERIFY="--nope", GITLAB_CI="true")[0].err, "two models are called 'tiny'", "--nope")
    check((case.dir / "relocpack-ci/tiny.quality.json").exists(), "GitLab's form")
    has(run(case, TINY, status=2, RELOCPACK_BASE="relocpack-ci")[0].err, "cannot be both RELOCPACK_BASE and RELOCPACK_OUT")
    odd = [case.write(name, f"void f(const float in[1], float out[1]) {{ out[0] = in[0] * {i + 1}; }}\n") for i, name in enumerate(("-dash.c", "options.c"))]
    _, comment = run(case, odd[0].name, odd[1].name, RELOCPACK_VERIFY="--once")
    has(comment, "### -dash", "### options")
    case.write("mine/precious", "x")
    has(run(case, TINY, status=2, RELOCPACK_OUT="mine")[0].err, "RELOCPACK_OUT names another folder")
    check((case.dir / "mine/precious").exists(), "a folder of somebody else")


@test
def variables_are_those_of_the_script(case):
    """The action and the template set nothing that the script does not read, and inputs reach a shell by variables alone."""
    known = set(re.findall(r"^#   (RELOCPACK_\w+) ", (CI / "relocpack-ci.sh").read_text(), re.M))
    used = set(re.findall(r"\$\{(RELOCPACK_\w+)", (CI / "relocpack-ci.sh").read_text()))
    equal(used, known, "what the script says and reads")
    action, template = ((CI / name).read_text() for name in ("github/action.yml", "gitlab.yml"))
    equal(set(re.findall(r"^ +(RELOCPACK_\w+):", action, re.M)), known, "of the action")
    check(set(re.findall(r"(RELOCPACK_\w+)", template)) <= known | {"RELOCPACK_TOKEN"}, "of the template")
    for text in re.split(r"^ +run: ", action, flags=re.M)[1:]:
        has_not(text.partition("\n    - ")[0], "${{")
    has(action, '"$ACTION/../relocpack-ci.sh"')
