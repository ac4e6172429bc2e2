// DNS messages as a name server meets them (RFC 1035 section 4, EDNS of RFC 6891): questions decoded, answers encoded.
//
// Written for simweb alone, so that the crawler's own codec is judged by another. Limits: one question, names of 255
// bytes and labels of 63, no compression pointer in a question, 16 further records; what breaks them is a format error.
// Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace simweb {

namespace dns_type {
inline constexpr uint16_t a = 1, ns = 2, cname = 5, soa = 6, opt = 41, aaaa = 28, any = 255;
}

enum class DnsCode : uint8_t {
  ok = 0,
  format_error = 1,
  server_failure = 2,
  no_such_name = 3,
  not_implemented = 4,
  refused = 5
};

struct DnsQuery {
  uint16_t id = 0;
  bool recursion_desired = false;
  // Not ok where the message cannot be answered with records; the other fields then may be empty.
  DnsCode error = DnsCode::ok;
  std::string name;      // lower case, without the root's dot; bytes other than letters, digits, '-' and '_' as \ddd
  std::string question;  // as received, to be echoed with the case of its letters
  uint16_t type = 0;
  uint16_t record_class = 0;
  bool edns = false;
  uint16_t reply_limit = 512;  // bytes that the asker takes in one datagram
};

// Nothing where no answer may be sent: fewer than 12 bytes, or itself an answer.
std::optional<DnsQuery> parse_dns_query(std::string_view bytes);

struct DnsRecord {
  std::string name;  // without the root's dot
  uint16_t type = dns_type::a;
  uint32_t ttl = 0;
  std::string data;  // as on the wire for A (4 bytes) and others; a name for CNAME and NS
};

struct DnsReply {
  DnsCode code = DnsCode::ok;
  std::vector<DnsRecord> answers;
  // Where there is no record of the type asked for: the zone whose SOA says so in the authority section (RFC 2308).
  std::string zone;
  uint32_t negative_ttl = 0;
};

// The answer to `query`; where it is longer than the asker takes, an empty one with the TC bit.
std::string encode_dns_reply(const DnsQuery& query, const DnsReply& reply);

}  // namespace simweb
