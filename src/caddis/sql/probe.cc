#include "caddis/sql/probe.h"

#include <fmt/format.h>
#include <libpq-fe.h>
#include <poll.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string_view>

#include "caddis/base/strings.h"

namespace caddis::sql {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kPatience{10};

struct FreeOptions {
  void operator()(PQconninfoOption* options) const { PQconninfoFree(options); }
};
struct Finish {
  void operator()(PGconn* connection) const { PQfinish(connection); }
};
struct Clear {
  void operator()(PGresult* result) const { PQclear(result); }
};

std::chrono::seconds patience_of(const std::string& address) {
  const std::unique_ptr<PQconninfoOption, FreeOptions> options(PQconninfoParse(address.c_str(), nullptr));
  for (const PQconninfoOption* option = options.get(); option != nullptr && option->keyword != nullptr; ++option) {
    if (std::string_view(option->keyword) != "connect_timeout" || option->val == nullptr) continue;
    const auto seconds = parse_int(option->val);
    if (seconds && *seconds > 0) return std::chrono::seconds(*seconds);
  }
  return kPatience;
}

class Probe {
 public:
  explicit Probe(const std::string& address)
      : patience_(patience_of(address)), end_(Clock::now() + patience_), connection_(PQconnectStart(address.c_str())) {}

  Result<void> run() {
    if (!connection_) return fail(ErrorCode::io, "out of memory");
    TRY_VOID(connect());
    if (PQsetnonblocking(connection_.get(), 1) != 0 || PQsendQuery(connection_.get(), "SELECT 1") != 1)
      return failure();
    for (;;) {
      const int unsent = PQflush(connection_.get());
      if (unsent < 0) return failure();
      TRY_VOID(wait(unsent > 0 ? POLLIN | POLLOUT : POLLIN));
      if (PQconsumeInput(connection_.get()) != 1) return failure();
      if (PQisBusy(connection_.get()) == 0) break;
    }
    const std::unique_ptr<PGresult, Clear> result(PQgetResult(connection_.get()));
    return PQresultStatus(result.get()) == PGRES_TUPLES_OK ? Result<void>() : failure();
  }

 private:
  Result<void> connect() {
    for (PostgresPollingStatusType state = PGRES_POLLING_WRITING; state != PGRES_POLLING_OK;) {
      if (state == PGRES_POLLING_FAILED || PQstatus(connection_.get()) == CONNECTION_BAD) return failure();
      TRY_VOID(wait(state == PGRES_POLLING_READING ? POLLIN : POLLOUT));
      state = PQconnectPoll(connection_.get());
    }
    return {};
  }
  Result<void> wait(int events) const {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end_ - Clock::now()).count();
    pollfd waited{PQsocket(connection_.get()), static_cast<short>(events), 0};
    if (left > 0 && ::poll(&waited, 1, static_cast<int>(left)) != 0) return {};
    return fail(ErrorCode::closed, fmt::format("timeout: the server has not answered for {} s", patience_.count()));
  }
  std::unexpected<Error> failure() const {
    return fail(ErrorCode::closed, std::string(trim(PQerrorMessage(connection_.get()))));
  }

  const std::chrono::seconds patience_;
  const Clock::time_point end_;
  const std::unique_ptr<PGconn, Finish> connection_;
};

}  // namespace

Result<void> probe_postgresql(const std::string& address) { return Probe(address).run(); }

}  // namespace caddis::sql
