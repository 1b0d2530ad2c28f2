# SPDX-License-Identifier: Apache-2.0
# Tests. `make check-GROUP` runs the steps of a group, `make check` some of each kind, which takes ten minutes, and
# `make check-all` all of them; `make check-rest` runs what is in check-all and not in check. They install what is missing
# and end with a line "N passed, N failed, N skipped". With CI=true a package that cannot be installed is a failure,
# otherwise a loud skip. The Makefile, which includes this file, sets B, LIB_SOURCES, SOURCES, WARNINGS, CPPFLAGS_ALL and LIBRARIES.
#
# One make runs all steps, so that no processor waits and nothing is built twice. A group GROUP has
#   limit.GROUP       seconds of CPU time that its steps may cost, without work that they share with others
#   needs.GROUP       packages, or groups of them, of .ci/packages.txt; needs.GROUP/STEP: for one step only
#   uses.GROUP        packages without which single tests of a step skip themselves, or fail with CI=true
#   steps.GROUP       the names of its steps; $(call in_part,SOME,REST): what `make check` runs, and what is left
# and for each step a rule
#   GROUP/STEP: $(call built,GROUP/STEP,FILES...)
#   	@$(STEP) COMMAND...
# FILES have to be built first. The command's last line says how many tests passed and failed; without such a
# line it is one test. No step relies on an idle machine. Exhaustive tests are groups outside `make check-all`.
#
# Many tests are rows of tables: a core, a release, a message. `make check`, check-rest and check-all run one row of each
# table (ROWS=one; or every third: ROWS=third), `make check-GROUP` all. Which one, the number of the commit says (TURN), so
# that all rows have their turn; and so have the end-to-end tests of which `make check` runs a part.

GROUPS_SOME := unit seeds format includes style lint docs-current math-sample target signed corpus-spread bench-smoke proved e2e
GROUPS_REST := fuzz clang lint target corpus-spread bench-smoke e2e
GROUPS_ALL := $(GROUPS_SOME) $(filter-out $(GROUPS_SOME),$(GROUPS_REST))
GROUPS_MORE := math faults signed-bits corpus matrices analysis page package prove

# which tests: some (make check), rest (make check-rest), all
PART ?= all
in_part = $(if $(filter rest,$(PART)),$2,$1 $(if $(filter all,$(PART)),$2))
ROWS ?= all
SHARD ?= 1/1
TURN ?= $(or $(shell git rev-list --count HEAD 2>/dev/null),0)
# $(call in_turn,ROW...): those of a table that are run
in_turn = $(if $(filter all,$(ROWS)),$1,$(shell echo $1 | tr ' ' '\n' | awk -v turn=$(TURN) -v rows=$(ROWS) '{ row[n++] = $$1 } \
  END { step = rows == "third" && n >= 3 ? 3 : n; for (i = turn % step; i < n; i += step) print row[i] }'))

# Debian's Python, which has the modules from Debian's packages.
PYTHON ?= $(if $(wildcard /usr/bin/python3),/usr/bin/python3,python3)

.PHONY: $(GROUPS_ALL:%=check-%) $(GROUPS_MORE:%=check-%) coverage fuzz unit-programs fuzz-programs

# Parallel, unless an outer make sets the number of jobs.
PARALLEL = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(shell nproc)) --no-print-directory

CHECKED := $(B)/check
# packages that a step needs and that are missing, as found by tests/run.sh; ccache only saves time
packages_of = $(if $1,$(shell ./.ci/install-packages --list $1))
lacks = $(if $(MISSING),$(filter $(filter-out ccache,$(MISSING)),$(call packages_of,$(needs.$(firstword $(subst /, ,$1))) $(needs.$1))))
built = $(if $(call lacks,$1),,$2)
# stands in front of it, with + before both, for a program that uses make's free jobs (tests/e2e/jobs.py)
SHARING := SHARES_JOBS=yes
STEP = tests/step.sh $(CHECKED)/$@.log '$(call lacks,$@)'

# $(call run_groups,GROUP...); make -n only prints what it would do
run_groups = $(if $(findstring n,$(firstword -$(MAKEFLAGS))),@echo,+@MAKE='$(MAKE)' OPTION_J='$(PARALLEL)') \
  PART=$(PART) ROWS=$(ROWS) TURN=$(TURN) tests/run.sh $(CHECKED) '$(strip $(foreach g,$1,$(needs.$g) $(uses.$g) $(foreach s,$(steps.$g),$(needs.$g/$s))))' $1

