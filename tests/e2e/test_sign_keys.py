# SPDX-License-Identifier: Apache-2.0
"""Keys that keygen, OpenSSL and others make: encrypted, in several forms, of other types, and files that are none."""
import os
import pty

import kit
from kit import check, each, equal, has, has_not, need, test
from sign_kit import KINDS, SAID, Signing, need_cryptography, serialization

@each(KINDS)
def encrypted_keys(case, kind):
    need("openssl")
    need_cryptography()
    signing = Signing(case)
    case.write("right", "correct horse\nsecond line\n")
    case.write("wrong", "correct house\n")
    case.write("empty", "\n")
    case.relocpack("keygen", "--type", kind, "-o", "k.pem", "--passphrase-file", "right")
    has((case.dir / "k.pem").read_text(), "BEGIN ENCRYPTED PRIVATE KEY")
    equal((case.dir / "k.pem").stat().st_mode & 0o777, 0o600, "mode")
    serialization.load_pem_private_key((case.dir / "k.pem").read_bytes(), b"correct horse")
    case.run("openssl", "pkey", "-in", "k.pem", "-passin", "pass:correct horse", "-noout")
    signing.sign("--passphrase-file", "right", key="k.pem")
    signing.verify(key="k.pub.pem")
    has(signing.sign("--replace", "--passphrase-file", "wrong", key="k.pem", status=9).err, "RP2930", "the passphrase is wrong")
    has(signing.sign("--replace", "--passphrase-file", "empty", key="k.pem", status=9).err, "RP2930", "is empty")
    has(signing.sign("--replace", "--passphrase-file", "none", key="k.pem", status=9).err, "RP2930", "'none'")
    has(signing.sign("--replace", "--passphrase-file", "-", key="k.pem", status=9).err, "RP2930", "the standard input", "is empty")
    asked = signing.sign("--replace", key="k.pem", status=9, start_new_session=True)
    has(asked.err, "RP2930", "no terminal to ask", "--passphrase-file")


