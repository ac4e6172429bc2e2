#include "caddis/crawl/key_files.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "caddis/config/settings.h"
#include "caddis/fetch/settings.h"
#include "caddis/io/files.h"
#include "caddis/settings/sheet.h"

namespace caddis::crawl {
namespace {

Result<void> check(io::Files& files, const std::string& path, std::string_view of_sheet) {
  constexpr uint64_t kMostBytes = 1 << 20;
  if (path.empty()) return {};
  const auto text = files.read_all(path, kMostBytes);
  if (text) return {};
  return fail(ErrorCode::config, fmt::format("{}fetch.sftp-key: {}", of_sheet, text.error().message));
}

}  // namespace

Result<void> check_key_files(io::Files& files, const config::Settings& settings) {
  TRY_VOID(check(files, settings.fetch.sftp_key, ""));
  for (const settings::Sheet& sheet : settings.sheets) {
    fetch::FetchSettings fetch;
    sheet.values.lay_over({settings::section(fetch)});
    TRY_VOID(check(files, fetch.sftp_key, fmt::format("sheets.{}: ", sheet.name)));
  }
  return {};
}

}  // namespace caddis::crawl