.PHONY: check-all check-rest
check check-rest check-all: ROWS := $(if $(filter command,$(origin ROWS)),$(ROWS),one)
check: PART := some
check-rest: PART := rest
check:
	$(call run_groups,$(GROUPS_SOME))
check-rest:
	$(call run_groups,$(GROUPS_REST))
check-all:
	$(call run_groups,$(GROUPS_ALL))

$(GROUPS_ALL:%=check-%) $(GROUPS_MORE:%=check-%): check-%:
	$(call run_groups,$*)

# ---- unit: cmocka, gcc, address and undefined-behaviour sanitizers ----

UNIT := abi arena around asked assess aton aton_blobs aton_memory aton_registers board_file buf build cdecl cdecl_forms cdecl_value cflags claim clang_asm code command compact cplusplus csource ctoken debug depends device diagnostics document dwarf elf ends executed exports field fixup \
  error figures file foreign gdb glow_header got_base graph graph_limits graph_quantisation image imports insn installed integrity json keys layout linkmap manifest map matrix model \
  nearest npu_rewrite ops ops_network ops_rules ops_shapes options outline output packet path place placement plan printable process profile_calls profile_scopes r9 r9_random reader_npu reference regs reloc reloc_core \
  reloc_npu_core reloc_npu_install reloc_signed reserved said scan searched server signed sorted startup thumb tensor_file treemap trust tvm_read validate verify_compare
UNIT_HELPERS := unit code_sample elf_builder gdb_stub image_sample link_sample sample model_builder ops_text r9_machine r9_program signed_sample
UNIT_CC ?= gcc
# What tests are compiled from is found again by ccache, in whatever folder; debug information names the first one.
CACHE := $(shell exec 2>/dev/null; d=$${XDG_CACHE_HOME:-$$HOME/.cache}/relocpack-tests && mkdir -p "$$d" && test -w "$$d" && command -v ccache >/dev/null && echo "$$d")
CACHED = $(if $(CACHE),CCACHE_DIR='$(CACHE)' CCACHE_NOHASHDIR=1 ccache)
# Line tables are what sanitizers name places with; to debug, UNIT_FLAGS='-O0 -g'
UNIT_FLAGS := -O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
SAN := $(B)/san/obj
SAN_OBJECTS := $(LIB_SOURCES:%.c=$(SAN)/%.o) $(SAN)/cli/options.o $(patsubst %,$(SAN)/cli/%.o,batch/matrix batch/words generate/options pipeline/options) $(SAN)/cli/amount.o $(SAN)/cli/document.o $(patsubst %,$(SAN)/cli/report/%.o,ci/annotate ci/ci ci/diagnostics ci/junit ci/outcome run ci/sarif trust) $(patsubst %,$(SAN)/cli/%.o,generate/around generate/asked generate/known harness/place harness/result page/markup page/treemap pipeline/package report/read terminal verify/compare verify/executed verify/written) $(in.cli/tensors:%=$(SAN)/cli/tensors/%.o) $(in.cli/profile:%=$(SAN)/cli/profile/%.o) \
  $(UNIT_HELPERS:%=$(SAN)/tests/unit/%.o)
UNIT_PROGRAMS := $(UNIT:%=$(B)/unit/test_%)

$(SAN)/%.o: %.c
	@mkdir -p $(@D)
	@$(CACHED) $(UNIT_CC) $(CPPFLAGS_ALL) $(WARNINGS) $(UNIT_FLAGS) -c $< -o $@

$(SAN)/tests/unit/test_dwarf.o: UNIT_FLAGS += -g # which it reads

$(B)/san/tested.a: $(SAN_OBJECTS)
	@rm -f $@
	@ar qcs $@ $^ # q: members of several folders may have one name

$(UNIT_PROGRAMS): $(B)/unit/%: $(SAN)/tests/unit/%.o $(B)/san/tested.a
	@mkdir -p $(@D)
	@$(UNIT_CC) $(UNIT_FLAGS) -o $@ $^ -lcmocka $(LIBRARIES)

