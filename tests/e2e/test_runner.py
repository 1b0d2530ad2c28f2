# SPDX-License-Identifier: Apache-2.0
"""The runner of these tests: which tests a selection takes."""
import sys

from kit import ROOT, check, equal, has, test


def listed(case, *words, status=0):
    return case.run(sys.executable, ROOT / "tests/e2e/run.py", "--list", *words, status=status)


def names(case, *words):
    return listed(case, *words).out.splitlines()


@test
def parts_and_shards_are_all_tests(case):
    """A part and the rest are all functions, sixteen turns take each one; shares are all tests, each one once."""
    whole = names(case, "--rows", "one")
    for turn in ("0", "7"):
        some, rest = (names(case, "--rows", "one", "--turn", turn, "--part", part) for part in ("some", "rest"))
        equal(sorted(some + rest), sorted(names(case, "--rows", "one", "--turn", turn)), f"both parts in turn {turn}")
        check(len(some) * 8 < len(rest), f"{len(some)} of {len(some) + len(rest)} are not a small part")
    functions = {name.partition("[")[0].partition(" ")[0] for name in whole}
    had = {name.partition("[")[0].partition(" ")[0] for turn in range(16)
           for name in names(case, "--rows", "one", "--turn", str(turn), "--part", "some")}
    equal(sorted(functions - had), [], "functions that had no turn in sixteen")
    shares = [name for share in ("1/3", "2/3", "3/3") for name in names(case, "--rows", "one", "--shard", share)]
    equal(sorted(shares), sorted(whole), "the tests of three machines")


@test
def a_name_is_a_line(case):
    everything = names(case)
    equal(len(everything), len(set(everything)), "different names")
    check(all("." in name and name.isprintable() for name in everything), "a line of the list is not a name")


@test
def words_that_select_nothing_sensible_are_refused(case):
    for words in (["]"], ["--shard", "4/3"], ["--shard", "0/3"], ["--shard", "x"], ["no_test_has_this_name"]):
        result = listed(case, *words, status=2)
        equal(result.out, "", "the list")
        has(result.err, words[-1])
