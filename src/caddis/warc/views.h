// Record types as types: what a record of each kind says, by name. A view borrows the header and reads it on demand.
//
//   std::visit(overloaded{
//       [](const Revisit& revisit) { resolve(revisit.refers_to_target_uri(), revisit.refers_to_date()); },
//       [](const auto&) {}}, view(record.header()));
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "caddis/warc/record.h"

namespace caddis::warc {

// What all have in common.
class View {
 public:
  explicit View(const Header& header) : header_(&header) {}
  const Header& header() const { return *header_; }
  std::string_view id() const { return header_->id(); }
  Result<WallTime> date() const { return header_->date(); }
  std::string_view content_type() const { return header_->content_type(); }

 protected:
  std::string_view get(std::string_view name) const { return header_->get(name); }

 private:
  const Header* header_;
};

// What records about a URI have in common.
class TargetView : public View {
 public:
  using View::View;
  std::string_view target_uri() const { return header().target_uri(); }
  std::string_view warcinfo_id() const { return header().bare_uri("WARC-Warcinfo-ID"); }
  std::vector<std::string_view> concurrent_to() const { return header().all("WARC-Concurrent-To"); }
  std::string_view ip_address() const { return get("WARC-IP-Address"); }
  std::string_view payload_digest() const { return header().payload_digest(); }
  std::string_view identified_payload_type() const { return get("WARC-Identified-Payload-Type"); }
  std::string_view truncated() const { return header().truncated(); }
  // "h2", "http/1.1", "tls/1.3"; may repeat.
  std::vector<std::string_view> protocols() const { return header().all("WARC-Protocol"); }
};

struct Warcinfo : View {
  using View::View;
  std::string_view filename() const { return get("WARC-Filename"); }
};
struct Response : TargetView {
  using TargetView::TargetView;
};
struct Resource : TargetView {
  using TargetView::TargetView;
};
struct Request : TargetView {
  using TargetView::TargetView;
};
struct Metadata : TargetView {
  using TargetView::TargetView;
  std::string_view refers_to() const { return header().bare_uri("WARC-Refers-To"); }
};
struct Revisit : TargetView {
  using TargetView::TargetView;
  enum class Profile { identical_payload_digest, server_not_modified, unknown };
  // Of either version of the standard. A record of an unknown profile must not be interpreted.
  Profile profile() const;
  std::string_view refers_to() const { return header().bare_uri("WARC-Refers-To"); }
  std::string_view refers_to_target_uri() const { return header().bare_uri("WARC-Refers-To-Target-URI"); }
  std::optional<WallTime> refers_to_date() const;
};
struct Conversion : TargetView {
  using TargetView::TargetView;
  std::string_view refers_to() const { return header().bare_uri("WARC-Refers-To"); }
};
struct Continuation : TargetView {
  using TargetView::TargetView;
  std::string_view segment_origin_id() const { return header().bare_uri("WARC-Segment-Origin-ID"); }
  std::optional<int64_t> segment_number() const;
  std::optional<int64_t> segment_total_length() const;
};
// A type that the standard does not know.
struct UnknownRecord : TargetView {
  using TargetView::TargetView;
};

using AnyRecord =
    std::variant<Warcinfo, Response, Resource, Request, Metadata, Revisit, Conversion, Continuation, UnknownRecord>;

AnyRecord view(const Header& header);

// The profile URIs of WARC 1.1 (section 6.7), which Caddis writes.
inline constexpr std::string_view kProfileIdenticalPayload =
    "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest";
inline constexpr std::string_view kProfileNotModified = "http://netpreserve.org/warc/1.1/revisit/server-not-modified";
// The ones of WARC 1.0.
inline constexpr std::string_view kProfileIdenticalPayload10 =
    "http://netpreserve.org/warc/1.0/revisit/identical-payload-digest";
inline constexpr std::string_view kProfileNotModified10 = "http://netpreserve.org/warc/1.0/revisit/server-not-modified";

// `application/warc-fields`: the block of warcinfo and of most metadata records; names in order, may repeat.
using WarcFields = std::vector<std::pair<std::string, std::string>>;
WarcFields parse_warc_fields(std::string_view block);

}  // namespace caddis::warc
