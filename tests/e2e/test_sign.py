# SPDX-License-Identifier: Apache-2.0
"""sign and verify-signature: against OpenSSL's command line, python3-cryptography and an HSM in software; what each wrong
image and option says; and that all readers take a signed image as before."""
import hashlib
import json
import os
import pathlib
import struct
import sys
import zlib

import kit
import reader
import signatures
from kit import EXAMPLES, check, each, equal, has, has_not, need, test
from sign_kit import KINDS, MODEL, SAID, Signing, ec, hashes, need_cryptography, serialization

# ---- others verify what is signed here ----

@each([f"{kind}-{image}" for kind in KINDS for image in ("whole", "split", "bare", "npu", "npu-split")])
def others_verify(case, label):
    need("openssl")
    need_cryptography()
    kind, image = label.split("-", 1)
    signing = Signing(case, image)
    signing.sign(key=f"{kind}.pem")
    block = signing.block()
    (key_hash, how, signature), = block.signatures
    public = serialization.load_pem_public_key((case.dir / f"{kind}.pub.pem").read_bytes())
    info = public.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    equal(key_hash, hashlib.sha256(info).digest(), "hash of the key")
    case.write("s.bin", block.s)
    if kind == "ed25519":
        equal(how, signatures.ED25519, "type")
        public.verify(signature, block.s)
        case.write("signature", signature)
        case.run("openssl", "pkeyutl", "-verify", "-pubin", "-inkey", f"{kind}.pub.pem", "-rawin", "-in", "s.bin", "-sigfile", "signature")
    else:
        equal(how, signatures.ECDSA_P256, "type")
        public.verify(signatures.der(signature), block.s, ec.ECDSA(hashes.SHA256()))
        case.write("signature", signatures.der(signature))
        case.run("openssl", "dgst", "-sha256", "-verify", f"{kind}.pub.pem", "-signature", "signature", "s.bin")
    signing.verify(key=f"{kind}.pub.pem")


@each(["whole", "split", "npu", "npu-split"])
def nothing_else_changes(case, image):
    signing = Signing(case, image)
    weights = signing.weights and signing.weights.read_bytes()
    signing.sign("--device-class", "boiler", "--firmware-api", "3..5")
    data, size = signing.image.read_bytes(), len(signing.plain)
    equal(data[:size - 12], signing.plain[:-12], "bytes up to signature_size")
    equal(data[size - 8:size - 4], signing.plain[-8:-4], "reserved word")
    equal(struct.unpack_from("<I", data, size - 12)[0], len(data) - size, "signature_size")
    equal(signing.weights and signing.weights.read_bytes(), weights, "weights")
    said = signing.block().said
    equal((said["version"], said["counter"], said["device_class"], said["api"]),
          (b"\1\4\2\0\0\0\0\0", b"\7\0\0\0", b"boiler", struct.pack("<II", 3, 5)), "what is said")
    signing.sign("--device-class", "boiler", "--firmware-api", "3..5", "--replace", "-o", case.dir / "again.bin")
    equal((case.dir / "again.bin").read_bytes(), data, "Ed25519 gives the same bytes again")


# ---- others sign what is verified here ----

def by_python(case, key):
    """A signer in Python."""
    need_cryptography()
    source = case.write("signer.py", f"""
import sys
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
key = serialization.load_pem_private_key(open({str(case.dir / key)!r}, 'rb').read(), None)
data = open(sys.argv[1], 'rb').read()
open(sys.argv[2], 'wb').write(key.sign(data, ec.ECDSA(hashes.SHA256())) if {key.startswith('p256')} else key.sign(data))
""")
    return f"{sys.executable} '{source}' {{input}} {{output}}"


SIGNERS = {
    "openssl-ed25519": lambda case: f"openssl pkeyutl -sign -inkey '{case.dir}/ed25519.pem' -rawin -in {{input}} -out {{output}}",
    "openssl-p256": lambda case: f"openssl dgst -sha256 -sign '{case.dir}/p256.pem' -out {{output}} {{input}}",
    "openssl digest-p256": lambda case: f"openssl pkeyutl -sign -inkey '{case.dir}/p256.pem' -in {{digest}} -out {{output}}",
    "python-ed25519": lambda case: by_python(case, "ed25519.pem"),
    "python-p256": lambda case: by_python(case, "p256.pem"),
}


