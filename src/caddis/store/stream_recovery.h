// What happens to the files of streams at the start, after any death. Private to store.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/io/files.h"
#include "caddis/store/kv.h"
#include "caddis/store/orphans.h"
#include "caddis/store/stream_plan.h"
#include "caddis/store/stream_row.h"

namespace caddis::store {

// The file that lies on the disk for a row.
struct FoundFile {
  std::string path;  // "": nothing
  uint64_t length = 0;
  bool is_packed = false;  // it is the packed form of the file; the length is that of the file
  std::string stranger;  // a file of the final name that is not the row's, since the row's has its open name; mostly ""
};

// Returns true if bytes of the row are expected on the disk.
bool is_asked_for(const StreamRow& row);
Result<FoundFile> find_file(io::Files& files, const StreamRow& row);
// Compares rows with files. The names of the orphans are listed when a file is missing, and once: they may be thousands.
class ShortFiles {
 public:
  explicit ShortFiles(const Orphans& orphans) : orphans_(orphans) {}
  // Returns nothing if all that is committed is there.
  Result<std::optional<ShortFile>> compare(const StreamRow& row, const FoundFile& found);

 private:
  const Orphans& orphans_;
  std::optional<Orphans::Names> moved_;
};

// Reads the rows of a family, in the order of streams and generations.
Result<std::vector<StreamRow>> read_stream_rows(Kv& kv, Family family, const std::string& root);

// Plans how every file comes in line with its row: cut to its committed length, under the name its state asks for.
// Files of `owned_dirs` that belong to no row become orphans. Changes nothing.
Result<StreamPlan> plan_recovery(io::Files& files, Orphans orphans, const std::vector<StreamRow>& rows,
                                 const std::vector<std::string>& owned_dirs,
                                 const std::function<bool(std::string_view path)>& keep);
// All of it is durable when it returns. After dying at any point, or an error, it is planned again.
Result<void> apply_recovery(io::Files& files, Orphans& orphans, const StreamPlan& plan);

}  // namespace caddis::store