unit-programs: $(UNIT_PROGRAMS)

limit.unit := 120
needs.unit := build libcmocka-dev
uses.unit := verify openocd python3-pyocd
steps.unit := $(UNIT)
$(UNIT:%=unit/%): unit/%: $(call built,unit,$(B)/unit/test_%)
	@$(STEP) tests/unit/run.sh $<

# ---- coverage of the unit tests, by gcov: per file, in build/coverage ----

COVERAGE := $(B)/coverage
coverage:
	@+$(MAKE) $(PARALLEL) B=$(COVERAGE) UNIT_FLAGS='-O0 -g --coverage' WARNINGS= unit-programs
	@find $(COVERAGE) -name '*.gcda' -delete
	@tests/unit/run.sh $(UNIT:%=$(COVERAGE)/unit/test_%) | tail -n 1
	@$(PYTHON) tests/lint/coverage.py $(COVERAGE)/san/obj $(LIB_SOURCES) cli/options.c

# ---- fuzz: libFuzzer, clang; not in `make check`, which has the group `seeds` ----

FUZZ := aton cdecl clang_asm code dwarf elf gdb glow image json link linkmap manifest npu_image onnx ops ops_network reloc_core signed stai tar tensor tflite tvm
FUZZ_CC ?= clang
FUZZ_FLAGS := -O1 -gline-tables-only -fsanitize=address,undefined -fno-sanitize-recover=all
FUZZ_OBJ := $(B)/fuzz/obj
FUZZ_PROGRAMS := $(FUZZ:%=$(B)/fuzz/fuzz_%)
FUZZ_SOURCES := $(LIB_SOURCES) $(addprefix cli/ops/,form.c json.c list.c text.c) $(call sources_of,cli/tensors) cli/terminal.c \
  $(addprefix cli/,options.c batch/matrix.c batch/words.c generate/options.c pipeline/options.c facts/facts.c document.c report/npu_names.c)
FUZZ_RUNS ?= 20000
FUZZ_SECONDS ?= 60
CLANG_WARNINGS = $(filter-out -Wcast-align=strict,$(WARNINGS)) -Wcast-align

# Warnings are errors here, so check-clang need not compile these again.
FUZZ_COMPILED := $(FUZZ_SOURCES) $(FUZZ:%=tests/fuzz/fuzz_%.c)
$(FUZZ_OBJ)/%.o: %.c
	@mkdir -p $(@D)
	@$(CACHED) $(FUZZ_CC) $(CPPFLAGS_ALL) $(CLANG_WARNINGS) -Werror $(FUZZ_FLAGS) -fsanitize=fuzzer-no-link -c $< -o $@

$(FUZZ_PROGRAMS): $(B)/fuzz/%: $(FUZZ_OBJ)/tests/fuzz/%.o $(FUZZ_SOURCES:%.c=$(FUZZ_OBJ)/%.o)
	@$(FUZZ_CC) $(FUZZ_FLAGS) -fsanitize=fuzzer -o $@ $^ $(LIBRARIES)

# A program writes the seeds, so the only binary files in the repository are findings.
$(B)/fuzz/make_seeds: $(SAN)/tests/fuzz/make_seeds.o $(SAN)/tests/fuzz/seed_images.o $(SAN)/tests/fuzz/seed_json.o $(B)/san/tested.a
	@mkdir -p $(@D)
	@$(UNIT_CC) $(UNIT_FLAGS) -o $@ $^ -lcmocka $(LIBRARIES)

fuzz-programs: $(FUZZ_PROGRAMS) $(B)/fuzz/make_seeds

# ---- seeds: the same targets without a fuzzer, compiled as the unit tests are; seeds, their beginnings, mutations ----

$(B)/san/fuzzed.a: $(FUZZ_SOURCES:%.c=$(SAN)/%.o) $(SAN)/tests/fuzz/replay.o
	@rm -f $@
	@ar qcs $@ $^
$(FUZZ:%=$(B)/fuzz/replay_%): $(B)/fuzz/replay_%: $(SAN)/tests/fuzz/fuzz_%.o $(B)/san/fuzzed.a
	@mkdir -p $(@D)
	@$(UNIT_CC) $(UNIT_FLAGS) -o $@ $^ $(LIBRARIES)

