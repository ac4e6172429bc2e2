#include "caddis/http/again.h"

namespace caddis::http {

bool is_repeatable(std::string_view method) { return method == "GET" || method == "HEAD" || method == "OPTIONS"; }

Again why_again(const Connection& connection, std::string_view method, const FetchResult& result, bool reused) {
  if (result || result.error().at == Failure::At::local) return Again::no;
  using Advice = Http2Session::Advice;
  const Advice advice = connection.http2 ? connection.http2->advice() : Advice::none;
  const Failure& why = result.error();
  if (!why.nothing_came) return Again::no;
  if (advice == Advice::again) return Again::other_connection;
  if (advice == Advice::http1) return is_repeatable(method) ? Again::http1 : Again::http1_next;
  if (!is_repeatable(method)) return Again::no;
  const bool is_stale = reused && why.at == Failure::At::response && why.error.code == ErrorCode::closed;
  return is_stale ? Again::stale : Again::no;
}

}  // namespace caddis::http
