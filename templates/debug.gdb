# SPDX-License-Identifier: Apache-2.0
# GDB commands, for GDB 10 or later, with or without Python: docs/guide/debugging.md. GDB has no
# command that raises an error, so `relocpack-failed`, which is none, ends a command and what called it.
# Behind this text, `generate` puts what it knows of one image.

# A file with these commands may have been sourced already: no questions about that.
set $relocpack_confirm = $_gdb_setting("confirm")
set confirm off

if $_isvoid($relocpack_count)
  set $relocpack_count = 0
end

define relocpack-load
  dont-repeat
  if $argc != 1 && $argc != 2
    echo relocpack: usage: relocpack-load HANDLE [ELF]\n
    relocpack-failed
  end
  relocpack-find $arg0
  relocpack-identify
  relocpack-place
  relocpack-forget
  if $argc == 2
    relocpack-add $arg1
  else
    eval "relocpack-file-%08x", $relocpack_key
  end
  relocpack-remember
  relocpack-compare
end
document relocpack-load
Load the symbols of an instance of an image at the addresses where it is installed.
Usage: relocpack-load HANDLE [ELF]
HANDLE is what the loader returned: an ai_handle; for Neural-ART, the member
exec_state.inst_reloc of the NN_Instance_TypeDef. The image must be one whose
NAME_rel.gdb was sourced. ELF is its NAME_rel.elf, if that was moved.
Use it again after a call of init: only then are weights and activations known.
end

define relocpack-unload
  dont-repeat
  if $argc != 1
    echo relocpack: usage: relocpack-unload HANDLE\n
    relocpack-failed
  end
  set $relocpack_old = (unsigned int)($arg0)
  relocpack-remove
end
document relocpack-unload
Remove the symbols of an instance of an image, which may no longer exist.
Usage: relocpack-unload HANDLE
end

# ---- the rest is used by these two ----

# Reads the context behind a handle (runtime/format/reloc_format.h). As the loader does, it takes nothing for
# an instance unless the image's header leads back to it.
define relocpack-find
  set $relocpack_handle = (unsigned int)($arg0)
  if $relocpack_handle == 0 || ($relocpack_handle & 3) != 0
    printf "relocpack: 0x%x is no handle: the instance was not created, or was destroyed\n", $relocpack_handle
    relocpack-failed
  end
  set $relocpack_context = (unsigned int *)$relocpack_handle
  set $relocpack_state = $relocpack_context[0]
  set $relocpack_ram = $relocpack_context[2]
  set $relocpack_code = $relocpack_context[3]
  if ($relocpack_state & 1) == 0 || ($relocpack_state & 0xfefefefc) != 0
    printf "relocpack: no instance at 0x%x: not created yet, or destroyed (its state is 0x%x)\n", $relocpack_handle, $relocpack_state
    relocpack-failed
  end
  set $relocpack_header = (unsigned int *)$relocpack_code
  if $relocpack_header[0] != 0x4e49424e
    printf "relocpack: no instance at 0x%x: there is no image at 0x%x\n", $relocpack_handle, $relocpack_code
    relocpack-failed
  end
  set $relocpack_header_bytes = 100
  if $relocpack_header[1] >> 28 == 8
    set $relocpack_header_bytes = $relocpack_header[23] >> 28 == 4 ? 96 : 104
  end
  set $relocpack_back = $relocpack_ram + ($relocpack_header[$relocpack_header_bytes / 4 - 1] & 0x0fffffff)
  if $relocpack_back != $relocpack_handle
    printf "relocpack: no instance at 0x%x: the image at 0x%x has its context at 0x%x\n", $relocpack_handle, $relocpack_code, $relocpack_back
    relocpack-failed
  end
end

# Which image is it? FNV-1a of the header tells, and then of words all over the code, a few hundred at
# most, because a probe takes a millisecond for each. What a copy may have changed is left out.
define relocpack-identify
  set $relocpack_hash = 2166136261U
  set $relocpack_i = 0
  while $relocpack_i < $relocpack_header_bytes / 4
    set $relocpack_hash = ($relocpack_hash ^ $relocpack_header[$relocpack_i]) * 16777619U
    set $relocpack_i = $relocpack_i + 1
  end
  set $relocpack_key = $relocpack_hash
  eval "set $relocpack_known = !$_isvoid($relocpack_image_%08x)", $relocpack_key
  if $relocpack_known
    eval "relocpack-image-%08x", $relocpack_key
    while $relocpack_i < $relocpack_words
      if $relocpack_i < $relocpack_patched || $relocpack_i >= $relocpack_patched_end
        set $relocpack_hash = ($relocpack_hash ^ $relocpack_header[$relocpack_i]) * 16777619U
      end
      set $relocpack_i = $relocpack_i + $relocpack_step
    end
    set $relocpack_known = $relocpack_hash == $relocpack_code_hash
  end
  if !$relocpack_known
    printf "relocpack: the image at 0x%x is of another build than those whose NAME_rel.gdb was sourced, or it is damaged\n", $relocpack_code
    relocpack-failed
  end
