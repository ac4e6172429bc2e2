#include "caddis/cdx/capture.h"

#include "caddis/base/strings.h"

namespace caddis::cdx {
namespace {

struct NamedField {
  std::string_view name;
  std::string Capture::* member;
};

constexpr NamedField kFields[] = {
    {"urlkey", &Capture::urlkey},
    {"timestamp", &Capture::timestamp},
    {"url", &Capture::url},
    {"original", &Capture::url},
    {"mime", &Capture::mime},
    {"mimetype", &Capture::mime},
    {"status", &Capture::status},
    {"statuscode", &Capture::status},
    {"digest", &Capture::digest},
    {"redirect", &Capture::redirect},
    {"redirecturl", &Capture::redirect},
    {"robotflags", &Capture::robotflags},
    {"length", &Capture::length},
    {"offset", &Capture::offset},
    {"filename", &Capture::filename},
    {"orig.length", &Capture::original_length},
    {"orig.offset", &Capture::original_offset},
    {"orig.filename", &Capture::original_filename},
    {"originalLength", &Capture::original_length},
    {"originalOffset", &Capture::original_offset},
    {"originalFilename", &Capture::original_filename},
};

std::optional<uint64_t> as_number(std::string_view text) {
  const auto number = parse_int(text);
  if (!number || *number < 0) return std::nullopt;
  return static_cast<uint64_t>(*number);
}

}  // namespace

std::optional<uint64_t> Capture::offset_number() const { return as_number(offset); }
std::optional<uint64_t> Capture::length_number() const { return as_number(length); }

std::string_view field(const Capture& capture, std::string_view name) {
  for (const NamedField& known : kFields)
    if (known.name == name) return capture.*known.member;
  for (const auto& [extra_name, json] : capture.extra) {
    if (extra_name != name) continue;
    std::string_view value = json;
    if (value.size() >= 2 && value.front() == '"') value = value.substr(1, value.size() - 2);
    return value;
  }
  return {};
}

bool is_field_name(std::string_view name) {
  for (const NamedField& known : kFields)
    if (known.name == name) return true;
  return false;
}

}  // namespace caddis::cdx
