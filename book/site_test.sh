#!/usr/bin/env bash
# Builds the site with scripts/book and looks at it in Chromium. Ends with 77, which CTest calls
# skipped, where Node.js, npm, Chromium, Chinese fonts or what npm would fetch are missing.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
skip() { echo "skipped: $*"; exit 77; }

for command in python3 node npm "${CHROMIUM:-chromium}"; do
    command -v "$command" >/dev/null || skip "$command is missing"
done
fc-list ':lang=zh' 2>/dev/null | grep -q . || skip "there is no font with Chinese characters"
if ! cmp -s "$root/book/package-lock.json" \
    "$root/build/book/node_modules/.package-lock.of-this-build"; then
    registry=$(npm config get registry)
    npm ping --fetch-retries=0 >/dev/null 2>&1 || skip "npm cannot reach $registry"
fi
"$root/scripts/book" --test
