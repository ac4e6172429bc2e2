#include "caddis/warc/views.h"

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"

namespace caddis::warc {
namespace {

// The part of a profile URI behind ".../revisit/" or ".../warc/1.0/revisit/" and their kin.
std::string_view profile_name(std::string_view uri) {
  const size_t slash = uri.rfind('/');
  return slash == std::string_view::npos ? uri : uri.substr(slash + 1);
}

}  // namespace

Revisit::Profile Revisit::profile() const {
  const std::string_view uri = header().bare_uri("WARC-Profile");
  if (!contains_ignore_case(uri, "netpreserve.org/warc/")) return Profile::unknown;
  const std::string_view name = profile_name(uri);
  // "uri-agnostic-identical-payload-digest" was written before WARC 1.1 and means the same.
  if (name.ends_with("identical-payload-digest")) return Profile::identical_payload_digest;
  return name == "server-not-modified" ? Profile::server_not_modified : Profile::unknown;
}

std::optional<WallTime> Revisit::refers_to_date() const {
  const auto date = parse_w3c_date(header().get("WARC-Refers-To-Date"));
  return date ? std::optional(*date) : std::nullopt;
}

std::optional<int64_t> Continuation::segment_number() const { return parse_int(get("WARC-Segment-Number")); }
std::optional<int64_t> Continuation::segment_total_length() const {
  return parse_int(get("WARC-Segment-Total-Length"));
}

AnyRecord view(const Header& header) {
  switch (header.type()) {
    case RecordType::warcinfo:
      return Warcinfo(header);
    case RecordType::response:
      return Response(header);
    case RecordType::resource:
      return Resource(header);
    case RecordType::request:
      return Request(header);
    case RecordType::metadata:
      return Metadata(header);
    case RecordType::revisit:
      return Revisit(header);
    case RecordType::conversion:
      return Conversion(header);
    case RecordType::continuation:
      return Continuation(header);
    case RecordType::other:
      break;
  }
  return UnknownRecord(header);
}

WarcFields parse_warc_fields(std::string_view block) {
  WarcFields fields;
  for (const std::string_view raw : split(block, '\n')) {
    const std::string_view line = raw.ends_with('\r') ? raw.substr(0, raw.size() - 1) : raw;
    if ((line.starts_with(' ') || line.starts_with('\t')) && !fields.empty()) {
      fields.back().second += ' ';
      fields.back().second += trim(line);
      continue;
    }
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    fields.emplace_back(trim(line.substr(0, colon)), trim(line.substr(colon + 1)));
  }
  return fields;
}

}  // namespace caddis::warc
