# SPDX-License-Identifier: Apache-2.0
"""What the tests of Neural-ART images share: pack copies with their kernel archive, networks, and
images that several tests look at, each made once.

The pack is the stand-in of tests/fixtures/npu, as the release that npu_networks.pack() makes of it.
In: a Case of kit.py. Nothing of the tool's code is used, only the program.
"""
import dataclasses
import hashlib
import os
import pathlib
import shutil

import kit
import npu_networks
import reader
from kit import CROSS, equal
from npu_networks import V111, V113, V113_8

AI = "Middlewares/ST/AI"
LL_ATON = npu_networks.LL_ATON
ARCHIVE_DIR = f"{AI}/Lib/GCC/ARMCortexM55"
ARCHIVE = f"{ARCHIVE_DIR}/NetworkRuntime1100_CM55_GCC_PIC.a"
RELEASES = {"1.1.1": V111, "1.1.3-8": V113_8, "1.1.3": V113}
CORE = ["-mcpu=cortex-m55", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16"]


def build_archive(case, pack):
    """The kernel archive of a pack copy, from its Lib/Src."""
    archive = pathlib.Path(pack, ARCHIVE)
    archive.parent.mkdir(parents=True, exist_ok=True)
    obj = archive.parent / "network_runtime.o"
    case.run(f"{CROSS}gcc", *CORE, "-Os", "-ffunction-sections", *kit.PIC, "-c",
             pathlib.Path(pack, AI, "Lib/Src/network_runtime.c"), "-o", obj, f"-I{pathlib.Path(pack, AI, 'Inc')}")
    archive.unlink(missing_ok=True)
    case.run(f"{CROSS}ar", "rcsD", archive, obj)
    obj.unlink()
    return archive


def pack(case, version=V111):
    """The pack of a release, made once: do not change it (copy_pack)."""
    def make(folder):
        npu_networks.pack(folder, version)
        build_archive(case, folder)
    return kit.cached(case, "npu-pack-" + "-".join(map(str, version)), make)


def copy_pack(case, version=V111, name="own pack"):
    """A copy for one test, which may spoil it."""
    return pathlib.Path(shutil.copytree(pack(case, version), case.dir / name))


def env_of(root):
    """Environment that names a pack; None: none."""
    return {"STEDGEAI_CORE_DIR": root}


def network(case, folder="net", **changes):
    """Writes a network into the test's folder; changes: fields of npu_networks.Options."""
    return npu_networks.generate(case.path(folder, "x").parent, **changes)


def source_of(net):
    return net.folder / f"{net.name}.c"


def generate(case, source, *words, version=None, root=None, target=None, **more):
    """
    Runs generate with the pack of the network's release. source: a Network, or a path with version.
    root: another pack. No target unless one is given: ll-aton has only one.
    """
    if isinstance(source, npu_networks.Network):
        version, source = version or source.options.version, source_of(source)
    env = {**env_of(root or pack(case, version or V111)), **more.pop("env", {})}
    return case.generate(source, *words, target=target, env=env, **more)


def refuse(case, status, error_id, source, *words, version=None, root=None, target=None, **more):
    """The same, and it has to fail (Case.refuse). Returns the message."""
    if isinstance(source, npu_networks.Network):
        version, source = version or source.options.version, source_of(source)
    env = {**env_of(root or pack(case, version or V111)), **more.pop("env", {})}
    return case.refuse(status, error_id, source, *words, target=target, env=env, **more)


@dataclasses.dataclass
class Made:
    """Files of one run: do not change them."""
    network: npu_networks.Network
    out: pathlib.Path
    workspace: pathlib.Path
    text: str                  # standard output

    @property
    def name(self):
        return self.network.name

    @property
    def image_path(self):
        return self.out / f"{self.name}_rel.bin"

    @property
    def params_path(self):
        """None: the parameters are in the image."""
        path = self.out / f"{self.name}_data.bin"
        return path if path.exists() else None

    def read(self):
        return reader.read_npu(self.image_path, self.params_path)


def made(case, *words, **changes):
    """
    Output of generate for a network (changes: fields of Options) with words as options, made once
    for all tests. words without paths: the network is named with -i, the output with -o.
    """
    options = npu_networks.Options(**changes)
    key = repr((words, dataclasses.astuple(options)))
    label = f"npu-{options.pools}-{hashlib.sha256(key.encode()).hexdigest()[:12]}"

    def make(folder):
        net = npu_networks.generate(folder / "net", options)
        result = case.relocpack("generate", "-i", source_of(net), "-o", folder / "out", "--workspace",
                                folder / "work", *words, env=env_of(pack(case, options.version)))
        (folder / "stdout.txt").write_bytes(result.raw_out)
    folder = kit.cached(case, label, make)
    net = npu_networks.Network(options)
    net.folder = folder / "net"
    return Made(net, folder / "out", folder / "work", (folder / "stdout.txt").read_text())


def same_folders(got, want, what, leave_out=()):
    """Two folders have the same files with the same bytes."""
    got, want = kit.snapshot(got), kit.snapshot(want)
    equal(sorted(got), sorted(want), f"files, {what}")
    for name, data in want.items():
        if name not in leave_out:
            equal(got[name] == data, True, f"{what}: {name} has the same bytes")


def size_of(path):
    return os.stat(path).st_size
