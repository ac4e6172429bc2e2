// The server's end of a simulated connection, for tests that make up what a web answers.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "caddis/aio/network.h"
#include "caddis/aio/task.h"

namespace caddis::testing {

// Reads requests without bodies, and writes what `answer` returns for the URL of each ("http://host/path"). The connection
// ends after an answer that is empty or says "Connection: close".
inline aio::Task<void> answer_requests(std::unique_ptr<aio::Stream> stream,
                                       std::function<std::string(const std::string& url)> answer) {
  std::string input;
  std::vector<char> buffer(4096);
  for (;;) {
    size_t end = std::string::npos;
    while ((end = input.find("\r\n\r\n")) == std::string::npos) {
      const auto got = co_await stream->read(buffer.data(), buffer.size());
      if (!got || *got == 0) co_return;
      input.append(buffer.data(), *got);
    }
    const size_t from = input.find(' ') + 1;
    const size_t host = input.find("\r\nHost: ") + 8;
    const std::string url = "http://" + input.substr(host, input.find("\r\n", host) - host) +
                            input.substr(from, input.find(' ', from) - from);
    input.erase(0, end + 4);
    const std::string bytes = answer(url);
    const auto written = co_await stream->write(bytes);
    if (!written || bytes.empty() || bytes.contains("Connection: close")) co_return;
  }
}

}  // namespace caddis::testing
