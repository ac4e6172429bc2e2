#include "caddis/store/packing.h"

#include <utility>

#include "caddis/base/log.h"

namespace caddis::store {
namespace {

// More than logs grow by in one group.
constexpr uint64_t kBytesAStep = 4 << 20;

}  // namespace

void Packing::follow(Logs logs, uint64_t commits_kept) {
  logs_ = std::move(logs);
  commits_kept_ = commits_kept;
}

void Packing::closed(const std::string& log, std::string path, uint64_t length) {
  waiting_[log].push_back({std::move(path), length});
}

void Packing::step() {
  chores_.count_commit();
  work(kBytesAStep);
}

void Packing::finish(uint64_t bytes) {
  for (uint64_t asked = 0; asked < bytes && work(kBytesAStep);) asked += kBytesAStep;
  chores_.remove_now();
}

bool Packing::begin_next() {
  for (const std::string& log : logs_) {
    const auto found = waiting_.find(log);
    while (found != waiting_.end() && !found->second.empty()) {
      const Waiting next = std::move(found->second.front());
      found->second.pop_front();
      if (!files_.exists(next.path)) continue;  // it is packed already
      packer_.emplace(files_, next.path, next.length);
      return true;
    }
  }
  return false;
}

// A file that cannot be packed stays as it is until the next start.
bool Packing::work(uint64_t bytes) {
  if (!packer_ && !begin_next()) return false;
  const auto done = packer_->step(bytes);
  if (done && !*done) return true;
  const std::string path = packer_->path();
  packer_.reset();
  if (done) {
    chores_.remove_after(commits_kept_, path);
    return true;
  }
  log_warn("store", "{} cannot be packed, and stays as it is: {}", path, done.error().message);
  if (files_.exists(packing_path(path))) (void)files_.remove(packing_path(path));
  return true;
}

}  // namespace caddis::store
