#include "simweb/judge/ledger.h"

namespace simweb {
namespace {

// Beyond this many, endless spaces (traps, invented paths) are no longer told apart: counters go on, rows do not.
constexpr size_t max_urls = 8'000'000;

uint64_t mix(uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

}  // namespace

HostRow& Ledger::host(HostId id) {
  if (id / kBlock >= blocks_.size()) blocks_.resize(id / kBlock + 1);
  auto& block = blocks_[id / kBlock];
  if (!block) block = std::make_unique<Block>();
  uint32_t& place = (*block)[id % kBlock];
  if (place == 0) {
    rows_.push_back({.id = id});
    place = static_cast<uint32_t>(rows_.size());
  }
  return rows_[place - 1];
}

const HostRow* Ledger::find(HostId id) const {
  if (id / kBlock >= blocks_.size() || !blocks_[id / kBlock]) return nullptr;
  const uint32_t place = (*blocks_[id / kBlock])[id % kBlock];
  return place == 0 ? nullptr : &rows_[place - 1];
}

// 64 well mixed bits instead of the URL: with a million rows the chance of one wrong verdict is 1 in 10^7.
uint64_t Ledger::key(HostId host, const PageRef& page) {
  return mix(mix(mix(host + 0x9e3779b97f4a7c15) ^ page.number) ^
             (uint64_t{page.part} << 8 | static_cast<uint64_t>(page.kind)));
}

Progress Ledger::progress(const HostRow& host, const PageRef& page) const {
  if (is_numbered(page.kind)) {
    const size_t byte = page.number / 4;
    return byte < host.pages.size() ? static_cast<Progress>((host.pages[byte] >> (page.number % 4 * 2)) & 3u)
                                    : Progress::none;
  }
  const auto found = urls_.find(key(host.id, page));
  return found == urls_.end() ? Progress::none : found->second.progress;
}

void Ledger::set(HostRow& host, const PageRef& page, Progress progress) {
  if (is_numbered(page.kind)) {
    const size_t byte = page.number / 4;
    if (byte >= host.pages.size()) host.pages.resize(byte + 1);
    const unsigned shift = page.number % 4 * 2;
    host.pages[byte] =
        static_cast<uint8_t>((host.pages[byte] & ~(3u << shift)) | static_cast<unsigned>(progress) << shift);
  } else if (UrlRow* const row = url(host.id, page, true)) {
    row->progress = progress;
  }
}

UrlRow* Ledger::url(HostId host, const PageRef& page, bool make) {
  const uint64_t at = key(host, page);
  if (const auto found = urls_.find(at); found != urls_.end()) return &found->second;
  return make && urls_.size() < max_urls ? &urls_[at] : nullptr;
}

uint32_t Ledger::note_asked(HostRow& host, const PageRef& page) {
  const Progress before = progress(host, page);
  if (before == Progress::none) set(host, page, Progress::asked);
  if (is_numbered(page.kind) && before == Progress::none) return 0;
  UrlRow* const row = url(host.id, page, true);
  if (row == nullptr) return 0;
  // The first request of a numbered page has no row.
  if (row->asked == 0 && is_numbered(page.kind)) row->asked = 1;
  return row->asked++;
}

bool Ledger::note_end(HostRow& host, const PageRef& page, Progress end) {
  const Progress before = progress(host, page);
  if (end > before) set(host, page, end);
  return before <= Progress::asked;
}

}  // namespace simweb