def on_a_terminal(case, answers, *argv):
    """Runs the tool with a terminal of its own, where each question gets the next answer: (exit status, all it showed)."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(case.dir)
        os.execve(case.tool, [case.tool, *map(str, argv)], case.env)
    shown, answers = b"", list(answers)
    while True:
        try:
            data = os.read(terminal, 4096)
        except OSError:  # the other end is closed
            data = b""
        if not data:
            break
        shown += data
        if shown.endswith(b": ") and answers:
            os.write(terminal, answers.pop(0).encode() + b"\n")
    os.close(terminal)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return status, shown.decode()


@test
def asked_on_a_terminal(case):
    signing = Signing(case)
    status, shown = on_a_terminal(case, ("geheim-1", "geheim-2"), "keygen", "--type", "p256", "-o", "t.pem", "--encrypt")
    equal(status, 9, "two answers")
    has(shown, "passphrase for the new key: ", "once more", "RP2930", "differ")
    check(not (case.dir / "t.pem").exists(), "a key with a passphrase that nobody knows")
    status, shown = on_a_terminal(case, ("geheim-1", "geheim-1"), "keygen", "--type", "p256", "-o", "t.pem", "--encrypt")
    equal(status, 0, f"keygen: {shown}")
    has_not(shown, "geheim")
    status, shown = on_a_terminal(case, ("geheim-1",), "sign", signing.image, "--key", "t.pem", *SAID)
    equal(status, 0, f"sign: {shown}")
    has(shown, "passphrase of t.pem: ")
    has_not(shown, "geheim")
    signing.verify(key="t.pub.pem")
    status, shown = on_a_terminal(case, ("geheim-2",), "sign", signing.image, "--key", "t.pem", "--replace", *SAID)
    equal(status, 9, "wrong")
    has(shown, "RP2930", "the passphrase is wrong")


@test
def keys_of_others(case):
    """What OpenSSL writes in its several forms."""
    need("openssl")
    for name, words in {"sec1": ("ecparam", "-name", "prime256v1", "-genkey"), "pkcs8": ("genpkey", "-algorithm", "ed25519"),
                        "encrypted": ("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-aes-256-cbc", "-pass", "pass:pw")}.items():
        signing = Signing(case)
        case.run("openssl", *words, "-out", f"{name}.pem")
        case.run("openssl", "pkey", "-in", f"{name}.pem", "-passin", "pass:pw", "-pubout", "-out", f"{name}.pub.pem")
        case.write("pw", "pw")
        signing.sign("--passphrase-file", "pw", key=f"{name}.pem")
        signing.verify(key=f"{name}.pub.pem")
    case.run("openssl", "pkey", "-pubin", "-in", "sec1.pub.pem", "-ec_conv_form", "compressed", "-out", "short.pub.pem")
    case.run("openssl", "pkey", "-pubin", "-in", "sec1.pub.pem", "-ec_param_enc", "explicit", "-out", "long.pub.pem")
    signing = Signing(case)
    signing.sign(key="sec1.pem")
    for name in ("short", "long"):
        signing.verify(key=f"{name}.pub.pem")


OTHER_KEYS = {"RSA": ("genpkey", "-algorithm", "RSA"), "secp256k1": ("ecparam", "-name", "secp256k1", "-genkey", "-noout"),
              "secp384r1": ("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384"),
              "X25519": ("genpkey", "-algorithm", "X25519"), "ED448": ("genpkey", "-algorithm", "ED448")}


@each(OTHER_KEYS)
def keys_of_another_type(case, name):
    need("openssl")
    signing = Signing(case)
    case.run("openssl", *OTHER_KEYS[name], "-out", "other.pem")
    case.run("openssl", "pkey", "-in", "other.pem", "-pubout", "-out", "other.pub.pem")
    has(signing.sign(key="other.pem", status=9).err, "error RP2930: ", f"of the type {name}", "Ed25519 and P-256")
    signing.sign()
    has(signing.refused("RP2930", key="other.pub.pem", status=9), f"of the type {name}")


@test
def files_that_are_no_keys(case):
    signing = Signing(case)
    signing.sign()
    before = signing.image.read_bytes()
    case.write("zeros", bytes(500))
    has(signing.sign(key="ed25519.pub.pem", status=9).err, "RP2930", "this is a public key", "--signer")
    has(signing.refused("RP2930", key="ed25519.pem", status=9), "this is a private key", "pub.pem")
    for name in ("zeros", "image.bin", "/dev/null"):
        has(signing.sign(key=name, status=9).err, name)
        signing.verify(key=name, status=9)
    has(signing.sign(key="none.pem", status=9).err, "none.pem")
    equal(signing.image.read_bytes(), before, "the image")


@test
def keygen_replaces_nothing(case):
    case.relocpack("keygen", "--type", "p256", "-o", "a.pem")
    before = kit.snapshot(case.dir)
    has(case.relocpack("keygen", "--type", "p256", "-o", "a.pem", status=2).err, "RP2200", "exists")
    case.write("b.pub.pem", "mine")
    has(case.relocpack("keygen", "--type", "p256", "-o", "b.pem", status=2).err, "b.pub.pem")
    check(not (case.dir / "b.pem").exists(), "half a pair")
    case.write("c.pem", "mine")
    has(case.relocpack("keygen", "--type", "p256", "-o", "c.pem", status=2).err, "c.pem")
    check(not (case.dir / "c.pub.pem").exists(), "half a pair")
    (case.dir / "d.pem").symlink_to("e.pem")
    case.relocpack("keygen", "--type", "p256", "-o", "d.pem", status=2)
    check(not (case.dir / "e.pem").exists(), "through a link")
    for words in ((), ("-o", "x.pem"), ("--type", "p256"), ("--type", "rsa", "-o", "x.pem"), ("--type", "p256", "-o", "-"),
                  ("--type", "p256", "-o", "x.pem", "y")):
        has(case.relocpack("keygen", *words, status=2).err, "RP2200")
    has(case.relocpack("keygen", "--type", "p256", "-o", "no/x.pem", status=1).err, "no/x")
    equal({name: data for name, data in kit.snapshot(case.dir).items() if name.startswith("a.")},
          {name: data for name, data in before.items() if name.startswith("a.")}, "the first pair")
