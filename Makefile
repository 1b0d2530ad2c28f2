# SPDX-License-Identifier: Apache-2.0
# `make` builds, `make help` lists the rest.

VERSION := $(shell sed -n 's/^\#define RP_VERSION "\(.*\)"/\1/p' cli/version.h)
PREFIX  ?= /usr/local
DESTDIR ?=
CC      ?= cc
CFLAGS  ?= -O2 -g
B       := build

WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wstrict-prototypes \
  -Wmissing-prototypes -Wvla -Wundef -Wcast-align=strict -Wcast-qual -Wwrite-strings -Wformat=2 -Wswitch-enum \
  -Wnull-dereference -Wno-missing-field-initializers
ifeq ($(CI),true)
WARNINGS += -Werror
endif
# Only tar and gzip of libarchive are used: linked statically, where there is a static library, it loads none of the
# nine libraries that its other formats need.
LIBARCHIVE ?= $(if $(findstring /,$(shell $(CC) -print-file-name=libarchive.a)),-l:libarchive.a,-larchive)
# libcrypto first: the dynamic loader looks for its 3,000 symbols in this order.
LIBRARIES := -lcrypto -ldw -lelf $(LIBARCHIVE) -lcjson -lprotobuf-nanopb -lz -lpthread -lm
CPPFLAGS_ALL := -std=c11 -D_GNU_SOURCE -I. -MMD -MP \
  -DRP_INSTALLED_DATADIR='"$(PREFIX)/share/relocpack"' $(CPPFLAGS)

# One list a folder: in.FOLDER.
in.base := arena buf claim core diagnostic error file grid json json_text map nearest output path printable section_name set stream tar
in.elfpack/elf := abi attributes authored culprit elf exports linkmap parts reloc reserved scan sorted startup
in.elfpack/insn := code family got_base insn member r9_flow regs static_base thumb
in.elfpack/image := c_array compact cortex_m debug fixup image integrity keys layout neural_art reader signed
in.elfpack/check := compare definitions ends field installed link_inputs link_open merged origins placement r9 validate
in.toolchain := model
in.toolchain/cread := decl decl_tokens decl_type define expr init old_style outline reduce source token type ucn
in.toolchain/graph := flatbuffer graph onnx onnx_field onnx_tensor protobuf quantisation read reader tflite tflite_names
in.toolchain/calls := calls cplusplus declared dwarf entry glue imports linked manifest offered said
in.toolchain/compile := board board_file build cflags clang_asm command compiler depends device environment flags harness headers make messages process quote searched series workspace
in.toolchain/dialects := c emlearn foreign glow glow_header mlf nodes registry st_ai stai stai_tensors tvm tvm_plan tvm_read
in.toolchain/npu := blobs cached comment directive epochs ll_aton memory network pack parse plan reader registers release rewrite table value
in.toolchain/generators := generate generator
in.toolchain/probe := describe gdb memory packet preset registers server session talk wire xml
in.toolchain/ops := compare compiled fuse infer infer_ints infer_move infer_window judge macs match query rules rules_broadcast \
  rules_model rules_operator rules_window shapes summary tables value window
in.cli := amount boards commands completion doctor document exports figures formats main options targets terminal
in.cli/pipeline := check clang code compare compile files_read generated imports link npu open options package parts place r9 settle sources static write
in.cli/report := bundle device figures imports json members notes npu npu_names read relocations report run sections signature state table text trust
in.cli/report/ci := annotate ci diagnostics junit outcome sarif
in.cli/generate := around asked budget build c_files debug describe generate known labels loader options outputs stamp tools
in.cli/batch := batch jobs matrix recipes summary words
in.cli/harness := firmware place plan result subject
in.cli/tensors := assess classes compare csv figures file npy onnx_pb pairing record reference text value
in.cli/profile := again calls execution json profile scopes text write
in.cli/run := beside breaks command fault layers mailbox mode npu outputs place print runner session twin way
in.cli/verify := build compare coverage executed npu outputs print probe profile run verify written
in.cli/inspect := cortex_m imports inspect npu parts signature weights
in.cli/facts := compare facts memory
in.cli/sbom := bill forms sbom
in.cli/sign := files keygen sign signer verify_signature
in.cli/diff := diff limits write
in.cli/page := embed gather history markup page picture read report tree treemap
in.cli/ops := form json list ops text
LIB_FOLDERS := base $(addprefix elfpack/,elf insn image check) toolchain $(addprefix toolchain/,cread graph calls compile dialects generators npu ops probe)
FOLDERS := $(LIB_FOLDERS) cli $(addprefix cli/,pipeline report report/ci facts harness tensors profile generate batch run verify inspect ops diff page sbom sign)
sources_of = $(foreach d,$1,$(in.$d:%=$d/%.c))
LIB_SOURCES := $(call sources_of,$(LIB_FOLDERS))
SOURCES := $(call sources_of,$(FOLDERS))

