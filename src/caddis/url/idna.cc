// Domains to ASCII through ICU: UTS #46 for URLs, IDNA 2003 for the index key.
#include <unicode/uidna.h>

#include <algorithm>

#include "caddis/base/check.h"
#include "caddis/base/strings.h"
#include "caddis/base/utf8.h"
#include "caddis/url/host.h"

namespace caddis::url {
namespace {

// DNS lengths, empty labels and hyphens are no failures where beStrict is false.
constexpr uint32_t kPassedOver = UIDNA_ERROR_EMPTY_LABEL | UIDNA_ERROR_LABEL_TOO_LONG |
                                 UIDNA_ERROR_DOMAIN_NAME_TOO_LONG | UIDNA_ERROR_LEADING_HYPHEN |
                                 UIDNA_ERROR_TRAILING_HYPHEN | UIDNA_ERROR_HYPHEN_3_4;

// Opened once and never closed: ICU's object is immutable and may be used by all threads.
const UIDNA* uts46() {
  static const UIDNA* const instance = [] {
    UErrorCode status = U_ZERO_ERROR;
    UIDNA* opened = uidna_openUTS46(
        UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ | UIDNA_NONTRANSITIONAL_TO_ASCII | UIDNA_NONTRANSITIONAL_TO_UNICODE,
        &status);
    CADDIS_CHECK(U_SUCCESS(status));
    return opened;
  }();
  return instance;
}

// Readings that UTS #46 has changed since ICU 72 (Unicode 15.0): from..to map to `target` onwards, or to nothing where
// it is 0. Characters that Unicode has added since are refused still.
struct Reading {
  char32_t from;
  char32_t to;
  char32_t target;
};
constexpr Reading kLaterReadings[] = {
    {0x04C0, 0x04C0, 0x04CF},   {0x10A0, 0x10C5, 0x2D00},   {0x115F, 0x1160, 0},        {0x17B4, 0x17B5, 0},
    {0x180E, 0x180E, 0},        {0x1E9E, 0x1E9E, 0xDF},     {0x2061, 0x2063, 0},        {0x206A, 0x206F, 0},
    {0x2132, 0x2132, 0x214E},   {0x2183, 0x2183, 0x2184},   {0x3164, 0x3164, 0},        {0xFFA0, 0xFFA0, 0},
    {0x1D173, 0x1D17A, 0},      {0x2F868, 0x2F868, 0x36FC}, {0x2F874, 0x2F874, 0x5F53}, {0x2F91F, 0x2F91F, 0x243AB},
    {0x2F95F, 0x2F95F, 0x7AEE}, {0x2F9BF, 0x2F9BF, 0x45D7},
};

// The same domain in characters whose reading has not changed.
std::string in_settled_characters(std::string_view domain) {
  std::string out;
  while (!domain.empty()) {
    const char32_t c = take_utf8(domain);
    const auto later = std::ranges::find_if(kLaterReadings, [c](const Reading& r) { return c >= r.from && c <= r.to; });
    if (later == std::end(kLaterReadings))
      append_utf8(out, c);
    else if (later->target != 0)
      append_utf8(out, later->target + (c - later->from));
  }
  return out;
}

bool is_ascii(std::string_view text) {
  return std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}

}  // namespace

bool append_domain_to_ascii(std::string& out, std::string_view domain) {
  if (domain.empty()) return false;
  // Whatever its "xn--" labels hold: the standard of 2026-06 does not validate a domain that is ASCII already.
  if (is_ascii(domain)) {
    for (const char c : domain) out += to_lower(c);
    return true;
  }
  // Longer than any name of the DNS even if every character were escaped; bounds the work on hostile input.
  constexpr size_t kMaxDomain = 4096;
  if (domain.size() > kMaxDomain) return false;
  UIDNAInfo info = UIDNA_INFO_INITIALIZER;
  UErrorCode status = U_ZERO_ERROR;
  const std::string known = in_settled_characters(domain);
  std::string ascii(kMaxDomain * 2, '\0');
  const int32_t length = uidna_nameToASCII_UTF8(uts46(), known.data(), static_cast<int32_t>(known.size()), ascii.data(),
                                                static_cast<int32_t>(ascii.size()), &info, &status);
  if (U_FAILURE(status) || (info.errors & ~kPassedOver) != 0 || length == 0) return false;
  out.append(ascii, 0, static_cast<size_t>(length));
  return true;
}

std::optional<std::string> idna2003_to_ascii(std::string_view host, Unassigned unassigned) {
  const int32_t options = unassigned == Unassigned::allowed ? UIDNA_ALLOW_UNASSIGNED : UIDNA_DEFAULT;
  std::u16string wide;
  while (!host.empty()) {
    const bool broken = utf8_length(host) == 0;
    const char32_t c = take_utf8(host);
    if (broken) continue;
    if (c > 0xFFFF) wide += static_cast<char16_t>(0xD7C0 + (c >> 10));
    wide += static_cast<char16_t>(c > 0xFFFF ? 0xDC00 + (c & 0x3FF) : c);
  }
  if (wide.empty()) return "";
  std::string out;
  for (size_t start = 0;;) {
    const size_t end = std::min(wide.find_first_of(u".\u3002\uFF0E\uFF61", start), wide.size());
    constexpr size_t kMaxLabel = 1000;  // no such label has an ASCII form; bounds the work on hostile input
    if ((end == start && end < wide.size()) || end - start > kMaxLabel) return std::nullopt;
    if (end > start) {
      char16_t ascii[64];
      UErrorCode status = U_ZERO_ERROR;
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"  // IDNA 2003 is what is wanted here
      const int32_t length =
          uidna_toASCII(wide.data() + start, static_cast<int32_t>(end - start), ascii, 64, options, nullptr, &status);
#pragma clang diagnostic pop
      if (U_FAILURE(status) || length == 0 || length > 63) return std::nullopt;
      for (int32_t i = 0; i < length; ++i) out += static_cast<char>(ascii[i]);
    }
    if (end == wide.size()) return out;
    out += '.';
    start = end + 1;
  }
}

}  // namespace caddis::url
