# SPDX-License-Identifier: Apache-2.0
# Compiles and links one model in a private workspace, which is the current folder.
# Variables: units.mk sets PREPROCESS, ASSEMBLY, TYPES, OBJECTS, ALONE, OWN and OURS (numbers). RP_CC (compiler), RP_LD
# (linker) and RP_LAUNCHER (words before the compiler, may be empty) come from the environment. So does RP_PLAIN, if
# they contain nothing that is special to make or to a shell: then no shell is started. All other arguments of a
# command are in its response file, so neither make nor a shell ever reads text from the user.
#
# No rule compares times: prerequisites are order-only. Files that exist were made in this run, because
# toolchain/compile/build.c removes older ones and those that have to be made again.

# what the user wants to be part of ccache's keys, for units.mk, and no text that make expands
EXTRAFILES := $(if $(value CCACHE_EXTRAFILES),$(value CCACHE_EXTRAFILES):)

include units.mk

ifeq ($(RP_PLAIN),yes)
CPP := $(RP_CC)
CC = $(RP_LAUNCHER) $(RP_CC)
LD := $(RP_LD)
else
CPP := "$$RP_CC"
CC = $$RP_LAUNCHER "$$RP_CC"
LD := "$$RP_LD"
endif

.PHONY: preprocess assembly objects link
.SUFFIXES:
.DELETE_ON_ERROR:

preprocess: $(PREPROCESS:%=obj/%.i)
assembly: $(ASSEMBLY:%=obj/%.s)
objects: $(OBJECTS:%=obj/%.o) $(TYPES:%=obj/%.types.o)
link: image.elf

# What these units read cannot be told from what a compiler cache keeps.
ifneq ($(ALONE),)
$(ALONE:%=obj/%.o) $(ALONE:%=obj/%.s): RP_LAUNCHER :=
endif

obj/%.i: | obj/%.cpp.rsp
	@$(CPP) @obj/$*.cpp.rsp

obj/%.types.o: | obj/%.types.rsp
	@$(CC) @obj/$*.types.rsp

obj/%.s: | obj/%.s.rsp
	@$(CC) @obj/$*.s.rsp

# ccache finds and stores these without running the preprocessor.
ifneq ($(OWN),)
$(OWN:%=obj/%.o): export CCACHE_DEPEND := 1
endif
# It keeps one list of results for each source and command, and of two runs that add to it at a time, one is lost. So
# what is written for a model is part of the key: units.mk sets CCACHE_EXTRAFILES for such objects.
OTHERS := $(filter-out $(OWN:%=obj/%.o),$(OBJECTS:%=obj/%.o)) $(TYPES:%=obj/%.types.o) $(ASSEMBLY:%=obj/%.s)
ifneq ($(OTHERS),)
$(OTHERS): export CCACHE_NODIRECT := 1
$(OTHERS): export CCACHE_NODEPEND := 1
endif

$(OURS:%=obj/%.o): obj/%.o: | obj/%.rsp
	@$(CC) @obj/$*.rsp

# A launcher returns the assembler's list of what it read on standard output.
obj/%.o: | obj/%.rsp
	@$(if $(value RP_LAUNCHER),exec )$(CC) @obj/$*.rsp$(if $(value RP_LAUNCHER), > obj/$*.as.d)

image.elf: | link.rsp $(OBJECTS:%=obj/%.o)
	@$(LD) @link.rsp
