#include "caddis/url/url_parser.h"

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/url/host.h"
#include "caddis/url/percent.h"
#include "caddis/url/query_encoder.h"

namespace caddis::url {
namespace {

constexpr ByteSet kEndsPath = ByteSet().with("?#");
constexpr ByteSet kEndsAuthority = ByteSet().with("/?#");
constexpr ByteSet kEndsSpecialAuthority = kEndsAuthority.with("\\");

std::unexpected<Error> invalid(const char* why) { return fail(ErrorCode::parse, std::string("invalid URL: ") + why); }

bool is_special_scheme(std::string_view scheme) { return scheme == "file" || default_port(scheme).has_value(); }

bool is_drive_letter(std::string_view text) {
  return text.size() == 2 && is_alpha(text[0]) && (text[1] == ':' || text[1] == '|');
}

bool starts_with_drive_letter(std::string_view text) {
  if (text.size() < 2 || !is_drive_letter(text.substr(0, 2))) return false;
  return text.size() == 2 || std::string_view("/\\?#").find(text[2]) != std::string_view::npos;
}

// "/C:" at the front of a path, as its first segment.
bool begins_with_drive_segment(std::string_view path) {
  return path.size() >= 3 && path[0] == '/' && is_alpha(path[1]) && path[2] == ':' &&
         (path.size() == 3 || path[3] == '/');
}

// The dots that a path segment is made of ("%2e" counts as one), 0 where it holds anything else or more than two.
int dots(std::string_view segment) {
  if (segment.empty() || segment.size() > 6 || (segment[0] != '.' && segment[0] != '%')) return 0;
  int count = 0;
  while (!segment.empty()) {
    if (segment[0] == '.')
      segment.remove_prefix(1);
    else if (starts_with_ignore_case(segment, "%2e"))
      segment.remove_prefix(3);
    else
      return 0;
    ++count;
  }
  return count <= 2 ? count : 0;
}

}  // namespace

Result<Url> UrlParser::parse() {
  TRY_VOID(run());
  return std::move(url_);
}

Result<void> UrlParser::run() {
  size_t end = 0;
  if (!rest_.empty() && is_alpha(rest_[0])) {
    while (end < rest_.size() && (is_alnum(rest_[end]) || rest_[end] == '+' || rest_[end] == '-' || rest_[end] == '.'))
      ++end;
  }
  if (end == 0 || end == rest_.size() || rest_[end] != ':') return without_scheme();
  begin(rest_.substr(0, end));
  rest_.remove_prefix(end + 1);
  if (is_file_) return file();
  if (url_.is_special_) {
    const bool same_scheme = base_ != nullptr && base_->scheme() == url_.scheme();
    if (same_scheme && !rest_.starts_with("//")) return relative();
    skip_slashes();
    return authority();
  }
  if (rest_.starts_with("//")) {
    rest_.remove_prefix(2);
    return authority();
  }
  if (rest_.starts_with('/')) {
    path_start();
  } else {
    opaque_path();
  }
  return {};
}

// Writes the scheme, in lower case, and sizes the string for what is to come.
void UrlParser::begin(std::string_view scheme) {
  std::string& href = url_.href_;
  href.reserve(rest_.size() + (base_ != nullptr ? base_->hash_start_ : 0) + 8);
  for (const char c : scheme) href += to_lower(c);
  url_.is_http_ = href == "http" || href == "https";
  url_.is_special_ = url_.is_http_ || is_special_scheme(href);
  is_file_ = href == "file";
  href += ':';
  url_.protocol_end_ = url_.username_end_ = url_.host_start_ = url_.host_end_ = static_cast<uint32_t>(href.size());
}

Result<void> UrlParser::without_scheme() {
  if (base_ == nullptr) return invalid("it has no scheme, and there is no base to resolve it against");
  if (base_->has_opaque_path() && !rest_.starts_with('#')) return invalid("the base cannot resolve a relative URL");
  begin(base_->scheme());
  if (base_->has_opaque_path()) {
    url_.opaque_path_ = true;
    copy_path();
    copy_query();
    query_and_fragment();
    return {};
  }
  return is_file_ ? file() : relative();
}

Result<void> UrlParser::relative() {
  if (at_slash()) {
    rest_.remove_prefix(1);
    if (at_slash()) {
      if (url_.is_special_)
        skip_slashes();
      else
        rest_.remove_prefix(1);
      return authority();
    }
    copy_authority();
    path();
    return {};
  }
  copy_authority();
  copy_path();
  if (rest_.empty() || rest_.front() == '#') {
    copy_query();
    query_and_fragment();
  } else if (rest_.front() == '?') {
    end_path();
    query_and_fragment();
  } else {
    shorten_path();
    path();
  }
  return {};
}

Result<void> UrlParser::authority() {
  const size_t end = find_byte(rest_, url_.is_special_ ? kEndsSpecialAuthority : kEndsAuthority);
  const std::string_view text = rest_.substr(0, end);
  rest_.remove_prefix(text.size());
  url_.href_ += "//";
  url_.username_end_ = url_.host_start_ = static_cast<uint32_t>(url_.href_.size());
  TRY_VOID(userinfo_and_host(text));
  path_start();
  return {};
}

Result<void> UrlParser::userinfo_and_host(std::string_view text) {
  const size_t at = text.rfind('@');
  if (at == std::string_view::npos) return host_and_port(text);
  const std::string_view userinfo = text.substr(0, at);
  text.remove_prefix(at + 1);
  if (text.empty()) return invalid("no host behind the user");
  const size_t colon = std::min(userinfo.find(':'), userinfo.size());
  const std::string_view password = userinfo.substr(std::min(colon + 1, userinfo.size()));
  append_escaped(url_.href_, userinfo.substr(0, colon), kUserinfoSet);
  url_.username_end_ = static_cast<uint32_t>(url_.href_.size());
  if (!password.empty()) {
    url_.href_ += ':';
    append_escaped(url_.href_, password, kUserinfoSet);
  }
  if (colon > 0 || !password.empty()) {
    url_.host_start_ = static_cast<uint32_t>(url_.href_.size());
    url_.href_ += '@';
  }
  return host_and_port(text);
}

Result<void> UrlParser::host_and_port(std::string_view text) {
  bool in_brackets = false;
  size_t colon = 0;
  for (; colon < text.size() && (text[colon] != ':' || in_brackets); ++colon) {
    if (text[colon] == '[') in_brackets = true;
    if (text[colon] == ']') in_brackets = false;
  }
  const std::string_view host = text.substr(0, colon);
  if (host.empty() && (url_.is_special_ || colon < text.size())) return invalid("no host");
  if (!host.empty() && !append_host(url_.href_, host, url_.is_special_)) return invalid("malformed host");
  url_.host_end_ = static_cast<uint32_t>(url_.href_.size());
  if (colon >= text.size()) return {};
  uint32_t port = 0;
  for (const char c : text.substr(colon + 1)) {
    if (!is_digit(c)) return invalid("malformed port");
    port = port * 10 + static_cast<uint32_t>(c - '0');
    if (port > 65535) return invalid("port above 65535");
  }
  if (colon + 1 == text.size() || default_port(url_.scheme()) == port) return {};
  url_.port_ = static_cast<int32_t>(port);
  url_.href_ += ':';
  url_.href_ += std::to_string(port);
  return {};
}

Result<void> UrlParser::file() {
  const bool file_base = base_ != nullptr && base_->scheme() == "file";
  if (at_slash()) {
    rest_.remove_prefix(1);
    if (at_slash()) {
      rest_.remove_prefix(1);
      return file_host();
    }
    if (!file_base) {
      empty_host();
    } else {
      copy_authority();
      if (!starts_with_drive_letter(rest_) && begins_with_drive_segment(base_->pathname())) {
        url_.href_ += base_->pathname().substr(0, 3);
      }
    }
    path();
    return {};
  }
  if (!file_base) {
    empty_host();
    path();
    return {};
  }
  if (starts_with_drive_letter(rest_)) {
    copy_authority();
    path();
    return {};
  }
  return relative();
}

Result<void> UrlParser::file_host() {
  const std::string_view host = rest_.substr(0, find_byte(rest_, kEndsSpecialAuthority));
  empty_host();
  if (is_drive_letter(host)) {
    path();
    return {};
  }
  rest_.remove_prefix(host.size());
  if (!host.empty()) {
    if (!append_host(url_.href_, host, true)) return invalid("malformed host");
    if (url_.href_ == "file://localhost") url_.href_.resize(url_.host_start_);
    url_.host_end_ = static_cast<uint32_t>(url_.href_.size());
  }
  path_start();
  return {};
}

void UrlParser::path_start() {
  url_.pathname_start_ = static_cast<uint32_t>(url_.href_.size());
  if (!url_.is_special_ && !rest_.starts_with('/')) {
    end_path();
    query_and_fragment();
    return;
  }
  if (at_slash()) rest_.remove_prefix(1);
  path();
}

// Reads the segments of a path whose first slash has been taken, then the rest of the URL.
void UrlParser::path() {
  std::string_view text = rest_.substr(0, find_byte(rest_, kEndsPath));
  rest_.remove_prefix(text.size());
  for (;;) {
    size_t end = 0;
    while (end < text.size() && !is_slash(text[end])) ++end;
    const std::string_view segment = text.substr(0, end);
    const bool last = end == text.size();
    const int count = dots(segment);
    if (count == 2) shorten_path();
    if (count == 0)
      append_segment(segment);
    else if (last)
      append_segment("");
    if (last) break;
    text.remove_prefix(end + 1);
  }
  end_path();
  query_and_fragment();
}

void UrlParser::append_segment(std::string_view segment) {
  const bool drive = is_file_ && path_is_empty() && is_drive_letter(segment);
  url_.href_ += '/';
  append_escaped(url_.href_, drive ? segment.substr(0, 1) : segment, kPathSet);
  if (drive) url_.href_ += ':';
}

void UrlParser::shorten_path() {
  if (path_is_empty()) return;
  const std::string_view path = std::string_view(url_.href_).substr(url_.pathname_start_);
  if (is_file_ && path.size() == 3 && begins_with_drive_segment(path)) return;
  url_.href_.resize(url_.href_.rfind('/'));
}

void UrlParser::opaque_path() {
  url_.pathname_start_ = static_cast<uint32_t>(url_.href_.size());
  url_.opaque_path_ = true;
  std::string_view text = rest_.substr(0, find_byte(rest_, kEndsPath));
  rest_.remove_prefix(text.size());
  // A space before the query or fragment would be lost if those were ever removed.
  const bool space = !rest_.empty() && text.ends_with(' ');
  if (space) text.remove_suffix(1);
  append_escaped(url_.href_, text, kC0ControlSet);
  if (space) url_.href_ += "%20";
  end_path();
  query_and_fragment();
}

// A path of "//x" without a host would read as an authority: it is written "/.//x".
void UrlParser::end_path() {
  std::string& href = url_.href_;
  if (!url_.has_host() && !url_.opaque_path_ && std::string_view(href).substr(url_.pathname_start_).starts_with("//")) {
    href.insert(url_.pathname_start_, "/.");
    url_.pathname_start_ += 2;
  }
  url_.search_start_ = url_.hash_start_ = static_cast<uint32_t>(href.size());
}

void UrlParser::query_and_fragment() {
  if (rest_.starts_with('?')) {
    const std::string_view text = rest_.substr(1, rest_.find('#') - 1);
    rest_.remove_prefix(text.size() + 1);
    url_.href_ += '?';
    append_query(text);
    url_.hash_start_ = static_cast<uint32_t>(url_.href_.size());
  }
  if (rest_.starts_with('#')) {
    url_.href_ += '#';
    append_escaped(url_.href_, rest_.substr(1), kFragmentSet);
  }
}

void UrlParser::append_query(std::string_view text) {
  const ByteSet& set = url_.is_special_ ? kSpecialQuerySet : kQuerySet;
  const bool web_socket = url_.is_special_ && url_.href_.starts_with("ws");
  if (encoder_ != nullptr && url_.is_special_ && !web_socket) {
    encoder_->append(url_.href_, text, set);
  } else {
    append_escaped(url_.href_, text, set);
  }
}

void UrlParser::skip_slashes() {
  while (at_slash()) rest_.remove_prefix(1);
}

void UrlParser::empty_host() {
  url_.href_ += "//";
  url_.username_end_ = url_.host_start_ = url_.host_end_ = url_.pathname_start_ =
      static_cast<uint32_t>(url_.href_.size());
}

// Userinfo, host and port of the base, whose scheme is already written: all offsets are the same.
void UrlParser::copy_authority() {
  const uint32_t port_length = base_->port_ < 0 ? 0 : static_cast<uint32_t>(base_->port().size()) + 1;
  const uint32_t end = base_->host_end_ + port_length;
  url_.href_.append(base_->href_, base_->protocol_end_, end - base_->protocol_end_);
  url_.username_end_ = base_->username_end_;
  url_.host_start_ = base_->host_start_;
  url_.host_end_ = base_->host_end_;
  url_.port_ = base_->port_;
  url_.pathname_start_ = end;
}

void UrlParser::copy_path() {
  url_.pathname_start_ = static_cast<uint32_t>(url_.href_.size());
  url_.href_ += base_->pathname();
}

void UrlParser::copy_query() {
  end_path();
  url_.href_.append(base_->href_, base_->search_start_, base_->hash_start_ - base_->search_start_);
  url_.hash_start_ = static_cast<uint32_t>(url_.href_.size());
}

}  // namespace caddis::url
