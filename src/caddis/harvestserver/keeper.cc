#include "caddis/harvestserver/keeper.h"

#include <fmt/format.h>

#include <utility>

#include "caddis/base/log.h"
#include "caddis/base/strings.h"
#include "caddis/harvestserver/log_modules.h"
#include "caddis/io/digest.h"

namespace caddis::harvestserver {
namespace {

constexpr int64_t kAtOnce = 20;
constexpr int64_t kPause = 60;  // seconds, between two attempts at one copy, or at a store that is away

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

Result<std::string> Keeper::read_part(size_t store, const KeptFile& file, uint64_t at, uint64_t size) const {
  std::string part;
  const auto read = stores_.at(names_.at(store))->read(file, at, [&](std::string_view bytes) -> Result<void> {
    part += bytes.substr(0, size - part.size());
    return part.size() < size ? Result<void>() : fail(ErrorCode::closed, "the part is read");
  });
  if (!read && part.size() < size) return std::unexpected(read.error());
  return part;
}

int64_t Keeper::now() const {
  return std::chrono::duration_cast<std::chrono::seconds>(world_.clock.wall().time_since_epoch()).count();
}

bool Keeper::is_away(const std::string& store) const {
  const auto found = away_since_.find(store);
  return found != away_since_.end() && now() - found->second < kPause;
}

std::vector<std::string> Keeper::stores_in_reach() const {
  std::vector<std::string> stores;
  for (const std::string& name : names_)
    if (!is_away(name)) stores.push_back(name);
  return stores;
}

Result<void> Keeper::keep(const harvest::Copy& copy) {
  return database_.transact([&](sql::Connection& c) { return harvest::record_copy(c, copy, now()); });
}

Result<bool> Keeper::step() {
  TRY(noticed_, database_.write([&](sql::Connection& c) { return harvest::notice_new_files(c, names_, noticed_); }));
  TRY(const auto wanted, database_.read([&](sql::Connection& c) {
    return harvest::copies_wanted(c, stores_in_reach(), now() - kPause, kAtOnce);
  }));
  for (const harvest::Copy& copy : wanted) {
    if (is_away(copy.store)) continue;
    const harvest::Copy done = made(copy);
    if (is_stopping()) return false;
    TRY_VOID(keep(done));
  }
  // Without an age, those that people want to be looked at.
  const auto age = std::chrono::duration_cast<std::chrono::seconds>(settings_.check_files).count();
  const int64_t before = age == 0 ? 1 : now() - age;
  TRY(const auto old, database_.read([&](sql::Connection& c) {
    return harvest::copies_to_check(c, stores_in_reach(), before, now() - kPause, kAtOnce);
  }));
  for (const harvest::Copy& copy : old) {
    if (is_away(copy.store)) continue;
    const harvest::Copy seen = looked_at(copy);
    if (is_stopping()) return false;
    TRY_VOID(keep(seen));
  }
  return !wanted.empty() || !old.empty();
}

Result<std::string> Keeper::digest_of(const harvest::Copy& copy) const {
  io::Sha256 digest;
  TRY_VOID(stores_.at(copy.store)->read(file_of(copy), 0, [&](std::string_view bytes) -> Result<void> {
    digest.update(bytes);
    return is_stopping() ? fail(ErrorCode::closed, "the server stops") : Result<void>();
  }));
  return to_hex(digest.finish());
}

// A store that cannot be reached says nothing of the file: its state and the time of its last check stay.
harvest::Copy Keeper::looked_at(harvest::Copy copy) {
  const std::string before = copy.state;
  const auto found = digest_of(copy);
  copy.was_read = found || found.error().code == ErrorCode::not_found;
  copy.problem.clear();
  if (found) {
    copy.found = *found;
    copy.state = *found == copy.sha256 ? "stored" : "wrong";
    if (copy.state == "wrong") copy.problem = "its digest is another one";
  } else if (copy.was_read) {
    copy.state = "missing";
    copy.problem = found.error().message;
  } else {
    copy.problem = fmt::format("it could not be read: {}", found.error().message);
    leave_out(copy.store);
  }
  if (copy.state != before && copy.state == "stored")
    log_info("stores", "{} in the store {} is as it should be again", copy.name, copy.store);
  else if ((copy.state != before || !found) && !is_stopping())
    log_warn(copy.was_read ? kCopiesLog : "stores", "{} in the store {} is {}: {}", copy.name, copy.store, copy.state,
             copy.problem);
  return copy;
}

// The path of a whole file, from another store that has it.
Result<std::string> Keeper::fetch(const harvest::Copy& copy) {
  TRY(const auto sources, database_.read([&](sql::Connection& c) { return harvest::stores_with(c, copy.file); }));
  TRY_VOID(world_.files.make_dirs(scratch_));
  const std::string path = fmt::format("{}/{}", scratch_, copy.name);
  std::string why = "no other store has it";
  for (const std::string& source : sources) {
    if (source == copy.store || !stores_.contains(source)) continue;
    if (is_away(source)) {
      why = fmt::format("the store {} cannot be reached", source);
      continue;
    }
    if (world_.files.exists(path)) TRY_VOID(world_.files.remove(path));
    TRY(const auto out, world_.files.open_append(path));
    io::Sha256 digest;
    const auto read = stores_.at(source)->read(file_of(copy), 0, [&](std::string_view bytes) -> Result<void> {
      digest.update(bytes);
      if (is_stopping()) return fail(ErrorCode::closed, "the server stops");
      return out->append(bytes);
    });
    if (read && to_hex(digest.finish()) == copy.sha256) return path;
    why = read ? fmt::format("in the store {} it has another digest", source) : read.error().message;
    harvest::Copy bad = copy;
    bad.store = source;
    bad.state = "stored";
    bad = looked_at(bad);
    if (is_stopping()) break;
    TRY_VOID(keep(bad));
  }
  return fail(ErrorCode::not_found, why);
}

harvest::Copy Keeper::made(harvest::Copy copy) {
  const auto give_up = [&](const Error& why) {
    copy.problem = why.message;
    if (!is_stopping())
      log_warn(kCopiesLog, "{} was not put into the store {}: {}", copy.name, copy.store, copy.problem);
    return copy;
  };
  // It may be there, and not have been read since it was put; and a store that is away is not worth a copy. Some stores
  // refuse to say that a file is not there.
  const auto there = digest_of(copy);
  if (there && *there == copy.sha256) {
    copy.state = "stored";
    copy.found = *there;
    copy.problem.clear();
    copy.was_read = true;
    return copy;
  }
  if (!there && there.error().code != ErrorCode::not_found && there.error().code != ErrorCode::denied) {
    leave_out(copy.store);
    return give_up(there.error());
  }
  const auto path = fetch(copy);
  if (!path) return give_up(path.error());
  const auto put = stores_.at(copy.store)->put(file_of(copy), *path);
  (void)world_.files.remove(*path);
  if (!put) {
    leave_out(copy.store);
    return give_up(put.error());
  }
  // The copy is read again: a disk may have lied. One that cannot be read is not known to be there.
  copy.state = "stored";
  copy = looked_at(copy);
  if (!copy.was_read) copy.state = "wanted";
  return copy;
}

}  // namespace caddis::harvestserver
