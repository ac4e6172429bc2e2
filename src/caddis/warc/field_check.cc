#include "caddis/warc/field_check.h"

#include <algorithm>
#include <array>

#include "caddis/base/strings.h"
#include "caddis/base/utf8.h"
#include "caddis/warc/views.h"
#include "fmt/format.h"

namespace caddis::warc {
namespace {

template <size_t n>
bool contains(const std::array<std::string_view, n>& values, std::string_view value) {
  return std::ranges::find(values, value) != values.end();
}

bool needs_target(RecordType type) {
  return type != RecordType::warcinfo && type != RecordType::metadata && type != RecordType::other;
}

bool may_repeat(std::string_view name) {
  if (equals_ignore_case(name, "Content-Type") || equals_ignore_case(name, "Content-Length")) return false;
  return equals_ignore_case(name, "WARC-Concurrent-To") || equals_ignore_case(name, "WARC-Protocol") ||
         !starts_with_ignore_case(name, "WARC-");
}

// The clause of WARC 1.1 about a field.
std::string clause_of(std::string_view field) {
  constexpr std::array<std::string_view, 21> kFields{"WARC-Record-ID",
                                                     "Content-Length",
                                                     "WARC-Date",
                                                     "WARC-Type",
                                                     "Content-Type",
                                                     "WARC-Concurrent-To",
                                                     "WARC-Block-Digest",
                                                     "WARC-Payload-Digest",
                                                     "WARC-IP-Address",
                                                     "WARC-Refers-To",
                                                     "WARC-Refers-To-Target-URI",
                                                     "WARC-Refers-To-Date",
                                                     "WARC-Target-URI",
                                                     "WARC-Truncated",
                                                     "WARC-Warcinfo-ID",
                                                     "WARC-Filename",
                                                     "WARC-Profile",
                                                     "WARC-Identified-Payload-Type",
                                                     "WARC-Segment-Number",
                                                     "WARC-Segment-Origin-ID",
                                                     "WARC-Segment-Total-Length"};
  constexpr size_t kFirst = 2;
  const auto found = std::ranges::find(kFields, field);
  return fmt::format(" (WARC 1.1, 5.{})", found == kFields.end() ? 1 : found - kFields.begin() + kFirst);
}

// Where the standard forbids a field.
struct Forbidden {
  std::string_view field;
  std::array<RecordType, 5> types;
};

bool forbids(const Forbidden& row, RecordType type) { return std::ranges::find(row.types, type) != row.types.end(); }

class FieldCheck {
 public:
  FieldCheck(const Header& header, const FieldReport& report) : header_(header), report_(report) {}

  void run(uint64_t content_length) {
    version();
    mandatory();
    repeated_and_encoded();
    target();
    forbidden();
    if (content_length > 0 && header_.content_type().empty() && header_.type() != RecordType::continuation) {
      report_(Level::warning, "content-type", "the block has no Content-Type" + clause_of("Content-Type"), "");
    }
    const std::string_view truncated = header_.truncated();
    constexpr std::array<std::string_view, 4> kReasons{"length", "time", "disconnect", "unspecified"};
    if (!truncated.empty() && !contains(kReasons, to_lower(truncated))) {
      report_(
          Level::warning, "truncated",
          fmt::format("WARC-Truncated: {} is no reason the standard knows{}", truncated, clause_of("WARC-Truncated")),
          "");
    }
    if (header_.type() == RecordType::revisit) check_revisit(Revisit(header_));
    if (header_.type() == RecordType::continuation) check_continuation(Continuation(header_));
  }

 private:
  void missing(std::string_view name) {
    report_(Level::error, "field-missing", fmt::format("the mandatory field {} is missing{}", name, clause_of(name)),
            "add it");
  }

  void version() {
    constexpr std::array<std::string_view, 5> kKnown{"WARC/1.1", "WARC/1.0", "WARC/0.18", "WARC/0.17", "WARC/0.16"};
    if (!contains(kKnown, header_.version())) {
      report_(Level::warning, "version", fmt::format("unknown version \"{}\"; read as WARC/1.1", header_.version()),
              "");
    }
  }

