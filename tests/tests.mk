# SPDX-License-Identifier: Apache-2.0
# Tests. Each group is a target check-GROUP that ends with a line "N passed, N failed[, N skipped]";
# `make check` runs them all and adds up. Variables of the Makefile, which includes this file: B,
# LIB_SOURCES, SOURCES, WARNINGS, CPPFLAGS_ALL, LIBRARIES. With CI=true a missing tool is a failure,
# otherwise a loud skip.

GROUPS_ALL := unit fuzz clang format includes style lint docs-current math-sample target e2e bench-smoke

# Debian's, which has the modules that Debian's packages bring.
PYTHON ?= $(if $(wildcard /usr/bin/python3),/usr/bin/python3,python3)

.PHONY: $(GROUPS_ALL:%=check-%) check-math coverage fuzz unit-programs fuzz-programs clang-objects

check: export B := $(B)
check:
	@tests/run.sh $(GROUPS_ALL)

# Parallel, unless an outer make says how much.
PARALLEL = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(shell nproc)) --no-print-directory

# ---- unit: cmocka, gcc, address and undefined-behaviour sanitizers ----

UNIT := arena aton aton_blobs aton_memory buf build cdecl claim clang_asm compact ctoken depends diagnostics elf error file glow_header \
  graph graph_limits graph_quantisation image imports insn integrity json layout linkmap manifest model npu_rewrite ops ops_network \
  ops_rules ops_shapes options output path plan process reader_npu regs reloc reloc_core reloc_npu_core scan thumb tvm_read verify_place
UNIT_HELPERS := unit elf_builder sample model_builder ops_text
UNIT_CC ?= gcc
UNIT_FLAGS := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
SAN := $(B)/san/obj
SAN_OBJECTS := $(LIB_SOURCES:%.c=$(SAN)/%.o) $(SAN)/cli/options.o $(SAN)/cli/diagnostics.o $(SAN)/cli/verify_place.o \
  $(UNIT_HELPERS:%=$(SAN)/tests/unit/%.o)
UNIT_PROGRAMS := $(UNIT:%=$(B)/unit/test_%)

$(SAN)/%.o: %.c
	@mkdir -p $(@D)
	@$(UNIT_CC) $(CPPFLAGS_ALL) $(WARNINGS) $(UNIT_FLAGS) -c $< -o $@

$(B)/san/tested.a: $(SAN_OBJECTS)
	@rm -f $@
	@ar rcs $@ $^

$(UNIT_PROGRAMS): $(B)/unit/%: $(SAN)/tests/unit/%.o $(B)/san/tested.a
	@mkdir -p $(@D)
	@$(UNIT_CC) $(UNIT_FLAGS) -o $@ $^ -lcmocka $(LIBRARIES)

unit-programs: $(UNIT_PROGRAMS)

check-unit:
	@+$(MAKE) $(PARALLEL) unit-programs
	@tests/unit/run.sh $(UNIT_PROGRAMS)

# ---- coverage of the unit tests, by gcov: per file, in build/coverage ----

COVERAGE := $(B)/coverage
coverage:
	@+$(MAKE) $(PARALLEL) B=$(COVERAGE) UNIT_FLAGS='-O0 -g --coverage' WARNINGS= unit-programs
	@find $(COVERAGE) -name '*.gcda' -delete
	@tests/unit/run.sh $(UNIT:%=$(COVERAGE)/unit/test_%) | tail -n 1
	@$(PYTHON) tests/lint/coverage.py $(COVERAGE)/san/obj $(LIB_SOURCES) cli/options.c

# ---- fuzz: libFuzzer, clang ----

