// The functions that the files of `caddis index` share (cmd_index*.cc).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/io/files.h"

namespace CLI {
class App;
}

namespace caddis::collection {
class Layout;
}

namespace caddis::cli {

// Tells an error, and gives the exit code: 2 for wrong usage, else 1.
int report_index_error(const Error& error);

// Held by whoever rewrites an index, so that nothing is lost that another adds meanwhile. Its file lies beside the index as
// long as it is held.
class IndexLock {
 public:
  IndexLock() = default;
  IndexLock(const IndexLock&) = delete;
  IndexLock& operator=(const IndexLock&) = delete;
  ~IndexLock();
  // ErrorCode::conflict if another has it.
  Result<void> take(const std::string& index);

 private:
  std::string path_;
  std::unique_ptr<io::FileLock> lock_;
};

// Indexes archive files that lie in the collection, by the policy of its index of added files: into that, or into a new file
// `out`. Returns the exit code: 1 if some are damaged, or cannot be read.
Result<int> index_into(const collection::Layout& layout, const std::vector<std::string>& archives,
                       const std::string& out);

// index merge|rekey|convert, below `index`.
void add_index_key_commands(CLI::App& index, int& exit_code);
// index serve, below `index`.
void add_index_serve_command(CLI::App& index, int& exit_code);

}  // namespace caddis::cli
