#include "caddis/text/media_types.h"

#include <algorithm>
#include <array>
#include <utility>

#include "caddis/base/strings.h"

namespace caddis::text {

std::string_view media_type_of(std::string_view name) {
  using Row = std::pair<std::string_view, std::string_view>;
  constexpr std::array<Row, 46> kTypes{{{"html", "text/html"},
                                        {"htm", "text/html"},
                                        {"xhtml", "application/xhtml+xml"},
                                        {"css", "text/css"},
                                        {"js", "text/javascript"},
                                        {"mjs", "text/javascript"},
                                        {"json", "application/json"},
                                        {"xml", "application/xml"},
                                        {"rss", "application/rss+xml"},
                                        {"atom", "application/atom+xml"},
                                        {"txt", "text/plain"},
                                        {"md", "text/markdown"},
                                        {"csv", "text/csv"},
                                        {"png", "image/png"},
                                        {"jpg", "image/jpeg"},
                                        {"jpeg", "image/jpeg"},
                                        {"gif", "image/gif"},
                                        {"webp", "image/webp"},
                                        {"avif", "image/avif"},
                                        {"svg", "image/svg+xml"},
                                        {"ico", "image/vnd.microsoft.icon"},
                                        {"bmp", "image/bmp"},
                                        {"tif", "image/tiff"},
                                        {"tiff", "image/tiff"},
                                        {"pdf", "application/pdf"},
                                        {"zip", "application/zip"},
                                        {"gz", "application/gzip"},
                                        {"mp3", "audio/mpeg"},
                                        {"ogg", "audio/ogg"},
                                        {"wav", "audio/wav"},
                                        {"m4a", "audio/mp4"},
                                        {"mp4", "video/mp4"},
                                        {"webm", "video/webm"},
                                        {"mov", "video/quicktime"},
                                        {"woff", "font/woff"},
                                        {"woff2", "font/woff2"},
                                        {"ttf", "font/ttf"},
                                        {"otf", "font/otf"},
                                        {"wasm", "application/wasm"},
                                        {"epub", "application/epub+zip"},
                                        {"doc", "application/msword"},
                                        {"xls", "application/vnd.ms-excel"},
                                        {"ppt", "application/vnd.ms-powerpoint"},
                                        {"odt", "application/vnd.oasis.opendocument.text"},
                                        {"rtf", "application/rtf"},
                                        {"swf", "application/x-shockwave-flash"}}};
  const size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return "application/octet-stream";
  const std::string_view ending = name.substr(dot + 1);
  const auto found =
      std::ranges::find_if(kTypes, [&](const Row& row) { return equals_ignore_case(row.first, ending); });
  return found == kTypes.end() ? "application/octet-stream" : found->second;
}

}  // namespace caddis::text
