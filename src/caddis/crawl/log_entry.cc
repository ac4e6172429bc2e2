#include "caddis/crawl/log_entry.h"

#include <fmt/format.h>

#include "caddis/base/time_format.h"

namespace caddis::crawl {
namespace {

// A field may hold no blank, or the line would have more than twelve.
std::string field(std::string_view text) {
  if (text.empty()) return "-";
  std::string out;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) <= 0x20 || c == 0x7f)
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else
      out += c;
  }
  return out;
}

std::string hop_field(std::string_view hops) {
  constexpr size_t kShown = 50;
  if (hops.size() <= kShown) return field(hops);
  return fmt::format("{}+{}", hops.size() - kShown, hops.substr(hops.size() - kShown));
}

std::string joined(const std::vector<std::string>& annotations) {
  std::string out;
  for (const std::string& annotation : annotations) {
    if (!out.empty()) out += ',';
    out += field(annotation);
  }
  return out.empty() ? "-" : out;
}

}  // namespace

std::string format_log_line(const LogEntry& entry) {
  const auto millis = std::chrono::duration_cast<std::chrono::milliseconds>(entry.duration).count();
  const std::string fetched =
      entry.status > 0 || millis > 0 ? fmt::format("{}+{}", timestamp17(entry.started), millis) : "-";
  return fmt::format("{} {:5} {:>10} {} {} {} {} #{:03} {} {} {} {}\n", rfc3339_millis(entry.finished), entry.status,
                     entry.status > 0 ? std::to_string(entry.size) : "-", field(entry.url), hop_field(entry.hops),
                     field(entry.via), field(entry.mime.empty() ? "unknown" : entry.mime), entry.lane, fetched,
                     field(entry.digest), field(entry.seed), joined(entry.annotations));
}

uint64_t novel_size(const LogEntry& entry) { return entry.status == 304 ? 0 : entry.size; }

std::string format_error_line(const LogEntry& entry, std::string_view reason) {
  std::string line = format_log_line(entry);
  line.insert(line.size() - 1, fmt::format(" {}", field(reason)));
  return line;
}

}  // namespace caddis::crawl
