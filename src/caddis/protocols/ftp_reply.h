// Replies of an FTP server (RFC 959, section 4.2), and the parts of them that clients use. Pure; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"

namespace caddis::protocols {

struct FtpReply {
  int code = 0;                    // 100 to 599
  std::vector<std::string> lines;  // their texts, without codes at the first and the last

  bool is_preliminary() const { return code < 200; }
  bool is_done() const { return code >= 200 && code < 300; }
  bool wants_more() const { return code >= 300 && code < 400; }
  bool is_refused() const { return code >= 400; }
  bool is_transient() const { return code >= 400 && code < 500; }
  // "550 No such file": the code, and the last line.
  std::string text() const;
};

// Puts a reply together, line by line.
class FtpReplyReader {
 public:
  static constexpr size_t kMostLines = 1000;

  // `line` has no line end. Returns the reply with its last line. ErrorCode::parse if this is no reply; limit: it is
  // longer than any.
  Result<std::optional<FtpReply>> take(std::string_view line);

 private:
  FtpReply reply_;
};

// The port of the answer 229 to EPSV (RFC 2428, section 3): "Entering Extended Passive Mode (|||6446|)".
std::optional<uint16_t> epsv_port(std::string_view text);
// The port of the answer 227 to PASV: six numbers, with or without brackets. The address is not believed: data comes from
// the server that was asked.
std::optional<uint16_t> pasv_port(std::string_view text);
// The number of the answer 213 to SIZE (RFC 3659, section 4).
std::optional<uint64_t> size_of(std::string_view text);

}  // namespace caddis::protocols
