#include "caddis/control/deletion.h"

#include <fmt/format.h>

#include <utility>

#include "caddis/control/api_json.h"

namespace caddis::control {
namespace {

constexpr int kMostInVain = 10;

using Does = PartWalk::Does;

Result<PartWalk::Place> read_part(const std::string& answer, Does does) {
  if (does == Does::count) {
    TRY(api::CountedUrls part, api::from_json<api::CountedUrls>(answer));
    return PartWalk::Place{std::move(part.marker), part.would_delete};
  }
  TRY(api::DeletedUrls part, api::from_json<api::DeletedUrls>(answer));
  return PartWalk::Place{std::move(part.marker), part.deleted};
}

Result<uint64_t> in_parts(const AskPart& ask, Does does) {
  PartWalk walk(does);
  for (;;) {
    TRY(const bool is_over, walk.step(ask));
    if (is_over) return walk.place().urls;
  }
}

}  // namespace

Result<bool> PartWalk::step(const AskPart& ask) {
  const auto answer = ask(place_.marker);
  if (!answer && answer.error().code == ErrorCode::conflict && !place_.marker.empty())
    return begin_again(answer.error());
  if (!answer) {
    if (does_ == Does::count || place_.urls == 0) return std::unexpected(answer.error());
    return fail(answer.error().code, fmt::format("{}; {} deleted until now", answer.error().message, place_.urls));
  }
  TRY(Place part, read_part(*answer, does_));
  place_.urls += part.urls;
  since_ += part.urls;
  place_.marker = std::move(part.marker);
  return place_.marker.empty();
}

// The count before a marker was refused is kept if URLs were deleted, and begins anew if they were only counted.
Result<bool> PartWalk::begin_again(const Error& why) {
  in_vain_ = does_ == Does::remove && since_ > 0 ? 0 : in_vain_ + 1;
  if (in_vain_ > kMostInVain)
    return fail(why.code, fmt::format("others delete meanwhile, or the crawl goes on too fast: try "
                                      "again, or pause it (caddis pause); {} {} until now",
                                      place_.urls, does_ == Does::remove ? "deleted" : "counted"));
  if (does_ == Does::count) place_.urls = 0;
  since_ = 0;
  place_.marker.clear();
  return false;
}

Result<uint64_t> delete_in_parts(const AskPart& ask) { return in_parts(ask, Does::remove); }

Result<uint64_t> count_in_parts(const AskPart& ask) { return in_parts(ask, Does::count); }

}  // namespace caddis::control
