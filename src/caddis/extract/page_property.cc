#include "caddis/extract/page_property.h"

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/extract/url_guess.h"

namespace caddis::extract {
namespace {

// Their descriptions (og:image:alt, og:video:type, twitter:image:alt) are texts.
constexpr std::string_view kUrls[] = {"url",
                                      "og:url",
                                      "og:image",
                                      "og:image:url",
                                      "og:image:secure_url",
                                      "og:video",
                                      "og:video:url",
                                      "og:video:secure_url",
                                      "og:audio",
                                      "og:audio:url",
                                      "og:audio:secure_url",
                                      "og:logo",
                                      "og:see_also",
                                      "twitter:url",
                                      "twitter:image",
                                      "twitter:image:src",
                                      "twitter:player",
                                      "twitter:player:stream",
                                      "msapplication-tileimage",
                                      "image",
                                      "logo",
                                      "thumbnail",
                                      "thumbnailUrl",
                                      "contentUrl",
                                      "embedUrl",
                                      "downloadUrl",
                                      "primaryImageOfPage",
                                      "sameAs",
                                      "mainEntityOfPage"};

bool is_url_property(std::string_view name) {
  return std::ranges::any_of(kUrls, [name](std::string_view one) { return equals_ignore_case(name, one); });
}

// og:image and its like, also names of one site.
bool is_media_property(std::string_view name) {
  constexpr std::string_view kParts[] = {"image", "video", "audio", "logo", "thumbnail"};
  return std::ranges::any_of(kParts, [name](std::string_view part) { return contains_ignore_case(name, part); });
}

}  // namespace

bool is_url_of_property(std::string_view names, std::string_view content) {
  if (is_media_property(names) && has_web_extension(content)) return true;
  if (!is_anchored_path(content)) return false;
  for (const std::string_view name : split(names, ' '))
    if (is_url_property(trim(name))) return true;
  return false;
}

}  // namespace caddis::extract
