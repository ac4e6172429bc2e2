#include "caddis/extract/text_links.h"

#include <algorithm>
#include <string>

#include "caddis/base/strings.h"
#include "caddis/extract/html_links.h"
#include "caddis/extract/text_tools.h"
#include "caddis/extract/url_guess.h"

namespace caddis::extract {
namespace {

bool ends_url(char c) {
  return static_cast<uint8_t>(c) <= 0x20 || c == '"' || c == '\'' || c == '<' || c == '>' || c == '\\' || c == '`' ||
         c == '{' || c == '}' || c == '|' || c == '^' || c == 0x7F;
}

// "http://h/a)." is "http://h/a": marks of the sentence, and a bracket that was not opened within.
std::string_view without_marks(std::string_view url) {
  while (!url.empty()) {
    const char last = url.back();
    const bool is_mark = last == '.' || last == ',' || last == ';' || last == ':' || last == '!' || last == '?' ||
                         last == '*' || last == ']';
    const bool is_open = last == ')' && url.find('(') == std::string_view::npos;
    if (!is_mark && !is_open) break;
    url.remove_suffix(1);
  }
  return url;
}

// "name;parameters:value"; a colon within quotes is a part of a parameter.
struct ContentLine {
  std::string name, parameters;
  std::string_view value;
};

bool split_content_line(std::string_view line, ContentLine& out) {
  bool quoted = false;
  size_t colon = 0;
  for (; colon < line.size() && (quoted || line[colon] != ':'); ++colon) quoted ^= line[colon] == '"';
  if (colon >= line.size()) return false;
  std::string_view head = line.substr(0, colon);
  out.value = line.substr(colon + 1);
  const std::string_view name = head.substr(0, head.find(';'));
  out.name = to_lower(name.substr(name.rfind('.') + 1));  // "item1.URL"
  out.parameters = std::string(head.substr(std::min(name.size(), head.size())));
  return true;
}

void take_content_line(const ContentLine& line, LinkSink& sink) {
  static constexpr std::string_view kLinks[] = {"url",    "source",       "conference",      "fburl",
                                                "caluri", "calendar-uri", "x-wr-caldesc-url"};
  static constexpr std::string_view kEmbeds[] = {"attach", "image", "photo", "logo", "sound"};
  const std::string_view value = trim(line.value);
  const bool is_binary =
      contains_ignore_case(line.parameters, "base64") || contains_ignore_case(line.parameters, "encoding=b");
  add_urls_in(line.parameters, Hop::speculative, kSpeculativeMisc, sink);  // ALTREP="http://…"
  if (is_binary) return;
  const bool is_url = is_absolute_url(value);
  if (is_url && is_one_of(line.name, kLinks))
    sink.add(value, Hop::navlink, kNavlinkMisc);
  else if (is_url && is_one_of(line.name, kEmbeds))
    sink.add(value, Hop::embed, kEmbedMisc);
  else
    add_urls_in(line.value, Hop::speculative, kSpeculativeMisc, sink);
}

}  // namespace

void add_urls_in(std::string_view text, Hop hop, std::string_view context, LinkSink& sink) {
  constexpr size_t kMaxUrl = 4096;
  for (size_t at = text.find("://"); at < text.size() && !sink.is_full(); at = text.find("://", at)) {
    size_t start = at;
    while (start > 0 && at - start < 5 && is_alpha(text[start - 1])) --start;
    const std::string_view scheme = text.substr(start, at - start);
    size_t end = at + 3;
    while (end < text.size() && end - at < kMaxUrl && !ends_url(text[end])) ++end;
    const std::string_view tail = text.substr(at, end - at);
    at = end;
    const bool secure = scheme.size() == 5 && equals_ignore_case(scheme, "https");
    const bool plain = scheme.size() >= 4 && equals_ignore_case(scheme.substr(scheme.size() - 4), "http");
    if (!secure && !plain) continue;
    // Two URLs without a space between them.
    const size_t second = std::min(tail.find("http://", 3), tail.find("https://", 3));
    const bool is_query =
        second != std::string_view::npos && tail.substr(0, second).find_first_of("?=/", 3) != std::string_view::npos;
    const std::string_view one = second == std::string_view::npos || is_query ? tail : tail.substr(0, second);
    const std::string url = (secure ? "https" : "http") + std::string(without_marks(one));
    if (is_absolute_url(url)) sink.add(url, hop, context);
  }
}

void extract_subtitles(std::string_view text, LinkSink& sink) {
  while (!text.empty()) {
    const std::string_view line = trim(take_line(text));
    if (line.empty()) continue;
    const std::string_view file = line.substr(0, line.find("#xywh="));
    if (file.size() < line.size() && has_web_extension(file))
      sink.add(file, Hop::embed, kEmbedMisc);
    else if (line.find('<') != std::string_view::npos && line.find('=') != std::string_view::npos)
      extract_markup(line, kSpeculativeMisc, sink);
    if (line.find("://") != std::string_view::npos) add_urls_in(line, Hop::speculative, kSpeculativeMisc, sink);
  }
}

void extract_calendar(std::string_view text, LinkSink& sink) {
  std::string unfolded;
  ContentLine line;
  // A line that begins with a space goes on with the one before (RFC 5545, 3.1).
  const auto finish = [&] {
    if (split_content_line(unfolded, line)) take_content_line(line, sink);
    unfolded.clear();
  };
  while (!text.empty()) {
    const std::string_view one = take_line(text);
    if (one.starts_with(' ') || one.starts_with('\t')) {
      unfolded += one.substr(1);
      continue;
    }
    finish();
    unfolded = one;
  }
  finish();
}

}  // namespace caddis::extract