REPLAYS := 1000
limit.seeds := 60
needs.seeds := build libcmocka-dev
steps.seeds := $(FUZZ)
$(FUZZ:%=seeds/%): seeds/%: $(call built,seeds,$(B)/fuzz/replay_% $(B)/fuzz/make_seeds)
	@$(STEP) tests/fuzz/run.sh --replay $(B)/fuzz $* $(REPLAYS)

# Deterministic: fixed seed and number of runs; the folder of seeds is made anew each time. A run of ops judges a
# whole model, so there are a quarter as many.
runs_of = $$(($(FUZZ_RUNS) / $(if $(filter ops,$1),4,1)))
limit.fuzz := 150
needs.fuzz := build clang libclang-rt-14-dev libcmocka-dev
steps.fuzz := $(FUZZ)
$(FUZZ:%=fuzz/%): fuzz/%: $(call built,fuzz,$(B)/fuzz/fuzz_% $(B)/fuzz/make_seeds)
	@$(STEP) tests/fuzz/run.sh $(B)/fuzz $* -runs=$(call runs_of,$*) -seed=1 -max_len=4096 -verbosity=0

# For longer, and with a corpus that grows in build/fuzz/corpus.
fuzz:
	@+$(MAKE) $(PARALLEL) fuzz-programs
	@for name in $(FUZZ); do mkdir -p $(B)/fuzz/corpus/$$name; \
	  tests/fuzz/run.sh $(B)/fuzz $$name -max_total_time=$(FUZZ_SECONDS) -print_final_stats=1 \
	    $(B)/fuzz/corpus/$$name || exit 1; done

# ---- clang: everything compiles without a warning; sources that are not fuzzed are only checked ----

