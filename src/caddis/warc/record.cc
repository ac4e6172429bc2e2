#include "caddis/warc/record.h"

#include <algorithm>
#include <array>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"

namespace caddis::warc {
namespace {

constexpr std::array<std::string_view, 9> kTypes{"warcinfo", "response",   "resource",     "request", "metadata",
                                                 "revisit",  "conversion", "continuation", "other"};

bool is_web(std::string_view uri) {
  return starts_with_ignore_case(uri, "http://") || starts_with_ignore_case(uri, "https://");
}

}  // namespace

std::string_view to_string(RecordType type) { return kTypes[static_cast<size_t>(type)]; }

RecordType record_type(std::string_view text) {
  for (size_t i = 0; i + 1 < kTypes.size(); ++i) {
    if (equals_ignore_case(text, kTypes[i])) return static_cast<RecordType>(i);
  }
  return RecordType::other;
}

Header::Field Header::operator[](size_t i) const {
  const Span& span = spans_[i];
  const std::string_view text = text_;
  return {text.substr(span.name_at, span.name_size), text.substr(span.name_at + span.name_size, span.value_size)};
}

std::optional<std::string_view> Header::find(std::string_view name) const {
  for (size_t i = 0; i < spans_.size(); ++i) {
    if (spans_[i].name_size != name.size()) continue;
    const Field field = (*this)[i];
    if (equals_ignore_case(field.name, name)) return field.value;
  }
  return std::nullopt;
}

std::string_view Header::get(std::string_view name) const { return find(name).value_or(std::string_view()); }

std::vector<std::string_view> Header::all(std::string_view name) const {
  std::vector<std::string_view> values;
  for (size_t i = 0; i < spans_.size(); ++i) {
    const Field field = (*this)[i];
    if (equals_ignore_case(field.name, name)) values.push_back(field.value);
  }
  return values;
}

void Header::add(std::string_view name, std::string_view value) {
  spans_.push_back(
      {static_cast<uint32_t>(text_.size()), static_cast<uint32_t>(name.size()), static_cast<uint32_t>(value.size())});
  text_ += name;
  text_ += value;
}

void Header::extend_last(std::string_view text) {
  if (spans_.empty()) return;
  text_ += text;
  spans_.back().value_size += static_cast<uint32_t>(text.size());
}

void Header::clear() {
  version_.clear();
  text_.clear();
  spans_.clear();
}

std::string_view Header::bare_uri(std::string_view name) const {
  std::string_view value = get(name);
  if (value.starts_with('<') && value.ends_with('>') && value.size() >= 2) {
    value.remove_prefix(1);
    value.remove_suffix(1);
  }
  return value;
}

Result<WallTime> Header::date() const { return parse_w3c_date(get("WARC-Date")); }

std::optional<uint64_t> Header::content_length() const {
  const auto length = parse_int(get("Content-Length"));
  if (!length || *length < 0) return std::nullopt;
  return static_cast<uint64_t>(*length);
}

bool is_http(const Header& header) {
  const RecordType type = header.type();
  if (type != RecordType::response && type != RecordType::request && type != RecordType::revisit) return false;
  if (header.version().starts_with("ARC")) return is_web(header.target_uri());
  const std::string_view content_type = header.content_type();
  if (content_type.empty()) return is_web(header.target_uri());
  return starts_with_ignore_case(content_type, "application/http");
}

}  // namespace caddis::warc
