#include "caddis/io/chunked.h"

#include <algorithm>

#include "caddis/base/strings.h"
#include "fmt/format.h"

namespace caddis::io {
namespace {

std::string_view without_line_end(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  while (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// The hexadecimal size at the front of a size line; -1 where there is none, or one that cannot be true.
int64_t parse_size_line(std::string_view line) {
  line = trim(line);
  size_t digits = 0;
  int64_t size = 0;
  for (; digits < line.size() && hex_value(line[digits]) >= 0; ++digits) {
    size = size * 16 + hex_value(line[digits]);
    if (static_cast<uint64_t>(size) > kLargestBody) return -1;
  }
  if (digits == 0) return -1;
  const std::string_view rest = trim(line.substr(digits));
  return rest.empty() || rest.starts_with(';') ? size : -1;
}

bool begins_size_line(char c) { return hex_value(c) >= 0 || c == ' ' || c == '\t'; }

}  // namespace

void ChunkedDecoder::fail(std::string problem) {
  state_ = State::broken;
  problem_ = fmt::format("{} at byte {} of the chunked body", problem, consumed_);
}

std::string_view ChunkedDecoder::next(std::string_view& input) {
  while (!input.empty()) {
    switch (state_) {
      case State::size:
        if (line_.empty() && !begins_size_line(input.front()))
          fail("no chunk size");
        else
          take_line(input, &ChunkedDecoder::on_size_line);
        break;
      case State::data: {
        const size_t n = static_cast<size_t>(std::min<uint64_t>(left_, input.size()));
        const std::string_view piece = input.substr(0, n);
        input.remove_prefix(n);
        consumed_ += n;
        decoded_ += n;
        left_ -= n;
        if (left_ == 0) state_ = State::data_end;
        return piece;
      }
      case State::data_end: {
        const char c = input.front();
        if (c == '\r' || c == '\n') {
          input.remove_prefix(1);
          ++consumed_;
          if (c == '\n') state_ = State::size;
        } else {
          fail("a chunk is longer than its size line says");
        }
        break;
      }
      case State::trailer:
        take_line(input, &ChunkedDecoder::on_trailer_line);
        break;
      case State::done:
      case State::broken:
        return {};
    }
  }
  return {};
}

void ChunkedDecoder::take_line(std::string_view& input, void (ChunkedDecoder::*done)()) {
  const size_t end = input.find('\n');
  const size_t n = end == std::string_view::npos ? input.size() : end + 1;
  if (line_.size() + n > kMaxLine) return fail("an overlong line");
  line_ += input.substr(0, n);
  input.remove_prefix(n);
  if (end != std::string_view::npos) {
    (this->*done)();
    line_.clear();
  }
  consumed_ += n;
}

void ChunkedDecoder::on_size_line() {
  const int64_t size = parse_size_line(without_line_end(line_));
  if (size < 0) return fail("no chunk size");
  was_chunked_ = true;
  left_ = static_cast<uint64_t>(size);
  state_ = size == 0 ? State::trailer : State::data;
}

void ChunkedDecoder::on_trailer_line() {
  if (without_line_end(line_).empty()) {
    state_ = State::done;
  } else if (trailer_.size() + line_.size() > kMaxTrailer) {
    fail("an endless trailer");
  } else {
    trailer_ += line_;
  }
}

Dechunked dechunk(std::string_view body) {
  Dechunked result;
  ChunkedDecoder decoder;
  decoder.feed(body, [&](std::string_view piece) { result.bytes += piece; });
  result.complete = decoder.has_all_data();
  result.was_chunked = decoder.was_chunked();
  if (!result.was_chunked) {
    result.bytes = body;
    result.complete = body.empty();
  }
  return result;
}

}  // namespace caddis::io
