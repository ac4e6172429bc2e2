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

class FieldCheck {
 public:
  FieldCheck(const Header& header, const FieldReport& report) : header_(header), report_(report) {}

  void run(uint64_t content_length) {
    version();
    mandatory();
    repeated_and_encoded();
    target();
    if (content_length > 0 && header_.content_type().empty() && header_.type() != RecordType::continuation) {
      report_(Level::warning, "content-type", "the block has no Content-Type", "");
    }
    const std::string_view truncated = header_.truncated();
    constexpr std::array<std::string_view, 4> kReasons{"length", "time", "disconnect", "unspecified"};
    if (!truncated.empty() && !contains(kReasons, to_lower(truncated))) {
      report_(Level::warning, "truncated", fmt::format("WARC-Truncated: {} is no reason the standard knows", truncated),
              "");
    }
    if (header_.type() == RecordType::revisit) revisit(Revisit(header_));
    if (header_.type() == RecordType::continuation) continuation(Continuation(header_));
  }

 private:
  void missing(std::string_view name) {
    report_(Level::error, "field-missing", fmt::format("the mandatory field {} is missing", name), "add it");
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
      report_(Level::warning, "record-id", fmt::format("WARC-Record-ID: {} is no URI in angle brackets", id), "");
    }
    if (!header_.has("WARC-Date")) {
      missing("WARC-Date");
    } else if (!header_.date()) {
      report_(Level::error, "date", fmt::format("WARC-Date: {} is no date", header_.get("WARC-Date")),
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
                fmt::format("{} is given more than once; the first counts", field.name), "");
        break;
      }
    }
  }

  void target() {
    const RecordType type = header_.type();
    const bool has = !header_.target_uri().empty();
    if (!has && needs_target(type)) missing("WARC-Target-URI");
    if (has && type == RecordType::warcinfo) {
      report_(Level::warning, "field-forbidden", "a warcinfo record has no WARC-Target-URI", "leave the field out");
    }
    if (has && header_.target_uri().find(':') == std::string_view::npos) {
      report_(Level::warning, "target-uri", fmt::format("WARC-Target-URI: {} is no absolute URI", header_.target_uri()),
              "");
    }
  }

  void revisit(const Revisit& record) {
    if (!header_.has("WARC-Profile")) return missing("WARC-Profile");
    if (record.profile() == Revisit::Profile::unknown) {
      report_(Level::warning, "profile",
              fmt::format("the profile {} is unknown: the record cannot be interpreted", header_.get("WARC-Profile")),
              "");
    }
    if (record.profile() == Revisit::Profile::identical_payload_digest && record.payload_digest().empty()) {
      report_(Level::warning, "field-missing", "a revisit with an identical payload needs WARC-Payload-Digest", "");
    }
  }

  void continuation(const Continuation& record) {
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
