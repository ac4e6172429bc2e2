// The server's end of a simulated connection, for tests that make up what a web answers.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/aio/network.h"
#include "caddis/aio/task.h"

namespace caddis::testing {

struct Answer {
  std::string bytes;
  bool closes = false;  // the connection ends behind it
};

// The URL of a request's head: "http://host/path".
inline std::string url_of_request(std::string_view head) {
  const size_t from = head.find(' ') + 1, host = head.find("\r\nHost: ") + 8;
  return "http://" + std::string(head.substr(host, head.find("\r\n", host) - host)) +
         std::string(head.substr(from, head.find(' ', from) - from));
}

// Reads requests without bodies, and writes what `answer` returns for the head of each.
inline aio::Task<void> answer_heads(std::unique_ptr<aio::Stream> stream,
                                    std::function<Answer(const std::string& head)> answer) {
  std::string input;
  std::vector<char> buffer(4096);
  for (;;) {
    size_t end = std::string::npos;
    while ((end = input.find("\r\n\r\n")) == std::string::npos) {
      const auto got = co_await stream->read(buffer.data(), buffer.size());
      if (!got || *got == 0) co_return;
      input.append(buffer.data(), *got);
    }
    const Answer given = answer(input.substr(0, end));
    input.erase(0, end + 4);
    const auto written = co_await stream->write(given.bytes);
    if (!written || given.closes) co_return;
  }
}

// The same for the URL of each. The connection ends behind an answer that is empty or says "Connection: close".
inline aio::Task<void> answer_requests(std::unique_ptr<aio::Stream> stream,
                                       std::function<std::string(const std::string& url)> answer) {
  return answer_heads(std::move(stream), [answer = std::move(answer)](const std::string& head) {
    Answer given{answer(url_of_request(head)), false};
    given.closes = given.bytes.empty() || given.bytes.contains("Connection: close");
    return given;
  });
}

}  // namespace caddis::testing
