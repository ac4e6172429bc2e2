// An index in gzip members ("index.cdx.gz", as ZipNum has it), read like the text that it holds: whoever searches it by
// halving unpacks the members that the search touches, and no others.
//
// Opening reads it once, to know where each member's text begins; if there are no members but one, and it is large, that
// costs as much at each look, so such an index is refused. Any thread.
#pragma once

#include <memory>

#include "caddis/base/error.h"
#include "caddis/io/files.h"

namespace caddis::wacz {

// ErrorCode::corrupt for a damaged member, limit for one whose text is longer than 32 MiB.
Result<std::unique_ptr<io::File>> open_packed_index(std::unique_ptr<io::File> packed);

}  // namespace caddis::wacz