FUZZ := aton cdecl clang_asm elf glow image linkmap manifest npu_image onnx ops ops_network reloc_core stai tar tflite tvm
FUZZ_CC ?= clang
FUZZ_FLAGS := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
FUZZ_OBJ := $(B)/fuzz/obj
FUZZ_PROGRAMS := $(FUZZ:%=$(B)/fuzz/fuzz_%)
FUZZ_SOURCES := $(LIB_SOURCES) $(addprefix cli/,ops_form.c ops_json.c ops_list.c ops_text.c terminal.c)
FUZZ_RUNS ?= 20000
FUZZ_SECONDS ?= 60
FUZZ_LIMITS := -timeout=20 -rss_limit_mb=3000 -artifact_prefix=$(B)/fuzz/finding-
CLANG_WARNINGS = $(filter-out -Wcast-align=strict,$(WARNINGS)) -Wcast-align

$(FUZZ_OBJ)/%.o: %.c
	@mkdir -p $(@D)
	@$(FUZZ_CC) $(CPPFLAGS_ALL) $(CLANG_WARNINGS) $(FUZZ_FLAGS) -fsanitize=fuzzer-no-link -c $< -o $@

$(FUZZ_PROGRAMS): $(B)/fuzz/%: $(FUZZ_OBJ)/tests/fuzz/%.o $(FUZZ_SOURCES:%.c=$(FUZZ_OBJ)/%.o)
	@$(FUZZ_CC) $(FUZZ_FLAGS) -fsanitize=fuzzer -o $@ $^ $(LIBRARIES)

# Seeds are written by a program: no binary files in the repository but findings.
$(B)/fuzz/make_seeds: $(SAN)/tests/fuzz/make_seeds.o $(B)/san/tested.a
	@mkdir -p $(@D)
	@$(UNIT_CC) $(UNIT_FLAGS) -o $@ $^ -lcmocka $(LIBRARIES)

fuzz-programs: $(FUZZ_PROGRAMS) $(B)/fuzz/make_seeds
	@rm -rf $(B)/fuzz/seeds
	@$(B)/fuzz/make_seeds $(B)/fuzz/seeds $(FUZZ)

# Deterministic: fixed seed and number of runs; the folder of seeds is made anew each time.
check-fuzz:
	@tests/steps.sh \
	  'build | $(FUZZ_CC) | $(MAKE) $(PARALLEL) fuzz-programs' \
	  $(foreach f,$(FUZZ),'$f | $(FUZZ_CC) | $(B)/fuzz/fuzz_$f $(FUZZ_LIMITS) -runs=$(FUZZ_RUNS) \
	    -seed=1 -max_len=4096 -verbosity=0 $(B)/fuzz/seeds/$f')

# For longer, and with a corpus that grows in build/fuzz/corpus.
fuzz:
	@+$(MAKE) $(PARALLEL) fuzz-programs
	@for name in $(FUZZ); do mkdir -p $(B)/fuzz/corpus/$$name; \
	  $(B)/fuzz/fuzz_$$name $(FUZZ_LIMITS) -max_total_time=$(FUZZ_SECONDS) -print_final_stats=1 \
	    $(B)/fuzz/corpus/$$name $(B)/fuzz/seeds/$$name || exit 1; done

# ---- clang: everything compiles without a warning ----

