// Writes an index anew under the keys of another policy, from the URLs that its lines name: no archive file is read.
// The result equals an index that is built anew, byte for byte behind the keys.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "caddis/base/error.h"
#include "caddis/io/files.h"
#include "caddis/url/key_policy.h"

namespace caddis::cdx {

// The line with the key that `policy` makes of its URL. ErrorCode::parse if it names none.
Result<std::string> rekeyed_line(std::string_view line, std::string_view header, const url::KeyPolicy& policy);

struct RekeyOptions {
  std::string output;                            // empty: the index itself, which appears whole or not at all
  size_t memory = 256u << 20;                    // of lines that are sorted at once
  std::function<void(uint64_t lines)> progress;  // called now and then while lines are read
};
// Gives the number of lines. CDX becomes CDXJ. ErrorCode::conflict where the output exists.
Result<uint64_t> rekey_index(io::Files& files, const std::string& index, const url::KeyPolicy& policy,
                             const RekeyOptions& options);

}  // namespace caddis::cdx
