#include "caddis/text/sniff.h"

#include <string>

#include "caddis/base/strings.h"
#include "caddis/text/encoding.h"

namespace caddis::text {
namespace {

constexpr size_t kPrescan = 1024;

bool is_html_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }

// "A meta declares UTF-16" can only be wrong, since it could be read: it means UTF-8.
std::string_view as_declared(std::string_view encoding) {
  if (encoding == "UTF-16LE" || encoding == "UTF-16BE") return kUtf8;
  return encoding == "x-user-defined" ? kWindows1252 : encoding;
}

std::string_view byte_order_mark(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) return kUtf8;
  if (bytes.starts_with("\xFE\xFF")) return "UTF-16BE";
  if (bytes.starts_with("\xFF\xFE")) return "UTF-16LE";
  return {};
}

// The steps of "prescan a byte stream to determine its encoding" and its "get an attribute".
class Prescan {
 public:
  explicit Prescan(std::string_view bytes) : bytes_(bytes) {}

  std::string_view run() {
    while (at_ < bytes_.size()) {
      at_ = bytes_.find('<', at_);
      if (at_ == std::string_view::npos) break;
      const std::string_view rest = bytes_.substr(at_);
      if (rest.starts_with("<!--")) {
        const size_t end = bytes_.find("-->", at_ + 2);
        if (end == std::string_view::npos) break;
        at_ = end + 3;
      } else if (starts_with_ignore_case(rest, "<meta") && rest.size() > 5 &&
                 (is_html_space(rest[5]) || rest[5] == '/')) {
        at_ += 5;
        if (const std::string_view encoding = read_meta(); !encoding.empty()) return encoding;
      } else if (rest.size() > 1 && (is_alpha(rest[1]) || (rest[1] == '/' && rest.size() > 2 && is_alpha(rest[2])))) {
        while (at_ < bytes_.size() && !is_html_space(bytes_[at_]) && bytes_[at_] != '>') ++at_;
        while (read_attribute()) {
        }
      } else if (rest.size() > 1 && (rest[1] == '!' || rest[1] == '/' || rest[1] == '?')) {
        at_ = bytes_.find('>', at_);
        if (at_ == std::string_view::npos) break;
        ++at_;
      } else {
        ++at_;
      }
    }
    return {};
  }

 private:
  std::string_view read_meta() {
    bool got_pragma = false, need_pragma = false, have_charset = false;
    bool seen_http_equiv = false, seen_content = false, seen_charset = false;
    std::string_view charset;
    while (read_attribute()) {
      if (name_ == "http-equiv" && !seen_http_equiv) {
        seen_http_equiv = true;
        got_pragma = value_ == "content-type";
      } else if (name_ == "content" && !seen_content) {
        seen_content = true;
        const std::string_view encoding = encoding_of_content_type(value_);
        if (encoding.empty() || have_charset) continue;
        charset = encoding;
        have_charset = need_pragma = true;
      } else if (name_ == "charset" && !seen_charset) {
        seen_charset = true;
        charset = encoding_for_label(value_);
        have_charset = true;
        need_pragma = false;
      }
    }
    // An attribute that the bytes end in is no attribute, and so its element is none.
    if (at_ >= bytes_.size() || !have_charset || (need_pragma && !got_pragma)) return {};
    return as_declared(charset);
  }

  // Reads the next attribute into name_ and value_, both in lower case; false behind the last.
  bool read_attribute() {
    name_.clear();
    value_.clear();
    while (at_ < bytes_.size() && (is_html_space(bytes_[at_]) || bytes_[at_] == '/')) ++at_;
    if (at_ >= bytes_.size() || bytes_[at_] == '>') return false;
    while (at_ < bytes_.size() && !(bytes_[at_] == '=' && !name_.empty())) {
      const char c = bytes_[at_];
      if (c == '/' || c == '>') return true;
      if (is_html_space(c)) {
        skip_space();
        break;
      }
      name_ += to_lower(c);
      ++at_;
    }
    if (at_ >= bytes_.size()) return false;
    if (bytes_[at_] != '=') return true;
    ++at_;
    skip_space();
    return read_value();
  }

  bool read_value() {
    if (at_ >= bytes_.size()) return false;
    const char quote = bytes_[at_];
    if (quote == '"' || quote == '\'') {
      const size_t close = bytes_.find(quote, at_ + 1);
      if (close == std::string_view::npos) {
        at_ = bytes_.size();
        return false;
      }
      value_ = to_lower(bytes_.substr(at_ + 1, close - at_ - 1));
      at_ = close + 1;
      return true;
    }
    const size_t start = at_;
    while (at_ < bytes_.size() && !is_html_space(bytes_[at_]) && bytes_[at_] != '>') ++at_;
    value_ = to_lower(bytes_.substr(start, at_ - start));
    return at_ < bytes_.size();
  }

  void skip_space() {
    while (at_ < bytes_.size() && is_html_space(bytes_[at_])) ++at_;
  }

  std::string_view bytes_;
  size_t at_ = 0;
  std::string name_, value_;
};

