// Calls a function for each line of a text file, plain or gzip. One thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "caddis/base/error.h"
#include "caddis/io/text_lines.h"

namespace caddis::wacz {

using LineSink = std::function<Result<void>(std::string_view line)>;

inline Result<void> each_line(std::unique_ptr<io::File> file, const std::string& path, const LineSink& use) {
  TRY(const auto lines, io::TextLines::open(std::move(file), path));
  for (;;) {
    TRY(const auto line, lines->next());
    if (!line) return {};
    TRY_VOID(use(*line));
  }
}

}  // namespace caddis::wacz
