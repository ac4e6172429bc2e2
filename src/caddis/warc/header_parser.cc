#include "caddis/warc/header_parser.h"

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/base/utf8.h"
#include "fmt/format.h"

namespace caddis::warc {
namespace {

// A header with more fields than this is no header.
constexpr size_t kMaxFields = 2000;

std::string_view without_line_end(std::string_view line) {
  while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

void flaw(std::vector<HeaderFlaw>& flaws, std::string_view code, std::string message) {
  flaws.push_back({std::string(code), std::move(message)});
}

bool is_token(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return static_cast<unsigned char>(c) > 32 && c != 127 &&
           std::string_view("()<>@,;:\\\"/[]?={}").find(c) == std::string_view::npos;
  });
}

// Blanks in a URI would break every index line; what they stand for is beyond doubt.
void add_target_uri(std::string_view name, std::string_view value, Header& header, std::vector<HeaderFlaw>& flaws) {
  if (value.starts_with('<'))
    flaw(flaws, "uri-brackets", "WARC-Target-URI stands in angle brackets (as early wget wrote it)");
  if (value.find_first_of(" \t") == std::string_view::npos) return header.add(name, value);
  flaw(flaws, "uri-blank", "WARC-Target-URI holds blanks; they are read as %20");
  std::string encoded;
  for (const char c : value) {
    if (c == ' ' || c == '\t') {
      encoded += "%20";
    } else {
      encoded += c;
    }
  }
  header.add(name, encoded);
}

void parse_line(std::string_view line, Header& header, std::vector<HeaderFlaw>& flaws) {
  if (line.starts_with(' ') || line.starts_with('\t')) {
    if (header.size() == 0) return flaw(flaws, "header-folding", "the first header line is a continuation of none");
    const std::string_view text = trim(line);
    if (header[header.size() - 1].value.empty()) return header.extend_last(text);
    header.extend_last(" ");
    return header.extend_last(text);
  }
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos) {
    return flaw(flaws, "header-line", fmt::format("a header line without colon: \"{}\"", line.substr(0, 80)));
  }
  const std::string_view name = trim(line.substr(0, colon));
  if (!is_token(name)) {
    return flaw(flaws, "header-name", fmt::format("an invalid field name: \"{}\"", name.substr(0, 80)));
  }
  const std::string_view value = trim(line.substr(colon + 1));
  if (equals_ignore_case(name, "WARC-Target-URI")) return add_target_uri(name, value, header, flaws);
  header.add(name, value);
}

bool is_scheme(std::string_view url) {
  const size_t colon = url.find(':');
  if (colon == std::string_view::npos || colon == 0 || !is_alpha(url[0])) return false;
  return std::ranges::all_of(url.substr(0, colon),
                             [](char c) { return is_alnum(c) || c == '+' || c == '-' || c == '.'; });
}

bool is_arc_date(std::string_view text) {
  return text.size() >= 8 && text.size() <= 18 && std::ranges::all_of(text, is_digit);
}

bool is_ip(std::string_view text) {
  if (text == "-") return true;
  return !text.empty() && std::ranges::all_of(text, [](char c) { return hex_value(c) >= 0 || c == '.' || c == ':'; }) &&
         text.find_first_of(".:") != std::string_view::npos;
}

}  // namespace

bool starts_like_warc(std::string_view bytes) {
  return bytes.starts_with("WARC/") && bytes.size() > 5 && is_digit(bytes[5]);
}

std::optional<size_t> find_header_end(std::string_view bytes, size_t from) {
  // An empty line may begin in what was seen before.
  from = from > 3 ? from - 3 : 0;
  for (size_t at = bytes.find('\n', from); at != std::string_view::npos; at = bytes.find('\n', at + 1)) {
    size_t next = at + 1;
    while (next < bytes.size() && bytes[next] == '\r') ++next;
    if (next < bytes.size() && bytes[next] == '\n') return next + 1;
  }
  return std::nullopt;
}