  void mandatory() {
    if (!header_.has("WARC-Type")) {
      missing("WARC-Type");
    } else if (header_.type() == RecordType::other) {
      report_(Level::info, "type",
              fmt::format("records of type \"{}\" are not defined by the standard", header_.get("WARC-Type")), "");
    }
    const std::string_view id = header_.get("WARC-Record-ID");
    if (id.empty()) {
      missing("WARC-Record-ID");
    } else if (!id.starts_with('<') || !id.ends_with('>') || header_.id().find(':') == std::string_view::npos) {
      report_(Level::warning, "record-id",
              fmt::format("WARC-Record-ID: {} is no URI in angle brackets{}", id, clause_of("WARC-Record-ID")), "");
    }
    if (!header_.has("WARC-Date")) {
      missing("WARC-Date");
    } else if (!header_.date()) {
      report_(Level::error, "date",
              fmt::format("WARC-Date: {} is no date{}", header_.get("WARC-Date"), clause_of("WARC-Date")),
              "write it as 2026-01-02T03:04:05Z");
    }
  }

  void repeated_and_encoded() {
    for (size_t i = 0; i < header_.size(); ++i) {
      const Header::Field field = header_[i];
      if (!is_utf8(field.value)) {
        report_(Level::warning, "encoding", fmt::format("the value of {} is not UTF-8", field.name), "");
      }
      if (field.value.empty()) {
        report_(Level::warning, "field-empty", fmt::format("{} has no value", field.name), "leave the field out");
      }
      if (may_repeat(field.name)) continue;
      for (size_t j = 0; j < i; ++j) {
        if (!equals_ignore_case(header_[j].name, field.name)) continue;
        report_(Level::warning, "field-repeated",
                fmt::format("{} is given more than once; the first counts{}", field.name, clause_of("")), "");
        break;
      }
    }
  }

  void target() {
    const RecordType type = header_.type();
    const bool has = !header_.target_uri().empty();
    if (!has && needs_target(type)) missing("WARC-Target-URI");
    if (has && header_.target_uri().find(':') == std::string_view::npos) {
      report_(
          Level::warning, "target-uri",
          fmt::format("WARC-Target-URI: {} is no absolute URI{}", header_.target_uri(), clause_of("WARC-Target-URI")),
          "");
    }
  }

  void forbidden() {
    using enum RecordType;
    // `other` fills up what is not needed: nothing is known of such records.
    constexpr std::array<Forbidden, 4> kForbidden{
        {{"WARC-Target-URI", {warcinfo, other, other, other, other}},
         {"WARC-Concurrent-To", {warcinfo, conversion, continuation, other, other}},
         {"WARC-IP-Address", {warcinfo, conversion, continuation, other, other}},
         {"WARC-Refers-To", {warcinfo, response, resource, request, continuation}}}};
    const RecordType type = header_.type();
    for (const Forbidden& row : kForbidden) {
      if (type == other || !forbids(row, type) || header_.get(row.field).empty()) continue;
      report_(Level::warning, "field-forbidden",
              fmt::format("a {} record has no {}{}", to_string(type), row.field, clause_of(row.field)),
              "leave the field out");
    }
    constexpr std::array<std::pair<std::string_view, RecordType>, 4> kOnlyOf{
        {{"WARC-Filename", warcinfo},
         {"WARC-Profile", revisit},
         {"WARC-Segment-Origin-ID", continuation},
         {"WARC-Segment-Total-Length", continuation}}};
    for (const auto& [field, only] : kOnlyOf) {
      if (type == other || type == only || header_.get(field).empty()) continue;
      report_(Level::warning, "field-forbidden",
              fmt::format("only {} records have {}{}", to_string(only), field, clause_of(field)),
              "leave the field out");
    }
  }

  void check_revisit(const Revisit& record) {
    if (!header_.has("WARC-Profile")) return missing("WARC-Profile");
    if (record.profile() == Revisit::Profile::unknown) {
      report_(Level::warning, "profile",
              fmt::format("the profile {} is unknown: the record cannot be interpreted{}", header_.get("WARC-Profile"),
                          clause_of("WARC-Profile")),
              "");
    }
    if (record.profile() == Revisit::Profile::identical_payload_digest && record.payload_digest().empty()) {
      report_(Level::warning, "field-missing",
              "a revisit with an identical payload needs WARC-Payload-Digest (WARC 1.1, 6.7.2)", "");
    }
  }

  void check_continuation(const Continuation& record) {
    if (record.segment_origin_id().empty()) missing("WARC-Segment-Origin-ID");
    if (!record.segment_number()) missing("WARC-Segment-Number");
  }

  const Header& header_;
  const FieldReport& report_;
};

}  // namespace

void check_fields(const Header& header, uint64_t content_length, const FieldReport& report) {
  if (header.version().starts_with("ARC")) return;
  FieldCheck(header, report).run(content_length);
}

}  // namespace caddis::warc