CLANG ?= clang
CLANG_SOURCES := $(SOURCES) $(UNIT:%=tests/unit/test_%.c) $(UNIT_HELPERS:%=tests/unit/%.c) \
  $(FUZZ:%=tests/fuzz/fuzz_%.c) tests/fuzz/make_seeds.c $(wildcard tests/tools/*.c tests/bench/*.c)

$(B)/clang/%.o: %.c
	@mkdir -p $(@D)
	@$(CLANG) $(CPPFLAGS_ALL) $(CLANG_WARNINGS) -Werror -c $< -o $@

clang-objects: $(CLANG_SOURCES:%.c=$(B)/clang/%.o)

check-clang:
	@tests/steps.sh 'clang -Werror | $(CLANG) | $(MAKE) $(PARALLEL) -k clang-objects'

# ---- texts ----

FORMATTED = $(filter-out tests/fixtures/%,$(wildcard $(foreach d,base cli elfpack toolchain runtime \
  runtime/math tests/unit tests/fuzz tests/math tests/target tests/tools tests/bench,$d/*.[ch])))

check-format:
	@tests/steps.sh 'clang-format | clang-format | clang-format --dry-run -Werror $(FORMATTED)'

check-includes:
	@tests/steps.sh 'includes | python3 | $(PYTHON) tests/lint/includes.py'

check-style:
	@tests/steps.sh 'sizes | python3 | $(PYTHON) tests/lint/style.py'

check-docs-current:
	@tests/steps.sh 'command reference and manual page are current | docs/docs.mk | $(MAKE) check-docs'

# shellcheck: lists of flags are split into words on purpose (SC2046, SC2086).
# Options and suppressions of both checkers: .clang-tidy and tests/lint/cppcheck.txt, with a reason for each.
LINTED := $(SOURCES)
SCRIPTS := $(wildcard tests/*.sh tests/*/*.sh) .ci/run .ci/install-packages
check-lint:
	@tests/steps.sh \
	  'cppcheck | cppcheck | tests/lint/cppcheck.sh $(B)/lint $(LINTED)' \
	  'clang-tidy | clang-tidy | tests/lint/tidy.sh $(B)/lint $(LINTED)' \
	  'shellcheck | shellcheck | shellcheck -e SC2046,SC2086 $(SCRIPTS)'

# ---- groups whose work is done by scripts of their own ----

MATH := $(B)/math/check_math
$(MATH): tests/math/check_math.c tests/math/check_samples.c $(wildcard runtime/math/*.[ch] tests/math/*.h)
	@mkdir -p $(@D)
	@$(CC) -std=c11 -O2 -ffp-contract=off -fno-builtin -o $@ tests/math/check_math.c \
	  tests/math/check_samples.c -lmpfr -lm -lpthread

check-math-sample:
	@tests/steps.sh \
	  'math functions, sampled | tests/math/check_math.c | $(MAKE) --no-print-directory $(MATH) && $(MATH) --sample' \
	  'math results have the known hashes | cc | tests/math/hash_check.sh $(B)/math' \
	  'math functions are position-independent | tests/math/pic_check.sh arm-none-eabi-gcc | tests/math/pic_check.sh'

check-math:
	@tests/steps.sh \
	  'math functions, all floats | tests/math/check_math.c | $(MAKE) --no-print-directory $(MATH) && $(MATH) --all'

check-target: all
	@tests/steps.sh \
	  'loader | tests/target/loader.sh arm-none-eabi-gcc qemu-system-arm | tests/target/loader.sh' \
	  'NPU loader | tests/target/npu_loader.sh arm-none-eabi-gcc qemu-system-arm | tests/target/npu_loader.sh' \
	  'stand-in networks, linked in | arm-none-eabi-gcc qemu-system-arm | $(PYTHON) tests/target/npu/static_test.py' \
	  'stand-in networks, installed | arm-none-eabi-gcc qemu-system-arm | \
	    $(PYTHON) tests/target/npu/image_test.py copy-clear -user- -blobs- -none- -outputs- ext_mixed' \
	  'harness | tests/target/harness.py arm-none-eabi-gcc qemu-system-arm | tests/target/harness.py'

check-e2e: all
	@tests/steps.sh 'end to end | tests/e2e/run.py python3 arm-none-eabi-gcc | $(PYTHON) tests/e2e/run.py'

check-bench-smoke: all $(B)/bench-pack
	@tests/steps.sh \
	  'bench | tests/bench/run.py python3 arm-none-eabi-gcc | $(PYTHON) tests/bench/run.py --quick' \
	  'bench, ops | tests/bench/ops.py python3 | $(PYTHON) tests/bench/ops.py --quick' \
	  'bench, Neural-ART | python3 arm-none-eabi-gcc ccache | $(PYTHON) tests/bench/npu.py --runs 1'
