#include "caddis/sql/database.h"

#include <utility>

namespace caddis::sql {
namespace {

constexpr size_t kMostIdle = 16;
constexpr int kMostTries = 20;

}  // namespace

Result<std::unique_ptr<Database>> Database::open(std::string_view address) {
  TRY(Address parsed, parse_address(address));
  std::unique_ptr<Database> database(new Database(std::move(parsed)));
  // A database that cannot be reached is told of at once.
  TRY(auto first, database->borrow());
  database->give_back(std::move(first));
  return database;
}

Result<std::unique_ptr<Connection>> Database::borrow() {
  {
    const std::scoped_lock lock(guard_);
    if (!idle_.empty()) {
      auto connection = std::move(idle_.back());
      idle_.pop_back();
      return connection;
    }
  }
  return Connection::open(address_);
}

void Database::give_back(std::unique_ptr<Connection> connection) {
  const std::scoped_lock lock(guard_);
  if (idle_.size() < kMostIdle) idle_.push_back(std::move(connection));
}

Result<void> Database::try_once(const std::function<Result<void>(Connection&)>& work, bool in_transaction) {
  TRY(auto connection, borrow());
  Result<void> done;
  if (in_transaction) done = connection->begin();
  if (done) done = work(*connection);
  if (done && in_transaction) done = connection->commit();
  const bool is_lost = !done && done.error().code == ErrorCode::closed;
  if (!done && in_transaction && !is_lost) connection->rollback();
  if (!is_lost) {
    give_back(std::move(connection));
    return done;
  }
  // The others have lost their server, too.
  const std::scoped_lock lock(guard_);
  idle_.clear();
  return done;
}

Result<void> Database::transact(const std::function<Result<void>(Connection&)>& work) {
  std::unique_lock lock(writing_, std::defer_lock);
  if (dialect() == Dialect::sqlite) lock.lock();
  for (int tries = 1;; ++tries) {
    auto done = try_once(work, true);
    if (done) return done;
    const ErrorCode code = done.error().code;
    const bool may_be_tried = code == ErrorCode::timeout ? tries < kMostTries : code == ErrorCode::closed && tries < 2;
    if (!may_be_tried) return done;
  }
}

Result<void> Database::ask(const std::function<Result<void>(Connection&)>& work) {
  auto done = try_once(work, false);
  if (!done && done.error().code == ErrorCode::closed) done = try_once(work, false);
  return done;
}

Result<void> Database::copy_to(const std::string& path) {
  if (dialect() != Dialect::sqlite)
    return fail(ErrorCode::unsupported, "PostgreSQL is backed up by its own pg_dump, not from here");
  return ask([&](Connection& c) { return c.execute("VACUUM INTO ?", Values(path)); });
}

}  // namespace caddis::sql
