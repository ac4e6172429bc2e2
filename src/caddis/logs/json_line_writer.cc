#include "caddis/logs/json_line_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>

#include "caddis/base/json_text.h"
#include "caddis/base/time_format.h"

namespace caddis::logs {
namespace {

// Most texts are plain ASCII, and are taken as they are.
bool is_plain(char c) { return c >= ' ' && c < 0x7f && c != '"' && c != '\\'; }

void append_text(std::string& out, std::string_view text) {
  if (!std::ranges::all_of(text, is_plain)) return append_json_string(out, text);
  out += '"';
  out += text;
  out += '"';
}

void append_number(std::string& out, int64_t number) {
  const fmt::format_int digits(number);
  out.append(digits.data(), digits.size());
}

}  // namespace

bool JsonLineWriter::begin(JsonField field) {
  if (!fields_.has(field)) return false;
  if (!is_first_) out_ += ',';
  is_first_ = false;
  out_ += '"';
  out_ += to_string(field);
  out_ += "\":";
  return true;
}

void JsonLineWriter::add(JsonField field, std::string_view text) {
  if (!text.empty() && begin(field)) append_text(out_, text);
}

void JsonLineWriter::add(JsonField field, uint64_t number) {
  if (number != 0) add_number(field, static_cast<int64_t>(number));
}

void JsonLineWriter::add_time(JsonField field, WallTime time) {
  if (begin(field)) append_text(out_, rfc3339_millis(time));
}

void JsonLineWriter::add_duration(JsonField field, Duration duration) {
  const auto millis = std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
  if (millis > 0) add_number(field, millis);
}

void JsonLineWriter::add_flag(JsonField field, bool is_so) {
  if (is_so && begin(field)) out_ += "true";
}

void JsonLineWriter::add_list(JsonField field, std::span<const std::string> texts) {
  if (texts.empty() || !begin(field)) return;
  out_ += '[';
  for (const std::string& text : texts) {
    if (&text != texts.data()) out_ += ',';
    append_text(out_, text);
  }
  out_ += ']';
}

void JsonLineWriter::add_number(JsonField field, int64_t number) {
  if (begin(field)) append_number(out_, number);
}

void JsonLineWriter::add_raw(JsonField field, std::string_view json) {
  if (begin(field)) out_ += json;
}

size_t JsonLineWriter::end() {
  const size_t place = out_.size();
  out_ += "}\n";
  return place;
}

}  // namespace caddis::logs
