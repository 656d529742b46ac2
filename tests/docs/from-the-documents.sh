#!/usr/bin/env bash
# Checks docs/from-the-documents.md, given this repository's root: every header has every name that its row gives, every
# test that a row names exists. Prints what is missing.
set -euo pipefail
root=$1
page=$root/docs/from-the-documents.md
failed=0 rows=0 tests=0

complain() { echo "docs/from-the-documents.md: $there: $1" >&2; failed=1; }
# The words between backticks, one a line.
words() { grep -oE '`[^`]+`' <<<"$1" | tr -d '`' || true; }

while IFS='|' read -r _ there here header _ test _; do
  rows=$((rows + 1))
  files=()
  for name in $(words "$header"); do
    file=$(find "$root"/core/*/include/tenon "$root"/sdk/include/tenon -path "*/tenon/$name" | head -n 1)
    if [[ -n $file ]]; then files+=("$file"); else complain "no header $name"; fi
  done
  while read -r name; do
    [[ -z $name ]] || grep -qwF -- "$name" "${files[@]:-/dev/null}" || complain "no $name in $header"
  done < <(words "$here")
  # `file.cpp` Suite.Name Suite.Name, `other.cpp` ...; a file alone is a test by itself
  source=
  for word in ${test//,/}; do
    case $word in
      '`'*)
        source=$root/tests/${word//'`'/}
        [[ -f $source ]] || complain "no test file $source"
        ;;
      —) ;;
      *)
        suite=${word%%.*} name=${word#*.}
        tests=$((tests + 1))
        tr -d '\n ' <"$source" | grep -qF "($suite,$name)" || complain "no test $word in $source"
        ;;
    esac
  done
done < <(grep '^| `' "$page")

echo "$rows rows, $tests tests named"
((rows > 60)) || { echo "found $rows rows, expected more than 60" >&2; failed=1; }
exit $failed
