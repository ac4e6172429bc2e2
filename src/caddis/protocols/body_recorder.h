// Takes the bytes of a document that has no head: into a spool, with its digest in one pass. A sibling of
// http::ResponseRecorder.
#pragma once

#include <string>
#include <string_view>

#include "caddis/http/exchange.h"
#include "caddis/io/digest.h"

namespace caddis::protocols {

class BodyRecorder {
 public:
  BodyRecorder(io::SpoolFolder& folder, const http::Limits& limits);

  // Bytes beyond Limits::max_body are dropped. An Error is our own: the spool's disk.
  Result<void> feed(std::string_view bytes);
  uint64_t size() const { return exchange_.response.size(); }
  // No more is wanted: there is more than the limit.
  bool is_cut() const { return exchange_.truncated != http::Truncated::none; }
  void cut(http::Truncated why);
  void note(std::string_view problem);

  // The exchange without what only the connection knows. Its head is made up (http::Resource).
  http::Exchange finish(http::Resource resource, std::string_view media_type);

 private:
  http::Exchange exchange_;
  io::Digest digest_;
  const uint64_t most_;
};

// The head that readers of the document find, who know HTTP alone: no server has sent it, and no record has it.
http::ResponseHead made_up_head(int status, std::string_view media_type);

}  // namespace caddis::protocols
