#include "caddis/visit/log_entry.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "caddis/base/fetch_status.h"
#include "caddis/base/time_format.h"
#include "caddis/visit/annotations.h"

namespace caddis::visit {
namespace {

bool is_plain(char c) { return static_cast<unsigned char>(c) > 0x20 && c != 0x7f; }

// A field may hold no blank, or the line would have more than twelve.
void append_field(std::string& line, std::string_view text) {
  if (text.empty()) text = "-";
  while (!text.empty()) {
    const auto plain = static_cast<size_t>(std::ranges::find_if_not(text, is_plain) - text.begin());
    line += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    fmt::format_to(std::back_inserter(line), "%{:02X}", static_cast<unsigned char>(text.front()));
    text.remove_prefix(1);
  }
}

void append_hops(std::string& line, std::string_view hops) {
  constexpr size_t kShown = 50;
  if (hops.size() <= kShown) return append_field(line, hops);
  fmt::format_to(std::back_inserter(line), "{}+{}", hops.size() - kShown, hops.substr(hops.size() - kShown));
}

void append_annotations(std::string& line, const std::vector<std::string>& annotations) {
  if (annotations.empty()) line += '-';
  for (const std::string& annotation : annotations) {
    append_field(line, annotation);
    if (&annotation != &annotations.back()) line += ',';
  }
}

// Behind the annotations, which begin at `begin`.
void append_content_size(std::string& line, size_t begin, uint64_t size) {
  if (std::string_view(line).substr(begin) == "-")
    line.resize(begin);
  else
    line += ',';
  fmt::format_to(std::back_inserter(line), "content-size:{}", size);
}

}  // namespace

void append_log_line(std::string& lines, const LogEntry& entry, bool with_content_size) {
  const auto out = std::back_inserter(lines);
  lines += rfc3339_millis(entry.finished);
  if (is_success(entry.status))
    fmt::format_to(out, " {:5} {:>10} ", entry.status, entry.body_size);
  else
    fmt::format_to(out, " {:5} {:>10} ", entry.status, "-");
  append_field(lines, entry.url);
  append_hops(lines += ' ', entry.hops);
  append_field(lines += ' ', entry.via);
  append_field(lines += ' ', entry.mime.empty() ? "unknown" : std::string_view(entry.mime));
  fmt::format_to(out, " #{:03} ", entry.lane);
  const auto millis = std::chrono::duration_cast<std::chrono::milliseconds>(entry.duration).count();
  if (is_success(entry.status) || millis > 0)
    fmt::format_to(out, "{}+{}", timestamp17(entry.started), millis);
  else
    lines += '-';
  append_field(lines += ' ', entry.digest);
  append_field(lines += ' ', entry.seed);
  const size_t annotations = lines.size() + 1;
  append_annotations(lines += ' ', annotations_of(entry.facts));
  if (with_content_size && is_success(entry.status)) append_content_size(lines, annotations, entry.size);
  lines += '\n';
}

uint64_t novel_size(const LogEntry& entry) { return entry.status == 304 || entry.is_repeated() ? 0 : entry.size; }

void append_error_line(std::string& lines, const LogEntry& entry, std::string_view reason) {
  append_log_line(lines, entry);
  lines.back() = ' ';
  append_field(lines, reason);
  lines += '\n';
}

}  // namespace caddis::visit
