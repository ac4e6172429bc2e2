#include "caddis/control/control_client.h"

#include <fmt/format.h>

#include "caddis/aio/loop.h"
#include "caddis/aio/network.h"
#include "caddis/aio/nursery.h"
#include "caddis/aio/task.h"
#include "caddis/control/api_json.h"
#include "caddis/http/head.h"
#include "caddis/io/files.h"

namespace caddis::control {
namespace {

constexpr int kGone = 410;  // RFC 9110 section 15.5.11
constexpr size_t kMostOfAnAnswer = 64 << 20;

std::string failure_in(const std::string& body) {
  const auto failure = api::from_json<api::Failure>(body);
  return failure ? failure->error : body;
}

// Why nobody answers: the crawl does not run, or its state is another user's, who alone may know.
std::unexpected<Error> no_answer(const std::string& socket) {
  const std::string folder = io::parent_path(socket);
  const auto listed = io::real_files().list(folder);
  if (listed || listed.error().code == ErrorCode::not_found)
    return fail(ErrorCode::not_found, "no crawl is running there");
  return fail(ErrorCode::denied,
              fmt::format("only the owner of {} may ask the crawl, and see whether it runs", folder));
}

// HTTP/1.0: the answer ends with the connection, and is not chunked.
aio::Task<Result<std::string>> exchange(aio::Loop& loop, const std::string& socket, const Question& question,
                                        Duration patience, size_t most) {
  const auto network = aio::make_network(loop);
  const SteadyTime deadline = loop.clock().steady() + patience;
  auto stream = co_await network->connect_unix(socket, deadline);
  if (!stream) co_return no_answer(socket);
  (*stream)->set_deadline(deadline);
  const std::string actor =
      question.actor.empty() ? std::string() : fmt::format("{}: {}\r\n", kActorField, question.actor);
  const std::string request = fmt::format("{} {} HTTP/1.0\r\nHost: caddis\r\n{}Content-Length: {}\r\n\r\n{}",
                                          question.method, question.target, actor, question.body.size(), question.body);
  CO_TRY_VOID(co_await (*stream)->write(request));
  std::string answer;
  std::string buffer(64 * 1024, '\0');
  for (;;) {
    CO_TRY(const size_t n, co_await (*stream)->read(buffer.data(), buffer.size()));
    if (n == 0) co_return answer;
    answer.append(buffer, 0, n);
    if (answer.size() > most) co_return fail(ErrorCode::limit, "the answer is too large");
  }
}

aio::Task<void> exchange_into(aio::Loop& loop, const std::string& socket, const Question& question, Duration patience,
                              Result<std::string>& answer) {
  answer = co_await exchange(loop, socket, question, patience, std::string::npos);
}

Result<SocketAnswer> parsed(Result<std::string> answer) {
  TRY(const std::string text, std::move(answer));
  TRY(const http::ResponseHead head, http::parse_response_head(text, http::Mode::strict));
  return SocketAnswer{head.status(), head.joined("content-type"), text.substr(head.size())};
}

Result<http::ResponseHead> good_head(const std::string& answer) {
  TRY(http::ResponseHead head, http::parse_response_head(answer, http::Mode::strict));
  if (head.status() == 200) return head;
  const std::string why = failure_in(answer.substr(head.size()));
  if (head.status() == kGone) return fail(ErrorCode::conflict, why);
  return fail(ErrorCode::denied, fmt::format("the crawl answers {}: {}", head.status(), why));
}

Result<std::string> whole_answer(const std::string& socket, const Question& question, Duration patience) {
  const auto loop = aio::make_loop(system_clock());
  Result<std::string> answer;
  aio::run_to_end(*loop, exchange_into(*loop, socket, question, patience, answer));
  return answer;
}

}  // namespace

Result<std::string> ask(const std::string& socket, const Question& question, Duration patience) {
  TRY(const std::string answer, whole_answer(socket, question, patience));
  TRY(const http::ResponseHead head, good_head(answer));
  return answer.substr(head.size());
}

Result<ReportAnswer> ask_for_report(const std::string& socket, const Question& question, Duration patience) {
  TRY(const std::string answer, whole_answer(socket, question, patience));
  TRY(const http::ResponseHead head, good_head(answer));
  return ReportAnswer{answer.substr(head.size()), head.find(kReportCutField).has_value()};
}

aio::Task<Result<SocketAnswer>> ask_on(aio::Loop& loop, std::string socket, const Question& question,
                                       Duration patience) {
  auto answer = co_await exchange(loop, socket, question, patience, kMostOfAnAnswer);
  co_return parsed(std::move(answer));
}

Result<SocketAnswer> ask_socket(const std::string& socket, const Question& question, Duration patience) {
  return parsed(whole_answer(socket, question, patience));
}

}  // namespace caddis::control
