#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Networks in the layout of the atonn compiler's output, for the stand-in of the LL_ATON pack.

usage: npu_networks.py FOLDER [KEY=VALUE...]     (keys: the fields of Options; --list prints presets)

generate() writes <name>.c, <name>.h, <name>_ecblobs.h and <name>_atonbuf.<postfix>.raw and returns a
Network, which knows the pools, the labels and, by expected(), what the model must answer: computed
here, from the same weights, without any of the C. pack() copies the stand-in as another release.

The model, on signed bytes with channels last (sizes in brackets; both C and Python round halves up):

  x [6,6,2] -> conv 3x3, relu -> c1 [4,4,4] -> conv 1x1 -> c2 [4,4,4]     engine epochs 1, 2
  concat(c1, c2) -> cat [4,4,8]                                           hybrid epoch 3
  cat + constant -> sum; sigmoid(sum) -> act                              software epochs 4, 5
  dense(act) -> y [10]; with outputs=2 also c1 + c2 -> z [4,4,4]          engine epochs 6, 7
"""
import dataclasses
import math
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys

FIXTURES = pathlib.Path(__file__).resolve().parent.parent / "fixtures" / "npu"
LL_ATON = "Middlewares/ST/AI/Npu/ll_aton"
V111, V113_8, V113 = (1, 1, 1, 14), (1, 1, 3, 8), (1, 1, 3, 275)
REVISION = "57a4d100"
ARCHIVE = "Middlewares/ST/AI/Lib/GCC/ARMCortexM55/NetworkRuntime1100_CM55_GCC_PIC.a"
ARCHIVE_FLAGS = """-mthumb -mcpu=cortex-m55 -mfpu=fpv4-sp-d16 -mfloat-abi=hard -fpic
    -mno-pic-data-is-text-relative -msingle-pic-base -mpic-register=r9 -Os -ffunction-sections
    -fdata-sections -fno-builtin -fno-math-errno""".split()
EC_MAGIC, BLOB_MAGIC = {False: 0xECBF0030, True: 0xECBF0050}, 0xCA057A7A
EC_END, EC_STREAM_IN, EC_STREAM_OUT, EC_CONVACC, EC_RUN, EC_NOP = range(6)
CONV, ADD = 0, 2
IN, WEIGHTS, BIAS, OUT = 0, 1, 2, 9  # stream engines of every epoch
RO_OFFSET, RW_OFFSET = 0x70000000, 0x90000000  # where compilers say that relative pools are
POOL_BYTES = 0x1000

# Which pool holds what: x and y, the activations, the first and the second half of the parameters.
PRESETS = {
    "flash": dict(io="AXISRAM5", acts="AXISRAM5", params="xSPI2"),
    "ext": dict(io="xSPI1", acts="xSPI1", params="xSPI2"),
    "ext_mixed": dict(io="xSPI1", acts="xSPI1", params="xSPI1"),
    "both_params": dict(io="AXISRAM5", acts="xSPI1", params="xSPI2", params2="xSPI1"),
    "internal": dict(io="AXISRAM5", acts="AXISRAM5", params="AXISRAM5"),
    "internal_two": dict(io="AXISRAM5", acts="AXISRAM6", params="AXISRAM6", params2="AXISRAM5"),
    "internal_ro": dict(io="AXISRAM5", acts="AXISRAM5", params="AXIROM"),
    "virtual": dict(io="AXISRAM5", acts="AXISRAM3", acts2="AXISRAM4", params="xSPI2",
                    cat="AXISRAM3_AXISRAM4"),
    "mix": dict(io="AXISRAM5", acts="xSPI1", acts2="AXISRAM5", params="xSPI2", params2="AXISRAM6"),
}
# index, postfix, name, access; in the order of the compiler's comments
POOLS = ((8, "xSPI2", "octoFlash", "READ_ONLY"), (7, "xSPI1", "hyperRAM", "READ_WRITE"),
         (1, "AXISRAM5", "npuRAM5", "READ_WRITE"), (2, "AXISRAM4", "npuRAM4", "READ_WRITE"),
         (3, "AXISRAM3", "npuRAM3", "READ_WRITE"), (0, "AXISRAM6", "npuRAM6", "READ_WRITE"),
         (11, "AXISRAM3_AXISRAM4", "npuRAM3_npuRAM4", "READ_WRITE"),
         (4, "AXISRAM2", "cpuRAM2", "READ_WRITE"), (9, "AXIROM", "axiROM", "READ_ONLY"))


@dataclasses.dataclass
class Options:
    name: str = "network"
    seed: int = 1
    pools: str = "flash"          # of PRESETS
    version: tuple = V111         # of LL_ATON; the pack must be the same (pack())
    form: str = "new"             # of the buffer tables; "old": addr_start/addr_end, cannot be compiled
    epoch_controller: bool = False
    bounds: str = ""              # of blob arrays: "explicit", "implicit", "" as the release does
    user_inputs: bool = False     # allocated by the user
    user_outputs: bool = False
    outputs: int = 1              # or 2
    internal: str = "full"        # table of internal buffers: "full", "none" (NULL), "missing"
    params_info: bool = True      # False: as if without --all-buffers-info
    shuffle: int = 0              # not 0: seed of another order of the labels and pools
    cacheable: tuple = ("xSPI1", "xSPI2")  # postfixes of pools with cacheable=ON
    unused: bool = True           # comments of pools that nothing lies in
    base: int = 0x64000000        # of the absolute pools
    sections: bool = False        # parameters do not start at offset 0 of a pool with activations
    whole: bool = False           # initialisers are as long as the used pool, zeros where activations are


@dataclasses.dataclass(eq=False)
class Pool:
    index: int
    postfix: str
    name: str
    access: str
    offset: int
    capacity: int
    cacheable: bool
    tensors: list = dataclasses.field(default_factory=list)

    @property
    def relative(self):
        return self.postfix.startswith("xSPI")

    @property
    def virtual(self):
        return "_" in self.postfix

    def label(self, network):
        return f"_mem_pool_{self.postfix}_{network}"

    @property
    def start(self):
        return min(tensor.start for tensor in self.tensors)

    @property
    def end(self):
        return max((tensor.end for tensor in self.tensors), default=0)

    @property
    def used(self):
        return self.end - self.start if self.tensors else 0

    @property
    def has_params(self):
        return any(tensor.param for tensor in self.tensors)

    @property
    def has_activations(self):
        return any(not tensor.param for tensor in self.tensors)

    @property
    def kind(self):
        """Type and data of the descriptor, as image-format.md 3.3 says."""
        data = "MIXED" if self.has_params and (self.has_activations or not self.access.endswith("ONLY")
                                               ) else "PARAM" if self.has_params else "ACTIV"
        return ("RELOC" if self.relative else "COPY" if self.has_params else "RESET"), data


@dataclasses.dataclass(eq=False)
class Tensor:
    name: str
    shape: tuple               # channels last
    kind: str = "INT8"         # or INT32, FLOAT
    data: bytes = b""          # of a parameter
    epoch: int = 0
    pool: Pool = None          # None: allocated by the user
    user: str = ""             # the pointer to what the user allocated
    start: int = 0

    @property
    def param(self):
        return bool(self.data)

    @property
    def bits(self):
        return 8 if self.kind == "INT8" else 32

    @property
    def size(self):
        return math.prod(self.shape) * self.bits // 8

    @property
    def end(self):
        return self.start + self.size


@dataclasses.dataclass
class Layer:
    """An operation of the engine; expected() interprets it, too."""
    number: int
    name: str
    operation: int
    streams: tuple             # in, weights, bias, out
    shift: int = 0
    relu: bool = False
    kernel: tuple = (1, 1)
    flat: bool = False         # a dense layer: all of the input is one position

    @property
    def extent(self):
        """Height, width and channels of the input."""
        source = self.streams[0]
        return (1, 1, source.size) if self.flat else source.shape

    def words(self):
        """LL_Convacc_InitTypeDef."""
        out = self.streams[3]
        height, width, channels = self.extent
        return struct.unpack("<5I", struct.pack(
            "<4B6H4B", self.operation, self.shift, self.relu, 1, height, width, channels,
            out.shape[-1], *self.kernel, IN, WEIGHTS, BIAS, OUT))

    def run(self, values):
        a, b = values[self.streams[0].name], values[self.streams[1].name]
        if self.operation == ADD:
            return [saturate(p + q) for p, q in zip(a, b)]
        bias = values[self.streams[2].name]
        out = self.streams[3]
        height, width, channels = self.extent
        rows, columns = self.kernel
        result = []
        for y in range(height - rows + 1):
            for x in range(width - columns + 1):
                for c in range(out.shape[-1]):
                    total = bias[c]
                    for i in range(rows):
                        for j in range(columns):
                            for k in range(channels):
                                weight = b[((c * rows + i) * columns + j) * channels + k]
                                total += weight * a[((y + i) * width + x + j) * channels + k]
                    if self.shift:
                        total = (total + (1 << self.shift - 1)) >> self.shift
                    result.append(saturate(max(total, 0) if self.relu else total))
        return result


def saturate(value):
    return max(-128, min(127, value))


def signed(data):
    return [byte - 256 if byte > 127 else byte for byte in data]


def quantised_sigmoid(value):
    """Of value / 16, in steps of 1/256 from -128; far from a tie, so that floats do as well."""
    exact = 256 / (1 + math.exp(-value / 16))
    assert abs(exact % 1 - 0.5) > 1e-3, "a tie: choose another scale"
    return saturate(math.floor(exact + 0.5) - 128)


class Network:
    """A model, where its tensors lie, and what it answers."""

    def __init__(self, options):
        self.options, self.name = options, options.name
        if options.pools not in PRESETS:
            raise ValueError(f"pools: {options.pools}")
        self.place = PRESETS[options.pools]
        self.pools = [self.make_pool(*row) for row in POOLS]
        self.by_postfix = {pool.postfix: pool for pool in self.pools}
        self.make_tensors(random.Random(options.seed))
        self.allocate()
        self.layers = self.make_layers()
        self.folder = None

    # ---- the model ----

    def make_pool(self, index, postfix, name, access):
        base = self.options.base
        offsets = {"xSPI2": RO_OFFSET, "xSPI1": RW_OFFSET, "AXIROM": base + 0x10 * POOL_BYTES}
        digit = re.search(r"AXISRAM(\d)", postfix)
        offset = offsets[postfix] if postfix in offsets else base + int(digit[1]) * POOL_BYTES
        capacity = 0x4000000 if postfix.startswith("xSPI") else POOL_BYTES * (1 + ("_" in postfix))
        return Pool(index, postfix, name, access, offset, capacity, postfix in self.options.cacheable)

    def make_tensors(self, rng):
        def weights(name, count):
            values = [rng.randint(-24, 24) for _ in range(count)]
            return Tensor(name, (count,), data=struct.pack(f"{count}b", *values))

        def biases(name, count):
            values = [rng.randint(-400, 400) for _ in range(count)]
            return Tensor(name, (count,), "INT32", data=struct.pack(f"<{count}i", *values))
        scale = lambda name, value: Tensor(name, (1,), "FLOAT", data=struct.pack("<f", value))
        zero = lambda name, value: Tensor(name, (1,), data=struct.pack("b", value))
        self.x = Tensor("Input_0_out_0", (6, 6, 2))
        self.c1 = Tensor("Conv2D_1_out_0", (4, 4, 4), epoch=1)
        self.c2 = Tensor("Conv2D_2_out_0", (4, 4, 4), epoch=2)
        self.cat = Tensor("Concat_3_out_0", (4, 4, 8), epoch=3)
        self.sum = Tensor("Eltwise_4_out_0", (4, 4, 8), epoch=4)
        self.act = Tensor("Sigmoid_5_out_0", (4, 4, 8), epoch=5)
        self.y = Tensor("Gemm_6_out_0", (10,), epoch=6)
        self.z = Tensor("Add_7_out_0", (4, 4, 4), epoch=7)
        self.inputs = [self.x]
        self.outputs = [self.y, self.z][:self.options.outputs]
        self.internals = [self.c1, self.c2, self.cat, self.sum, self.act]
        self.params = [
            weights("Conv2D_1_weights", 4 * 9 * 2), biases("Conv2D_1_bias", 4),
            weights("Conv2D_2_weights", 4 * 4), biases("Conv2D_2_bias", 4),
            weights("Eltwise_4_param", 128), scale("Sigmoid_5_is", 1 / 16), zero("Sigmoid_5_izp", 0),
            scale("Sigmoid_5_os", 1 / 256), zero("Sigmoid_5_ozp", -128),
            weights("Gemm_6_weights", 10 * 128), biases("Gemm_6_bias", 10)]
        self.param = {tensor.name: tensor for tensor in self.params}

    def make_layers(self):
        p = self.param
        layers = [
            Layer(1, "Conv2D_1", CONV, (self.x, p["Conv2D_1_weights"], p["Conv2D_1_bias"], self.c1),
                  8, True, (3, 3)),
            Layer(2, "Conv2D_2", CONV, (self.c1, p["Conv2D_2_weights"], p["Conv2D_2_bias"], self.c2),
                  5),
            Layer(6, "Gemm_6", CONV, (self.act, p["Gemm_6_weights"], p["Gemm_6_bias"], self.y), 8,
                  flat=True)]
        if self.options.outputs == 2:
            layers.append(Layer(7, "Add_7", ADD, (self.c1, self.c2, None, self.z)))
        return layers

    def expected(self, data):
        """The outputs, a list of bytes, for the bytes of the input."""
        values = {self.x.name: signed(data)}
        for tensor in self.params:
            values[tensor.name] = (signed(tensor.data) if tensor.kind == "INT8" else
                                   struct.unpack(f"<{tensor.shape[0]}i", tensor.data)
                                   if tensor.kind == "INT32" else [])
        for layer in self.layers[:2]:
            values[layer.streams[3].name] = layer.run(values)
        c1, c2 = values[self.c1.name], values[self.c2.name]
        cat = [value for i in range(0, 64, 4) for value in c1[i:i + 4] + c2[i:i + 4]]
        total = [saturate(a + b) for a, b in zip(cat, values["Eltwise_4_param"])]
        values[self.act.name] = [quantised_sigmoid(value) for value in total]
        for layer in self.layers[2:]:
            values[layer.streams[3].name] = layer.run(values)
        return [struct.pack(f"{tensor.size}b", *values[tensor.name]) for tensor in self.outputs]

    def input_data(self, seed=0):
        rng = random.Random(1000 + seed)
        return bytes(rng.randrange(256) for _ in range(self.x.size))

    # ---- memory ----

    def put(self, tensor, postfix, align=16, at=None):
        pool = self.by_postfix[postfix]
        place = (pool.end if at is None else at) + align - 1 & ~(align - 1)
        if pool.virtual:
            place = at
        tensor.pool, tensor.start = pool, place
        pool.tensors.append(tensor)
        assert pool.end <= pool.capacity, f"{tensor.name}: {postfix} is full"

    def allocate(self):
        place, options = self.place, self.options
        late = []
        for i, tensor in enumerate(self.params):
            half = "params2" if i >= len(self.params) // 2 and "params2" in place else "params"
            late.append((tensor, place[half]))
        acts = [(tensor, place["acts2"] if i % 2 and "acts2" in place else place["acts"])
                for i, tensor in enumerate(self.internals)]
        for tensors, user, word in ((self.inputs, options.user_inputs, "input"),
                                    (self.outputs, options.user_outputs, "output")):
            for i, tensor in enumerate(tensors):
                if user:
                    tensor.user = f"_mem_pool__user_io_{word}_{i}_{self.name}"
                else:
                    acts.append((tensor, place["io"]))
        if "cat" in place:  # across the border of two pools, whose own tensors keep away from it
            acts = [(tensor, postfix) for tensor, postfix in acts if tensor is not self.cat]
            self.put(self.cat, place["cat"], at=POOL_BYTES - 48)
            self.put(self.c2, "AXISRAM4", at=0x200)
            acts = [(tensor, postfix) for tensor, postfix in acts if tensor is not self.c2]
        for tensor, postfix in acts + late if options.sections else late + acts:
            self.put(tensor, postfix, 32 if tensor in self.inputs + self.outputs else 16)

    def raw(self, pool):
        """The initialiser: from offset 0 of the pool to the end of its last parameter, or of the used pool."""
        last = max(tensor.end for tensor in pool.tensors if tensor.param)
        image = bytearray(pool.end if self.options.whole else last + 15 & ~15)
        for tensor in pool.tensors:
            if tensor.param:
                image[tensor.start:tensor.end] = tensor.data
        return bytes(image)

    @property
    def raws(self):
        """Postfix -> bytes of the initialiser."""
        return {pool.postfix: self.raw(pool) for pool in self.pools if pool.has_params}

    @property
    def labels(self):
        """Label -> pool, for the relative pools in use."""
        return {pool.label(self.name): pool for pool in self.pools if pool.relative and pool.tensors}

    # ---- C expressions ----

    @property
    def late(self):
        """A release whose epoch functions take the instance."""
        return self.options.version[2:] >= (3, 262)

    def base_of(self, tensor):
        """The initialiser of addr_base, without braces."""
        if tensor.user:
            return f"((unsigned char *)&{tensor.user})"
        if tensor.pool.relative:
            return ("(unsigned char *)ATON_LIB_VIRTUAL_TO_PHYSICAL_ADDR((uintptr_t)"
                    f"{tensor.pool.label(self.name)})")
        text = f"0x{tensor.pool.offset:08x}UL"
        return f"(unsigned char *)({text}) /* Equivalent hex address = {text} */"

    def address_of(self, tensor):
        """An integer expression."""
        if tensor.user:
            return f"(((uintptr_t)({tensor.user})) + 0)"
        if tensor.pool.relative:
            return ("((uintptr_t)(ATON_LIB_PHYSICAL_TO_VIRTUAL_ADDR(((uintptr_t)"
                    f"{tensor.pool.label(self.name)}) + {tensor.start})))")
        return ("((uintptr_t)(ATON_LIB_PHYSICAL_TO_VIRTUAL_ADDR("
                f"0x{tensor.pool.offset:08x}UL + {tensor.start})))")

    def pointer_to(self, tensor):
        return f"((unsigned char *)({self.address_of(tensor)}))"

    def addresses(self, tensor):
        """The members of a buffer description, or of a stream, that say where it lies."""
        limit = tensor.end + 64
        if self.options.form == "new":
            return (f"      .addr_base = {{{self.base_of(tensor)}}},\n"
                    f"      .offset_start = {tensor.start},\n      .offset_end = {tensor.end},\n"
                    f"      .offset_limit = {limit},\n")
        base = (f"(uintptr_t)({tensor.user})" if tensor.user else
                f"(uintptr_t)({tensor.pool.label(self.name)})" if tensor.pool.relative else
                f"0x{tensor.pool.offset:08x}UL")
        return "".join(f"      .addr_{which} = {{((unsigned char *)({base} + {value}))}},\n" for
                       which, value in (("start", tensor.start), ("end", tensor.end), ("limit", limit)))

    # ---- the C file ----

    def banner(self):
        options, number = self.options, "{}.{}.{}-{}".format(*self.options.version)
        lines = [f'--load-mpool-file = "mpools/{options.pools}"', "--cache-maintenance = true",
                 "--enable-virtual-mem-pools = true", "--native-float = true"]
        lines += ["--enable-epoch-controller = true"] if options.epoch_controller else []
        lines += [f'--onnx-input = "{self.name}.onnx"', f'--network-name = "{self.name}"']
        lines += ["--all-buffers-info = true"] if options.params_info else []
        return ("/* AUTOGENERATED by npu_networks.py */\n\n/*\n"
                f' * GIT_SHA         "{REVISION * 5}"\n * GIT_BRANCH      "standin"\n'
                f' * GIT_DESCRIPTION "atonn-v{number}-g{REVISION}"\n *\n * Command Line options:\n'
                + "".join(f" * {line}\n" for line in lines) + " */\n\n")

    def includes(self):
        version = self.options.version
        names = ["ll_aton_NN_interface.h", "ll_aton.h", "ll_aton_lib.h", "ll_aton_version.h", "ll_sw.h"]
        names += ["ecloader.h"] if self.options.epoch_controller else []
        names += ["ll_aton_cipher.h"] if version[2] >= 3 else []
        test = " || ".join(f"LL_ATON_VERSION_{part} != {value}" for part, value in
                           zip(("MAJOR", "MINOR", "MICRO", "DEV"), version))
        return ("".join(f'#include "{name}"\n' for name in names) + f"\n#if {test}\n"
                f"#  {'error' if version[2] >= 3 else 'warning'} "
                '"Possible mismatch in ll_aton library used"\n#endif\n\n'
                "#if !defined(LL_ATON_DBG_BUFFER_INFO_EXCLUDED)\n"
                "#  define LL_ATON_DBG_BUFFER_INFO_EXCLUDED 0\n#endif\n\n")

    def declared(self, pool):
        """Bytes of a pool's comment: what virtual pools have in it counts, as with the compiler."""
        spans = [(pool.offset + tensor.start, pool.offset + tensor.end) for tensor in pool.tensors]
        if not pool.virtual and not pool.relative:
            top = pool.offset + pool.capacity
            shared = [(other.offset + tensor.start, other.offset + tensor.end)
                      for other in self.pools if other.virtual for tensor in other.tensors]
            spans += [(max(start, pool.offset), min(end, top))
                      for start, end in shared if start < top and end > pool.offset]
        return max(span[1] for span in spans) - min(span[0] for span in spans) if spans else 0

    def pool_comments(self):
        options = self.options
        pools = [pool for pool in self.pools
                 if self.declared(pool) or (options.unused and not pool.virtual)]
        externs = []
        if options.shuffle:
            random.Random(options.shuffle).shuffle(pools)
        text = ""
        for pool in pools:
            used = self.declared(pool)
            size = f"{used / 1024:.2f} KB" if used else "?"
            text += (f"/* global pool {pool.index} is {size} */\n"
                     f"/* index={pool.index} file postfix={pool.postfix} name={pool.name} "
                     f"offset=0x{pool.offset:x}  {'relative' if pool.relative else 'absolute'}_mode "
                     f"size={pool.capacity}{' vpool' if pool.virtual else ''} {pool.access} "
                     "THROUGHPUT=MID LATENCY=HIGH byte width=2 freq ratio=5 burst max length=MAXINT "
                     "burst penalty=0 pipelined=ON "
                     f"cacheable={'ON' if pool.cacheable else 'OFF'} read_power=110 write_power=400 "
                     "use4initializers=YES score=50  */\n")
            if pool.relative and pool.tensors:
                extern = f"extern unsigned char {pool.label(self.name)}[]; /* [{pool.end}]; */\n"
                externs.append(extern)
                text += "" if options.shuffle else extern
        if options.shuffle:  # all labels behind all comments, in another order than theirs
            text += "".join(reversed(externs))
        return text + "\n"

    def encryption(self):
        if self.options.version[2] < 3:
            return ""
        return "".join(
            f"const LL_Streng_EncryptionTypedef *LL_ATON_{what}Encryption_Info_{self.name}(void)\n{{\n"
            "  static const LL_Streng_EncryptionTypedef LL_Streng_EncryptionStruct = {\n"
            "    .enable = 0,\n  };\n\n  return &LL_Streng_EncryptionStruct;\n}\n\n"
            for what in ("Weight", "Blob"))

    def user_io(self):
        text = ""
        for word, tensors in (("Input", self.inputs), ("Output", self.outputs)):
            for tensor in tensors:
                if tensor.user:
                    text += (f"/* User {word} allocated buffer size {tensor.size} */\n"
                             f"static unsigned char *{tensor.user} = NULL; "
                             f"/* tensor name {tensor.name} */\n\n")
        for word, tensors in (("Input", self.inputs), ("Output", self.outputs)):
            text += self.setter(word, tensors) + self.getter(word, tensors)
        return text

    def setter(self, word, tensors):
        text = (f"LL_ATON_User_IO_Result_t LL_ATON_Set_User_{word}_Buffer_{self.name}"
                "(uint32_t num, void* buffer, uint32_t size)\n{\n  LL_ATON_LIB_UNUSED(num);\n"
                "  LL_ATON_LIB_UNUSED(buffer);\n  LL_ATON_LIB_UNUSED(size);\n\n")
        for i, tensor in enumerate(tensors):
            if tensor.user:
                text += (f"  if (num == {i}) {{\n    if (((uintptr_t)buffer % 32) != 0)\n"
                         "      return LL_ATON_User_IO_WRONG_ALIGN;\n"
                         f"    if (size < {tensor.size})\n      return LL_ATON_User_IO_WRONG_SIZE;\n"
                         f"    {tensor.user} = buffer;\n    return LL_ATON_User_IO_NOERROR;\n  }} else\n")
        return text + "  { \n    return LL_ATON_User_IO_WRONG_INDEX;\n  }\n}\n\n"

    def getter(self, word, tensors):
        text = (f"void *LL_ATON_Get_User_{word}_Buffer_{self.name}(uint32_t num)\n{{\n"
                "  LL_ATON_LIB_UNUSED(num);\n\n")
        for i, tensor in enumerate(tensors):
            if tensor.user:
                text += f"  if (num == {i}) {{\n    return {tensor.user};\n  }} else\n"
        return text + "  { \n    return NULL;\n  }\n}\n\n"

    def epoch_head(self, what, number):
        arguments = ("const LL_ATON_RT_EpochBlockItem_t *epoch_block, const NN_Instance_TypeDef "
                     "*nn_instance" if self.late else "const void *epoch_block")
        unused = "  LL_ATON_LIB_UNUSED(epoch_block);\n"
        unused += "  LL_ATON_LIB_UNUSED(nn_instance);\n" if self.late else ""
        return f"static void LL_ATON_{what}_EpochBlock_{number}({arguments})\n{{\n{unused}\n"

    def cache(self, operation, tensor):
        """Cache maintenance of whole lines around a tensor."""
        size = tensor.size + 31 & ~31
        return f"  LL_ATON_Cache_{operation}_Range({self.address_of(tensor)}, {size});\n\n"

    def stream(self, layer, tensor, unit):
        out = unit == OUT
        name = f"{layer.name}_dma_init_{'out' if out else 'in'}_{unit}_{layer.number}"
        if tensor.user:
            place = (f"    .addr_base = {{(unsigned char *)({tensor.user})}},\n"
                     f"    .offset_start = 0,\n    .offset_end = {tensor.size},\n")
        else:
            place = (f"    .addr_base = {{{self.base_of(tensor)}}}, /* {tensor.name} */\n"
                     f"    .offset_start = {tensor.start},\n    .offset_end = {tensor.end},\n")
        return (f"  /* Emit conf for STREAM_ENG_V2 node={layer.name} "
                f"{'output' if out else 'input'} ports=0 range=1[{tensor.start},{tensor.end}] */\n"
                f"  {'' if tensor.user else 'static '}const LL_Streng_TensorInitTypeDef {name} = {{\n"
                f"    .dir = {int(out)},\n{place}    .offset_limit = {tensor.end + 64},\n  }};\n\n"
                f"  LL_Streng_TensorInit({unit}, &{name}, 1);\n\n")

    def engine_epoch(self, layer):
        n, out = layer.number, layer.streams[3]
        words = struct.unpack("<4B6H4B", struct.pack("<5I", *layer.words()))
        names = ("operation shift relu stride in_height in_width in_channels out_channels "
                 "kernel_height kernel_width in weights bias out").split()
        text = (f"/* scheduling epoch={n} */\n\n" + self.epoch_head("Start", n)
                + f"  /* Unit= 10 [CONV_ACC_V2 0] */\n  /* kind=Conv node={layer.name} */\n"
                + f"  static const LL_Convacc_InitTypeDef {layer.name}_init{n} = {{\n"
                + "".join(f"    .{name} = {word},\n" for name, word in zip(names, words))
                + f"  }};\n\n  LL_Convacc_Init(0, &{layer.name}_init{n});\n\n")
        for unit, tensor in zip((IN, WEIGHTS, BIAS, OUT), layer.streams):
            if tensor is not None:
                text += self.stream(layer, tensor, unit)
        text += self.cache("MCU_Invalidate", out)
        units = "    { {CONVACC, 0} },\n    { {STRENG, 9} },\n"
        text += (f"  static const LL_ATON_EnableUnits_InitTypeDef Enable_epoch_{n}_all_units[] = {{\n"
                 f"{units}  }};\n\n  LL_ATON_EnableUnits_Init(Enable_epoch_{n}_all_units, 2);\n}}\n\n")
        text += self.epoch_head("End", n)
        text += (f"  static const LL_ATON_DisableUnits_InitTypeDef Disable_epoch_{n}_all_units[] = {{\n"
                 f"{units}  }};\n\n  LL_ATON_DisableUnits_Init(Disable_epoch_{n}_all_units, 2);\n")
        if out.pool and out.pool.cacheable:
            text += self.cache("NPU_Clean", out)
        return text + "}\n\n"

    def concat_epoch(self):
        prefix = "Concat_3_tensor_info"
        text = "/* scheduling epoch=3 */\n\n" + self.epoch_head("End", 3)
        for way, tensors in (("in", [self.c1, self.c2]), ("out", [self.cat])):
            rows = "".join(self.description(tensor, f"{prefix}_{way}_3") for tensor in tensors)
            text += self.shapes(tensors, f"{prefix}_{way}_3", "  ")
            text += (f"  static const LL_Buffer_InfoTypeDef {prefix}_{way}_3[] = {{\n{rows}"
                     "    {\n      .name = NULL,\n    }\n  };\n\n")
        last = ", nn_instance" if self.late else ""
        return text + (f"  LL_ATON_LIB_Concat({prefix}_in_3, 2, {prefix}_out_3, 1, 4, 6{last});\n\n"
                       + self.cache("MCU_Clean", self.cat) + "}\n\n")

    def sw_tensor(self, field, tensor, whole=True):
        """Members that describe a tensor to a software epoch."""
        h, w, c = tensor.shape if len(tensor.shape) == 3 else (1, 1, tensor.size)
        text = f'    /* "{field}" tensor-related info: */\n'
        if whole:
            text += (f"    .{field}.dim.tensor_b = 1,\n    .{field}.dim.tensor_h = {h},\n"
                     f"    .{field}.dim.tensor_w = {w},\n    .{field}.dim.tensor_c = {c},\n"
                     f"    .{field}.stride.b = {h * w * c},\n    .{field}.stride.h = {w * c},\n"
                     f"    .{field}.stride.w = {c},\n    .{field}.stride.c = 1,\n")
        return text + (f"    .{field}.dim.num_elem = {h * w * c if whole else 1},\n"
                       f"    .{field}.mem.start_offset = {self.pointer_to(tensor)},\n"
                       f"    .{field}.format.is_signed = 1,\n")

    def sw_epoch(self, number, kind, fields, source, out):
        struct_name, function, extra = {
            "Eltwise": ("Eltwise_integer_sw_info", "ll_sw_forward_eltwise_integer",
                        "    .num_of_inputs = 2,\n    .general.type = LL_SW_ARITHADD,\n"),
            "Sigmoid": ("Activ_integer_sw_info", "ll_sw_forward_activ_integer",
                        "    .general.type = LL_SW_SIGMOID,\n")}[kind]
        name = f"{struct_name.lower()}_{number}"
        text = f"/* scheduling epoch={number} */\n\n" + self.epoch_head("End", number)
        text += self.cache("MCU_Invalidate", source)
        text += (f"  /* Unit= 27 [PROCESSOR 0] */\n  /* kind={kind} node={kind}_{number} */\n"
                 f"  {struct_name} {name} = {{\n" + self.sw_tensor("general.input", source))
        for field, tensor in fields:
            text += self.sw_tensor(field, tensor, field == "operand")
        text += self.sw_tensor("general.output", out) + extra + "  };\n\n"
        return text + f"  {function}(&{name});\n\n" + self.cache("MCU_Clean", out) + "}\n\n"

    def epochs(self):
        """(text, [(first, last, start, end, blob, flags)])"""
        p, flag = self.param, "EpochBlock_Flags_"
        software = {
            3: (self.concat_epoch(), "hybrid"),
            4: (self.sw_epoch(4, "Eltwise", [("operand", p["Eltwise_4_param"])], self.cat, self.sum),
                "pure_sw"),
            5: (self.sw_epoch(5, "Sigmoid", [(n, p[f"Sigmoid_5_{n}"]) for n in
                                             ("is", "izp", "os", "ozp")], self.sum, self.act),
                "pure_sw")}
        text, items = "", []
        layers = {layer.number: layer for layer in self.layers}
        for number in sorted([*layers, *software]):
            if number in software:
                body, kind = software[number]
                text += body
                items.append((number, number, None, f"LL_ATON_End_EpochBlock_{number}", None, kind))
            elif not self.options.epoch_controller:
                text += self.engine_epoch(layers[number])
                items.append((number, number, f"LL_ATON_Start_EpochBlock_{number}",
                              f"LL_ATON_End_EpochBlock_{number}", None, "pure_hw"))
            elif number in (1, 6):
                group = [layer for layer in self.layers if (layer.number < 3) == (number == 1)]
                text += self.blob_start(number, group)
                items.append((number, group[-1].number, f"_ec_blob_cache_start_func_{number}", None,
                              self.blob_address(number), f"blob | {flag}pure_hw"))
        return text, items

    def epoch_table(self, items):
        flag = "EpochBlock_Flags_"
        late = "LL_ATON_RT_EpochBlockItem_t" if self.late else "EpochBlock_ItemTypeDef"
        text = (f"const {late} *LL_ATON_EpochBlockItems_{self.name}(void) {{\n\n"
                f"  static const {late} ll_atonn_rt_epoch_block_array[] = {{\n")
        for first, last, start, end, blob, kind in items:
            mask = 1 << OUT if kind == "pure_hw" else 0
            address = f"      .blob_address = (uintptr_t)({blob}),\n" if blob else ""
            text += (f"    {{\n      .start_epoch_block = {start or 'NULL'},\n"
                     f"      .end_epoch_block = {end or 'NULL'},\n{address}"
                     f"      .wait_mask = 0x{mask:08x},\n"
                     f"      .flags = {flag}epoch_start | {flag}epoch_end | {flag}{kind},\n"
                     "#ifdef LL_ATON_EB_DBG_INFO\n"
                     f"      .epoch_num = {first},\n      .last_epoch_num = {last},\n"
                     f"      .in_streng_mask = 0x{7 if mask else 0:08x},\n"
                     f"      .out_streng_mask = 0x{mask:08x},\n"
                     f"      .estimated_npu_cycles = {100 * first},\n"
                     f"      .estimated_tot_cycles = {150 * first},\n"
                     "#endif // LL_ATON_EB_DBG_INFO\n    },\n")
        return text + (f"    {{\n      .flags = {flag}last_eb,\n    }},\n  }};\n\n\n"
                       "  return ll_atonn_rt_epoch_block_array;\n}\n\n")

    # ---- buffer tables ----

    @staticmethod
    def full_shape(tensor):
        return (1,) * (4 - len(tensor.shape)) + tensor.shape

    def shapes(self, tensors, prefix="buff_info", indent="  "):
        text, seen = "", set()
        for tensor in tensors:
            shape = self.full_shape(tensor)
            key = "_".join(map(str, shape))
            if key not in seen:
                seen.add(key)
                values = ", ".join(map(str, shape))
                text += (f"{indent}static const uint32_t {prefix}__shape_{key}[] = {{ {values} }};\n"
                         f"{indent}static const uint32_t {prefix}__mem_shape_L_{key}[] = "
                         f"{{ {values} }};\n")
            text += (f"{indent}static const float {prefix}_{tensor.name}_quant_scale[] = {{ 0.0625 }};\n"
                     f"{indent}static const int16_t {prefix}_{tensor.name}_quant_offset[] = {{ 0 }};\n")
        return text

    def description(self, tensor, prefix="buff_info"):
        key = "_".join(map(str, self.full_shape(tensor)))
        return (f'    {{\n      .name = "{tensor.name}",\n' + self.addresses(tensor)
                + f"      .is_user_allocated = {int(bool(tensor.user))},\n"
                f"      .is_param = {int(tensor.param)},\n      .epoch = {tensor.epoch},\n"
                "      .batch = 1,\n"
                f"      .mem_shape = {prefix}__mem_shape_L_{key},\n      .mem_ndims = 4,\n"
                f"      .chpos = CHPos_Last,\n      .Qm = {tensor.bits - 1},\n      .Qn = 0,\n"
                f"      .Qunsigned = 0,\n      .type = DataType_{tensor.kind},\n"
                f"      .nbits = {tensor.bits},\n      .ndims = 4,\n"
                f"      .shape = {prefix}__shape_{key},\n      .per_channel = 0,\n"
                f"      .scale = {prefix}_{tensor.name}_quant_scale,\n"
                f"      .offset = {prefix}_{tensor.name}_quant_offset,\n    }},\n")

    def table(self, word, tensors, hidden=()):
        head = f"const LL_Buffer_InfoTypeDef *LL_ATON_{word}_Buffers_Info_{self.name}(void)\n{{\n"
        guard = "#if LL_ATON_DBG_BUFFER_INFO_EXCLUDED == 0\n"
        close = "#endif // LL_ATON_DBG_BUFFER_INFO_EXCLUDED == 0\n"
        hide = lambda text: guard + text + close if text else ""
        shapes = self.shapes([*tensors, *hidden])
        shown = self.shapes(tensors)
        assert shapes.startswith(shown)
        return (head + shown + hide(shapes[len(shown):])
                + "  static const LL_Buffer_InfoTypeDef buff_info[] = {\n"
                + "".join(map(self.description, tensors))
                + hide("".join(map(self.description, hidden)))
                + "    {\n      .name = NULL,\n    }\n  };\n\n  return buff_info;\n}\n\n")

    def tables(self):
        options = self.options
        text = self.table("Input", self.inputs, self.params if options.params_info else ())
        text += self.table("Output", self.outputs)
        if options.internal == "full":
            text += self.table("Internal", self.internals)
        elif options.internal == "none":
            text += (f"const LL_Buffer_InfoTypeDef *LL_ATON_Internal_Buffers_Info_{self.name}(void)\n"
                     "{\n  return NULL;\n}\n\n")
        return text

    # ---- epoch controller ----

    def blob_groups(self):
        return {1: self.layers[:2], 6: self.layers[2:]}

    def blob_name(self, number):
        return f"_ec_blob_{self.name}_{number}"

    def blob_address(self, number):
        if self.options.version[2] >= 3:
            return self.blob_name(number) + "_address"
        return self.blob_name(number) + ("_ptr" if self.blob(number)[1] else "")

    def blob_start(self, number, group):
        arguments = ("const LL_ATON_RT_EpochBlockItem_t *epoch_block, const NN_Instance_TypeDef "
                     "*nn_instance" if self.late else "const void *epoch_block")
        text = (f"// Epoch Controller Blob (name='{self.blob_name(number)}') start function\n"
                f"static void _ec_blob_cache_start_func_{number}({arguments}) {{\n"
                "  LL_ATON_LIB_UNUSED(epoch_block);\n")
        text += "  LL_ATON_LIB_UNUSED(nn_instance);\n" if self.late else ""
        return text + "\n" + "".join(self.cache("MCU_Invalidate", layer.streams[3])
                                     for layer in group) + "}\n\n"

    def blob(self, number):
        """(words with magic and count, {relocation: places}) of a blob."""
        words, relocs = [BLOB_MAGIC, 0, EC_NOP << 24], {}
        for layer in self.blob_groups()[number]:
            for unit, tensor in zip((IN, WEIGHTS, BIAS, OUT), layer.streams):
                if tensor is None:
                    continue
                words.append((EC_STREAM_OUT if unit == OUT else EC_STREAM_IN) << 24 | unit << 16)
                identifier = (re.sub(r"^_mem_pool_|_[^_]*$", "", tensor.user) if tensor.user else
                              tensor.pool.postfix if tensor.pool.relative else None)
                if tensor.user:
                    identifier = tensor.user[len("_mem_pool_"):-len(self.name) - 1]
                if identifier:
                    relocs.setdefault(identifier, []).append(len(words))
                words.append(tensor.start + (0 if identifier else tensor.pool.offset))
                words.append(tensor.size)
            words += [EC_CONVACC << 24, *layer.words(), EC_RUN << 24]
        words.append(EC_END << 24)
        words[1] = len(words) - 2
        return words, relocs

    def blob_file(self, number):
        """The array of the blob, in 64-bit words: with a relocation table when it needs one."""
        words, relocs = self.blob(number)
        if relocs:
            table, lists, names = [len(relocs)], b"", b""
            first = 4 * (1 + 3 * len(relocs))
            strings = first + 4 * sum(map(len, relocs.values()))
            for identifier, places in relocs.items():
                table += [strings + len(names), len(places), first + len(lists)]
                lists += struct.pack(f"<{len(places)}I", *places)
                names += identifier.encode() + b"\0"
            body = struct.pack(f"<{len(table)}I", *table) + lists + names
            body += bytes(-len(body) % 8)
            head = [EC_MAGIC[self.options.version[2] >= 3], 24, 0, 0, 24 + len(body), 0]
            data = struct.pack("<6I", *head) + body + struct.pack(f"<{len(words)}I", *words)
        else:
            data = struct.pack(f"<{len(words)}I", *words)
        data += bytes(-len(data) % 64)
        return struct.unpack(f"<{len(data) // 8}Q", data)

    def blob_definition(self, number):
        name, late = self.blob_name(number), self.options.version[2] >= 3
        data, (words, relocs) = self.blob_file(number), self.blob(number)
        explicit = (self.options.bounds or ("explicit" if late else "implicit")) == "explicit"
        aligned = "__attribute__((aligned(64)))\n" if late else ""
        rows = ",\n".join("  " + ", ".join(f"0x{word:016x}UL" for word in data[i:i + 4])
                          for i in range(0, len(data), 4))
        text = "" if late else f"#define EC_DECRYPT_{name} false\n\n"
        text += (f"ECBLOB_CONST_SECTION\n{aligned}static const uint64_t {name}"
                 f"[{len(data) if explicit else ''}] =\n{{\n{rows}\n}};\n\n")
        if relocs:
            text += (f"ECBLOB_RUNTIME_SECTION\n{aligned}static uint64_t {name}_ptr"
                     f"[{self.runtime_size(words)}];\n\n")
        if late:
            text += f"#define {name}_address {name}{'_ptr' if relocs else ''}\n\n"
        if relocs:
            text += (f"#define {name}_reloc_table_ptr ((const ECFileEntry *)(const void *)"
                     f"((const uint8_t *){name} + 24))\n\n")
        users = [identifier for identifier in relocs if identifier.startswith("_user")]
        if users:
            text += (f"ECBLOB_RUNTIME_SECTION\nstatic ECAddr {name}_prev_base_addrs[{len(relocs)}] = "
                     "{ 0 };\n\n")
        for i, identifier in enumerate(relocs):
            text += (f"#define {name}_{identifier}_RELOC_IDX {i}\n"
                     f"#define {name}_{identifier}_BASE_SYMBOL ((unsigned char *)_mem_pool_"
                     f"{identifier}_{self.name})\n")
        return text + (f"\n#define LL_ATON_EC_MustDecryptBlob_{self.name}_{name} false\n\n")

    @staticmethod
    def runtime_size(words):
        """Of the copy, in 64-bit words and whole cache lines."""
        return (4 * len(words) + 63 & ~63) // 8

    def relocation(self, number, index, identifier):
        name = self.blob_name(number)
        first = [f"(ECInstr *){name}_ptr", f"{name}_reloc_table_ptr"]
        if self.options.version[2] < 3:
            first.reverse()
        previous = "&base"
        text = "  base = 0;\n\n"
        if identifier.startswith("_user"):
            previous, text = f"{name}_prev_base_addrs + {name}_{identifier}_RELOC_IDX", ""
        return (f"{text}  if (!ec_reloc({', '.join(first)}, {name}_{identifier}_RELOC_IDX, "
                f"(ECAddr)(uintptr_t){name}_{identifier}_BASE_SYMBOL, {previous}))\n  {{\n"
                "    return false;\n  }\n\n")

    def blob_inits(self):
        """Bodies of LL_ATON_EC_Network_Init and LL_ATON_EC_Inference_Init."""
        network = inference = ""
        for number in self.blob_groups():
            name, (words, relocs) = self.blob_name(number), self.blob(number)
            if not relocs:
                continue
            size = self.runtime_size(words)
            pools = [(i, r) for i, r in enumerate(relocs) if not r.startswith("_user")]
            users = [(i, r) for i, r in enumerate(relocs) if r.startswith("_user")]
            span = f"((uintptr_t){name}_ptr, {8 * size});\n\n"
            if users:
                network += (f"  memset({name}_prev_base_addrs, 0, {len(relocs)} * sizeof(ECAddr));\n\n")
            network += ("  LL_ATON_Cache_NPU_Clean_Invalidate_Range" + span + f"  size = {2 * size};\n\n"
                        f"  if (!ec_copy_blob((ECInstr *){name}_ptr, (const uint8_t *){name}, &size))\n"
                        "  {\n    return false;\n  }\n\n")
            for i, identifier in pools:
                network += self.relocation(number, i, identifier)
            network += "  LL_ATON_Cache_MCU_Clean_Range" + span
            if users:
                inference += "  LL_ATON_Cache_NPU_Clean_Invalidate_Range" + span
                for i, identifier in users:
                    inference += self.relocation(number, i, identifier)
                inference += "  LL_ATON_Cache_MCU_Clean_Range" + span
        declared = ("  unsigned int size;\n" if "size = " in network else "")
        declared += "  ECAddr base;\n" if "base = 0" in network else ""
        return declared + ("\n" if declared else "") + network, inference

    def ecblobs(self):
        network, inference = self.blob_inits()
        function = "bool LL_ATON_EC_{}_Init_{}(void)\n{{\n{}  return true;\n}}\n\n"
        return ("/* AUTOGENERATED by npu_networks.py */\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
                '#include "ll_aton_caches_interface.h"\n\n#include <string.h>\n\n'
                "#if !defined(ECBLOB_CONST_SECTION)\n#define ECBLOB_CONST_SECTION /* Empty */\n#endif\n"
                "#if !defined(ECBLOB_RUNTIME_SECTION)\n#define ECBLOB_RUNTIME_SECTION /* Empty */\n"
                "#endif\n\n" + "".join(map(self.blob_definition, self.blob_groups()))
                + "// this function MUST be called ONLY ONCE\n"
                + function.format("Network", self.name, network)
                + "// this function should be called before each inference\n"
                + function.format("Inference", self.name, inference)
                + "#ifdef __cplusplus\n}\n#endif\n")

    # ---- files ----

    def source(self):
        epochs, items = self.epochs()
        text = self.banner() + self.includes() + self.pool_comments() + self.encryption()
        text += self.user_io()
        if self.options.epoch_controller:
            text += f'#include "{self.name}_ecblobs.h"\n\n'
        else:
            text += "".join(f"bool LL_ATON_EC_{what}_Init_{self.name}(void)\n{{\n  return true;\n}}\n\n"
                            for what in ("Network", "Inference"))
        return text + epochs + self.epoch_table(items) + self.tables()

    def header(self):
        upper = self.name.upper()
        text = (f"/* AUTOGENERATED by npu_networks.py */\n#ifndef LL_ATON_{upper}_H\n"
                f"#define LL_ATON_{upper}_H\n\n"
                f'#define LL_ATON_{upper}_C_MODEL_NAME        "{self.name}"\n'
                f'#define LL_ATON_{upper}_ORIGIN_MODEL_NAME   "{self.name}"\n\n')
        for word, tensors in (("IN", self.inputs), ("OUT", self.outputs)):
            if any(tensor.user for tensor in tensors):
                text += f"#define LL_ATON_{upper}_USER_ALLOCATED_{word}PUTS (1)\n"
            text += f"#define LL_ATON_{upper}_{word}_NUM        ({len(tensors)})\n"
            for i, tensor in enumerate(tensors, 1):
                text += (f"// {tensor.name}\n#define LL_ATON_{upper}_{word}_{i}_ALIGNMENT   (32)\n"
                         f"#define LL_ATON_{upper}_{word}_{i}_SIZE_BYTES  ({tensor.size})\n")
        return text + f"\n#endif /* LL_ATON_{upper}_H */\n"

    def write(self, folder):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / f"{self.name}.c").write_text(self.source())
        (self.folder / f"{self.name}.h").write_text(self.header())
        if self.options.epoch_controller:
            (self.folder / f"{self.name}_ecblobs.h").write_text(self.ecblobs())
        for postfix, data in self.raws.items():
            (self.folder / f"{self.name}_atonbuf.{postfix}.raw").write_bytes(data)
        return self


