// Lines of an index as text: CDXJ (docs/formats/cdxj.md) is read and written; CDX with 9, 10, 11 and 14 fields is read,
// and written with 11 for those who ask the query API for it.
//
// A CDXJ line agrees byte for byte with those of cdxj-indexer and pywb: "key timestamp {json}", all values strings, the
// members in one order, those without a value left out. Everything here is pure and may be called from any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/cdx/capture.h"
#include "caddis/url/key_policy.h"

namespace caddis::cdx {

// A longer line is refused.
inline constexpr size_t kMaxLine = 4u << 20;

// What a crawler knows of a record it has written. Borrowed for the call.
struct CaptureFields {
  std::string_view url;       // as in WARC-Target-URI
  WallTime date;              // WARC-Date
  std::string_view mime;      // Content-Type of the response, parameters allowed; kRevisitMime for a revisit
  int status = 0;             // HTTP status; 0 where there is none
  std::string_view digest;    // payload digest as in WARC-Payload-Digest ("sha1:…"; the label of SHA-1 is left out)
  uint64_t length = 0;        // bytes of the record in its file
  uint64_t offset = 0;        // of its first byte there
  std::string_view filename;  // final name of the file in archive/
  // A request other than a GET: its method, and what stands for its body in a query.
  std::string_view method = {}, request_body = {};
};

// The URL by which such a request is indexed, as pywb has it: "https://a.example/?__wb_method=POST&q=x".
std::string request_url(std::string_view url, std::string_view method, std::string_view request_body);

// The line of a record, without line end.
std::string cdxj_line(const CaptureFields& fields, const url::KeyPolicy& policy = url::KeyPolicy::ia_surt());
// The same from a capture whose key is known.
std::string cdxj_line(const Capture& capture);
// "N b a m s k r M S V g" separated by blanks, "-" for what is not known; with the place of a revisit's original 14
// fields.
std::string cdx11_line(const Capture& capture);
std::string cdx14_line(const Capture& capture);

// The key under which a capture of a URL is indexed: what the policy makes, or where that fails the URL itself; never
// with blanks or control characters.
std::string index_key(std::string_view url, const url::KeyPolicy& policy = url::KeyPolicy::ia_surt(),
                      std::string_view timestamp = {});
// "text/html; charset=utf-8" -> "text/html"; "unk" where there is none, as indexers write.
std::string index_mime(std::string_view content_type);
// "sha1:ABC" -> "ABC"; other algorithms keep their label.
std::string_view index_digest(std::string_view labelled);
// Whether two digests of an index are one, in whatever form tools have written them: base32 in upper or lower case, hexadecimal, base64.
bool same_digest(std::string_view a, std::string_view b);

// One line of an index, CDXJ or CDX (told apart by the third field). Lines that begin with '!' or ' ' are headers, not
// captures: ErrorCode::not_found.
Result<Capture> parse_line(std::string_view line);
// For index files whose first line " CDX N b a …" names fields in another order; `header` is that line.
Result<Capture> parse_cdx_line(std::string_view line, std::string_view header);

}  // namespace caddis::cdx
