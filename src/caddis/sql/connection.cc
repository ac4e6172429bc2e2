// Everything of SOCI stands here. Its exceptions end here, too. A statement is prepared, used once and forgotten: both
// databases do that in microseconds, and no statement outlives a change of the schema.

#include "caddis/sql/connection.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <libpq-fe.h>
#include <postgresql/soci-postgresql.h>
#include <soci.h>
#include <sqlite3/soci-sqlite3.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/sql/probe.h"

namespace caddis::sql {
namespace {

constexpr size_t kMostValues = 6000;  // of one statement; SQLite takes 32,766, PostgreSQL 65,535
constexpr int kBusySeconds = 30;

// Limits for a server of PostgreSQL that has gone without a word, unless its address names others (section 34.1.2 of its
// manual): how long it may take to connect, in seconds; how long what was sent may stay unacknowledged, in
// milliseconds; and after how many silent seconds it is asked whether it is there.
constexpr std::pair<std::string_view, std::string_view> kPatience[] = {
    {"connect_timeout", "10"}, {"tcp_user_timeout", "30000"}, {"keepalives_idle", "30"}};

struct FreeOptions {
  void operator()(PQconninfoOption* options) const { PQconninfoFree(options); }
};

// Whether it has parameters already: a question mark in the name of a user or in a password begins none.
bool has_parameters(std::string_view address) {
  size_t at = address.find("://") + 3;
  const size_t end = address.find_first_of("@/", at);
  if (end != std::string_view::npos && address[end] == '@') at = end + 1;
  return address.find('?', at) != std::string_view::npos;
}

std::string with_patience(std::string_view text) {
  std::string address(text);
  const std::unique_ptr<PQconninfoOption, FreeOptions> options(PQconninfoParse(address.c_str(), nullptr));
  if (!options) return address;  // libpq says why when it connects
  for (const auto& [name, value] : kPatience) {
    bool is_named = false;
    for (const PQconninfoOption* option = options.get(); option->keyword != nullptr; ++option)
      is_named |= option->keyword == name && option->val != nullptr;
    if (!is_named) address += fmt::format("{}{}={}", has_parameters(address) ? '&' : '?', name, value);
  }
  return address;
}

// "a = ? AND b = ?" with names: ":v0", ":v1". Question marks in texts of SQL stay.
std::string with_names(std::string_view sql) {
  std::string out;
  out.reserve(sql.size() + 32);
  size_t count = 0;
  bool is_text = false;
  for (const char c : sql) {
    if (c == '\'') is_text = !is_text;
    if (c == '?' && !is_text)
      out += fmt::format(":v{}", count++);
    else
      out += c;
  }
  return out;
}

ErrorCode code_of_state(std::string_view state) {
  if (state == "40001" || state == "40P01" || state == "55P03") return ErrorCode::timeout;
  if (state.starts_with("23")) return ErrorCode::conflict;
  if (state.starts_with("08") || state.starts_with("57P")) return ErrorCode::closed;
  return ErrorCode::io;
}

ErrorCode code_of(const soci::soci_error& error) {
  if (const auto* postgresql = dynamic_cast<const soci::postgresql_soci_error*>(&error)) {
    const std::string state = postgresql->sqlstate();
    if (trim(state).empty() || state.starts_with('\0')) return ErrorCode::closed;
    return code_of_state(state);
  }
  if (const auto* sqlite = dynamic_cast<const soci::sqlite3_soci_error*>(&error)) {
    constexpr int kBusy = 5, kLocked = 6, kConstraint = 19;
    const int result = sqlite->result() & 0xff;
    if (result == kBusy || result == kLocked) return ErrorCode::timeout;
    if (result == kConstraint) return ErrorCode::conflict;
  }
  return ErrorCode::io;
}

// Without the statement, which SOCI puts behind: it may be long, and says nothing to people.
std::unexpected<Error> failure(const std::exception& error) {
  std::string message = error.what();
  if (const size_t at = message.find(" while "); at != std::string::npos) message.resize(at);
  const auto* known = dynamic_cast<const soci::soci_error*>(&error);
  return fail(known != nullptr ? code_of(*known) : ErrorCode::io, fmt::format("the database says: {}", message));
}

Value value_of(const soci::row& row, size_t column) {
  if (row.get_indicator(column) == soci::i_null) return {};
  switch (row.get_properties(column).get_data_type()) {
    case soci::dt_integer:
      return static_cast<int64_t>(row.get<int>(column));
    case soci::dt_long_long:
      return static_cast<int64_t>(row.get<long long>(column));
    case soci::dt_unsigned_long_long:
      return static_cast<int64_t>(row.get<unsigned long long>(column));
    case soci::dt_double:
      return static_cast<int64_t>(row.get<double>(column));
    default:
      return row.get<std::string>(column);
  }
}

Row row_of(const soci::row& row) {
  std::vector<Value> values;
  values.reserve(row.size());
  for (size_t i = 0; i < row.size(); ++i) values.push_back(value_of(row, i));
  return Row(std::move(values));
}

// The values as SOCI wants to refer to them, which lives as long as the statement.
class Bound {
 public:
  explicit Bound(const Values& values) : size_(values.size()), numbers_(size_), texts_(size_), states_(size_) {
    for (size_t i = 0; i < size_; ++i) {
      const Value& value = values.all()[i];
      states_[i] = std::holds_alternative<std::monostate>(value) ? soci::i_null : soci::i_ok;
      is_number_.push_back(std::holds_alternative<int64_t>(value));
      if (is_number_.back())
        numbers_[i] = std::get<int64_t>(value);
      else if (const auto* text = std::get_if<std::string>(&value))
        texts_[i] = *text;
    }
  }
  void bind(soci::statement& statement) {
    for (size_t i = 0; i < size_; ++i) {
      if (is_number_[i])
        statement.exchange(soci::use(numbers_[i], states_[i]));
      else
        statement.exchange(soci::use(texts_[i], states_[i]));
    }
  }