# "CC file", or with V=1 the command itself
V ?= 0
Q := $(if $(filter 1,$(V)),,@)
say = $(if $(filter 1,$(V))$(findstring s,$(firstword -$(MAKEFLAGS))),:,printf '  %-6s %s\n' $1 $2)

.PHONY: all loaders demo check bench install uninstall dist clean help format
.DELETE_ON_ERROR:

all: $(B)/relocpack

TEXT_OBJECTS := $(B)/obj/loader_text.o $(B)/obj/page_text.o
$(B)/relocpack: $(SOURCES:%.c=$(B)/obj/%.o) $(TEXT_OBJECTS)
	@$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBRARIES)

$(B)/obj/%.o: %.c
	@mkdir -p $(@D)
	@$(call say,CC,$<)
	$(Q)$(CC) $(CPPFLAGS_ALL) $(WARNINGS) $(CFLAGS) -c $< -o $@

# ---- the loaders: a source and a header each, made from the parts in runtime/ and built into the program; the same of
# the service for `run`, whose parts are in templates/harness/ too ----

# The only list of these files; `make loaders` writes them to $(B)/loader.
LOADERS := cortex_m neural_art
files.cortex_m := ai_reloc_network.c ai_reloc_network.h
files.neural_art := ll_aton_reloc_network.c ll_aton_reloc_loader.h
files.service := relocpack_service.c relocpack_service.h
SERVICE_FILES := $(files.service:%=$(B)/loader/%)
LOADER_FILES := $(foreach l,$(LOADERS),$(files.$l:%=$(B)/loader/%))
RUNTIME_ROOMS := format loader cortex_m neural_art image
RUNTIME := $(wildcard runtime/*.[ch] $(RUNTIME_ROOMS:%=runtime/%/*.h) runtime/format/*.def)
COMPAT := $(wildcard runtime/compat/*.h)
AMALGAMATE := awk -f runtime/amalgamate.awk
header_of = $(filter %.h,$(foreach l,$(LOADERS),$(if $(filter $1,$(files.$l)),$(files.$l))))

$(LOADER_FILES): $(B)/loader/%: runtime/% runtime/amalgamate.awk $(RUNTIME) cli/version.h
	@mkdir -p $(@D)
	@$(call say,JOIN,$@)
	$(Q)$(AMALGAMATE) -v version=$(VERSION) -v beside=$(if $(filter %.c,$*),$(call header_of,$*)) $< > $@

$(SERVICE_FILES): $(B)/loader/%: templates/harness/% runtime/amalgamate.awk $(wildcard templates/harness/*.[ch]) $(RUNTIME) cli/version.h
	@mkdir -p $(@D)
	@$(call say,JOIN,$@)
	$(Q)$(AMALGAMATE) -v version=$(VERSION) -v beside=$(if $(filter %.c,$*),relocpack_service.h) -v more=runtime/ \
	  -v keep="ai_reloc_network.h ll_aton_reloc_loader.h" $< > $@

loaders: $(LOADER_FILES) $(SERVICE_FILES)

$(B)/loader/service.parts:
	@mkdir -p $(@D)
	@echo > $@

more.cortex_m := $(COMPAT:runtime/%=%)
$(LOADERS:%=$(B)/loader/%.parts): $(B)/loader/%.parts: runtime/amalgamate.awk $(RUNTIME)
	@mkdir -p $(@D)
	$(Q)$(AMALGAMATE) -v list=yes $(files.$*:%=runtime/%) > $@
	@printf '%s\n' $(more.$*) >> $@

$(B)/loader_text.c: $(LOADER_FILES) $(SERVICE_FILES) $(patsubst %,$(B)/loader/%.parts,$(LOADERS) service) cli/generate/loader_text.awk
	@$(call say,TEXT,$@)
	$(Q)awk -f cli/generate/loader_text.awk $(foreach l,$(LOADERS) service,$(B)/loader/$l.parts $(files.$l:%=$(B)/loader/%)) > $@

# ---- the page: its HTML, style sheets and script, built into the program ----

PAGE_TEXTS := $(addprefix cli/page/,page.html picture.css page.css data.js map.js table.js parts.js page.js)
$(B)/page_text.c: cli/page/text.awk $(PAGE_TEXTS)
	@mkdir -p $(@D)
	@$(call say,TEXT,$@)
	$(Q)awk -f cli/page/text.awk $(PAGE_TEXTS) > $@

$(TEXT_OBJECTS): $(B)/obj/%.o: $(B)/%.c
	@mkdir -p $(@D)
	@$(call say,CC,$<)
	$(Q)$(CC) $(CPPFLAGS_ALL) $(WARNINGS) $(CFLAGS) -c $< -o $@

help:
	@echo 'make                 build $(B)/relocpack [V=1 shows the commands]'
	@echo 'make demo            install what is missing, package and verify the example for stm32h7'
	@echo 'make check           install what is missing, some of each kind of test: about ten minutes'
	@echo 'make check-all       all tests; make check-rest: those that make check left out'
	@echo 'make check-GROUP     some of them: $(GROUPS_ALL)'
	@echo 'make check-GROUP     exhaustive ones, not in make check-all: $(GROUPS_MORE)'
	@echo 'make bench           measurements, as ratios and instruction counts [MODELS="a.c b.c"] [NETWORKS="n.c"]'
	@echo 'make format          reformat the sources'
	@echo 'make install         PREFIX=$(PREFIX) DESTDIR='
	@echo 'make uninstall       remove what install put there'
	@echo 'make dist            relocpack-$(VERSION).tar.gz of what is committed'
	@echo 'make clean           remove $(B)'

demo:
	@./.ci/install-packages build model verify
	@$(MAKE) $(PARALLEL) all
	$(B)/relocpack generate -i examples/digits/digits_float.json --target stm32h7 -r -o $(B)/demo
	$(B)/relocpack verify $(B)/demo/digits_float_rel.bin
	@printf '%s\n' '' 'Next:' \
	  '  $(B)/relocpack inspect $(B)/demo/digits_float_rel.bin             what the image holds and needs' \
	  '  $(B)/relocpack generate -i YOUR_MODEL.c --target stm32h7 -o out  a model of yours: c, json, onnx, tflite' \
	  '  $(B)/relocpack doctor                                              what this machine has, and what is missing'

include docs/docs.mk
include tests/tests.mk

$(B)/bench-pack $(B)/bench-check $(B)/bench-transfer: $(B)/bench-%: $(B)/obj/tests/bench/%.o $(LIB_SOURCES:%.c=$(B)/obj/%.o)
	@$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBRARIES)

bench: all $(B)/bench-pack $(B)/bench-check $(B)/bench-transfer
	python3 tests/bench/run.py $(MODELS)
	python3 tests/bench/relocation.py
	python3 tests/bench/ops.py
	python3 tests/bench/npu.py $(NETWORKS)
	python3 tests/bench/transfer.py
	python3 tests/bench/signed.py
	tests/target/loader.sh | grep -v passed # bytes of the loader, instructions of a load, for each core

# ---- install ----

SHARE := $(DESTDIR)$(PREFIX)/share
TEMPLATES := build.mk heap.c debug.gdb debug.ld glue_c.c glue_ll_aton.c image_npu.ld glue_st_ai.c glue_vendor.c image.ld static.ld tvm_backend.c glue_stai.h

COMPLETIONS := bash-completion/completions zsh/site-functions fish/vendor_completions.d

install: all $(B)/man/pages
	@$(if $(filter-out 0 1,$(words $(DESTDIR)$(PREFIX))),$(error PREFIX and DESTDIR cannot have blanks: '$(DESTDIR)$(PREFIX)'))true
	install -d $(DESTDIR)$(PREFIX)/bin $(SHARE)/relocpack/templates/boards $(SHARE)/relocpack/templates/harness \
	  $(SHARE)/relocpack/templates/npu/no_registers \
	  $(SHARE)/relocpack/loader $(SHARE)/man/man1 $(SHARE)/pkgconfig \
	  $(SHARE)/cmake/relocpack $(SHARE)/relocpack/schemas $(COMPLETIONS:%=$(SHARE)/%)
	install -m 755 $(B)/relocpack $(DESTDIR)$(PREFIX)/bin/
	install -m 644 $(TEMPLATES:%=templates/%) $(SHARE)/relocpack/templates/
	install -m 644 templates/npu/*.h $(SHARE)/relocpack/templates/npu/
	install -m 644 templates/npu/no_registers/*.h $(SHARE)/relocpack/templates/npu/no_registers/
	cp -r templates/tvm templates/arduino $(SHARE)/relocpack/templates/
	install -m 644 templates/boards/*.json $(SHARE)/relocpack/templates/boards/
	install -m 644 templates/harness/*.[ch] $(SHARE)/relocpack/templates/harness/
	set -e; for f in $(RUNTIME) $(COMPAT) runtime/math/*.[ch] runtime/verify/*.c; do install -D -m 644 $$f $(SHARE)/relocpack/$$f; done
	install -m 644 $(addprefix runtime/,CMakeLists.txt library.json library.properties relocpack.loader.pdsc) $(SHARE)/relocpack/runtime/
	cp -r runtime/cmake runtime/zephyr $(SHARE)/relocpack/runtime/
	install -m 644 runtime/cmake/relocpackConfigVersion.cmake $(SHARE)/cmake/relocpack/
	echo 'include("$${CMAKE_CURRENT_LIST_DIR}/../../relocpack/runtime/cmake/relocpackConfig.cmake")' \
	  > $(SHARE)/cmake/relocpack/relocpackConfig.cmake
	install -m 644 $(LOADER_FILES) $(SERVICE_FILES) $(SHARE)/relocpack/loader/
	install -m 644 docs/relocpack.1 $(B)/man/*.1 $(SHARE)/man/man1/
	install -m 644 docs/*.schema.json $(SHARE)/relocpack/schemas/
	$(B)/relocpack completion bash > $(SHARE)/bash-completion/completions/relocpack
	$(B)/relocpack completion zsh > $(SHARE)/zsh/site-functions/_relocpack
	$(B)/relocpack completion fish > $(SHARE)/fish/vendor_completions.d/relocpack.fish
	sed -e 's|@VERSION@|$(VERSION)|' docs/relocpack-loader.pc.in \
	  > $(SHARE)/pkgconfig/relocpack-loader.pc

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/relocpack $(SHARE)/man/man1/relocpack*.1 \
	  $(SHARE)/pkgconfig/relocpack-loader.pc $(SHARE)/bash-completion/completions/relocpack \
	  $(SHARE)/zsh/site-functions/_relocpack $(SHARE)/fish/vendor_completions.d/relocpack.fish
	rm -rf $(SHARE)/relocpack $(SHARE)/cmake/relocpack

# What is committed, as a file that is the same whenever it is made.
dist:
	git archive --prefix=relocpack-$(VERSION)/ -o relocpack-$(VERSION).tar.gz HEAD

clean:
	rm -rf $(B)

format:
	clang-format -i $(FORMATTED)

-include $(shell find $(B) -name '*.d' -type f 2>/dev/null)