@each(SIGNERS)
def others_sign(case, label):
    need("openssl")
    kind, signing = label.rsplit("-", 1)[1], Signing(case, "split")
    signing.sign("--signer", SIGNERS[label](case), key=f"{kind}.pub.pem")
    signing.verify(key=f"{kind}.pub.pem")
    signing.block()


@test
def an_hsm_signs(case):
    """The key is made in a token, and never leaves it."""
    need("softhsm2-util", "pkcs11-tool", "openssl")
    module = next(path for path in pathlib.Path("/usr/lib").rglob("libsofthsm2.so"))
    (case.dir / "tokens").mkdir()
    env = {"SOFTHSM2_CONF": case.write("softhsm2.conf", f"directories.tokendir = {case.dir}/tokens\nobjectstore.backend = file\n")}
    tool = ("pkcs11-tool", "--module", module, "--login", "--pin", "1234", "--token-label", "models")
    case.run("softhsm2-util", "--init-token", "--free", "--label", "models", "--pin", "1234", "--so-pin", "5678", env=env)
    case.run(*tool, "--keypairgen", "--key-type", "EC:prime256v1", "--id", "01", env=env)
    case.run(*tool, "--read-object", "--type", "pubkey", "--id", "01", "-o", "hsm.der", env=env)
    case.run("openssl", "pkey", "-pubin", "-inform", "DER", "-in", "hsm.der", "-out", "hsm.pub.pem")
    signing = Signing(case)
    command = " ".join(map(str, tool)) + " --sign --mechanism ECDSA --id 01 --input-file {digest} --output-file {output}"
    signing.sign("--signer", command, "--pass-env", "SOFTHSM2_CONF", key="hsm.pub.pem", env=env)
    signing.verify(key="hsm.pub.pem")
    has(signing.sign("--signer", command, "--replace", key="hsm.pub.pem", status=1).err, "RP2107", "pkcs11-tool", "status 1")


BAD_SIGNERS = {
    "fails": ("false {input} {output}", 1, "RP2107", "'false' ended with status 1"),
    "writes nothing": ("true {input} {output}", 1, "RP2107", "wrote no signature"),
    "writes what it got": ("cp {input} {output}", 1, "RP2107", "are no Ed25519 signature"),
    "another key": ("openssl pkeyutl -sign -inkey DIR/ed25519-2.pem -rawin -in {input} -out {output}", 1, "RP2107", "does not hold"),
    "not there": ("no-such-signer {input} {output}", 3, "RP2300", "no-such-signer"),
    "no output": ("openssl {input}", 2, "RP2200", "{output}"),
    "no input": ("openssl {output}", 2, "RP2200", "{input}"),
    "open quote": ("openssl '{input} {output}", 2, "RP2200", "quote"),
}


@each(BAD_SIGNERS)
def bad_signers(case, label):
    need("openssl")
    command, status, error_id, said = BAD_SIGNERS[label]
    signing = Signing(case)
    result = signing.sign("--signer", command.replace("DIR", str(case.dir)), key="ed25519.pub.pem", status=status)
    has(result.err, f"error {error_id}: ", said)
    equal(signing.image.read_bytes(), signing.plain, "the image")


# ---- what is refused, each with an id of its own ----

