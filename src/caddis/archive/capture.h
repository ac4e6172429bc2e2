// One capture as WARC records: response (or resource), request and metadata, built and compressed by the lane that
// fetched it into bytes that the committer only appends. All records of a capture have one date and lie together, in
// this order.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/archive/record_form.h"
#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/base/random.h"
#include "caddis/io/spool.h"
#include "caddis/warc/writer.h"

namespace caddis::archive {

// How a URL came to be captured, for the metadata record. Views are borrowed for the call.
struct CaptureMetadata {
  std::string_view via, hops, seed;
  Duration fetch_time{};
  std::string_view charset;                               // used for links
  std::string_view outlinks;                              // lines made by append_outlink
  std::vector<std::pair<std::string, std::string>> more;  // further fields: interim heads, tls
};

// The capture that a revisit stands for (WARC 1.1, 6.7). Borrowed for the call.
struct RevisitTarget {
  bool is_unchanged = false;   // the server says so; otherwise the payload is identical
  std::string_view record_id;  // with brackets; empty if it is not known
  std::string_view url;
  WallTime date;
};

// A document of another protocol than HTTP: its record is a resource, whose block is the document.
struct ResourceForm {
  std::string_view media_type;
};

// Something more about a document: a metadata record of its own, beside the one of the capture.
struct Attachment {
  std::string about;  // WARC-Target-URI
  std::string media_type;
  std::string block;
};

// The media type of the conversation of FTP, as Heritrix and others write it.
inline constexpr std::string_view kFtpConversation = "text/x-ftp-control-conversation";

// An HTTP exchange as it went over the wire, or the document of another protocol. Borrowed for the call.
struct HttpCapture {
  std::string_view url;
  WallTime date;
  std::string_view address;
  std::string_view request;         // exact bytes sent
  const io::Spool& response;        // exact bytes received
  std::string_view block_digest;    // "sha1:…" or another, of the response bytes
  std::string_view payload_digest;  // of the entity; empty where there is none
  std::optional<warc::Truncated> truncated;
  std::string_view protocol, cipher;     // of TLS, empty without
  uint64_t head_size = 0;                // of the response: where its body begins
  bool is_compressed = false;            // the body cannot be compressed further
  std::optional<RevisitTarget> revisit;  // the payload is stored there: only the head of the response is written
  CaptureMetadata metadata;
  std::string_view http = "http/1.1";       // the version, as WARC-Protocol has it
  const io::Spool* request_body = nullptr;  // behind `request`, if the body is no part of it
  std::optional<ResourceForm> resource;     // it is no HTTP: `response` is the document, and there is no request
  std::span<const Attachment> attachments;
};

// The records of one visit, and where in them the one lies that an index points to.
struct Records {
  io::Spool bytes;
  uint64_t indexed_offset = 0, indexed_length = 0;  // within `bytes`; length 0: nothing to index
  std::string id;                                   // of that record, with brackets
};

// The effort for the record of a response: a body that cannot be packed further is stored. Only gzip has a way of its own
// for that.
warc::Compression compression_for(const HttpCapture& capture, warc::Compression compression);

// ErrorCode::io where the spool fails (disk full): nothing of the capture may then be used.
Result<void> write_http_capture(const HttpCapture& capture, const RecordForm& form, Random& random, Records& out);

// A lookup as a resource record: the block is `body`, of text/dns.
Result<void> write_dns_capture(std::string_view url, WallTime date, std::string_view server, std::string_view body,
                               const CaptureMetadata& metadata, const RecordForm& form, Random& random, Records& out);

// Appends the line of one link to what is to be `CaptureMetadata::outlinks`. `url` is a serialized URL.
void append_outlink(std::string& outlinks, std::string_view url, char hop, std::string_view context);

// The block of a metadata record.
std::string metadata_block(const CaptureMetadata& metadata);

}  // namespace caddis::archive