end

# Where are weights and activations? A word of the instance tells, as soon as there was a call of
# init. Where that is not known, symbols go where no memory is.
define relocpack-place
  set $relocpack_weights = 0xf8000000U
  set $relocpack_acts = 0xf8000000U
  if ($relocpack_state & 2) != 0 && $relocpack_header[1] >> 28 == 2 && $relocpack_header[11] != 0
    set $relocpack_weights = $relocpack_code + ($relocpack_header[11] & 0x0fffffff)
  end
  if $relocpack_weights_word != 1 && *(unsigned int *)($relocpack_ram + $relocpack_weights_word) != 0
    set $relocpack_weights = *(unsigned int *)($relocpack_ram + $relocpack_weights_word) - $relocpack_weights_offset
  end
  if $relocpack_acts_word != 1 && *(unsigned int *)($relocpack_ram + $relocpack_acts_word) != 0
    set $relocpack_acts = *(unsigned int *)($relocpack_ram + $relocpack_acts_word) - $relocpack_acts_offset
  end
end

# The instances with symbols are those in $relocpack_handle_0, …_1 and so on, their code in
# $relocpack_code_0, …; a handle of 0 is a free place.
define relocpack-remember
  eval "set $relocpack_handle_%d = %u", $relocpack_count, $relocpack_handle
  eval "set $relocpack_code_%d = %u", $relocpack_count, $relocpack_code
  set $relocpack_count = $relocpack_count + 1
end

# Is forgotten first: where the user has removed the symbols, GDB raises an error.
define relocpack-remove
  set $relocpack_row = 0
  while $relocpack_row < $relocpack_count
    eval "set $relocpack_handle_%d = $relocpack_handle_%d == $relocpack_old ? 0 : $relocpack_handle_%d", $relocpack_row, $relocpack_row, $relocpack_row
    set $relocpack_row = $relocpack_row + 1
  end
  remove-symbol-file -a $relocpack_old
end

# Removes symbols that would be in the way: of this instance; of another one with the same code, whose
# variables would be there twice; of those that were destroyed, whose memory may be in use again.
define relocpack-forget
  set $relocpack_i = 0
  while $relocpack_i < $relocpack_count
    eval "set $relocpack_old = $relocpack_handle_%d", $relocpack_i
    eval "set $relocpack_old_code = $relocpack_code_%d", $relocpack_i
    set $relocpack_i = $relocpack_i + 1
    if $relocpack_old != 0
      set $relocpack_context = (unsigned int *)$relocpack_old
      set $relocpack_gone = ($relocpack_context[0] & 1) == 0 || $relocpack_context[3] != $relocpack_old_code
      if !$relocpack_gone && $relocpack_old != $relocpack_handle && $relocpack_old_code == $relocpack_code
        printf "relocpack: 0x%x runs the same code; variables are now those of 0x%x\n", $relocpack_old, $relocpack_handle
      end
      if $relocpack_gone || $relocpack_old == $relocpack_handle || $relocpack_old_code == $relocpack_code
        relocpack-remove
      end
    end
  end
end

# The build id gets an address of its own, where no memory is. The covers are put in front of code in
# RAM: GDB would not look for code in a variable of the firmware (elfpack/image/debug.c).
define relocpack-add
  set $relocpack_note = $_isvoid($relocpack_note) ? 0xf0000000U : $relocpack_note + 64
  set $relocpack_end = ($relocpack_state & 2) != 0 ? 0xf8000000U : $relocpack_code
  add-symbol-file $arg0 -s .text $relocpack_code -s .data $relocpack_ram -s .bss $relocpack_ram+($relocpack_header[5]&0x0fffffff) -s .weights $relocpack_weights -s .acts $relocpack_acts -s .note.gnu.build-id $relocpack_note -s .cover64k $relocpack_end-0x10000 -s .cover1m $relocpack_end-0x100000 -s .cover16m $relocpack_end-0x1000000
end

# Does the ELF file belong to the image? Its build id is read from the file, not from memory.
define relocpack-compare
  set $relocpack_id = (unsigned int *)$relocpack_note + 4
  with trust-readonly-sections on -- set $relocpack_same = $relocpack_id[0] == $relocpack_id0 && $relocpack_id[1] == $relocpack_id1 && $relocpack_id[2] == $relocpack_id2 && $relocpack_id[3] == $relocpack_id3
  if !$relocpack_same
    set $relocpack_old = $relocpack_handle
    relocpack-remove
    printf "relocpack: the ELF file is of another build than the image at 0x%x; its symbols were removed again\n", $relocpack_code
    relocpack-failed
  end
end
