#include "caddis/text/host_display.h"

#include <unicode/uchar.h>
#include <unicode/uidna.h>
#include <unicode/uspoof.h>

#include <algorithm>
#include <array>
#include <memory>

#include "caddis/base/check.h"
#include "caddis/base/strings.h"
#include "caddis/base/utf8.h"

namespace caddis::text {
namespace {

constexpr size_t kLongestHost = 1024;

// Opened once and never closed: ICU's objects are immutable and may be used by all threads.
const UIDNA* idna() {
  static const UIDNA* const instance = [] {
    UErrorCode status = U_ZERO_ERROR;
    UIDNA* opened =
        uidna_openUTS46(UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ | UIDNA_NONTRANSITIONAL_TO_UNICODE, &status);
    CADDIS_CHECK(U_SUCCESS(status));
    return opened;
  }();
  return instance;
}

const USpoofChecker* checker() {
  static const USpoofChecker* const instance = [] {
    UErrorCode status = U_ZERO_ERROR;
    USpoofChecker* opened = uspoof_open(&status);
    uspoof_setChecks(opened, USPOOF_RESTRICTION_LEVEL | USPOOF_INVISIBLE | USPOOF_MIXED_NUMBERS, &status);
    uspoof_setRestrictionLevel(opened, USPOOF_HIGHLY_RESTRICTIVE);
    CADDIS_CHECK(U_SUCCESS(status));
    return opened;
  }();
  return instance;
}

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

bool is_mixed(std::string_view label) {
  UErrorCode status = U_ZERO_ERROR;
  const int32_t flaws =
      uspoof_check2UTF8(checker(), label.data(), static_cast<int32_t>(label.size()), nullptr, &status);
  return U_FAILURE(status) || flaws != 0;
}

// How a label looks, by the confusable characters of UTS #39.
std::string skeleton_of(std::string_view label) {
  UErrorCode status = U_ZERO_ERROR;
  std::array<char, 4 * kLongestHost> buffer{};
  const int32_t size = uspoof_getSkeletonUTF8(checker(), 0, label.data(), static_cast<int32_t>(label.size()),
                                              buffer.data(), static_cast<int32_t>(buffer.size()), &status);
  if (U_FAILURE(status) || size < 0 || static_cast<size_t>(size) > buffer.size()) return {};
  return std::string(buffer.data(), static_cast<size_t>(size));
}

void look_for_doubt(HostDisplay& host) {
  bool is_alike = false;
  for (const std::string_view label : split(host.text, '.')) {
    if (is_ascii(label)) continue;
    const std::string skeleton = skeleton_of(label);
    is_alike = is_alike || (!skeleton.empty() && is_ascii(skeleton));
    if (is_mixed(label)) host.doubt = HostDoubt::mixed_scripts;
  }
  if (is_alike && host.doubt == HostDoubt::none) host.doubt = HostDoubt::look_alike;
}

// A character that is read as what it is: no blank, control, format or private one.
bool is_plain(char32_t c) {
  switch (u_charType(static_cast<UChar32>(c))) {
    case U_CONTROL_CHAR:
    case U_FORMAT_CHAR:
    case U_PRIVATE_USE_CHAR:
    case U_SURROGATE:
    case U_UNASSIGNED:
    case U_SPACE_SEPARATOR:
    case U_LINE_SEPARATOR:
    case U_PARAGRAPH_SEPARATOR:
      return false;
    default:
      return c != 0xFFFD;
  }
}

// The bytes of "%C3%A9" at the front of `text`, as far as they go on.
std::string encoded_run(std::string_view text) {
  std::string bytes;
  for (size_t i = 0; i + 2 < text.size() && text[i] == '%' && bytes.size() < 4096; i += 3) {
    const int high = hex_value(text[i + 1]), low = hex_value(text[i + 2]);
    if (high < 8 || low < 0) break;  // ASCII stays as it is written
    bytes += static_cast<char>(high << 4 | low);
  }
  return bytes;
}

std::string readable_path(std::string_view path) {
  std::string out;
  while (!path.empty()) {
    const std::string run = path.front() == '%' ? encoded_run(path) : std::string();
    if (run.empty()) {
      out += path.front();
      path.remove_prefix(1);
      continue;
    }
    bool plain = true;
    for (std::string_view rest = run; plain && !rest.empty();) plain = is_plain(take_utf8(rest));
    out += plain ? run : std::string(path.substr(0, 3 * run.size()));
    path.remove_prefix(3 * run.size());
  }
  return out;
}

}  // namespace

HostDisplay display_host(std::string_view host) {
  HostDisplay display{std::string(host), HostDoubt::none};
  if (host.size() > kLongestHost || !contains_ignore_case(host, "xn--")) {
    if (!is_ascii(host) && host.size() <= kLongestHost) look_for_doubt(display);
    return display;
  }
  UErrorCode status = U_ZERO_ERROR;
  UIDNAInfo info = UIDNA_INFO_INITIALIZER;
  std::array<char, 4 * kLongestHost> buffer{};
  const int32_t size = uidna_nameToUnicodeUTF8(idna(), host.data(), static_cast<int32_t>(host.size()), buffer.data(),
                                               static_cast<int32_t>(buffer.size()), &info, &status);
  if (U_FAILURE(status) || info.errors != 0 || size <= 0 || static_cast<size_t>(size) > buffer.size()) return display;
  display.text.assign(buffer.data(), static_cast<size_t>(size));
  look_for_doubt(display);
  return display;
}

UrlDisplay display_url(std::string_view url) {
  const size_t scheme = url.find("://");
  const size_t begin = scheme == std::string_view::npos ? 0 : scheme + 3;
  const size_t end = std::min(url.find_first_of("/?#", begin), url.size());
  std::string_view authority = url.substr(begin, end - begin);
  const size_t user = authority.rfind('@');
  const std::string_view before = user == std::string_view::npos ? "" : authority.substr(0, user + 1);
  authority.remove_prefix(before.size());
  const size_t port = authority.starts_with('[') ? std::string_view::npos : authority.rfind(':');
  UrlDisplay display;
  display.host = display_host(authority.substr(0, port));
  display.text = std::string(url.substr(0, begin)) + std::string(before) + display.host.text;
  if (port != std::string_view::npos) display.text += authority.substr(port);
  display.text += readable_path(url.substr(end));
  return display;
}

}  // namespace caddis::text
