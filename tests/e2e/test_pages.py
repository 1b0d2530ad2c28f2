# SPDX-License-Identifier: Apache-2.0
"""The commands in README.md and docs/guide/ do what the pages say; pages.py has the rules."""
import kit
import pages
from kit import CROSS, QEMU, Failure, each, equal, test


@each(pages.PAGES, slow=True, needs=[f"{CROSS}gcc", QEMU, "gdb-multiarch", "cmake"])
def page(case, name):
    try:
        _, far = pages.run_page(name, pages.Scratch(case.dir, case.tool, case.env))
    except pages.Stale as stale:
        raise Failure(str(stale)) from stale
    equal(far, [], "lines whose numbers have changed; `make docs-example` writes them again")


@test
def broken_links(case):
    """The lint of links finds a file and a heading that are not there, also where a link is broken by a line end."""
    case.write("page.md", "# One thing\n[right](#one-thing) [no heading](#two) `[code](none.md)`\n[no\nfile](none.md)\n")
    out = case.run(kit.ROOT / "tests/lint/links.py", case.dir, status=1).out
    equal(out.splitlines(), ["page.md:2: #two: there is no such heading", "page.md:4: none.md: there is no such file",
                             "1 passed, 2 failed, 0 skipped"], "what is wrong")


@test
def stale_output(case):
    """Output that is not printed, or not all that is printed, is found; numbers may differ a little."""
    equal(pages.fresh(["...", "size 100", "..."], ["a", "size 104", "b"], "here"), ["...", "size 104", "..."], "written again")
    equal([pages.near("size 100", "size 104"), pages.near("size 100", "size 400")], [True, False], "numbers")
    for stated in (["size 100"], ["a", "other"]):
        try:
            pages.fresh(stated, ["a", "size 100"], "here")
        except pages.Stale:
            continue
        raise Failure(f"taken for right: {stated}")
