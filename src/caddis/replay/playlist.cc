#include "caddis/replay/playlist.h"

#include <algorithm>

#include "caddis/base/strings.h"

namespace caddis::replay {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Variables multiply: there are few, and neither they nor what they fill are long.
constexpr size_t kMostVariables = 100;
constexpr size_t kLongestValue = 4096;
constexpr size_t kLongestUrl = 64 * 1024;

// Attributes whose value is a URL, of whatever tag.
bool holds_url(std::string_view attribute) {
  return attribute == "URI" || attribute == "SERVER-URI" || attribute == "X-ASSET-URI" || attribute == "X-ASSET-LIST";
}

// The value of a parameter of the playlist's own URL, as it is written there.
std::string_view query_parameter(std::string_view query, std::string_view name) {
  if (query.starts_with('?')) query.remove_prefix(1);
  while (!query.empty()) {
    const std::string_view one = query.substr(0, query.find('&'));
    const size_t equals = std::min(one.find('='), one.size());
    if (one.substr(0, equals) == name) return one.substr(std::min(equals + 1, one.size()));
    query.remove_prefix(std::min(one.size() + 1, query.size()));
  }
  return {};
}

}  // namespace

size_t PlaylistRewriter::rewrite(std::string_view text, bool last, size_t enough, std::string& out) {
  size_t done = 0;
  while (done < text.size() && out.size() < enough) {
    const size_t found = text.find('\n', done);
    const bool is_whole = found != std::string_view::npos;
    const size_t end = is_whole ? found + 1 : text.size();
    const std::string_view line = text.substr(done, end - done);
    if (!is_whole && !last && !in_long_line_) break;
    if (in_long_line_)
      out += line;
    else
      on_line(line, out);
    if (is_whole) in_long_line_ = false;
    done = end;
  }
  return done;
}

size_t PlaylistRewriter::pass_token(std::string_view text, std::string& out) {
  in_long_line_ = true;
  out += text;
  return text.size();
}

void PlaylistRewriter::on_line(std::string_view line, std::string& out) {
  if (line.starts_with(kByteOrderMark)) {
    out += kByteOrderMark;
    line.remove_prefix(kByteOrderMark.size());
  }
  const std::string_view content = trim(line);
  if (content.starts_with("#EXT")) return on_tag(line, out);
  if (content.empty() || content.starts_with('#')) {
    out += line;
    return;
  }
  const auto start = static_cast<size_t>(content.data() - line.data());
  out += line.substr(0, start);
  out += address(content).value_or(std::string(content));
  out += line.substr(start + content.size());
}

// "#EXT-X-KEY:METHOD=AES-128,URI="key",IV=0x1" (RFC 8216, 4.2).
void PlaylistRewriter::on_tag(std::string_view tag, std::string& out) {
  const size_t colon = tag.find(':');
  const bool defines = trim(tag.substr(0, colon)) == "#EXT-X-DEFINE";
  std::string_view name_of_variable;
  size_t copied = 0;
  size_t at = colon == std::string_view::npos ? tag.size() : colon + 1;
  while (at < tag.size()) {
    const size_t equals = tag.find('=', at);
    if (equals == std::string_view::npos) break;
    const std::string_view name = trim(tag.substr(at, equals - at));
    size_t start = equals + 1, end = 0;
    if (start < tag.size() && tag[start] == '"') {
      end = std::min(tag.find('"', ++start), tag.size());
      at = std::min(tag.find(',', end), tag.size());
    } else {
      at = end = std::min(tag.find(',', start), tag.size());
    }
    at += 1;
    const std::string_view value = tag.substr(start, end - start);
    if (defines && (name == "NAME" || name == "QUERYPARAM")) name_of_variable = value;
    if (defines && name == "VALUE") define(name_of_variable, value);
    if (defines && name == "QUERYPARAM") define(value, query_parameter(links_.page().search(), value));
    if (!holds_url(name)) continue;
    const auto replaced = address(value);
    if (!replaced) continue;
    out += tag.substr(copied, start - copied);
    out += *replaced;
    copied = end;
  }
  out += tag.substr(copied);
}

void PlaylistRewriter::define(std::string_view name, std::string_view value) {
  if (name.empty() || name.size() > kLongestValue || value.size() > kLongestValue) return;
  if (variables_.size() < kMostVariables || variables_.contains(name)) variables_[std::string(name)] = value;
}

std::optional<std::string> PlaylistRewriter::address(std::string_view uri) const {
  if (!uri.contains("{$")) return links_.rewrite(uri, Modifier::other);
  const auto url = filled(uri);
  return url ? links_.rewrite(*url, Modifier::other) : std::nullopt;
}

std::optional<std::string> PlaylistRewriter::filled(std::string_view uri) const {
  std::string out;
  for (;;) {
    const size_t open = uri.find("{$");
    out += uri.substr(0, open);
    if (out.size() > kLongestUrl) return std::nullopt;
    if (open == std::string_view::npos) return out;
    const size_t close = uri.find('}', open);
    if (close == std::string_view::npos) return std::nullopt;
    const auto known = variables_.find(uri.substr(open + 2, close - open - 2));
    if (known == variables_.end()) return std::nullopt;  // of the playlist that imports it
    out += known->second;
    uri.remove_prefix(close + 1);
  }
}

bool looks_like_playlist(std::string_view front) {
  if (front.starts_with(kByteOrderMark)) front.remove_prefix(kByteOrderMark.size());
  return front.starts_with("#EXTM3U");
}

}  // namespace caddis::replay