CLANG ?= clang
CLANG_SOURCES := $(SOURCES) $(UNIT:%=tests/unit/test_%.c) $(UNIT_HELPERS:%=tests/unit/%.c) \
  $(FUZZ:%=tests/fuzz/fuzz_%.c) tests/fuzz/replay.c tests/fuzz/make_seeds.c tests/fuzz/seed_images.c tests/fuzz/seed_json.c $(wildcard tests/tools/*.c tests/bench/*.c)
# $(call clang_built,SOURCE...): what shows that a source was compiled
clang_built = $(foreach s,$1,$(if $(filter $s,$(FUZZ_COMPILED)),$(s:%.c=$(FUZZ_OBJ)/%.o),$(s:%.c=$(B)/clang/%.ok)))

$(B)/clang/%.ok: %.c
	@mkdir -p $(@D)
	@$(CLANG) $(CPPFLAGS_ALL) -MF $(@:.ok=.d) -MT $@ $(CLANG_WARNINGS) -Werror -fsyntax-only $<
	@touch $@

limit.clang := 10
needs.clang := build clang libcmocka-dev
steps.clang := compile
clang/compile: $(call built,clang,$(call clang_built,$(CLANG_SOURCES)))
	@$(STEP) echo '$(words $^) passed, 0 failed'

# ---- texts ----

FORMATTED = $(filter-out tests/fixtures/%,$(wildcard $(foreach d,$(FOLDERS) runtime $(RUNTIME_ROOMS:%=runtime/%) \
  runtime/math runtime/compat runtime/verify tests/unit tests/fuzz tests/math tests/target tests/tools tests/bench,$d/*.[ch])))

limit.format := 30
needs.format := clang-format
steps.format := clang-format
format/clang-format:
	@$(STEP) clang-format --dry-run -Werror $(FORMATTED)

limit.includes := 10
needs.includes := python3
steps.includes := includes
includes/includes:
	@$(STEP) $(PYTHON) tests/lint/includes.py

limit.style := 10
needs.style := python3
steps.style := sizes subjects
style/sizes:
	@$(STEP) $(PYTHON) tests/lint/style.py
style/subjects:
	@$(STEP) tests/lint/subjects.sh

limit.docs-current := 20
needs.docs-current := build
needs.docs-current/links := python3
steps.docs-current := pages links
docs-current/pages: $(call built,docs-current,$(GENDOCS))
	@$(STEP) $(MAKE) --no-print-directory B=$(B) check-docs
docs-current/links:
	@$(STEP) $(PYTHON) tests/lint/links.py

# ---- lint ----

# Options and suppressions of both checkers: .clang-tidy and tests/lint/cppcheck.txt, with a reason for each.
LINTED := $(SOURCES)
SCRIPTS := $(wildcard tests/*.sh tests/*/*.sh docs/ci/*.sh) .ci/run .ci/install-packages

# $(call tidy,STATES): clang-tidy's output for a source, and its exit status in the last line. STATES: how many
# states the analyzer visits in a function, from each entry; clang's default is 225,000.
analyzer_option = --extra-arg=-Xclang --extra-arg=-analyzer-config --extra-arg=-Xclang --extra-arg=$1
tidy = clang-tidy --quiet $< $(call analyzer_option,max-nodes=$1) -- -std=c11 -D_GNU_SOURCE -I. \
  -DRP_INSTALLED_DATADIR='""' >$@ 2>&1; echo $$? >>$@
$(B)/lint/%.tidy: %.c .clang-tidy
	@mkdir -p $(@D)
	@$(call tidy,10000)
$(B)/analysis/%.tidy: %.c .clang-tidy
	@mkdir -p $(@D)
	@$(call tidy,225000)

# Depends on clang's compilation of the source, and so on its headers.
$(foreach s,$(LINTED),$(eval $(foreach d,lint analysis,$(s:%.c=$(B)/$d/%.tidy)): $(call clang_built,$s)))

limit.lint := 60
needs.lint/cppcheck := cppcheck
needs.lint/clang-tidy := build clang clang-tidy
needs.lint/shellcheck := shellcheck
steps.lint = $(call in_part,cppcheck shellcheck,clang-tidy)
lint/cppcheck:
	@$(STEP) tests/lint/cppcheck.sh $(B)/lint $(LINTED)
lint/clang-tidy: $(call built,lint/clang-tidy,$(LINTED:%.c=$(B)/lint/%.tidy))
	@$(STEP) tests/lint/tidy.sh $(B)/lint $(LINTED)
limit.analysis := 500
needs.analysis := build clang clang-tidy
steps.analysis := clang-tidy
analysis/clang-tidy: $(call built,analysis,$(LINTED:%.c=$(B)/analysis/%.tidy))
	@$(STEP) tests/lint/tidy.sh $(B)/analysis $(LINTED)
lint/shellcheck: # lists of flags are split into words on purpose (SC2046, SC2086)
	@$(STEP) shellcheck -e SC2046,SC2086 $(SCRIPTS)

# ---- mathematics ----

MATH := $(B)/math/check_math
$(MATH): tests/math/check_math.c tests/math/check_samples.c $(wildcard runtime/math/*.[ch] tests/math/*.h)
	@mkdir -p $(@D)
	@$(CC) -std=c11 -O2 -ffp-contract=off -fno-builtin -o $@ tests/math/check_math.c \
	  tests/math/check_samples.c -lmpfr -lm -lpthread

MATH_CORES := m0 m3 m4 m7 m23 m33 m55
limit.math-sample := 100
needs.math-sample/values := build libmpfr-dev
needs.math-sample/hashes := build
$(foreach c,$(MATH_CORES),$(eval needs.math-sample/pic-$c := model))
steps.math-sample := values hashes $(patsubst %,pic-%,$(call in_turn,$(MATH_CORES)))
math-sample/values: $(call built,math-sample/values,$(MATH))
	@$(STEP) $(MATH) --sample
math-sample/hashes:
	@$(STEP) tests/math/hash_check.sh $(B)/math
$(MATH_CORES:%=math-sample/pic-%): math-sample/pic-%:
	@$(STEP) tests/math/pic_check.sh $*

limit.math := 20000
needs.math := build libmpfr-dev
steps.math := values
math/values: $(call built,math,$(MATH))
	@$(STEP) $(MATH) --all

# ---- the loaders and the verification firmware, on the emulator ----

CORES := m0 m3 m4 m7 m33 m55
# releases 1.1.MICRO-DEV of the pack; the loader does not know the last two and is told the generation of call-backs
NPU_RELEASES := 1-14 3-8 3-262 3-100-2 4-5-3
limit.target := 900
needs.target := model verify python3
uses.target := clang
needs.target/npu-image := build
steps.target = $(call in_part,$(patsubst %,loader-%,$(call in_turn,$(CORES))) $(patsubst %,npu-loader-%,$(call in_turn,$(NPU_RELEASES))) \
  $(patsubst %,harness-%,$(call in_turn,$(CORES))),npu-static npu-image)
$(CORES:%=target/loader-%): target/loader-%:
	@$(STEP) env PYTHON=$(PYTHON) tests/target/loader.sh $*
$(NPU_RELEASES:%=target/npu-loader-%): target/npu-loader-%:
	@$(STEP) env PYTHON=$(PYTHON) tests/target/npu_loader.sh $*
$(CORES:%=target/harness-%): target/harness-%:
	@$(STEP) $(PYTHON) tests/target/harness.py $*
target/npu-static:
	+@$(SHARING) $(STEP) $(PYTHON) tests/target/npu/static_test.py --spread
target/npu-image: $(call built,target/npu-image,$(B)/relocpack)
	+@$(SHARING) $(STEP) $(PYTHON) tests/target/npu/image_test.py copy-clear -user- -blobs- -none- -outputs- ext_mixed

# ---- signed images, with libraries from Debian's source packages; a sample of the bits, and all of them ----

SIGNED_CORES := m4 m33 m55
limit.signed := 80
needs.signed := build model verify python3 openssl
steps.signed := $(call in_turn,$(SIGNED_CORES))
$(SIGNED_CORES:%=signed/%): signed/%: $(call built,signed,$(B)/relocpack)
	@$(STEP) $(PYTHON) tests/target/signed.py $(B)/relocpack $*

limit.signed-bits := 2000
needs.signed-bits := build model verify python3 openssl
steps.signed-bits := $(SIGNED_CORES)
$(SIGNED_CORES:%=signed-bits/%): signed-bits/%: $(call built,signed-bits,$(B)/relocpack)
	@$(STEP) $(PYTHON) tests/target/signed.py --all $(B)/relocpack $*

# ---- corpus: constructs under an independent loader; a spread, and all of it ----

CORPUS_CORES := M0 M4 M7 M33 M55
CORPUS_SEEDS ?= 20
limit.corpus-spread := 150
needs.corpus-spread := build model verify python3 clang
steps.corpus-spread := $(CORPUS_CORES)
$(CORPUS_CORES:%=corpus-spread/%): corpus-spread/%: $(call built,corpus-spread,$(B)/relocpack)
	@$(STEP) $(PYTHON) tests/corpus/run.py --jobs 1 --spread $(PART) --turn $(TURN) --cores $*

limit.corpus := 10000
needs.corpus := build model verify python3 clang
steps.corpus := $(CORPUS_CORES)
$(CORPUS_CORES:%=corpus/%): corpus/%: $(call built,corpus,$(B)/relocpack)
	@$(STEP) $(PYTHON) tests/corpus/run.py --jobs 1 --seeds $(CORPUS_SEEDS) --cores $*

# ---- page: what `relocpack report` writes, in a real browser ----

limit.page := 200
needs.page := build model verify browser python3
steps.page := browser
page/browser: $(call built,page/browser,$(B)/relocpack)
	@$(STEP) $(PYTHON) tests/browser/page.py $(B)/relocpack

# ---- faults: glitches in each instruction of the loader; `target` and `signed` have a sample ----

limit.faults := 300
needs.faults := build model verify tests python3 openssl
steps.faults := signed loader
faults/signed: $(call built,faults/signed,$(B)/relocpack)
	@$(STEP) $(PYTHON) tests/target/signed.py --all --only faults $(B)/relocpack m4
faults/loader:
	@$(STEP) env PYTHON=$(PYTHON) tests/target/loader.sh faults

# ---- package: Debian's, built, checked by lintian, used ----

limit.package := 200
needs.package := build model verify package
steps.package := debian recipes
package/debian: $(call built,package/debian,$(B)/relocpack)
	@$(STEP) tests/package.sh $(B)/package
package/recipes:
	@$(STEP) $(PYTHON) tests/recipes.py $(B)/recipes

# ---- prove: contracts of the loader's checks and of the images' boot code, by Frama-C's WP ----

.PHONY: prove prove-mutants prove-boot-mutants
prove: check-prove
	$(PYTHON) tests/prove/boot.py --smoke
prove-mutants: prove-boot-mutants
	$(PYTHON) tests/prove/run.py $(B)/prove-mutants --mutants
prove-boot-mutants:
	$(PYTHON) tests/prove/boot.py --mutants

limit.prove := 1100
needs.prove := prove python3
steps.prove := contracts boot
prove/contracts:
	@$(STEP) tests/prove/keep.sh contracts $(PYTHON) tests/prove/run.py $(B)/prove
prove/boot:
	@$(STEP) tests/prove/keep.sh boot $(PYTHON) tests/prove/boot.py

# The same, but what is in tests/prove/*.proved, by its contents, is not proved again.
limit.proved := 1100
needs.proved := python3
needs.proved/contracts = $(if $(shell tests/prove/keep.sh contracts),,prove)
needs.proved/boot = $(if $(shell tests/prove/keep.sh boot),,prove)
steps.proved := contracts boot
proved/contracts:
	@$(STEP) tests/prove/keep.sh contracts $(if $(shell tests/prove/keep.sh contracts),,$(PYTHON) tests/prove/run.py $(B)/prove)
proved/boot:
	@$(STEP) tests/prove/keep.sh boot $(if $(shell tests/prove/keep.sh boot),,$(PYTHON) tests/prove/boot.py)

# ---- measurements: that they run ----

limit.bench-smoke := 120
needs.bench-smoke := build model verify python3
needs.bench-smoke/generate := strace
steps.bench-smoke = $(call in_part,ops transfer,generate npu)
bench-smoke/generate: $(call built,bench-smoke,$(B)/relocpack $(B)/bench-pack $(B)/bench-check)
	@$(STEP) $(PYTHON) tests/bench/run.py --quick
bench-smoke/ops: $(call built,bench-smoke,$(B)/relocpack)
	@$(STEP) $(PYTHON) tests/bench/ops.py --quick
bench-smoke/npu: $(call built,bench-smoke,$(B)/relocpack)
	@$(STEP) $(PYTHON) tests/bench/npu.py --runs 1
bench-smoke/transfer: $(call built,bench-smoke,$(B)/bench-transfer)
	@$(STEP) $(PYTHON) tests/bench/transfer.py --bytes 100000 --runs 1

# ---- end to end: uses as many of make's jobs as are free ----

limit.e2e := 4600
needs.e2e := build model python3
uses.e2e = verify $(call in_part,,libstdc++-arm-none-eabi-newlib) openocd python3-pyocd clang fish gdb-multiarch git lld ninja-build python3-cryptography python3-jsonschema cmake g++ meson opensc openssl softhsm2 strace zsh
steps.e2e := all
e2e/all: $(call built,e2e,$(B)/relocpack $(B)/man/pages)
	+@$(SHARING) $(STEP) $(PYTHON) tests/e2e/run.py --part $(PART) --rows $(ROWS) --turn $(TURN) --shard $(SHARD)

# ---- the rest of matrices: e2e and target have each row and each column ----

limit.matrices := 2000
needs.matrices := build model verify python3 clang lld
steps.matrices := e2e npu-static npu-image
matrices/e2e: $(call built,matrices,$(B)/relocpack)
	+@$(SHARING) $(STEP) $(PYTHON) tests/e2e/run.py --whole
matrices/npu-static:
	+@$(SHARING) $(STEP) $(PYTHON) tests/target/npu/static_test.py
matrices/npu-image: $(call built,matrices,$(B)/relocpack)
	+@$(SHARING) $(STEP) $(PYTHON) tests/target/npu/image_test.py

# ---- reports of groups ----

STEPS := $(foreach g,$(GROUPS_ALL) $(GROUPS_MORE),$(steps.$g:%=$g/%))
.PHONY: $(STEPS)
define report_of
$(if $(limit.$1),,$(error group $1 names no limit))
.PHONY: report-$1
report-$1: $(if $(REPORT_ONLY),,$(steps.$1:%=$1/%))
	@tests/report.sh $(CHECKED) $1 $(limit.$1) $(steps.$1)
endef
$(foreach g,$(GROUPS_ALL) $(GROUPS_MORE),$(eval $(call report_of,$g)))
