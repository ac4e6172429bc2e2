// One connection to a database: SQLite in a file, or PostgreSQL. Statements are written for both, with a question mark
// for each value, and never with values in their text.
//
// One thread at a time. Calls block. Errors: ErrorCode::conflict if something is there already or is still referred to,
// ErrorCode::timeout if others hold what is needed, so that the transaction is to be tried again, ErrorCode::closed if the
// server has gone, ErrorCode::io otherwise.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/sql/value.h"

namespace caddis::sql {

enum class Dialect { sqlite, postgresql };

// "sqlite:PATH" or "postgresql://…" (also "postgres://…"), as libpq reads it. ErrorCode::config for anything else.
// A server that does not answer is given up after some time: 10 s (connect_timeout) and 30 s (tcp_user_timeout), unless
// the address names others.
struct Address {
  Dialect dialect = Dialect::sqlite;
  std::string place;  // the path, or the whole address with those times
  // A statement that takes longer has failed (ErrorCode::io), unless the address of a PostgreSQL names another time
  // (statement_timeout). SQLite waits no longer for others. A server that takes connections, but answers nothing, is told
  // of when it is connected to (probe.h). 0: no limit of ours.
  std::chrono::milliseconds longest_statement{0};
};
Result<Address> parse_address(std::string_view text);

class Connection {
 public:
  static Result<std::unique_ptr<Connection>> open(const Address& address);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  Dialect dialect() const;
  // Any thread: whoever waits for the server's answer gets ErrorCode::closed, and the connection is of no use any more. SQLite
  // waits for no server: nothing happens.
  void interrupt();
  // Returns how many rows it has changed.
  Result<uint64_t> run(std::string_view sql, const Values& values = Values());
  // The same for those who do not want to know.
  Result<void> execute(std::string_view sql, const Values& values = Values());
  Result<void> each(std::string_view sql, const Values& values, const std::function<void(const Row&)>& use);
  Result<std::vector<Row>> rows(std::string_view sql, const Values& values = Values());
  // The first row, if there is one.
  Result<std::optional<Row>> row(std::string_view sql, const Values& values = Values());
  // The number in the first column of the first row; 0 if there is none.
  Result<int64_t> number(std::string_view sql, const Values& values = Values());
  // Adds rows by as few statements as may be: "INSERT INTO t (a, b) VALUES", then rows, then `end` ("ON CONFLICT …").
  Result<void> insert_all(std::string_view begin, const std::vector<Values>& rows, std::string_view end = "");
  // The same; returns how many there were not.
  Result<uint64_t> insert_new(std::string_view begin, const std::vector<Values>& rows, std::string_view end);

  // In one thread and without nesting: transactions are Database's business.
  Result<void> begin();
  Result<void> commit();
  void rollback();

 private:
  struct Parts;
  explicit Connection(std::unique_ptr<Parts> parts);
  Result<void> limit_statements(std::chrono::milliseconds longest);
  std::unique_ptr<Parts> parts_;
};

}  // namespace caddis::sql
