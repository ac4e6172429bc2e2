#include "caddis/cdxserver/index_checkpoint.h"

#include <fmt/format.h>

#include "caddis/io/links.h"

namespace caddis::cdxserver {
namespace {

// Removes what was made so far.
std::unexpected<Error> give_up(const std::string& part, const Error& error) {
  if (io::remove_tree(part)) return std::unexpected(error);
  return fail(error.code, fmt::format("{}; delete the folder {}, which holds half a checkpoint", error.message, part));
}

}  // namespace

Result<void> make_index_checkpoint(io::Files& files, const ServedIndex& index, const std::string& path) {
  if (files.exists(path)) return fail(ErrorCode::conflict, "there is a checkpoint of that name already");
  // No index has a name with a dot in front.
  const std::string part = io::join_path(io::parent_path(path), fmt::format(".{}.part", io::base_name(path)));
  if (files.exists(part))
    return fail(ErrorCode::conflict,
                fmt::format("a checkpoint of that name is being made, or was broken off: then delete {}", part));
  if (const auto made = index.store->store().checkpoint(part); !made) return give_up(part, made.error());
  const std::string rules = access_file_of(path);
  if (const auto written = files.write_atomically(rules, index.access->text()); !written)
    return give_up(part, written.error());
  if (const auto moved = files.rename(part, path); !moved) {
    (void)files.remove(rules);
    return give_up(part, moved.error());
  }
  return files.sync_dir(io::parent_path(path));
}

}  // namespace caddis::cdxserver
