#include "caddis/warcstore/exchange_facts.h"

#include <fmt/format.h>

#include "caddis/base/strings.h"

namespace caddis::warcstore {
namespace {

bool is_packed_coding(std::string_view coding) {
  for (const std::string_view name : {"gzip", "x-gzip", "br", "zstd", "deflate", "compress", "x-compress"})
    if (equals_ignore_case(coding, name)) return true;
  return false;
}

// Pixels, samples and outlines as they are, which compress like text.
bool is_plain_media(std::string_view mime) {
  for (const std::string_view name :
       {"image/svg+xml", "image/bmp", "image/x-ms-bmp", "image/tiff", "image/x-icon", "image/vnd.microsoft.icon",
        "audio/wav", "audio/x-wav", "audio/vnd.wave", "audio/aiff", "audio/x-aiff", "audio/midi", "font/ttf",
        "font/otf", "font/sfnt", "font/collection"})
    if (mime == name) return true;
  return false;
}

// One line for each certificate, as the metadata record has them.
std::string certificate_line(const aio::TlsCertificate& certificate) {
  return fmt::format("sha256={} from={} to={} subject=\"{}\" issuer=\"{}\"", certificate.sha256, certificate.not_before,
                     certificate.not_after, certificate.subject, certificate.issuer);
}

}  // namespace

bool is_incompressible(std::string_view mime, const http::ResponseHead& head) {
  const std::string codings = head.joined("content-encoding");
  for (const std::string_view coding : split(codings, ','))
    if (is_packed_coding(trim(coding))) return true;
  if (is_plain_media(mime)) return false;
  return mime.starts_with("image/") || mime.starts_with("video/") || mime.starts_with("audio/") ||
         mime.starts_with("font/") || mime == "application/zip" || mime == "application/gzip" ||
         mime == "application/x-gzip" || mime == "application/epub+zip" || mime == "application/x-xz" ||
         mime == "application/x-bzip2";
}

std::optional<warc::Truncated> warc_reason(http::Truncated truncated) {
  switch (truncated) {
    case http::Truncated::none:
      return std::nullopt;
    case http::Truncated::length:
    case http::Truncated::head:
      return warc::Truncated::length;
    case http::Truncated::time:
      return warc::Truncated::time;
    case http::Truncated::disconnect:
      return warc::Truncated::disconnect;
    case http::Truncated::unwanted:
      return warc::Truncated::unspecified;
  }
  return std::nullopt;
}

void add_tls(archive::CaptureMetadata& metadata, const aio::TlsInfo& tls, bool is_known) {
  if (!tls.verify_error.empty()) metadata.more.emplace_back("tlsVerify", tls.verify_error);
  if (is_known) return;
  metadata.more.emplace_back("tlsProtocol", tls.protocol);
  metadata.more.emplace_back("tlsCipher", tls.cipher);
  if (tls.is_name_withheld) metadata.more.emplace_back("tlsServerName", "not sent, since the server refused it");
  if (!tls.chain) return;
  for (const aio::TlsCertificate& each : *tls.chain)
    metadata.more.emplace_back("tlsCertificate", certificate_line(each));
}

}  // namespace caddis::warcstore
