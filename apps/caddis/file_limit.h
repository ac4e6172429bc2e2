// The soft limit of open files, raised as far as the system allows: crawls and servers hold many connections and files.
#pragma once

namespace caddis::cli {

void raise_file_limit();

}  // namespace caddis::cli
