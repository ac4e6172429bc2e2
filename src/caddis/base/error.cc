#include "caddis/base/error.h"

#include <cerrno>
#include <system_error>

namespace caddis {

std::string_view to_string(ErrorCode code) {
  switch (code) {
    case ErrorCode::io:
      return "io";
    case ErrorCode::no_space:
      return "no-space";
    case ErrorCode::parse:
      return "parse";
    case ErrorCode::limit:
      return "limit";
    case ErrorCode::timeout:
      return "timeout";
    case ErrorCode::cancelled:
      return "cancelled";
    case ErrorCode::denied:
      return "denied";
    case ErrorCode::conflict:
      return "conflict";
    case ErrorCode::corrupt:
      return "corrupt";
    case ErrorCode::config:
      return "config";
    case ErrorCode::not_found:
      return "not-found";
    case ErrorCode::closed:
      return "closed";
    case ErrorCode::unsupported:
      return "unsupported";
  }
  return "unknown";
}

Error Error::within(std::string_view context) && {
  message = std::string(context) + ": " + message;
  return std::move(*this);
}

std::unexpected<Error> fail(ErrorCode code, std::string message) {
  return std::unexpected(Error{code, std::move(message)});
}

std::unexpected<Error> pass(Error error, std::string_view context) {
  return std::unexpected(std::move(error).within(context));
}

std::unexpected<Error> fail_errno(std::string_view what, int error_number) {
  ErrorCode code = ErrorCode::io;
  if (error_number == ENOENT) code = ErrorCode::not_found;
  if (error_number == ENOSPC || error_number == EDQUOT) code = ErrorCode::no_space;
  if (error_number == EFBIG) code = ErrorCode::limit;
  return fail(code, std::string(what) + ": " + std::generic_category().message(error_number));
}

}  // namespace caddis
