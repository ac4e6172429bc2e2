#include "caddis/http/socks.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <array>
#include <span>

namespace caddis::http {
namespace {

constexpr char kVersion = 5;
constexpr char kLoginVersion = 1;
constexpr char kNoLogin = 0;
constexpr char kPasswordLogin = 2;
constexpr size_t kLongest = 255;

aio::Task<Result<void>> read_exactly(aio::Stream& stream, std::span<char> into) {
  while (!into.empty()) {
    CO_TRY(const size_t got, co_await stream.read(into.data(), into.size()));
    if (got == 0) co_return fail(ErrorCode::closed, "the SOCKS proxy closed the connection");
    into = into.subspan(got);
  }
  co_return Result<void>();
}

std::string with_length(std::string_view text) {
  std::string out(1, static_cast<char>(text.size()));
  return out.append(text);
}

std::string_view reason_of(uint8_t reply) {
  static constexpr auto kReasons = std::to_array<std::string_view>(
      {"succeeded", "it has failed", "its rules forbid it", "the network cannot be reached",
       "the host cannot be reached", "the connection was refused", "the time to live expired",
       "it knows no such command", "it knows no such kind of address"});
  return reply < kReasons.size() ? kReasons[reply] : "for a reason of its own";
}

std::string connect_request(const std::string& host, uint16_t port) {
  std::string request{kVersion, 1, 0};
  std::array<char, sizeof(in6_addr)> address{};
  if (inet_pton(AF_INET, host.c_str(), address.data()) == 1)
    request.append(1, 1).append(address.data(), sizeof(in_addr));
  else if (inet_pton(AF_INET6, host.c_str(), address.data()) == 1)
    request.append(1, 4).append(address.data(), sizeof(in6_addr));
  else
    request.append(1, 3).append(with_length(host));
  request += static_cast<char>(port >> 8);
  request += static_cast<char>(port & 0xff);
  return request;
}

aio::Task<Result<void>> log_in(aio::Stream& stream, const SocksLogin& login) {
  const std::string sent = std::string(1, kLoginVersion) + with_length(login.user) + with_length(login.password);
  CO_TRY_VOID(co_await stream.write(sent));
  std::array<char, 2> answer{};
  const std::span<char> place(answer);
  CO_TRY_VOID(co_await read_exactly(stream, place));
  if (answer[1] != 0) co_return fail(ErrorCode::denied, "the SOCKS proxy does not accept user and password");
  co_return Result<void>();
}

// The address that the proxy connected from, which follows its reply: nobody needs it.
aio::Task<Result<void>> skip_address(aio::Stream& stream, char kind) {
  std::array<char, kLongest + 2> place{};
  size_t size = kind == 1 ? sizeof(in_addr) : sizeof(in6_addr);
  if (kind == 3) {
    const std::span<char> length(place.data(), 1);
    CO_TRY_VOID(co_await read_exactly(stream, length));
    size = static_cast<uint8_t>(place[0]);
  } else if (kind != 1 && kind != 4) {
    co_return fail(ErrorCode::denied, "the SOCKS proxy answers with an unknown kind of address");
  }
  const std::span<char> rest(place.data(), size + 2);
  co_return co_await read_exactly(stream, rest);
}

}  // namespace

aio::Task<Result<void>> socks_connect(aio::Stream& stream, const SocksLogin& login, std::string host, uint16_t port) {
  if (host.size() > kLongest || login.user.size() > kLongest || login.password.size() > kLongest)
    co_return fail(ErrorCode::denied,
                   "a name, user or password of more than 255 bytes cannot be told to a SOCKS proxy");
  std::string offer{kVersion, 1, kNoLogin};
  if (!login.user.empty()) offer = {kVersion, 2, kNoLogin, kPasswordLogin};
  CO_TRY_VOID(co_await stream.write(offer));
  std::array<char, 2> method{};
  const std::span<char> method_place(method);
  CO_TRY_VOID(co_await read_exactly(stream, method_place));
  if (method[0] != kVersion) co_return fail(ErrorCode::denied, "the proxy does not speak SOCKS 5");
  const bool wants_login = method[1] == kPasswordLogin && !login.user.empty();
  if (!wants_login && method[1] != kNoLogin)
    co_return fail(ErrorCode::denied, login.user.empty() ? "the SOCKS proxy wants a user and a password"
                                                         : "the SOCKS proxy takes no user and password");
  if (wants_login) CO_TRY_VOID(co_await log_in(stream, login));

  const std::string request = connect_request(host, port);
  CO_TRY_VOID(co_await stream.write(request));
  std::array<char, 4> reply{};
  const std::span<char> reply_place(reply);
  CO_TRY_VOID(co_await read_exactly(stream, reply_place));
  if (reply[0] != kVersion) co_return fail(ErrorCode::denied, "the proxy does not speak SOCKS 5");
  if (reply[1] != 0)
    co_return fail(ErrorCode::denied, fmt::format("the SOCKS proxy gave no way to {}:{}: {}", host, port,
                                                  reason_of(static_cast<uint8_t>(reply[1]))));
  co_return co_await skip_address(stream, reply[3]);
}

}  // namespace caddis::http
