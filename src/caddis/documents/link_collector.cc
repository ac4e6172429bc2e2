#include "caddis/documents/link_collector.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/base/utf8.h"

namespace caddis::documents {
namespace {

bool is_url_byte(char c) {
  return static_cast<unsigned char>(c) > ' ' && c != '\x7F' && c != '"' && c != '<' && c != '>' && c != '{' &&
         c != '}' && c != '|' && c != '\\' && c != '^' && c != '`';
}

// The path of a file as it stands in programs: "data/menu.xml". A bare word with a dot is mostly a property.
bool is_file_path(std::string_view text) {
  const std::string_view path = text.substr(0, text.find_first_of("?#"));
  const std::string_view file = path.substr(path.rfind('/') + 1);
  const size_t dot = file.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return false;
  const std::string extension = to_lower(file.substr(dot + 1));
  constexpr std::string_view kServed[] = {"html", "htm", "php", "asp",  "aspx", "jsp", "swf", "flv",  "f4v", "mp3",
                                          "mp4",  "xml", "jpg", "jpeg", "gif",  "png", "css", "json", "txt", "pdf"};
  const bool is_clean = std::ranges::all_of(text, [](char c) { return is_url_byte(c) && c != '*' && c != '\''; });
  return is_clean && std::ranges::find(kServed, extension) != std::end(kServed);
}

// "www.example.org/x", as people write it: programs that show documents add the scheme.
bool lacks_scheme(std::string_view text) {
  if (!starts_with_ignore_case(text, "www.") || !std::ranges::all_of(text, is_url_byte)) return false;
  const std::string_view host = text.substr(0, text.find_first_of("/?#:"));
  const std::string_view top = host.substr(host.rfind('.') + 1);
  const auto is_host_byte = [](char c) { return is_alnum(c) || c == '-' || c == '.' || c < 0; };
  return std::ranges::count(host, '.') >= 2 && !host.contains("..") && top.size() >= 2 && !is_digit(top.front()) &&
         std::ranges::all_of(host, is_host_byte);
}

}  // namespace

bool is_whole_url(std::string_view text) {
  size_t host = 0;
  if (starts_with_ignore_case(text, "http://")) host = 7;
  if (starts_with_ignore_case(text, "https://")) host = 8;
  if (host == 0 || text.size() <= host || !(is_alnum(text[host]) || text[host] == '[' || text[host] < 0)) return false;
  return std::ranges::all_of(text, is_url_byte);
}

void LinkCollector::add(std::string_view url, LinkKind kind) {
  url = trim(url.substr(0, url.find('\0')));
  if (url.empty() || url.front() == '#') return;
  if (kind == LinkKind::navigation && lacks_scheme(url)) return add("http://" + std::string(url), kind);
  if (url.size() > limits_.url_length || found_.links.size() >= limits_.links) {
    ++found_.dropped;
    return;
  }
  std::string key(1, static_cast<char>(kind));
  key += url;
  if (!known_.insert(std::move(key)).second) return;
  FoundLink& link = found_.links.emplace_back(std::string(url), kind);
  if (is_utf8(link.url)) return;
  // Bytes above ASCII are then those of Windows-1252, as programs of that time wrote them.
  link.url.clear();
  for (const char c : url) append_utf8(link.url, static_cast<unsigned char>(c));
}

void LinkCollector::add_absolute(std::string_view url, LinkKind kind) {
  url = trim(url);
  if (is_whole_url(url)) add(url, kind);
}

void LinkCollector::add_text(std::string_view text) {
  text = trim(text);
  if (is_whole_url(text) || is_file_path(text)) add(text, LinkKind::speculative);
}

void LinkCollector::add_quoted(std::string_view script) {
  for (size_t at = 0; at < script.size(); ++at) {
    const char quote = script[at];
    if (quote != '"' && quote != '\'') continue;
    const size_t end = script.find(quote, at + 1);
    if (end == std::string_view::npos) return;
    add_text(script.substr(at + 1, end - at - 1));
    at = end;
  }
}

bool LinkCollector::enter() {
  constexpr int kDeepest = 3, kMostEmbedded = 200;
  if (depth_ >= kDeepest) return refuse(fmt::format("documents more than {} deep within it are not read", kDeepest));
  if (embedded_ >= kMostEmbedded)
    return refuse(fmt::format("of the documents within it only the first {} are read", kMostEmbedded));
  ++embedded_;
  ++depth_;
  return true;
}

bool LinkCollector::refuse(std::string why) {
  if (found_.problem.empty()) found_.problem = std::move(why);
  return false;
}

void LinkCollector::set_problem(std::string_view problem) {
  if (!found_.problem.empty()) return;
  found_.problem = depth_ > 0 ? "a document within it: " : "";
  found_.problem += problem;
}

}  // namespace caddis::documents