// The encoding of `<?xml version="1.0" encoding="x"?>` at the front ("get an XML encoding").
std::string_view xml_declaration(std::string_view bytes) {
  if (!bytes.starts_with("<?xml")) return {};
  const size_t end = bytes.find('>');
  if (end == std::string_view::npos) return {};
  const std::string_view declaration = bytes.substr(0, end);
  size_t at = declaration.find("encoding");
  if (at == std::string_view::npos) return {};
  at += 8;
  const auto skip = [&] {
    while (at < declaration.size() && static_cast<uint8_t>(declaration[at]) <= 0x20) ++at;
  };
  skip();
  if (at >= declaration.size() || declaration[at] != '=') return {};
  ++at;
  skip();
  if (at >= declaration.size() || (declaration[at] != '"' && declaration[at] != '\'')) return {};
  const size_t close = declaration.find(declaration[at], at + 1);
  if (close == std::string_view::npos) return {};
  return as_declared(encoding_for_label(declaration.substr(at + 1, close - at - 1)));
}

// A quick look before a prescan of the whole document.
bool has_meta(std::string_view bytes) {
  for (size_t at = bytes.find('<'); at != std::string_view::npos; at = bytes.find('<', at + 1)) {
    if (starts_with_ignore_case(bytes.substr(at + 1), "meta")) return true;
  }
  return false;
}

std::string_view utf16_by_its_zeros(std::string_view bytes) {
  if (bytes.starts_with(std::string_view("<\0?\0x\0", 6))) return "UTF-16LE";
  if (bytes.starts_with(std::string_view("\0<\0?\0x", 6))) return "UTF-16BE";
  return {};
}

}  // namespace

std::string_view prescan_meta(std::string_view bytes) { return Prescan(bytes).run(); }

SniffedEncoding sniff_html(std::string_view bytes, std::string_view transport_charset, std::string_view fallback) {
  if (const auto name = byte_order_mark(bytes); !name.empty()) return {name, EncodingSource::byte_order_mark};
  if (const auto name = encoding_for_label(transport_charset); !name.empty()) return {name, EncodingSource::transport};
  if (const auto name = utf16_by_its_zeros(bytes); !name.empty()) return {name, EncodingSource::declaration};
  if (const auto name = prescan_meta(bytes.substr(0, kPrescan)); !name.empty())
    return {name, EncodingSource::declaration};
  if (const auto name = xml_declaration(bytes.substr(0, kPrescan)); !name.empty()) {
    return {name, EncodingSource::declaration};
  }
  if (bytes.size() > kPrescan && has_meta(bytes)) {
    if (const auto name = prescan_meta(bytes); !name.empty()) return {name, EncodingSource::declaration};
  }
  if (is_ascii(bytes)) return {fallback, EncodingSource::fallback};
  if (is_utf8_text(bytes)) return {kUtf8, EncodingSource::detection};
  return {fallback, EncodingSource::fallback};
}

SniffedEncoding sniff_text(std::string_view bytes, std::string_view transport_charset) {
  if (const auto name = byte_order_mark(bytes); !name.empty()) return {name, EncodingSource::byte_order_mark};
  if (const auto name = encoding_for_label(transport_charset); !name.empty()) return {name, EncodingSource::transport};
  if (const auto name = xml_declaration(bytes.substr(0, kPrescan)); !name.empty()) {
    return {name, EncodingSource::declaration};
  }
  constexpr std::string_view kCharsetRule = "@charset \"";
  if (bytes.starts_with(kCharsetRule)) {
    const size_t close = bytes.substr(0, kPrescan).find("\";", kCharsetRule.size());
    if (close != std::string_view::npos) {
      const auto name = encoding_for_label(bytes.substr(kCharsetRule.size(), close - kCharsetRule.size()));
      if (!name.empty()) return {as_declared(name), EncodingSource::declaration};
    }
  }
  if (is_utf8_text(bytes)) return {kUtf8, EncodingSource::detection};
  return {kWindows1252, EncodingSource::fallback};
}

std::string_view charset_label(std::string_view content_type) {
  for (size_t at = 0; at < content_type.size();) {
    const std::string_view rest = content_type.substr(at);
    if (!starts_with_ignore_case(rest, "charset")) {
      ++at;
      continue;
    }
    at += 7;
    while (at < content_type.size() && is_html_space(content_type[at])) ++at;
    if (at >= content_type.size() || content_type[at] != '=') continue;
    ++at;
    while (at < content_type.size() && is_html_space(content_type[at])) ++at;
    if (at >= content_type.size()) return {};
    const char quote = content_type[at];
    if (quote == '"' || quote == '\'') {
      const size_t close = content_type.find(quote, at + 1);
      return close == std::string_view::npos ? std::string_view() : content_type.substr(at + 1, close - at - 1);
    }
    const size_t start = at;
    while (at < content_type.size() && !is_html_space(content_type[at]) && content_type[at] != ';') ++at;
    return content_type.substr(start, at - start);
  }
  return {};
}

std::string_view encoding_of_content_type(std::string_view content_type) {
  return encoding_for_label(charset_label(content_type));
}

}  // namespace caddis::text
