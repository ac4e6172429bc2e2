#include "caddis/extract/mhtml_links.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "caddis/base/strings.h"
#include "caddis/extract/link_sink.h"
#include "caddis/extract/run_extractors.h"
#include "caddis/extract/text_tools.h"
#include "caddis/io/base32.h"

namespace caddis::extract {
namespace {

constexpr unsigned kMaxDepth = 3;  // of parts that have parts
constexpr size_t kMaxParts = 10'000;

// The fields of a part, and the bytes behind them.
struct Part {
  std::string type, encoding, location, boundary;
  std::string_view body;
};

// The value of `boundary=` in a Content-Type.
std::string boundary_in(std::string_view type) {
  const std::string low = to_lower(type);
  const size_t at = low.find("boundary=");
  if (at == std::string::npos) return "";
  std::string_view rest = type.substr(at + 9);
  if (rest.starts_with('"')) return std::string(rest.substr(1, rest.find('"', 1) - 1));
  return std::string(trim(rest.substr(0, rest.find(';'))));
}

// A line that begins with a space goes on with the one before.
Part read_part(std::string_view bytes) {
  Part part;
  std::string name, value;
  const auto finish = [&] {
    if (name == "content-type") part.type = value;
    if (name == "content-transfer-encoding") part.encoding = to_lower(trim(value));
    if (name == "content-location") part.location = trim(value);
    name.clear();
  };
  while (!bytes.empty()) {
    const std::string_view line = take_line(bytes);
    if (line.empty()) break;
    if ((line[0] == ' ' || line[0] == '\t') && !name.empty()) {
      value += line;
      continue;
    }
    finish();
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    name = to_lower(trim(line.substr(0, colon)));
    value = trim(line.substr(colon + 1));
  }
  finish();
  part.body = bytes;
  part.boundary = starts_with_ignore_case(part.type, "multipart/") ? boundary_in(part.type) : "";
  return part;
}

// Quoted-printable (RFC 2045, 6.7).
std::string unquoted(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '=') {
      out += text[at];
      continue;
    }
    const std::string_view rest = text.substr(at + 1);
    if (rest.starts_with("\r\n")) {
      at += 2;
    } else if (rest.starts_with('\n')) {
      at += 1;
    } else if (rest.size() >= 2 && hex_value(rest[0]) >= 0 && hex_value(rest[1]) >= 0) {
      out += static_cast<char>(hex_value(rest[0]) * 16 + hex_value(rest[1]));
      at += 2;
    } else {
      out += '=';
    }
  }
  return out;
}

std::string decoded(const Part& part) {
  if (part.encoding == "quoted-printable") return unquoted(part.body);
  if (part.encoding != "base64") return std::string(part.body);
  std::string text;
  for (const char c : part.body)
    if (!is_space(c)) text += c;
  return io::decode_base64(text).value_or("");
}

class Message {
 public:
  Message(const Reading& reading, LinkSink& sink) : reading_(reading), sink_(sink) {}

  void read(const Part& part, unsigned depth) {
    if (depth > kMaxDepth) return sink_.leave_unread(fmt::format("parts more than {} deep are not read", kMaxDepth));
    if (part.boundary.empty()) return read_document(part);
    const std::string mark = "--" + part.boundary;
    size_t at = find_mark(part.body, mark, 0);
    while (at != std::string_view::npos) {
      const size_t start = std::min(part.body.find('\n', at), part.body.size() - 1) + 1;
      if (part.body.substr(at + mark.size()).starts_with("--")) return;
      if (++parts_ > kMaxParts)
        return sink_.leave_unread(fmt::format("only the first {} of its parts are read", kMaxParts));
      at = find_mark(part.body, mark, start);
      read(read_part(part.body.substr(start, at == std::string_view::npos ? at : at - start)), depth + 1);
    }
  }

 private:
  // Where a line begins with it.
  static size_t find_mark(std::string_view text, const std::string& mark, size_t from) {
    size_t at = text.find(mark, from);
    while (at != std::string_view::npos && at > 0 && text[at - 1] != '\n') at = text.find(mark, at + 1);
    return at;
  }

  void read_document(const Part& part) {
    const auto location = url::Url::parse(part.location, &sink_.document_url());
    const std::string url(location && location->is_http() ? location->href() : sink_.document_url().href());
    const std::string body = decoded(part);
    Document document = reading_.document;
    document.url = url;
    document.content_type = part.type;
    document.charset = {};
    document.body = body;
    document.status = 200;
    document.fields = {};
    Extracted found = extract_within(document, reading_.plan, reading_.depth + 1);
    for (Link& link : found.links) sink_.add_link(std::move(link));
    if (reading_.out.title.empty()) reading_.out.title = std::move(found.title);
    sink_.count_dropped(found.dropped);
    if (!found.unread.empty()) sink_.leave_unread(std::move(found.unread), found.is_damaged);
  }

  const Reading& reading_;
  LinkSink& sink_;
  size_t parts_ = 0;
};

}  // namespace

void extract_mhtml(Reading& reading, LinkSink& sink) {
  Part whole = read_part(reading.document.body);
  if (whole.boundary.empty()) {
    whole.boundary = boundary_in(reading.document.content_type);
    if (!whole.boundary.empty()) whole.body = reading.document.body;
  }
  if (!whole.boundary.empty()) Message(reading, sink).read(whole, 0);
}

}  // namespace caddis::extract
