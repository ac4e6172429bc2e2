#!/usr/bin/env bash
# Builds fuzz targets with libFuzzer (preset fuzz), and runs each on a copy of its corpus, one on each processor:
#
#   tools/fuzz.sh [SECONDS [TARGET…]]      30 seconds each, of the parsers that meet the most hostile bytes; ALL: every target
#
# FUZZ_SEED: the seed of the random choices, 0 for another one each time.
# An input that crashes a target, hangs it or makes it leak is kept in build/fuzz/found/, and the exit status is 1.
set -uo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-30}
shift || true
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(url_url_fuzz warc_warc_reader_fuzz io_gzip_fuzz io_content_codec_fuzz html_tokenizer_fuzz
                                     robots_robots_fuzz feeds_sitemap_fuzz extract_extract_fuzz)
if [ "${targets[0]}" = ALL ]; then
  mapfile -t targets < <(git ls-files 'src/*_fuzz.cc' | sed -E 's|src/caddis/(\w+)/(\w+)\.cc|\1_\2|')
fi
jobs=$(nproc)
export ASAN_OPTIONS=detect_stack_use_after_return=1:quarantine_size_mb=16
ASAN_SYMBOLIZER_PATH=$(command -v llvm-symbolizer-19)
export ASAN_SYMBOLIZER_PATH

cmake --preset fuzz > /dev/null || exit 1
cmake --build --preset fuzz -j "$jobs" --target "${targets[@]}" || { echo "the build failed"; exit 1; }
rm -rf build/fuzz/corpus
mkdir -p build/fuzz/found build/fuzz/corpus

run_one() {
  local target=$1 corpus binary log
  corpus=build/fuzz/corpus/$target
  log=build/fuzz/corpus/$target.log
  mkdir -p "$corpus"
  cp -r "tests/corpus/${target%_fuzz}/." "$corpus" 2> /dev/null
  binary=$(find build/fuzz -type f -name "$target" -perm -u+x | head -1)
  if "$binary" -max_total_time="$SECONDS_EACH" -seed="${FUZZ_SEED:-0}" -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 \
      -artifact_prefix="build/fuzz/found/$target-" "$corpus" > "$log" 2>&1; then
    echo "fuzz: $target: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs, nothing found"
  else
    tail -40 "$log"
    echo "fuzz: $target: FAILED, the input is in build/fuzz/found/"
    return 1
  fi
}
export -f run_one
export SECONDS_EACH=$seconds
printf '%s\n' "${targets[@]}" | xargs -P "$jobs" -I{} bash -c 'run_one {}'
