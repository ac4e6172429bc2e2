#include "caddis/cdx/capture_scan.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace caddis::cdx {
namespace {

// Of one URL in one second; beyond it, a capture that two files hold may come twice.
constexpr size_t kPlacesRemembered = 10'000;

}  // namespace

bool OncePerPlace::is_new(const Capture& capture) {
  if (capture.urlkey != key_ || capture.timestamp != timestamp_) {
    key_ = capture.urlkey;
    timestamp_ = capture.timestamp;
    places_.clear();
  }
  // Without a whole place it is told by what it is.
  std::string told = capture.filename + ' ' + capture.offset;
  if (capture.filename.empty() || capture.offset.empty()) told += ' ' + capture.url + ' ' + capture.digest;
  if (capture.member != 0) return is_new_of_member(told, capture);
  const size_t place = std::hash<std::string>()(told);
  if (places_.contains(place)) return false;
  if (places_.size() < kPlacesRemembered) places_.insert(place);
  return true;
}

// Two members may have files of one name. Only with the same digest their captures are the same.
bool OncePerPlace::is_new_of_member(const std::string& told, const Capture& capture) {
  const std::hash<std::string> hash;
  const size_t in_member = hash(told + '\n' + std::to_string(capture.member));
  const size_t of_payload = hash(told + ' ' + capture.digest);
  if (places_.contains(in_member) || (!capture.digest.empty() && places_.contains(of_payload))) return false;
  if (places_.size() >= kPlacesRemembered) return true;
  places_.insert(in_member);
  places_.insert(of_payload);
  return true;
}

Result<CaptureScan> CaptureScan::start(const std::vector<ScanPart>& parts, Direction direction,
                                       std::shared_ptr<uint64_t> broken) {
  CaptureScan scan(direction, std::move(broken));
  scan.readers_.reserve(parts.size());
  for (const ScanPart& part : parts) {
    TRY(auto cursor, part.source->seek(direction == Direction::forward ? part.from : part.to));
    Reader& reader = scan.readers_.emplace_back(part, std::move(cursor));
    if (direction == Direction::backward)
      TRY_VOID(scan.advance(reader));
    else
      scan.look_for_end(reader);
  }
  return scan;
}

void CaptureScan::look_for_end(Reader& reader) const {
  if (reader.ended || reader.cursor->at_end())
    reader.ended = true;
  else
    reader.ended = direction_ == Direction::forward ? !reader.cursor->is_before(reader.part.to)
                                                    : reader.cursor->is_before(reader.part.from);
}

Result<void> CaptureScan::advance(Reader& reader) {
  if (direction_ == Direction::forward) {
    TRY_VOID(reader.cursor->next());
  } else {
    TRY(const bool moved, reader.cursor->previous());
    reader.ended = !moved;
  }
  look_for_end(reader);
  return {};
}

CaptureScan::Reader* CaptureScan::first_reader() {
  Reader* first = nullptr;
  for (Reader& reader : readers_) {
    if (reader.ended) continue;
    if (first == nullptr || (direction_ == Direction::forward ? reader.cursor->line() < first->cursor->line()
                                                              : reader.cursor->line() > first->cursor->line()))
      first = &reader;
  }
  return first;
}

Result<CaptureScan::Found> CaptureScan::next(uint64_t& budget) {
  for (;;) {
    if (given_ != nullptr) TRY_VOID(advance(*std::exchange(given_, nullptr)));
    if (budget == 0) return Found::nothing_yet;
    Reader* const reader = first_reader();
    if (reader == nullptr) return Found::end;
    given_ = reader;
    budget -= std::min<uint64_t>(budget, reader->cursor->size() + 64);
    auto capture = reader->part.source->capture_at(*reader->cursor);
    if (!capture && broken_ && is_broken_line(capture.error())) ++*broken_;
    if (!capture || !once_.is_new(*capture)) continue;
    capture_ = *std::move(capture);
    return Found::capture;
  }
}

Result<void> CaptureScan::jump(std::string_view key) {
  given_ = nullptr;
  for (Reader& reader : readers_) {
    if (reader.ended || !reader.cursor->is_before(key)) continue;
    TRY(reader.cursor, reader.part.source->seek(key));
    look_for_end(reader);
  }
  return {};
}

}  // namespace caddis::cdx
