// preload_seen LAUNCH COUNT: appends COUNT fingerprints of no URL to the log of a stopped crawl's seen-set, by the
// commit protocol: resumed, the crawl has to tell its URLs from so many others.
#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "caddis/collection/launch.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/io/files.h"
#include "caddis/store/rocks_kv.h"
#include "caddis/store/seen.h"
#include "caddis/store/streams.h"

namespace {

using namespace caddis;

constexpr uint64_t kPiece = 1 << 20;

// One to one, so that no two fingerprints are the same (the finalizer of splitmix64).
uint64_t mixed(uint64_t number) {
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
  number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
  return number ^ (number >> 31);
}

Result<void> preload(const std::string& folder, uint64_t count) {
  // Two folders above a launch is the collection, which the paths of the streams are relative to.
  const collection::Launch launch{io::parent_path(io::parent_path(folder)), std::string(io::base_name(folder))};
  TRY(const auto kv, store::rocks_opener()(launch.store(), crawl::family_names()));
  TRY(const auto streams,
      store::StreamSet::open(io::real_files(), *kv, crawl::kStreams, launch.orphans(), launch.collection));
  TRY(const store::StreamPlan plan, streams->inspect({}, nullptr));
  TRY_VOID(streams->apply(plan));
  TRY_VOID(streams->open_stream(crawl::kSeenStream, launch.seen_log()));
  std::string rows;
  for (uint64_t i = 1; i <= count; ++i) {
    store::append_fingerprint(rows, mixed(i));
    if (i % kPiece != 0 && i != count) continue;
    TRY_VOID(streams->append(crawl::kSeenStream, rows));
    rows.clear();
  }
  TRY_VOID(streams->sync());
  store::Batch batch;
  streams->stage_lengths(batch);
  TRY_VOID(kv->write(batch, store::Durability::synced));
  return streams->committed();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: preload_seen COLLECTION/crawls/LAUNCH COUNT\n");
    return 2;
  }
  const auto done = preload(argv[1], std::strtoull(argv[2], nullptr, 10));
  if (done) return 0;
  fmt::print(stderr, "preload_seen: {}\n", done.error().message);
  return 1;
}
