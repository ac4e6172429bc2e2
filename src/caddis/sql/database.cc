#include "caddis/sql/database.h"

#include <utility>

namespace caddis::sql {
namespace {

constexpr size_t kMostIdle = 16;
constexpr int kMostTries = 20;

}  // namespace

Result<std::unique_ptr<Database>> Database::open(std::string_view address,
                                                 std::chrono::milliseconds longest_statement) {
  TRY(Address parsed, parse_address(address));
  parsed.longest_statement = longest_statement;
  std::unique_ptr<Database> database(new Database(std::move(parsed)));
  // A database that cannot be reached is told of at once.
  TRY(auto first, database->borrow());
  database->give_back(std::move(first), false);
  return database;
}

Result<std::unique_ptr<Connection>> Database::borrow() {
  {
    const std::scoped_lock lock(guard_);
    if (!idle_.empty()) {
      auto connection = std::move(idle_.back());
      idle_.pop_back();
      busy_.push_back(connection.get());
      return connection;
    }
  }
  TRY(auto connection, Connection::open(address_));
  const std::scoped_lock lock(guard_);
  busy_.push_back(connection.get());
  return connection;
}

void Database::give_back(std::unique_ptr<Connection> connection, bool is_lost) {
  const std::scoped_lock lock(guard_);
  std::erase(busy_, connection.get());
  // The others have lost their server, too.
  if (is_lost)
    idle_.clear();
  else if (idle_.size() < kMostIdle)
    idle_.push_back(std::move(connection));
}

void Database::interrupt() {
  const std::scoped_lock lock(guard_);
  ++interruptions_;
  for (Connection* const connection : busy_) connection->interrupt();
}

Result<void> Database::try_once(const std::function<Result<void>(Connection&)>& work, bool in_transaction) {
  TRY(auto connection, borrow());
  Result<void> done;
  if (in_transaction) done = connection->begin();
  if (done) done = work(*connection);
  if (done && in_transaction) done = connection->commit();
  const bool is_lost = !done && done.error().code == ErrorCode::closed;
  if (!done && in_transaction && !is_lost) connection->rollback();
  give_back(std::move(connection), is_lost);
  return done;
}

Result<void> Database::transact(const std::function<Result<void>(Connection&)>& work) {
  std::unique_lock lock(writing_, std::defer_lock);
  if (dialect() == Dialect::sqlite) lock.lock();
  const uint64_t interruptions = interruptions_;
  for (int tries = 1;; ++tries) {
    auto done = try_once(work, true);
    if (done || interruptions_ != interruptions) return done;
    const ErrorCode code = done.error().code;
    const bool may_be_tried = code == ErrorCode::timeout ? tries < kMostTries : code == ErrorCode::closed && tries < 2;
    if (!may_be_tried) return done;
  }
}

Result<void> Database::ask(const std::function<Result<void>(Connection&)>& work) {
  const uint64_t interruptions = interruptions_;
  auto done = try_once(work, false);
  const bool may_be_tried = !done && done.error().code == ErrorCode::closed && interruptions_ == interruptions;
  if (may_be_tried) done = try_once(work, false);
  return done;
}

Result<void> Database::copy_to(const std::string& path) {
  if (dialect() != Dialect::sqlite)
    return fail(ErrorCode::unsupported, "PostgreSQL is backed up by its own pg_dump, not from here");
  return ask([&](Connection& c) { return c.execute("VACUUM INTO ?", Values(path)); });
}

}  // namespace caddis::sql
