#include "caddis/control/deletion.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace caddis::control {
namespace {

constexpr int kMostInVain = 10;

struct Part {
  uint64_t urls = 0;
  std::string marker;
};

Result<Part> read_part(const std::string& answer, const char* count) {
  const auto json = nlohmann::json::parse(answer, nullptr, false);
  if (!json.is_object() || !json.contains(count) || !json[count].is_number_unsigned() || !json.contains("marker") ||
      !json["marker"].is_string())
    return fail(ErrorCode::parse, fmt::format("the crawl answers what is not understood: {}", answer));
  return Part{json[count].get<uint64_t>(), json["marker"].get<std::string>()};
}

// What was counted before a marker was refused is kept where it was deleted, and is counted anew where it was not.
Result<uint64_t> in_parts(const AskPart& ask, const char* count, bool deletes) {
  uint64_t urls = 0, since = 0;
  int in_vain = 0;
  std::string marker;
  for (;;) {
    const auto answer = ask(marker);
    if (!answer && (answer.error().code != ErrorCode::conflict || marker.empty()))
      return std::unexpected(answer.error());
    if (!answer) {
      in_vain = deletes && since > 0 ? 0 : in_vain + 1;
      if (in_vain > kMostInVain)
        return fail(ErrorCode::conflict, fmt::format("others delete meanwhile, or the crawl goes on too fast: try "
                                                     "again, or pause it (caddis pause); {} {} until now",
                                                     urls, deletes ? "deleted" : "counted"));
      if (!deletes) urls = 0;
      since = 0;
      marker.clear();
      continue;
    }
    TRY(Part part, read_part(*answer, count));
    urls += part.urls;
    since += part.urls;
    if (part.marker.empty()) return urls;
    marker = std::move(part.marker);
  }
}

}  // namespace

Result<uint64_t> delete_in_parts(const AskPart& ask) { return in_parts(ask, "deleted", true); }

Result<uint64_t> count_in_parts(const AskPart& ask) { return in_parts(ask, "would_delete", false); }

}  // namespace caddis::control
