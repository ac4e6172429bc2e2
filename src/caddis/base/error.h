// The failure of an operation, in words a person can act on.
//
// An Error says what went wrong, where (file, offset, setting) and, where it is known, what to do about it. Outcomes of
// the world (404, robots, a dead host) are not Errors but data: see fetch_status.h.
#pragma once

#include <expected>
#include <string>
#include <string_view>

namespace caddis {

enum class ErrorCode {
  io,           // the operating system refused: disk, socket, permission
  no_space,     // a disk, or what somebody may use of it, is full
  parse,        // malformed input
  limit,        // an agreed limit was passed
  timeout,      // no answer in time
  cancelled,    // whoever asked no longer wants it
  denied,       // not allowed
  conflict,     // somebody else holds it, or it contradicts what is there
  corrupt,      // stored data is damaged
  config,       // a wrong setting or wrong usage
  not_found,    // it is not there
  closed,       // the other side has closed
  unsupported,  // valid, but Caddis cannot do it
};

std::string_view to_string(ErrorCode code);

struct [[nodiscard]] Error {
  ErrorCode code = ErrorCode::io;
  std::string message;

  // The same error with "context: " before its message, added where the name of the thing is known.
  Error within(std::string_view context) &&;
};

// What an operation gives: a value or an Error.
template <class T = void>
using Result = std::expected<T, Error>;

// `return fail(ErrorCode::parse, "no colon in header line 3");`
std::unexpected<Error> fail(ErrorCode code, std::string message);

// Passes an error on, with context: `return pass(std::move(result.error()), path);`
std::unexpected<Error> pass(Error error, std::string_view context);

// The error for an errno value: "cannot open /x: No such file or directory".
std::unexpected<Error> fail_errno(std::string_view what, int error_number);

}  // namespace caddis

#define CADDIS_CONCAT2(a, b) a##b
#define CADDIS_CONCAT(a, b) CADDIS_CONCAT2(a, b)
#define CADDIS_TRY_IMPL(temporary, declaration, ...)      \
  auto temporary = (__VA_ARGS__);                         \
  if (!temporary) [[unlikely]]                            \
    return std::unexpected(std::move(temporary).error()); \
  declaration = *std::move(temporary)
#define CADDIS_CO_TRY_IMPL(temporary, declaration, ...)      \
  auto temporary = (__VA_ARGS__);                            \
  if (!temporary) [[unlikely]]                               \
    co_return std::unexpected(std::move(temporary).error()); \
  declaration = *std::move(temporary)

// TRY(auto file, files.open(path)); leaves the function with the error, or declares the value.
#define TRY(declaration, ...) CADDIS_TRY_IMPL(CADDIS_CONCAT(try_, __COUNTER__), declaration, __VA_ARGS__)
// TRY_VOID(file.sync()); for Result<void>.
#define TRY_VOID(...)                                          \
  do {                                                         \
    if (auto try_void = (__VA_ARGS__); !try_void) [[unlikely]] \
      return std::unexpected(std::move(try_void).error());     \
  } while (false)
// The same inside a coroutine.
#define CO_TRY(declaration, ...) CADDIS_CO_TRY_IMPL(CADDIS_CONCAT(try_, __COUNTER__), declaration, __VA_ARGS__)
#define CO_TRY_VOID(...)                                       \
  do {                                                         \
    if (auto try_void = (__VA_ARGS__); !try_void) [[unlikely]] \
      co_return std::unexpected(std::move(try_void).error());  \
  } while (false)
