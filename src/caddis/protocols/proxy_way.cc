#include "caddis/protocols/proxy_way.h"

#include <fmt/format.h>

#include <string_view>

#include "caddis/http/head.h"
#include "caddis/http/socks.h"

namespace caddis::protocols {
namespace {

constexpr size_t kLongestHead = 16 * 1024;

// Byte by byte: what follows the head is the server's.
aio::Task<Result<std::string>> read_head(aio::Stream& stream) {
  std::string head;
  while (!head.ends_with("\r\n\r\n") && !head.ends_with("\n\n")) {
    if (head.size() == kLongestHead) co_return fail(ErrorCode::limit, "the proxy answers with more than 16 KB");
    char byte = 0;
    CO_TRY(const size_t got, co_await stream.read(&byte, 1));
    if (got == 0) co_return fail(ErrorCode::closed, "the proxy closed the connection");
    head += byte;
  }
  co_return head;
}

aio::Task<Result<WayStep>> tunnel(aio::Stream& stream, const http::Proxy& proxy, std::string target) {
  const std::string credentials =
      proxy.login != nullptr ? proxy.login->credentials("CONNECT", target) : proxy.authorization;
  std::string request = fmt::format("CONNECT {0} HTTP/1.1\r\nHost: {0}\r\n", target);
  if (!credentials.empty()) request += fmt::format("Proxy-Authorization: {}\r\n", credentials);
  request += "\r\n";
  CO_TRY_VOID(co_await stream.write(request));
  CO_TRY(const std::string bytes, co_await read_head(stream));
  auto head = http::parse_response_head(bytes, http::Mode::lenient);
  if (!head) co_return fail(ErrorCode::denied, "the proxy does not speak HTTP: " + head.error().message);
  if (head->status() / 100 == 2) co_return WayStep::there;
  if (proxy.login != nullptr && proxy.login->asks_again(*head, credentials)) co_return WayStep::ask_again;
  co_return fail(ErrorCode::denied,
                 fmt::format("the proxy gave no tunnel to {}: {} {}", target, head->status(), head->reason()));
}

}  // namespace

aio::Task<Result<WayStep>> lead_through(aio::Stream& stream, const http::Proxy& proxy, std::string host,
                                        uint16_t port) {
  if (proxy.kind == http::Proxy::Kind::socks5) {
    const http::SocksLogin login(proxy.user, proxy.password);
    CO_TRY_VOID(co_await http::socks_connect(stream, login, std::move(host), port));
    co_return WayStep::there;
  }
  std::string target = host.contains(':') ? fmt::format("[{}]:{}", host, port) : fmt::format("{}:{}", host, port);
  co_return co_await tunnel(stream, proxy, std::move(target));
}

}  // namespace caddis::protocols
