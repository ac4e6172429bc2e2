// One request and its response, as they went over the wire: what a WARC keeps.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "caddis/aio/network.h"
#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/http/framing.h"
#include "caddis/http/head.h"
#include "caddis/io/digest.h"
#include "caddis/io/spool.h"

namespace caddis::http {

struct Limits {
  Duration connect = std::chrono::seconds(20);  // TCP, the proxy's tunnel and the TLS handshake together
  Duration silence = std::chrono::seconds(20);  // without a byte
  Duration total = std::chrono::minutes(20);    // from the start to the last byte
  uint64_t max_body = 0;                        // bytes of the body as received; 0: no limit
  uint64_t bandwidth = 0;                       // bytes a second; 0: no limit
  size_t max_head = 64 * 1024;
  size_t memory = 512 * 1024;  // of a response; what is beyond goes to the spool's file
  io::DigestAlgorithm digest = io::DigestAlgorithm::sha1;
  // Whether the body of a response with that head is wanted; -1: its length is not said. Null: each is. Of one that is
  // not, nothing is stored, and the connection ends.
  std::function<bool(const ResponseHead& head, int64_t length)> wants_body = nullptr;
};

// Why a response is not whole.
enum class Truncated {
  none,
  length,      // Limits::max_body
  time,        // Limits::silence or Limits::total
  disconnect,  // the connection ended before the body
  head,        // Limits::max_head: what came of the head was kept
  unwanted,    // Limits::wants_body: the head alone was kept
};
// The value of WARC-Truncated, empty for none.
std::string_view warc_truncated(Truncated reason);
// Heritrix's annotation in crawl.log (lenTrunc, timeTrunc, headerTrunc, midFetchAbort); ours for disconnect (disconnectTrunc).
std::string_view truncated_annotation(Truncated reason);

struct Timings {
  WallTime started;       // the one date of all records of this capture
  Duration connected{};   // since the start; 0 on a connection that was open already
  Duration first_byte{};  // since the start
  Duration finished{};    // since the start
};

// The facts of a document that has come by another protocol than HTTP (src/caddis/protocols). Such an exchange has
// no request and no head: `Exchange::response` is the document, and `Exchange::head` is made up for its readers.
struct Resource {
  enum class Listing { none, mlsd, list, nlst };
  std::string_view protocol;        // "ftp", "sftp", "whois", "file": a literal
  int status = 0;                   // of the fetch: 226, 2001
  std::string reply;                // the server's last word on it; may be empty
  std::string conversation;         // of the control connection, without secrets; empty if there is none
  Listing listing = Listing::none;  // the form of a folder's listing; none: it is no folder
};

struct Exchange {
  explicit Exchange(io::Spool spool) : response(std::move(spool)) {}

  std::string request_bytes;  // as the server sees it, without secrets
  io::Spool response;         // as received: head and body with their framing, without interim (1xx) responses
  ResponseHead head;
  size_t head_size = 0;  // the body begins here in `response`
  // Where readers of archives take the body to begin: earlier than it does where a blank line stands in the head, or in
  // front of it (base/blank_line.h).
  size_t head_size_for_readers = 0;
  std::string interim;  // heads of 1xx responses, in order
  Framing framing;      // its `keep_alive`: the connection stayed open for another exchange
  Truncated truncated = Truncated::none;
  uint64_t surplus = 0;  // bytes behind the end of the response; not in `response`
  // What was wrong with the message (blank lines in the head, framing, chunks, surplus bytes), joined with "; "; empty
  // where nothing was.
  std::string problem;

  std::string block_digest;  // raw, of all of `response`
  // Raw, of the body after transfer decoding and before content decoding; where readers find another body than that, of
  // what they find (all of `response` from head_size_for_readers on).
  std::string payload_digest;
  uint64_t payload_size = 0;
  // The payload is `response` from head_size on; otherwise it has to be dechunked.
  bool payload_is_body = true;

  aio::Endpoint remote;
  std::optional<aio::TlsInfo> tls;
  bool reused = false;  // on a connection that had carried an exchange before
  Timings timings;
  std::optional<Resource> resource;  // it is no HTTP

  uint64_t body_size() const { return response.size() - head_size; }
};

// The protocol that was spoken, as WARC-Protocol has it: "h2" if it was agreed on, else "http/1.1"; that of a resource.
std::string_view protocol_of(const Exchange& exchange);

// Why there is no response at all.
struct Failure {
  enum class At {
    connect,   // refused, unreachable, or too slow
    tls,       // no handshake, or a certificate that had to be trusted and is not
    proxy,     // the proxy gave no tunnel
    response,  // connected, but no response came: nothing, or half a head
    protocol,  // what came is not HTTP
    local,     // our own disk
  };
  At at = At::response;
  Error error;
  bool nothing_came = false;  // not a byte of a response
};

using FetchResult = std::expected<Exchange, Failure>;

}  // namespace caddis::http
