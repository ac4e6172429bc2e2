// Listings in all forms: every name is one segment of a path.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "caddis/protocols/ftp_listing.h"
#include "caddis/url/url.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  using Listing = http::Resource::Listing;
  for (const Listing form : {Listing::mlsd, Listing::list, Listing::nlst}) {
    const auto names = protocols::read_listing(text, form, 1000);
    for (const std::string& made : protocols::listed_urls("ftp://h.example/pub/", names)) {
      const auto url = url::Url::parse(made);
      if (!url || !url->href().starts_with("ftp://h.example/pub/")) __builtin_trap();
      if (protocols::parent_url(url->href()) != "ftp://h.example/pub/") __builtin_trap();
    }
  }
  return 0;
}