 private:
  const size_t size_;
  std::vector<long long> numbers_;
  std::vector<std::string> texts_;
  std::vector<soci::indicator> states_;
  std::vector<bool> is_number_;
};

}  // namespace

namespace {

// The socket of a connection, which another thread may shut down: a handle of its own, since libpq closes its own when
// it likes.
class Socket {
 public:
  ~Socket() {
    if (handle_ >= 0) ::close(handle_);
  }
  void take(int of_libpq) {
    if (of_libpq >= 0) handle_ = ::fcntl(of_libpq, F_DUPFD_CLOEXEC, 0);
  }
  void shut_down() const {
    if (handle_ >= 0) ::shutdown(handle_, SHUT_RDWR);
  }

 private:
  int handle_ = -1;
};

// SOCI's library has no type information of its sessions, by which the sanitizer would check the cast.
__attribute__((no_sanitize("vptr"))) int socket_of(soci::session& session) {
  return PQsocket(static_cast<const soci::postgresql_session_backend*>(session.get_backend())->conn_);
}

}  // namespace

struct Connection::Parts {
  Dialect dialect;
  soci::session session;
  Socket socket;
};

Result<Address> parse_address(std::string_view text) {
  if (text.starts_with("sqlite:") && text.size() > 7) return Address{Dialect::sqlite, std::string(text.substr(7))};
  if (text.starts_with("postgresql://") || text.starts_with("postgres://"))
    return Address{Dialect::postgresql, with_patience(text)};
  return fail(ErrorCode::config,
              fmt::format("'{}' is no database: say sqlite:PATH, or postgresql://user@host/database", text));
}

Connection::Connection(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Connection::~Connection() = default;

Dialect Connection::dialect() const { return parts_->dialect; }

void Connection::interrupt() { parts_->socket.shut_down(); }

Result<std::unique_ptr<Connection>> Connection::open(const Address& address) {
  try {
    auto parts = std::make_unique<Parts>();
    parts->dialect = address.dialect;
    if (address.dialect == Dialect::sqlite) {
      if (address.place.contains('"')) return fail(ErrorCode::config, "the path of a database has no quotation marks");
      const auto busy = address.longest_statement.count() == 0
                            ? kBusySeconds
                            : std::chrono::ceil<std::chrono::seconds>(address.longest_statement).count();
      parts->session.open(soci::sqlite3, fmt::format("dbname=\"{}\" timeout={}", address.place, busy));
      for (const char* pragma : {"PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", "PRAGMA foreign_keys = ON"})
        parts->session << pragma;
    } else {
      if (address.longest_statement.count() > 0)
        if (const auto answers = probe_postgresql(address.place); !answers)
          return fail(answers.error().code, fmt::format("cannot open the database: {}", answers.error().message));
      parts->session.open(soci::postgresql, address.place);
      parts->socket.take(socket_of(parts->session));
      parts->session << "SET client_min_messages = warning";
    }
    std::unique_ptr<Connection> connection(new Connection(std::move(parts)));
    if (address.dialect == Dialect::postgresql && address.longest_statement.count() > 0)
      TRY_VOID(connection->limit_statements(address.longest_statement));
    return connection;
  } catch (const std::exception& error) {
    auto failed = failure(error);
    return pass(std::move(failed.error()),
                fmt::format("cannot open the database {}", address.dialect == Dialect::sqlite ? address.place : ""));
  }
}

Result<uint64_t> Connection::run(std::string_view sql, const Values& values) {
  try {
    Bound bound(values);
    soci::statement statement(parts_->session);
    statement.alloc();
    bound.bind(statement);
    statement.prepare(with_names(sql), soci::details::st_one_time_query);
    statement.define_and_bind();
    statement.execute(true);
    return static_cast<uint64_t>(std::max(0LL, statement.get_affected_rows()));
  } catch (const std::exception& error) {
    return failure(error);
  }
}

Result<void> Connection::each(std::string_view sql, const Values& values, const std::function<void(const Row&)>& use) {
  try {
    Bound bound(values);
    soci::row row;
    soci::statement statement(parts_->session);
    statement.alloc();
    bound.bind(statement);
    statement.exchange(soci::into(row));
    statement.prepare(with_names(sql), soci::details::st_repeatable_query);
    statement.define_and_bind();
    statement.execute(false);
    while (statement.fetch()) use(row_of(row));
    return {};
  } catch (const std::exception& error) {
    return failure(error);
  }
}

Result<std::vector<Row>> Connection::rows(std::string_view sql, const Values& values) {
  std::vector<Row> rows;
  TRY_VOID(each(sql, values, [&](const Row& row) { rows.push_back(row); }));
  return rows;
}

Result<std::optional<Row>> Connection::row(std::string_view sql, const Values& values) {
  std::optional<Row> found;
  TRY_VOID(each(sql, values, [&](const Row& row) {
    if (!found) found = row;
  }));
  return found;
}

Result<int64_t> Connection::number(std::string_view sql, const Values& values) {
  TRY(const auto found, row(sql, values));
  return found ? found->number(0) : 0;
}

Result<void> Connection::execute(std::string_view sql, const Values& values) {
  const auto changed = run(sql, values);
  if (!changed) return std::unexpected(changed.error());
  return {};
}

Result<void> Connection::insert_all(std::string_view begin, const std::vector<Values>& rows, std::string_view end) {
  const auto changed = insert_new(begin, rows, end);
  if (!changed) return std::unexpected(changed.error());
  return {};
}

Result<uint64_t> Connection::insert_new(std::string_view begin, const std::vector<Values>& rows, std::string_view end) {
  uint64_t changed = 0;
  for (size_t at = 0; at < rows.size();) {
    const size_t width = std::max<size_t>(rows[at].size(), 1);
    const size_t count = std::min(rows.size() - at, std::max<size_t>(kMostValues / width, 1));
    std::string sql(begin);
    Values values;
    for (size_t i = at; i < at + count; ++i) {
      sql += i == at ? " (" : ", (";
      for (size_t j = 0; j < rows[i].size(); ++j) sql += j == 0 ? "?" : ", ?";
      sql += ')';
      for (const Value& value : rows[i].all()) std::visit([&](const auto& item) { values.add(item); }, value);
    }
    sql += fmt::format(" {}", end);
    TRY(const uint64_t done, run(sql, values));
    changed += done;
    at += count;
  }
  return changed;
}

Result<void> Connection::limit_statements(std::chrono::milliseconds longest) {
  TRY(const auto there, row("SHOW statement_timeout"));
  if (there && there->text(0) != "0") return {};
  return execute(fmt::format("SET statement_timeout = {}", longest.count()));
}

Result<void> Connection::begin() {
  // A transaction of SQLite that reads first cannot always be let write later: it says at once that it will.
  return execute(parts_->dialect == Dialect::sqlite ? "BEGIN IMMEDIATE" : "BEGIN ISOLATION LEVEL REPEATABLE READ");
}

Result<void> Connection::commit() { return execute("COMMIT"); }

void Connection::rollback() { (void)run("ROLLBACK"); }

}  // namespace caddis::sql
