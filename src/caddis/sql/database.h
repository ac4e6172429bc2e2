// A database with its connections: whoever wants to ask borrows one, and what belongs together is done in a transaction.
//
//   TRY(auto database, Database::open("sqlite:harvest.db"));
//   TRY_VOID(database->transact([&](Connection& c) -> Result<void> { … }));
//
// Any thread. Calls block. A transaction that meets another one is tried again by itself; so is one whose server has gone
// and come back. Its function may therefore run several times, and changes nothing but the database.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/sql/connection.h"
#include "caddis/sql/turns.h"

namespace caddis::sql {

class Database {
 public:
  // `longest_statement`: Address::longest_statement.
  static Result<std::unique_ptr<Database>> open(
      std::string_view address, std::chrono::milliseconds longest_statement = std::chrono::milliseconds(0));

  Dialect dialect() const { return address_.dialect; }
  Result<void> transact(const std::function<Result<void>(Connection&)>& work);
  // Without a transaction: each statement by itself.
  Result<void> ask(const std::function<Result<void>(Connection&)>& work);
  // The same for functions that return a value.
  template <class Work>
  auto write(const Work& work) -> std::invoke_result_t<Work, Connection&> {
    std::invoke_result_t<Work, Connection&> result;
    if (auto done = transact([&](Connection& c) -> Result<void> { return kept(result, work(c)); }); !done)
      return std::unexpected(std::move(done).error());
    return result;
  }
  template <class Work>
  auto read(const Work& work) -> std::invoke_result_t<Work, Connection&> {
    std::invoke_result_t<Work, Connection&> result;
    if (auto done = ask([&](Connection& c) -> Result<void> { return kept(result, work(c)); }); !done)
      return std::unexpected(std::move(done).error());
    return result;
  }
  // Whoever waits for a server of PostgreSQL gets ErrorCode::closed, and does not try again. Nobody else does: those who ask
  // afterwards get connections of their own.
  void interrupt();
  // Makes a copy of an embedded database while it is used; `path` must not be there. ErrorCode::unsupported for PostgreSQL,
  // which has pg_dump.
  Result<void> copy_to(const std::string& path);

 private:
  explicit Database(Address address) : address_(std::move(address)) {}
  template <class T>
  static Result<void> kept(Result<T>& into, Result<T> value) {
    if (!value) return std::unexpected(std::move(value).error());
    into = std::move(value);
    return {};
  }
  Result<std::unique_ptr<Connection>> borrow();
  void give_back(std::unique_ptr<Connection> connection, bool is_lost);
  Result<void> try_once(const std::function<Result<void>(Connection&)>& work, bool in_transaction);

  const Address address_;
  Turns writing_;     // one writer at a time: SQLite lets no more
  std::mutex guard_;  // of what follows
  std::vector<std::unique_ptr<Connection>> idle_;
  std::vector<Connection*> busy_;
  std::atomic<uint64_t> interruptions_ = 0;
};

}  // namespace caddis::sql
