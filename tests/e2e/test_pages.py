# SPDX-License-Identifier: Apache-2.0
"""The commands in README.md and docs/guide/ do what the pages say; pages.py has the rules."""
import kit
import pages
from kit import CROSS, QEMU, Failure, each, equal, test


@each(pages.PAGES, slow=True, needs=[f"{CROSS}gcc", QEMU])
def page(case, name):
    try:
        _, far = pages.run_page(name, pages.Scratch(case.dir, case.tool, case.env))
    except pages.Stale as stale:
        raise Failure(str(stale)) from stale
    equal(far, [], "lines whose numbers have changed; `make docs-example` writes them again")
