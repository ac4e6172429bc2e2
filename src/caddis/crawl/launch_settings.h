// The settings of a launch on disk: a row of its state, by which it goes; crawl.yaml, which tells people what that is;
// and state/secrets.yaml, which alone holds what others must not read.
#pragma once

#include <optional>
#include <string>

#include "caddis/base/error.h"
#include "caddis/collection/launch.h"
#include "caddis/config/settings.h"
#include "caddis/store/kv.h"

namespace caddis::crawl {

// Both files. The secrets are written first: a launch whose crawl.yaml is there has everything that it goes on with.
Result<void> write_settings_files(io::Files& files, const collection::Launch& launch, const config::Settings& settings);
// Lays what both files say over `into`: all that a launch has before its state is written.
Result<void> load_settings_files(io::Files& files, const collection::Launch& launch, config::Settings& into);
// The row, with the secrets. ErrorCode::corrupt if there is none.
Result<config::Settings> load_stored_settings(io::Files& files, const collection::Launch& launch, store::Kv& kv);
struct SettingsChange {
  bool any = false;    // since the process before
  bool scope = false;  // since the crawl began
};
// The row, durably; and the files, if anything has changed or secrets are not kept as they should be.
Result<void> store_settings(io::Files& files, const collection::Launch& launch, store::Kv& kv,
                            const config::Settings& settings, const SettingsChange& change);
// Describes what somebody has written into crawl.yaml since the crawl wrote it, and did not give anew: for people,
// since it is a record that is not read. Nothing if nobody has. `stored`: as the crawl wrote them; `present`: as it goes on.
std::optional<std::string> notice_of_edits(io::Files& files, const collection::Launch& launch,
                                           const config::Settings& stored, const config::Settings& present);

}  // namespace caddis::crawl
