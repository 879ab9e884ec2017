#!/bin/sh
# Removes from node_modules what the service does not load: compilers and types that packages name as
# peers, source maps, type declarations, and the emoji names of other languages, and lists of logos (their files are read).
set -eu
cd node_modules
rm -rf typescript drizzle-orm bun-types @types .bin
find . -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \
  -o -name '*.md' -o -name '*.tsbuildinfo' -o -name '*.a' \) -delete
rm -rf simple-icons/index* simple-icons/data simple-icons/sdk*
find emojibase-data -mindepth 1 -maxdepth 1 -type d ! -name en -exec rm -rf {} +
