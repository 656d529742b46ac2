#!/bin/sh
# Looks into the code of the CPU's kernels. A function outside a variant's namespace may be one that the linker takes for
# the whole plugin: it must not have the variant's instructions, or an old machine meets them. And what is strict must
# not fuse a product with a sum. Usage: instructions.sh OBJDUMP OBJECT...
objdump=$1
shift
failed=0

# "INSTRUCTION FUNCTION" for each instruction of AVX and later.
wide_instructions() {
  "$objdump" --disassemble --demangle --no-show-raw-insn "$1" |
    awk '/^[0-9a-f]+ </ { sub(/^[0-9a-f]+ /, ""); function_name = $0 }
         /^ +[0-9a-f]+:/ { if ($2 ~ /^v/) print $2, function_name }'
}

expect_none() {
  [ -z "$1" ] && return
  printf '%s:\n%s\n' "$2" "$1"
  failed=1
}

for object in "$@"; do
  wide=$(wide_instructions "$object")
  case $object in
    *isa_avx2*) own=::avx2:: ;;
    *isa_avx512*) own=::avx512:: ;;
    *) own=none ;;
  esac
  expect_none "$(printf '%s\n' "$wide" | grep . | grep -v "$own" | sort -u | head)" "$object has foreign instructions"
  expect_none "$(printf '%s\n' "$wide" | grep '^vf' | grep -v '::Fused' | sort -u | head)" "$object fuses"
  [ "$own" = none ] || [ -n "$wide" ] || { echo "$object has no instruction of its variant"; failed=1; }
done
exit $failed