void parse_warc_header(std::string_view block, Header& header, std::vector<HeaderFlaw>& flaws) {
  header.clear();
  bool bare_line_ends = false, stray_returns = false;
  bool first = true;
  while (!block.empty()) {
    const size_t end = block.find('\n');
    const std::string_view whole = block.substr(0, end == std::string_view::npos ? block.size() : end + 1);
    block.remove_prefix(whole.size());
    const std::string_view line = without_line_end(whole);
    bare_line_ends |= whole.size() == line.size() + 1;
    stray_returns |= whole.size() > line.size() + 2;
    if (first) {
      header.set_version(trim(line).substr(0, 32));
      first = false;
    } else if (!line.empty()) {
      if (header.size() == kMaxFields) {
        flaw(flaws, "header-fields", fmt::format("more than {} header fields; the rest is ignored", kMaxFields));
        break;
      }
      parse_line(line, header, flaws);
    }
  }
  if (bare_line_ends) flaw(flaws, "header-line-end", "header lines end with LF instead of CRLF");
  if (stray_returns) flaw(flaws, "header-line-end", "header lines end with several CRs before LF");
}

bool is_sound_warc_header(std::string_view bytes) {
  if (!starts_like_warc(bytes)) return false;
  const auto end = find_header_end(bytes);
  if (!end) return false;
  Header header;
  std::vector<HeaderFlaw> flaws;
  parse_warc_header(bytes.substr(0, *end), header, flaws);
  return header.has("WARC-Type") && header.has("WARC-Record-ID") && header.content_length().has_value();
}

std::optional<ArcLine> parse_arc_line(std::string_view line) {
  line = without_line_end(line);
  if (!is_scheme(line)) return std::nullopt;
  const auto words = split(line, ' ');
  if (words.size() < 5) return std::nullopt;
  // URLs may hold blanks, so the date is looked for from the back: behind it stand at least a type and a length.
  for (size_t i = words.size() - 3; i >= 2; --i) {
    if (!is_arc_date(words[i]) || !is_ip(words[i - 1])) continue;
    const auto span = [&](size_t from, size_t to) {
      return std::string_view(words[from].data(),
                              static_cast<size_t>(words[to].data() + words[to].size() - words[from].data()));
    };
    ArcLine arc;
    arc.url = span(0, i - 2);
    arc.ip = words[i - 1];
    arc.date = words[i];
    constexpr size_t kFieldsBehindDateInArc2 = 7;
    if (words.size() - 1 - i == kFieldsBehindDateInArc2 && parse_int(words[i + 2])) {
      arc.mime = words[i + 1];
      arc.status = words[i + 2];
    } else {
      arc.mime = span(i + 1, words.size() - 2);
    }
    const auto length = parse_int(words.back());
    if (length && *length >= 0) arc.length = static_cast<uint64_t>(*length);
    return arc;
  }
  return std::nullopt;
}

void arc_header(const ArcLine& line, Header& header, std::vector<HeaderFlaw>& flaws) {
  constexpr size_t kSecondsDigits = 14;
  header.clear();
  header.set_version("ARC/1");
  header.add("WARC-Type", starts_with_ignore_case(line.url, "filedesc:") ? "warcinfo" : "response");
  header.add("WARC-Target-URI", line.url);
  const auto date = parse_timestamp(line.date.substr(0, kSecondsDigits));
  if (date) {
    header.add("WARC-Date", rfc3339(*date));
  } else {
    flaw(flaws, "arc-date", fmt::format("\"{}\" is no date", line.date));
  }
  if (line.date.size() != kSecondsDigits) {
    flaw(flaws, "arc-date", fmt::format("the date {} has {} digits instead of 14", line.date, line.date.size()));
  }
  if (line.ip != "-" && line.ip != "0.0.0.0") header.add("WARC-IP-Address", line.ip);
  header.add("Content-Type", line.mime);
  if (line.length) header.add("Content-Length", std::to_string(*line.length));
}

}  // namespace caddis::warc