@test
def damage_and_attacks(case):
    signing = Signing(case)
    signing.refused("RP2806")
    signing.sign("--device-class", "boiler", "--firmware-api", "3..5")
    data, trailer = signing.image.read_bytes(), len(signing.plain) - 96
    code = bytearray(data)
    code[200] ^= 1
    signing.image.write_bytes(code)
    signing.refused("RP2801")
    signing.seal(code, trailer)
    signing.refused("RP2809")
    weights = bytearray(data)
    weights[trailer - 1] ^= 1
    signing.seal(weights, trailer)
    signing.refused("RP2810")
    build_id = bytearray(data)
    build_id[trailer + 60] ^= 1
    signing.seal(build_id, trailer)
    signing.refused("RP2808")
    name = bytearray(data)
    name[data.index(b"boiler") + 1] ^= 1
    signing.image.write_bytes(name)
    signing.refused("RP2812")
    block = bytearray(data)
    block[trailer + 96] ^= 1
    signing.image.write_bytes(block)
    signing.refused("RP2807")
    stripped = bytearray(data[:trailer + 96])
    stripped[trailer + 84:trailer + 88] = bytes(4)
    signing.seal(stripped, trailer)
    signing.refused("RP2806")
    equal(signing.image.read_bytes(), signing.plain, "without its signature, it is the image as it was")
    signing.image.write_bytes(data + b"\0" * 7 + b"x")
    signing.refused("RP2801")
    signing.image.write_bytes(data + b"\xff" * 100)
    signing.verify()


@test
def what_the_device_asks(case):
    need_cryptography()
    signing = Signing(case)
    signing.sign("--device-class", "boiler", "--firmware-api", "3..5")
    has(signing.refused("RP2811", key="ed25519-2.pub.pem"), hashlib.sha256(
        serialization.load_pem_public_key((case.dir / "ed25519.pub.pem").read_bytes()).public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)).hexdigest())
    signing.refused("RP2811", key="p256.pub.pem")
    has(signing.refused("RP2813", "--device-class", "boile"), "the device class 'boiler', not for 'boile'")
    signing.refused("RP2813", "--device-class", "")
    has(signing.refused("RP2814", "--firmware-api", "6"), "3 to 5", "not for 6")
    signing.refused("RP2814", "--firmware-api", "2")
    has(signing.refused("RP2815", "--security-counter", "8"), "counter 7", "8 is the least")
    for words in (("--device-class", "boiler"), ("--firmware-api", "3"), ("--firmware-api", "5"), ("--security-counter", "7"),
                  ("--security-counter", "0"), ("--key", "p256.pub.pem")):
        signing.verify(*words)
    said = json.loads(signing.verify("--json", "--key", "p256.pub.pem").out)
    equal((said["holds"], said["key"], said["model_version"], said["security_counter"], said["device_class"], said["firmware_api"]),
          (True, "ed25519.pub.pem", "1.4.2", 7, "boiler", {"least": 3, "most": 5}), "JSON")


@test
def swapped_weights(case):
    """Weights of another build; and such that were made to look like those of this one."""
    signing = Signing(case, "split")
    signing.sign()
    weights = bytearray(signing.weights.read_bytes())
    trailer = len(weights) - 96
    weights[0] ^= 1
    weights[trailer + 20:trailer + 24] = struct.pack("<I", zlib.crc32(weights[:trailer]))
    weights[trailer + 24:trailer + 56] = hashlib.sha256(weights[:trailer]).digest()
    weights[trailer + 92:] = struct.pack("<I", zlib.crc32(weights[trailer:trailer + 92]))
    right = signing.weights.read_bytes()
    signing.weights.write_bytes(weights)
    signing.refused("RP2810")
    text = case.relocpack("inspect", signing.image, "--weights", signing.weights).out
    has(text, "for this image, OTHER weights")
    has(signing.sign(said=(), key="p256.pem", status=8).err, "RP2810", "--replace")
    signing.weights.write_bytes(right[:-1])
    signing.refused("RP2810")
    signing.weights.write_bytes(right)
    signing.verify()
    more, signing.more = signing.more, ()
    has(signing.refused("RP2904", status=9), "--weights FILE")
    has(signing.sign("--replace", status=9).err, "RP2904", "--weights FILE")
    signing.more = more
    other = Signing(case, "whole")
    has(case.relocpack("sign", other.image, "--weights", signing.weights, "--key", "p256.pem", *SAID, status=9).err, "RP2904")
    (case.dir / "old.c").write_text(MODEL.replace("12}", "13}"))
    case.generate(case.dir / "old.c", "-r", "split", out="old")
    signing = Signing(case, "split")
    has(case.relocpack("sign", signing.image, "--weights", case.dir / "old/old_data.bin", "--key", "p256.pem", *SAID, status=8).err, "RP2801")
    equal(signing.image.read_bytes(), signing.plain, "the image")


