#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures packaging of Neural-ART networks: ratios, never a pass or a fail.

usage: STEDGEAI_CORE_DIR=PACK npu.py [--runs N] [--driver npu_driver.py] [NETWORK.c...]

All networks must be from the pack's release; without any, the tests' stand-in pack and its networks
are measured. For each:
  serial   one job, no launcher: the cost of compiling
  cold     default jobs, empty ccache
  second   default jobs, ccache with the pack's objects but not this network's
  again    the same once more
  driver   the vendor's own script on the same network, if given
Times are the best of some runs, in seconds, on an otherwise quiet machine.
"""
import argparse
import os
import shutil
import subprocess
import tempfile
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOL = os.path.join(ROOT, "build", "relocpack")
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "tests", "e2e"))
import npu_networks  # noqa: E402


def timed(command, environment):
    start = time.monotonic()
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    return time.monotonic() - start


class Bench:
    def __init__(self, work, runs):
        self.work, self.runs = work, runs
        self.cache = os.path.join(work, "ccache")
        self.environment = {**os.environ, "CCACHE_DIR": self.cache}

    def generate(self, network, *more):
        out = os.path.join(self.work, "out")
        return timed([TOOL, "generate", "-q", "-r", "-i", network, "-o", out, *more],
                     self.environment)

    def empty_cache(self):
        shutil.rmtree(self.cache, ignore_errors=True)

    def serial(self, network):
        return min(self.generate(network, "-j1", "--launcher", "none") for _ in range(self.runs))

    def cold(self, network):
        times = []
        for _ in range(self.runs):
            self.empty_cache()
            times.append(self.generate(network))
        return min(times)

    def second(self, network):
        """Another random seed makes the network new to the cache; the pack's flags do not contain it."""
        return min(self.generate(network, f"--cflags=-frandom-seed={os.getpid()}.{run}")
                   for run in range(self.runs))

    def again(self, network):
        return min(self.generate(network) for _ in range(self.runs))

    def driver(self, script, network):
        out = os.path.join(self.work, "driver")
        command = ["/usr/bin/python3", script, "-i", network, "-o", out, "-v", "0"]
        return min(timed(command, self.environment) for _ in range(self.runs))


def stand_ins(work):
    """Makes a stand-in pack and networks for it."""
    pack = os.path.join(work, "pack")
    npu_networks.pack(pack)
    npu_networks.archive(pack)
    os.environ["STEDGEAI_CORE_DIR"] = pack
    made = [npu_networks.generate(os.path.join(work, pools), pools=pools, epoch_controller=True)
            for pools in ("flash", "mix")]
    return [os.path.join(network.folder, f"{network.name}.c") for network in made]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("networks", nargs="*")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--driver")
    options = parser.parse_args()
    print("| network | serial s | cold s | /serial | second s | /cold | again s | driver s | "
          "/second |\n|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as work:
        networks = options.networks or stand_ins(work)
        bench = Bench(work, options.runs)
        for network in map(os.path.abspath, networks):
            serial, cold = bench.serial(network), bench.cold(network)
            second, again = bench.second(network), bench.again(network)
            driver = bench.driver(options.driver, network) if options.driver else 0
            theirs = f"{driver:.2f} | {driver / second:.1f}" if driver else "– | –"
            name = os.path.basename(os.path.dirname(network))
            print(f"| {name} | {serial:.2f} | {cold:.2f} | {cold / serial:.2f} | {second:.2f} | "
                  f"{second / cold:.2f} | {again:.2f} | {theirs} |", flush=True)


if __name__ == "__main__":
    main()
