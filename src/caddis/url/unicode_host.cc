#include "caddis/url/unicode_host.h"

#include <unicode/bytestream.h>
#include <unicode/idna.h>

#include <memory>

namespace caddis::url {

std::string domain_to_unicode(std::string_view ascii) {
  if (!ascii.contains("xn--")) return std::string(ascii);
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<icu::IDNA> idna(icu::IDNA::createUTS46Instance(UIDNA_NONTRANSITIONAL_TO_UNICODE, status));
  if (U_FAILURE(status)) return std::string(ascii);
  std::string shown;
  icu::StringByteSink<std::string> sink(&shown);
  icu::IDNAInfo info;
  idna->nameToUnicodeUTF8(icu::StringPiece(ascii.data(), static_cast<int32_t>(ascii.size())), sink, info, status);
  return U_FAILURE(status) || info.hasErrors() ? std::string(ascii) : shown;
}

}  // namespace caddis::url
