// Asks a running crawl through its control socket, and waits for the answer. The engine is asked in the same way.
#pragma once

#include <string>
#include <string_view>

#include "caddis/aio/task.h"
#include "caddis/base/clock.h"
#include "caddis/base/error.h"

namespace caddis::aio {
class Loop;
}

namespace caddis::control {

struct Question {
  std::string method, target;  // "GET", "/urls?limit=10"
  std::string body = "";
  std::string actor = "";  // who asks, for the record; whoever may open the socket is believed
};

// The header field that names the actor, on the socket.
inline constexpr std::string_view kActorField = "Caddis-Actor";

// The header field of a report that has more rows than the answer.
inline constexpr std::string_view kReportCutField = "Caddis-Report-Cut";

// The body of the answer, on this thread. ErrorCode::not_found if nobody answers on the socket: the crawl does not run;
// ErrorCode::denied if the socket is another user's, or the crawl refuses; ErrorCode::conflict if a marker no longer
// holds (410).
Result<std::string> ask(const std::string& socket, const Question& question,
                        Duration patience = std::chrono::seconds(10));
// The same of a report. `is_cut`: whether it has more rows.
struct ReportAnswer {
  std::string text;
  bool is_cut = false;
};
Result<ReportAnswer> ask_for_report(const std::string& socket, const Question& question, Duration patience);

// An answer, whatever its status.
struct SocketAnswer {
  int status = 0;
  std::string content_type, body;
};
// ErrorCode::not_found if nobody answers; ErrorCode::limit for an answer of more than 64 MB. `question` has to live until
// the answer has come.
aio::Task<Result<SocketAnswer>> ask_on(aio::Loop& loop, std::string socket, const Question& question,
                                       Duration patience);
// The same, on this thread.
Result<SocketAnswer> ask_socket(const std::string& socket, const Question& question, Duration patience);

}  // namespace caddis::control