# ---- more than one signature ----

@test
def several_signatures(case):
    signing = Signing(case)
    signing.sign()
    first = signing.block()
    signing.sign(key="p256.pem", said=())
    signing.sign(key="ed25519-2.pem", said=("--security-counter", "7"))
    block = signing.block()
    equal((block.s, block.signatures[0], len(block.signatures)), (first.s, first.signatures[0], 3), "the first stays")
    for key in ("ed25519", "p256", "ed25519-2"):
        signing.verify(key=f"{key}.pub.pem")
    signing.refused("RP2811", key="p256-2.pub.pem")
    data = signing.image.read_bytes()
    signing.sign(said=())
    equal(sorted(signing.block().signatures), sorted(block.signatures), "the same key once more")
    signing.image.write_bytes(data)
    signing.sign(key="p256-2.pem", said=())
    case.relocpack("keygen", "--type", "p256", "-o", "fifth.pem")
    has(signing.sign(key="fifth.pem", said=(), status=9).err, "RP2931", "4 signatures")
    data = bytearray(data)
    data[-1] ^= 1  # the third signature is void: the others are enough, and it is said where it is asked
    signing.image.write_bytes(data)
    signing.verify()
    signing.refused("RP2812", key="ed25519-2.pub.pem")
    signing.verify("--key", "p256.pub.pem", key="ed25519-2.pub.pem")


OTHERWISE = {"counter": (("--security-counter", "8"), "security counter '7', not '8'"),
             "version": (("--model-version", "1.4.3"), "model version '1.4.2', not '1.4.3'"),
             "class": (("--device-class", "pump"), "device class 'none', not 'pump'"),
             "api": (("--firmware-api", "1..9"), "firmware API 'none', not '1..9'"),
             "name": (("--name", "other"), "name 'model', not 'other'")}


@each(OTHERWISE)
def signed_otherwise(case, label):
    words, said = OTHERWISE[label]
    signing = Signing(case)
    signing.sign()
    before = signing.image.read_bytes()
    has(signing.sign(key="p256.pem", said=words, status=9).err, "error RP2931: ", said, "--replace")
    equal(signing.image.read_bytes(), before, "the image")
    has(signing.sign("--replace", key="p256.pem", said=words, status=2).err, "needs --")
    signing.sign("--replace", key="p256.pem", said=(*SAID, *words))
    equal(len(signing.block().signatures), 1, "signatures")
    signing.refused("RP2811")


# ---- words and files ----

WORDS = {"no version": (("--security-counter", "1"), "needs --model-version"), "nothing": ((), "--model-version X.Y.Z and --security-counter N"),
         "version": ((*SAID, "--model-version", "1.4"), "'1.4' is not a version"), "counter": ((*SAID, "--security-counter", "-1"), "'-1'"),
         "large": ((*SAID, "--security-counter", "4294967296"), "4294967296"), "api": ((*SAID, "--firmware-api", "5..3"), "5..3"),
         "apis": ((*SAID, "--firmware-api", "1..2..3"), "1..2..3"), "class": ((*SAID, "--device-class", "x" * 33), "1 to 32 bytes"),
         "line": ((*SAID, "--device-class", "a\nb"), "without control"),
         "direction": ((*SAID, "--name", "model\u202enib"), "without control"), "unseen": ((*SAID, "--name", "mo\u200bdel"), "without control"),
         "unseen class": ((*SAID, "--device-class", "a\ufeff"), "without control"), "empty": ((*SAID, "--name", ""), "1 to 64 bytes"),
         "output": ((*SAID, "-o", "ed25519.pem"), "an input"), "environment": ((*SAID, "--signer", "x {input} {output}", "--pass-env", "A=B"), "A=B")}


@each(WORDS)
def wrong_words(case, label):
    words, said = WORDS[label]
    signing = Signing(case)
    key = "ed25519.pub.pem" if "--signer" in words else "ed25519.pem"
    before = kit.snapshot(case.dir)
    has(signing.sign(said=words, key=key, status=2).err, "error RP2200: ", said)
    equal(kit.snapshot(case.dir), before, "files")


