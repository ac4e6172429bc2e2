#include "caddis/selftest/replay_check.h"

#include <fmt/format.h>

#include <csignal>

#include "caddis/aio/loop.h"
#include "caddis/aio/network.h"
#include "caddis/aio/nursery.h"
#include "caddis/base/strings.h"
#include "caddis/http/head.h"
#include "caddis/io/files.h"
#include "caddis/process/captured.h"

namespace caddis::selftest {
namespace {

constexpr Duration kPatience = std::chrono::seconds(60);

struct Answer {
  int status = 0;
  std::string body, location;
};

// HTTP/1.0: the answer ends with the connection, and is not chunked.
aio::Task<Result<std::string>> exchange(aio::Loop& loop, aio::Endpoint at, std::string target) {
  const auto network = aio::make_network(loop);
  const SteadyTime deadline = loop.clock().steady() + kPatience;
  CO_TRY(auto stream, co_await network->connect(at, nullptr, deadline));
  const std::string request =
      fmt::format("GET {} HTTP/1.0\r\nHost: {}:{}\r\nAccept-Encoding: gzip, br\r\n\r\n", target, at.address, at.port);
  CO_TRY_VOID(co_await stream->write(request));
  std::string answer;
  std::string buffer(65536, '\0');
  for (;;) {
    CO_TRY(const size_t n, co_await stream->read(buffer.data(), buffer.size()));
    if (n == 0) co_return answer;
    answer.append(buffer, 0, n);
  }
}

aio::Task<void> exchange_into(aio::Loop& loop, aio::Endpoint at, std::string target, Result<std::string>& answer) {
  answer = co_await exchange(loop, at, target);
}

Result<Answer> get(const aio::Endpoint& at, const std::string& target) {
  const auto loop = aio::make_loop(system_clock());
  Result<std::string> text;
  aio::run_to_end(*loop, exchange_into(*loop, at, target, text));
  if (!text) return std::unexpected(std::move(text).error());
  TRY(const http::ResponseHead head, http::parse_response_head(*text, http::Mode::strict));
  return Answer{head.status(), text->substr(head.size()), std::string(head.find("location").value_or(""))};
}

// "serving /tmp/c at http://127.0.0.1:40000/c/"
Result<aio::Endpoint> endpoint_in(std::string_view line) {
  constexpr std::string_view kBegin = "http://127.0.0.1:";
  const size_t begin = line.find(kBegin);
  if (begin == std::string_view::npos)
    return fail(ErrorCode::parse, fmt::format("caddis serve does not tell where it serves: {}", line));
  const std::string_view rest = line.substr(begin + kBegin.size());
  const auto port = parse_int(rest.substr(0, rest.find('/')));
  if (!port) return fail(ErrorCode::parse, fmt::format("caddis serve tells of no port: {}", line));
  return aio::Endpoint{"127.0.0.1", static_cast<uint16_t>(*port)};
}

std::string flaw(const Page& page, std::string_view what) {
  return fmt::format("{} ({}): {}", page.path, page.tries, what);
}

// Redirects that were captured are shown in ways of their own, others by what was captured.
void check_page(const Page& page, const Answer& answer, std::vector<std::string>& flaws) {
  const bool is_redirect = page.status / 100 == 3;
  if (is_redirect && answer.status >= 400)
    flaws.push_back(flaw(page, fmt::format("replayed with status {}", answer.status)));
  else if (!is_redirect && answer.status != page.status)
    flaws.push_back(flaw(page, fmt::format("replayed with status {} instead of {}", answer.status, page.status)));
  else if (page.delivery != Delivery::cut && !is_redirect && answer.body != sent_body(page))
    flaws.push_back(flaw(page, fmt::format("{} bytes are replayed, which are not the {} that were served",
                                           answer.body.size(), sent_body(page).size())));
}

}  // namespace

Result<std::vector<std::string>> check_replay(const std::string& caddis, const std::string& collection,
                                              const std::string& origin, const Site& site, size_t& answers) {
  TRY(auto server, process::CapturedChild::start({caddis, "serve", collection, "--listen", "127.0.0.1:0"}));
  TRY(const std::string line, server.read_line(kPatience, system_clock()));
  TRY(const aio::Endpoint at, endpoint_in(line));
  const std::string name(io::base_name(collection));
  std::vector<std::string> flaws;
  for (const auto& [path, page] : site.pages()) {
    if (page.fate < 0) continue;
    TRY(const Answer answer, get(at, fmt::format("/{}/2id_/{}{}", name, origin, path)));
    check_page(page, answer, flaws);
    ++answers;
  }
  // The targets of links are in the archive, too.
  TRY(Answer page, get(at, fmt::format("/{}/2mp_/{}/plain.html", name, origin)));
  if (page.status == 302) {  // to the exact time of the capture
    const size_t path = page.location.find(fmt::format("/{}/", name));
    TRY(page, get(at, path == std::string::npos ? page.location : page.location.substr(path)));
  }
  if (page.status != 200 || page.body.find(fmt::format("{}/found/html", origin)) == std::string::npos)
    flaws.push_back(fmt::format("/plain.html: its link does not lead into the archive ({})", page.status));
  ++answers;
  server.signal(SIGTERM);
  TRY(const process::CapturedEnd end, server.wait(kPatience, system_clock()));
  if (!end.is_success()) flaws.push_back("caddis serve did not end in good order: " + end.output);
  return flaws;
}

}  // namespace caddis::selftest
