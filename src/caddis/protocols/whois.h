// WHOIS (RFC 3912): one query, one answer. Answers may refer to another server, which is asked in a visit of its own.
//
// URLs are Heritrix's: whois://server/query; whois:query is made one of these before (url/crawl_schemes.h).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "caddis/io/spool.h"
#include "caddis/protocols/transfer.h"
#include "caddis/protocols/wires.h"

namespace caddis::protocols {

inline constexpr uint16_t kWhoisPort = 43;

class WhoisClient {
 public:
  // Both outlive it. Belongs to the loop of `wires`.
  WhoisClient(Wires& wires, io::SpoolFolder& spools) : wires_(wires), spools_(spools) {}
  // `Transfer::path` is the query.
  aio::Task<TransferResult> fetch(Transfer transfer);

 private:
  Wires& wires_;
  io::SpoolFolder& spools_;
};

// Returns the server that an answer refers to, as "whois.example.org" or "whois.example.org:4343"; nothing if it refers to
// none. The last one of the answer counts. Pure; any thread.
std::optional<std::string> whois_referral(std::string_view answer);

// Returns the URL of the same question at another server. `templates` are those of fetch.whois-queries: "server words %s".
std::string whois_url(std::string_view server, std::string_view query, std::span<const std::string> templates);

// Checks an entry of fetch.whois-queries. ErrorCode::config.
Result<void> check_whois_template(std::string_view text);

}  // namespace caddis::protocols
