#include "caddis/revisits/record_fields.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "caddis/base/strings.h"

namespace caddis::revisits {

void keep_other_fields(const warc::Header& header, warc::RecordFields& fields) {
  constexpr std::array<std::string_view, 13> kOwn{"WARC-Type",
                                                  "WARC-Record-ID",
                                                  "WARC-Date",
                                                  "WARC-Target-URI",
                                                  "WARC-Payload-Digest",
                                                  "WARC-Block-Digest",
                                                  "Content-Length",
                                                  "Content-Type",
                                                  "WARC-Truncated",
                                                  "WARC-Profile",
                                                  "WARC-Refers-To-Date",
                                                  "WARC-Refers-To",
                                                  "WARC-Refers-To-Target-URI"};
  for (size_t i = 0; i < header.size(); ++i) {
    const auto [name, value] = header[i];
    const auto is_name = [name](std::string_view own) { return equals_ignore_case(own, name); };
    if (std::ranges::none_of(kOwn, is_name)) fields.field(name, value);
  }
}

}  // namespace caddis::revisits