@test
def bytes_that_belong_to_nothing(case):
    """Bytes after the trailer or the signature: inspect names them, sign and verify-signature refuse them; erased memory may follow."""
    signing = Signing(case)
    for signed in (False, True):
        if signed:
            signing.sign()
        whole = signing.image.read_bytes()
        for more, stray in ((b"x" * 8, 8), (bytes(8), 0), (b"\xff" * 8, 0), (b"\xff" * 7 + b"x", 8)):
            file = case.write("more.bin", whole + more)
            said = json.loads(case.relocpack("inspect", file, "--json").out)
            equal(said.get("stray_bytes", 0), stray, "JSON")
            equal("belong to nothing" in case.relocpack("inspect", file).out, stray != 0, "text")
            if signed:
                result = case.relocpack("verify-signature", file, "--key", "ed25519.pub.pem", status=8 if stray else 0)
                equal("8 bytes after its trailer" in result.err, stray != 0, "verify-signature")


@test
def the_last_counter(case):
    """It is taken, and said to be the last one."""
    signing = Signing(case)
    has(signing.sign(said=("--model-version", "1.4.2", "--security-counter", "4294967295")).err, "warning RP1080: 4294967295 is the highest security counter")
    signing.verify()
    has_not(signing.sign("--replace", said=("--model-version", "1.4.2", "--security-counter", "4294967294")).err, "RP1080")


@test
def images_that_cannot_be_signed(case):
    signing = Signing(case)
    plain, size = signing.plain, len(signing.plain)
    for data, status, said in ((plain[:-96], 9, "no integrity trailer"), (plain[:-1], 8, "RP2801"), (plain[:50], 9, "RP2905"), (plain + b"x" * 8, 8, "RP2801"),
                               (b"", 9, "empty"), (b"\x7fELF" + bytes(200), 9, "RP2905")):
        signing.image.write_bytes(data)
        has(signing.sign(status=status).err, said)
        equal(signing.image.read_bytes(), data, "the image")
    signing.image.unlink()
    has(signing.sign(status=9).err, "image.bin")
    check(size > 96, "size")


@test
def where_it_is_written(case):
    signing = Signing(case)
    signing.sign("-o", case.dir / "other.bin")
    equal(signing.image.read_bytes(), signing.plain, "the image stays")
    to_pipe = signing.sign("-o", "-")
    equal(to_pipe.raw_out, (case.dir / "other.bin").read_bytes(), "the standard output")
    has(to_pipe.err, "signed by ed25519.pem")
    os.chmod(signing.image, 0o640)
    (case.dir / "link.bin").symlink_to("image.bin")
    case.relocpack("sign", "link.bin", "--key", "ed25519.pem", *SAID)
    check((case.dir / "link.bin").is_symlink(), "a link stays one")
    equal(signing.image.read_bytes(), to_pipe.raw_out, "what the link leads to")
    equal(signing.image.stat().st_mode & 0o777, 0o640, "mode")
    has(signing.sign("-o", "/dev/full", status=1).err, "RP2101")
    has(case.relocpack("sign", "--key", "ed25519.pem", *SAID, status=2).err, "takes one image")
    has(case.relocpack("sign", "image.bin", *SAID, status=2).err, "--key")
    has(case.relocpack("verify-signature", "image.bin", status=2).err, "--key")


# ---- every reader takes it as before ----

