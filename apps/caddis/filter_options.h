// The conditions on records that several commands of `caddis warc` take.
#pragma once

#include "caddis/inspect/record_filter.h"

namespace CLI {
class App;
}

namespace caddis::cli {

// Adds --type, --url, --status, --mime, --from, --to, --header and --not.
void add_filter_options(CLI::App& command, inspect::FilterOptions& options);

}  // namespace caddis::cli
