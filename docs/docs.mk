# SPDX-License-Identifier: Apache-2.0
# The command reference and the manual page, from the option and error tables and the prose in the
# *.in files. Variables: B, CC, CFLAGS, LDFLAGS, LIBRARIES and SOURCES of the Makefile, which
# includes this file. Both outputs are committed, so that reading and installing need no build.

GENDOCS := $(B)/gendocs
DOC_TEMPLATES := docs/CLI.md.in docs/relocpack.1.in

.PHONY: docs check-docs

$(GENDOCS): $(B)/obj/tests/tools/gendocs.o \
    $(filter-out $(B)/obj/cli/main.o,$(SOURCES:%.c=$(B)/obj/%.o)) $(TEXT_OBJECTS)
	@$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBRARIES)

$(B)/docs/CLI.md: docs/CLI.md.in $(GENDOCS)
	@mkdir -p $(@D)
	@$(GENDOCS) md $< > $@

$(B)/docs/relocpack.1: docs/relocpack.1.in $(GENDOCS)
	@mkdir -p $(@D)
	@$(GENDOCS) man $< > $@

$(B)/docs/OPS.md: docs/OPS.md.in $(GENDOCS)
	@mkdir -p $(@D)
	@$(GENDOCS) md $< > $@

# A manual page for each command; not committed, because they hold nothing but the tables.
$(B)/man/pages: $(GENDOCS)
	mkdir -p $(@D)
	@$(GENDOCS) pages $(@D)
	touch $@

docs: $(B)/docs/CLI.md $(B)/docs/OPS.md $(B)/docs/relocpack.1
	cp $^ docs/

# Are the committed files what the tables say, and does every option have a name of its own?
check-docs: $(B)/docs/CLI.md $(B)/docs/OPS.md $(B)/docs/relocpack.1 $(GENDOCS)
	@$(GENDOCS) check $(DOC_TEMPLATES)
	diff -u docs/CLI.md $(B)/docs/CLI.md
	diff -u docs/OPS.md $(B)/docs/OPS.md
	diff -u docs/relocpack.1 $(B)/docs/relocpack.1

# Not part of docs: it needs the Arm toolchain and QEMU, whose versions show in the numbers.
.PHONY: docs-example
docs-example: $(B)/relocpack
	tests/e2e/pages.py $<