@each(["whole", "split", "npu"])
def inspect_shows_it(case, kind):
    signing = Signing(case, kind)
    before = json.loads(case.relocpack("inspect", signing.image, *signing.more, "--json").out)
    check("signature" not in before, "not signed")
    signing.sign("--device-class", "\u00e9lan \u2013 1")
    signing.sign(key="p256.pem", said=())
    after = json.loads(case.relocpack("inspect", signing.image, *signing.more, "--json").out)
    said = after.pop("signature")
    equal(after.pop("file_size_bytes") - before.pop("file_size_bytes"), said["size_bytes"], "size")
    equal(after, before, "the rest")
    equal((said["well_formed"], said["image_matches"], said["weights_match"], said["model_version"], said["device_class"]),
          (True, True, True, "1.4.2", "\u00e9lan \u2013 1"), "JSON")
    equal([row["type"] for row in said["signatures"]], ["ed25519", "p256"], "signatures")
    text = case.relocpack("inspect", signing.image, *signing.more).out
    has(text, "for this image, these weights", f"model        {said['model_name']} 1.4.2\n", "counter      7\n", "device class \u00e9lan \u2013 1\n",
        f"signed by    Ed25519, key {said['signatures'][0]['key_hash']}\n", said["signatures"][1]["key_hash"])
    if kind == "split":
        has(case.relocpack("inspect", signing.image).out, "weights not looked at")
    data = bytearray(signing.image.read_bytes())
    data[len(signing.plain)] ^= 1
    signing.image.write_bytes(data)
    has(case.relocpack("inspect", signing.image).out, "damaged, or of another version")
    equal(json.loads(case.relocpack("inspect", signing.image, "--json").out)["signature"]["well_formed"], False, "well_formed")


@each(["whole", "split"])
def it_runs(case, kind):
    """On the emulator, by the loader as it is: in place and copied; and all that reads an image or its report."""
    need(kit.QEMU)
    words = ("-r", "split") if kind == "split" else ()
    case.generate(EXAMPLES / "digits/digits_float.json", *words, target="stm32h7")
    image, weights = case.dir / "out/digits_float_rel.bin", case.dir / "out/digits_float_data.bin"
    more = ("--weights", weights) if words else ()
    (case.dir / "plain").mkdir()
    (case.dir / "plain/digits_float_rel.bin").write_bytes(image.read_bytes())
    case.relocpack("keygen", "--type", "p256", "-o", "k.pem")
    case.relocpack("sign", image, *more, "--key", "k.pem", *SAID)
    said = json.loads(case.verify(image, "--json").out)
    equal(sorted({run["mode"] for run in said["runs"]}), ["COPY", "XIP"], "modes")
    has(case.verify(image).out, "12 of 12 runs bit-identical")
    has(case.relocpack("run", image, "--board", "mps2-an500").out, "digits_float")
    report = case.dir / "out/digits_float_generate_rel.json"
    changed = json.loads(case.relocpack("diff", case.dir / "plain/digits_float_rel.bin", image, "--format", "json").out)
    grown = {row["name"]: row["change"] for row in changed["comparisons"][0]["memory"] if row["change"]}
    equal(set(grown), {"image"} if words else {"image", "flash"}, "what a signature makes larger")
    equal(set(grown.values()), {struct.unpack_from("<I", reader.Image(image.read_bytes(), weights.read_bytes() if words else None).data,
                                                   (case.dir / "plain/digits_float_rel.bin").stat().st_size - 12)[0]}, "by its bytes")
    case.relocpack("sbom", report)
    case.relocpack("report", report, "--html", "page.html")
    case.relocpack("verify-signature", image, *more, "--key", "k.pub.pem")


@test
def large_images(case):
    """A signature is over hashes: the size of the image does not matter."""
    case.write("model.c", "static const unsigned char weights[9000000] = {1};\nvoid model(const float x[1], float y[1]);\n"
               "void model(const float x[1], float y[1]) { y[0] = x[0] + weights[(int)x[0] & 1048575]; }\n")
    case.generate(case.dir / "model.c")
    case.relocpack("keygen", "--type", "ed25519", "-o", "k.pem")
    image = case.dir / "out/model_rel.bin"
    size = image.stat().st_size
    case.relocpack("sign", image, "--key", "k.pem", *SAID)
    check(size > 9000000 and image.stat().st_size - size < 400, "size of the signature")
    case.relocpack("verify-signature", image, "--key", "k.pub.pem")


@test
def what_explain_says(case):
    for number in (2107, *range(2806, 2816), 2930, 2931):
        has(case.relocpack("explain", f"RP{number}").out, f"RP{number}")
