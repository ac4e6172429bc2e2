// A collection that holds what was just fetched from the live web: one exchange, or none. It lies in no archive, and ends
// with whoever shows it.
//
// As a collection: any thread.
#pragma once

#include <memory>
#include <string>

#include "caddis/base/clock.h"
#include "caddis/http/exchange.h"
#include "caddis/io/files.h"
#include "caddis/replay/collection.h"

namespace caddis::replay {

// The name under which the live web is shown, in place of that of a collection.
inline constexpr std::string_view kLive = "live";

struct FetchedCapture {
  std::string url;
  std::string timestamp;  // 14 digits: the one that it is asked for by
  std::shared_ptr<const http::Exchange> exchange;
};

// `fetched` may be null: then it is empty. `title`: for people.
std::unique_ptr<Collection> live_collection(io::Files& files, const Clock& clock, std::string title,
                                            const FetchedCapture* fetched);

}  // namespace caddis::replay
