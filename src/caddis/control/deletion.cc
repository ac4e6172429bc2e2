#include "caddis/control/deletion.h"

#include <fmt/format.h>

#include "caddis/control/api_json.h"

namespace caddis::control {
namespace {

constexpr int kMostInVain = 10;

struct Part {
  uint64_t urls = 0;
  std::string marker;
};

enum class Does { remove, count };

Result<Part> read_part(const std::string& answer, Does does) {
  if (does == Does::count) {
    TRY(api::CountedUrls part, api::from_json<api::CountedUrls>(answer));
    return Part{part.would_delete, std::move(part.marker)};
  }
  TRY(api::DeletedUrls part, api::from_json<api::DeletedUrls>(answer));
  return Part{part.deleted, std::move(part.marker)};
}

// The count before a marker was refused is kept if URLs were deleted, and begins anew if they were only counted.
Result<uint64_t> in_parts(const AskPart& ask, Does does) {
  uint64_t urls = 0, since = 0;
  int in_vain = 0;
  std::string marker;
  for (;;) {
    const auto answer = ask(marker);
    if (!answer && (answer.error().code != ErrorCode::conflict || marker.empty())) {
      if (does == Does::count || urls == 0) return std::unexpected(answer.error());
      return fail(answer.error().code, fmt::format("{}; {} deleted until now", answer.error().message, urls));
    }
    if (!answer) {
      in_vain = does == Does::remove && since > 0 ? 0 : in_vain + 1;
      if (in_vain > kMostInVain)
        return fail(ErrorCode::conflict, fmt::format("others delete meanwhile, or the crawl goes on too fast: try "
                                                     "again, or pause it (caddis pause); {} {} until now",
                                                     urls, does == Does::remove ? "deleted" : "counted"));
      if (does == Does::count) urls = 0;
      since = 0;
      marker.clear();
      continue;
    }
    TRY(Part part, read_part(*answer, does));
    urls += part.urls;
    since += part.urls;
    if (part.marker.empty()) return urls;
    marker = std::move(part.marker);
  }
}

}  // namespace

Result<uint64_t> delete_in_parts(const AskPart& ask) { return in_parts(ask, Does::remove); }

Result<uint64_t> count_in_parts(const AskPart& ask) { return in_parts(ask, Does::count); }

}  // namespace caddis::control
