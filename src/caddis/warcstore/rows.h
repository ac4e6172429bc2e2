// Rows of a store that go with its archive files. A crawl has them among others (crawl/store_layout.h), a recording, too.
#pragma once

#include <string_view>

#include "caddis/store/kv.h"

namespace caddis::warcstore {

// The family of rows that are no queue, no stream and no digest: the first one of every such store.
inline constexpr store::Family kMeta = 0;

inline constexpr std::string_view kSerialRow = "warc-serial";  // number of the next archive file
inline constexpr std::string_view kBegunRow =
    "begun:";  // "begun:<serial>" → path of an archive file no commit knows yet

}  // namespace caddis::warcstore
