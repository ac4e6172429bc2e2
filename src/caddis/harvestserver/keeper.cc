#include "caddis/harvestserver/keeper.h"

#include <fmt/format.h>

#include <utility>

#include "caddis/base/log.h"
#include "caddis/base/strings.h"
#include "caddis/io/digest.h"

namespace caddis::harvestserver {
namespace {

constexpr int64_t kAtOnce = 20;
constexpr int64_t kPause = 60;  // seconds, between two attempts at one copy

KeptFile file_of(const harvest::Copy& copy) {
  return {copy.name, copy.kind, copy.sha256, static_cast<uint64_t>(copy.bytes)};
}

}  // namespace

Result<std::unique_ptr<Keeper>> Keeper::open(const ReplicaWorld& world, sql::Database& database,
                                             const HarvestSettings& settings, const std::string& data) {
  std::unique_ptr<Keeper> keeper(new Keeper(world, database, settings, data + "/incoming/copies"));
  keeper->names_.emplace_back(harvest::kArchiveStore);
  keeper->stores_[keeper->names_.front()] = folder_replica(world, data + "/archive");
  std::vector<ReplicaKey> keys;
  if (!settings.replica_keys.empty()) {
    TRY(const std::string text, world.files.read_all(settings.replica_keys, 1 << 20));
    TRY(keys, read_replica_keys(text));
  }
  for (const std::string& line : settings.replicas) {
    TRY(const ReplicaSettings one, read_replica_settings(line));
    if (keeper->stores_.contains(one.name))
      return fail(ErrorCode::config, fmt::format("there are two replicas called '{}'", one.name));
    TRY(keeper->stores_[one.name], open_replica(world, one, keys));
    keeper->names_.push_back(one.name);
  }
  return keeper;
}

int64_t Keeper::now() const {
  return std::chrono::duration_cast<std::chrono::seconds>(world_.clock.wall().time_since_epoch()).count();
}

Result<void> Keeper::keep(const harvest::Copy& copy) {
  return database_.transact([&](sql::Connection& c) { return harvest::record_copy(c, copy, now()); });
}

Result<bool> Keeper::step() {
  TRY(noticed_,
      database_.write([&](sql::Connection& c) { return harvest::notice_new_files(c, names_, noticed_, now()); }));
  TRY(const auto wanted,
      database_.read([&](sql::Connection& c) { return harvest::copies_wanted(c, names_, now() - kPause, kAtOnce); }));
  for (const harvest::Copy& copy : wanted) TRY_VOID(keep(made(copy)));
  if (!wanted.empty()) return true;
  if (settings_.check_files == Duration(0)) return false;
  const auto age = std::chrono::duration_cast<std::chrono::seconds>(settings_.check_files).count();
  TRY(const auto old,
      database_.read([&](sql::Connection& c) { return harvest::copies_to_check(c, names_, now() - age, kAtOnce); }));
  for (const harvest::Copy& copy : old) TRY_VOID(keep(looked_at(copy)));
  return !old.empty();
}

// A store that cannot be reached says nothing of the file: its state stays.
harvest::Copy Keeper::looked_at(harvest::Copy copy) const {
  const std::string before = copy.state;
  const auto found = digest_in(*stores_.at(copy.store), file_of(copy));
  copy.problem.clear();
  if (found) {
    copy.found = *found;
    copy.state = *found == copy.sha256 ? "stored" : "wrong";
    if (copy.state == "wrong") copy.problem = "its digest is another one";
  } else if (found.error().code == ErrorCode::not_found) {
    copy.state = "missing";
    copy.problem = found.error().message;
  } else {
    copy.problem = fmt::format("it could not be read: {}", found.error().message);
  }
  if (copy.state != before || !found)
    log_warn("stores", "{} in the store {} is {}: {}", copy.name, copy.store, copy.state, copy.problem);
  return copy;
}

// The path of a whole file, from a store that has it.
Result<std::string> Keeper::fetch(const harvest::Copy& copy, const std::string& except) {
  TRY(const auto sources, database_.read([&](sql::Connection& c) { return harvest::stores_with(c, copy.file); }));
  TRY_VOID(world_.files.make_dirs(scratch_));
  const std::string path = fmt::format("{}/{}", scratch_, copy.name);
  std::string why = "no other store has it";
  for (const std::string& source : sources) {
    if (source == except || !stores_.contains(source)) continue;
    if (world_.files.exists(path)) TRY_VOID(world_.files.remove(path));
    TRY(const auto out, world_.files.open_append(path));
    io::Sha256 digest;
    const auto read = stores_.at(source)->read(file_of(copy), [&](std::string_view bytes) {
      digest.update(bytes);
      return out->append(bytes);
    });
    if (read && to_hex(digest.finish()) == copy.sha256) return path;
    why = read ? fmt::format("in the store {} it has another digest", source) : read.error().message;
    harvest::Copy bad = copy;
    bad.store = source;
    bad.state = "stored";
    TRY_VOID(keep(looked_at(bad)));
  }
  return fail(ErrorCode::not_found, why);
}

harvest::Copy Keeper::made(harvest::Copy copy) {
  const auto path = fetch(copy, copy.store);
  const auto put = path ? stores_.at(copy.store)->put(file_of(copy), *path) : std::unexpected(path.error());
  if (path) (void)world_.files.remove(*path);
  if (!put) {
    copy.problem = put.error().message;
    log_warn("stores", "{} was not put into the store {}: {}", copy.name, copy.store, copy.problem);
    return copy;
  }
  // The copy is read again: a disk may have lied.
  copy.state = "stored";
  return looked_at(copy);
}

}  // namespace caddis::harvestserver
