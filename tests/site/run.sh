#!/bin/sh
# Builds the site without pictures and the C++ pages, then opens it in Chromium: run.sh NODE PROGRAM OUT
set -e
here=$(dirname "$(realpath "$0")")
if ! /usr/bin/python3 -c 'import sphinx, myst_parser, furo' 2>/dev/null; then
  echo "skipped: Sphinx, MyST or Furo is missing (Debian packages python3-sphinx, python3-myst-parser, furo)"
  exit 77
fi
/usr/bin/python3 -B "$here/formulas_test.py"
/usr/bin/python3 -B "$here/../../docs/site/build.py" "$2" "$3" --no-pictures --no-cpp
exec "$1" "$here/site_test.mjs" "$3"
