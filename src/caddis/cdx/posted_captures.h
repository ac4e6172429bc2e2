// Joins captures with the requests that they answer, where those had a body: a POST is indexed by another key than a GET
// of its URL. The two records stand next to each other in a file, in any order, and name each other (WARC-Concurrent-To).
//
//   PostedCaptures captures(use);
//   for (Record& record : file) captures.add(…), captures.ask(…);
//   captures.end();
//
// Gives the captures in the order of the file, each once. Holds one capture and one request.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/cdx/line.h"
#include "caddis/warc/reader.h"

namespace caddis::cdx {

// By which records name each other.
struct RecordNames {
  std::string own, other;  // WARC-Record-ID, WARC-Concurrent-To; empty where there is none

  static RecordNames of(const warc::Header& header);
  bool belong_to(const RecordNames& record) const;
};

// CaptureFields that outlive their record.
struct HeldCapture {
  std::string url, mime, digest, filename;
  WallTime date{};
  int status = 0;
  uint64_t length = 0, offset = 0;

  CaptureFields fields() const;
};

// The method of a request and its body as keys have it; nothing for a GET, or if the record is none of HTTP. Reads the
// block as far as is needed.
struct PostedRequest {
  std::string method, body;
};
Result<std::optional<PostedRequest>> read_request(warc::Record& record);

class PostedCaptures {
 public:
  using Use = std::function<Result<void>(const CaptureFields& capture)>;
  explicit PostedCaptures(Use use) : use_(std::move(use)) {}

  Result<void> add(RecordNames names, HeldCapture capture);
  // Takes a request record that has just been begun.
  Result<void> ask(warc::Record& record);
  Result<void> end();

 private:
  Result<void> give(const HeldCapture& capture, const PostedRequest& request);

  const Use use_;
  std::optional<std::pair<RecordNames, HeldCapture>> capture_;
  std::optional<std::pair<RecordNames, PostedRequest>> request_;
};

}  // namespace caddis::cdx
