#!/usr/bin/env bash
# Builds and runs the micro-benchmarks of all modules, each for a moment: to see that they work and what is about to be slow.
#
#   tools/bench_micro.sh [FILTER]     a regular expression of benchmark names; by default all but those that need gigabytes
#   MIN_TIME=0.5 tools/bench_micro.sh longer, for figures to be compared
set -euo pipefail
cd "$(dirname "$0")/.."

heavy='-(fill|restart|insert_batch/[0-9]{8})'  # gigabytes, or minutes
filter=${1:-$heavy}
cmake --preset release > /dev/null
cmake --build --preset release -j "$(nproc)" --target micro_benchmarks > build/micro.log 2>&1 || { cat build/micro.log; exit 1; }
for program in build/release/src/caddis/*/*_bench; do
  echo "== $(basename "$program")"
  "$program" --benchmark_min_time="${MIN_TIME:-0.02}" --benchmark_filter="$filter" 2> /dev/null
done
