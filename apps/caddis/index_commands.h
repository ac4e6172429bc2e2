// The functions that the files of `caddis index` share (cmd_index.cc, cmd_index_keys.cc).
#pragma once

#include "caddis/base/error.h"

namespace CLI {
class App;
}

namespace caddis::cli {

// Tells an error, and gives the exit code: 2 for wrong usage, else 1.
int report_index_error(const Error& error);

// index merge|rekey, below `index`.
void add_index_key_commands(CLI::App& index, int& exit_code);

}  // namespace caddis::cli
