# SPDX-License-Identifier: Apache-2.0
"""Cryptographic libraries for the tests of signed images, as firmware has them: BearSSL, Mbed TLS and libsodium.

Their sources come from Debian's source packages, by a private configuration of apt that is made of the
machine's own; nothing of the system's is changed, and nothing of them is committed. In: a folder. Out:
for a core, an archive of each library and the options to compile against it.
"""
import fcntl
import pathlib
import re
import shutil
import subprocess
import tarfile

HERE = pathlib.Path(__file__).resolve().parent
CORES = {"m4": "-mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard".split(),
         "m33": "-mcpu=cortex-m33 -mthumb -mfpu=fpv5-sp-d16 -mfloat-abi=hard".split(),
         "m55": "-mcpu=cortex-m55 -mthumb -mfloat-abi=hard".split()}
FLAGS = "-Os -g -ffixed-r9 -ffunction-sections -fdata-sections -w".split()

BEARSSL = """ec/ecdsa_i31_vrfy_raw ec/ecdsa_i31_bits ec/ec_p256_m31 ec/ec_secp256r1 ec/ec_secp384r1 ec/ec_secp521r1 hash/sha2small codec/ccopy
codec/enc32be codec/dec32be int/i31_add int/i31_bitlen int/i31_decmod int/i31_decode int/i31_decred int/i31_encode
int/i31_fmont int/i31_iszero int/i31_modpow int/i31_montmul int/i31_muladd int/i31_ninv31 int/i31_rshift int/i31_sub
int/i31_tmont int/i32_div32""".split()
SODIUM = """crypto_sign/ed25519/ref10/open crypto_sign/ed25519/sign_ed25519 crypto_core/ed25519/ref10/ed25519_ref10
crypto_sign/ed25519/ref10/sign sodium/utils crypto_hash/sha512/cp/hash_sha512_cp crypto_hash/sha256/cp/hash_sha256_cp crypto_verify/sodium/verify""".split()
MBEDTLS = """bignum constant_time ecdsa ecp ecp_curves md platform platform_util psa_crypto psa_crypto_client psa_crypto_ecp
psa_crypto_driver_wrappers psa_crypto_hash psa_crypto_slot_management sha256""".split()
# package, folder of the sources in it, files, folders of its headers, options
LIBRARIES = {
    "bearssl": ("bearssl", "src", BEARSSL, ["inc", "src"], []),
    "psa": ("mbedtls", "library", MBEDTLS, ["include", "library"], ['-DMBEDTLS_CONFIG_FILE="signed_mbedtls.h"']),
    "libsodium": ("libsodium", "src/libsodium", SODIUM, ["src/libsodium/include", "src/libsodium/include/sodium", "@made"],
                  ["-DSODIUM_STATIC", "-DCONFIGURED=1"]),
}


class Missing(Exception):
    """Sources cannot be had on this machine; the text says why."""


def _source_lists(folder):
    """The machine's lists of packages, as lists of source packages."""
    found = False
    folder.mkdir(parents=True, exist_ok=True)
    apt = pathlib.Path("/etc/apt")
    for path in [apt / "sources.list", *sorted(apt.glob("sources.list.d/*"))]:
        if path.suffix not in (".list", ".sources") or not path.is_file():
            continue
        text = path.read_text()
        text = (re.sub(r"(?m)^Types:.*$", "Types: deb-src", text) if path.suffix == ".sources"
                else re.sub(r"(?m)^deb ", "deb-src ", "\n".join(re.findall(r"(?m)^deb .*$", text)) + "\n"))
        if re.search(r"debian\.org/|/debian", text):
            (folder / path.name).write_text(text)
            found = True
    if not found:
        raise Missing("this machine has no list of Debian's packages")


def fetch(folder):
    """The unpacked source packages, by name; kept in the folder. Several programs may ask at once."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return _fetch(folder)


def _fetch(folder):
    packages = sorted({package for package, *_ in LIBRARIES.values()})
    unpacked = {name: folder / name for name in packages}
    if all((path / "done").is_file() for path in unpacked.values()):
        return unpacked
    if not shutil.which("apt-get"):
        raise Missing("apt-get is missing")
    _source_lists(folder / "lists.d")
    for name in ("state/lists/partial", "cache/archives/partial"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    apt = ["apt-get", "-qq", "-o", "Dir::Etc::sourcelist=/dev/null", "-o", f"Dir::Etc::sourceparts={folder}/lists.d",
           "-o", f"Dir::State::lists={folder}/state/lists", "-o", f"Dir::Cache={folder}/cache", "-o", "APT::Sandbox::User=root"]
    for words in (["update"], ["source", "--download-only", *packages]):
        done = subprocess.run([*apt, *words], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, check=False)
        if done.returncode:
            raise Missing("apt-get " + " ".join(words) + ": " + (done.stderr.strip().splitlines() or ["failed"])[-1])
    for name, path in unpacked.items():
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir()
        archive = next(folder.glob(f"{name}_*.orig.tar.*"))
        with tarfile.open(archive) as tar: # by Python, for tar needs a program for each kind of compression
            for member in tar:
                top, _, member.name = member.name.partition("/")
                if top and member.name:
                    tar.extract(member, path)
        if name == "libsodium": # what its configure makes
            (path / "made/sodium").mkdir(parents=True)
            text = (path / "src/libsodium/include/sodium/version.h.in").read_text()
            (path / "made/sodium/version.h").write_text(re.sub(r"@\w+@", "1", text))
        (path / "done").touch()
    return unpacked


def headers(library, sources):
    """Options to compile against a library."""
    package, _, _, folders, options = LIBRARIES[library]
    root = sources[package]
    words = list(options) + ["-I" + str(HERE)] * bool(options)
    for name in folders:
        words += ["-isystem", str(root / name) if name[0] != "@" else str(root / "made")]
    return words


def build(library, core, sources, folder):
    """Compiles what a firmware needs of a library; the archive."""
    package, at, files, _, _ = LIBRARIES[library]
    root = sources[package]
    archive = folder / f"lib{library}-{core}.a"
    if archive.is_file():
        return archive
    objects = []
    for name in files:
        objects.append(str(folder / f"{library}-{core}-{pathlib.Path(name).name}.o"))
        subprocess.run(["arm-none-eabi-gcc", *CORES[core], *FLAGS, *headers(library, sources), "-c", str(root / at / (name + ".c")),
                        "-o", objects[-1]], check=True)
    subprocess.run(["arm-none-eabi-ar", "qcs", str(archive), *objects], check=True)
    return archive

