// Captures as ARC 1.1: what older archives and their tools read. A file begins with a version block, which has the
// facts of the crawl as XML; then each response stands behind one line. Requests, metadata and revisits have no place
// in it: a payload is stored whole each time.
//
//   record  = URL SP IP-address SP date14 SP type SP length LF block LF
//
// Grammar: docs/formats/arc.md.
#pragma once

#include <string>
#include <string_view>

#include "caddis/archive/capture.h"
#include "caddis/archive/record_form.h"
#include "caddis/archive/settings.h"
#include "caddis/archive/warcinfo.h"
#include "caddis/base/clock.h"
#include "caddis/base/error.h"

namespace caddis::archive {

// The version block, compressed. `file_name` is that of the file.
std::string arc_version_block(const Provenance& provenance, const ArchiveSettings& settings, std::string_view file_name,
                              WallTime now, warc::Compression compression);

// `mime`: the media type, without parameters; empty if there is none. Errors as write_http_capture.
Result<void> write_arc_http(const HttpCapture& capture, std::string_view mime, warc::Compression compression,
                            Records& out);
// A lookup: the block is `body`, of text/dns.
Result<void> write_arc_dns(std::string_view url, WallTime date, std::string_view server, std::string_view body,
                           warc::Compression compression, Records& out);

}  // namespace caddis::archive