def generate(folder, options=None, **changes):
    """Writes a network; options, or the fields of Options by name."""
    return Network(dataclasses.replace(options or Options(), **changes)).write(folder)


def pack(folder, version=V111):
    """A copy of the stand-in pack (what STEDGEAI_CORE_DIR names) as a release of LL_ATON."""
    folder = pathlib.Path(folder)
    shutil.copytree(FIXTURES / "pack", folder, dirs_exist_ok=True)
    header = folder / LL_ATON / "ll_aton_version.h"
    text = header.read_text()
    values = dict(zip(("MAJOR", "MINOR", "MICRO", "DEV"), version))
    for part, value in values.items():
        text = re.sub(rf"(LL_ATON_VERSION_{part}) +\(\d+\)", rf"\1 ({value})", text)
    number = "{}.{}.{}-{}".format(*version)
    text = re.sub(r'"atonn-v.*"', f'"atonn-v{number}-g{REVISION}"', text)
    header.write_text(text)
    return folder


def archive(folder, cross="arm-none-eabi-"):
    """Builds the kernel archive of a pack that pack() made; its path."""
    folder = pathlib.Path(folder)
    target = folder / ARCHIVE
    target.parent.mkdir(parents=True, exist_ok=True)
    target.unlink(missing_ok=True)
    ai, item = folder / "Middlewares/ST/AI", target.with_suffix(".o")
    for command in ([f"{cross}gcc", *ARCHIVE_FLAGS, f"-I{ai / 'Inc'}", "-c",
                     ai / "Lib/Src/network_runtime.c", "-o", item],
                    [f"{cross}ar", "rcsD", target, item]):
        subprocess.run(list(map(str, command)), check=True)
    item.unlink()
    return target


def parse(words):
    """KEY=VALUE words as fields of Options."""
    fields, changes = {field.name: field for field in dataclasses.fields(Options)}, {}
    for word in words:
        key, _, value = word.partition("=")
        kind = type(fields[key].default)
        changes[key] = (tuple(value.split(",")) if key == "cacheable" else
                        tuple(map(int, re.split("[.-]", value))) if kind is tuple else
                        value.lower() in ("1", "true", "yes") if kind is bool else
                        int(value, 0) if kind is int else value)
    return changes


def main(arguments):
    if not arguments or arguments[0].startswith("-"):
        print("\n".join(PRESETS) if "--list" in arguments else __doc__.strip())
        return 0 if arguments else 2
    network = generate(arguments[0], **parse(arguments[1:]))
    for pool in network.pools:
        if pool.tensors:
            where = pool.label(network.name) if pool.relative else f"0x{pool.offset:08x}"
            print(f"{pool.postfix}: {'.'.join(pool.kind)} {where} {pool.used} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
