#include "batch.h"

#include <poll.h>
#include <unistd.h>

#include "caddis/base/json_text.h"

namespace caddis::cli {
namespace {

void write_out(std::string& pending) {
  for (size_t done = 0; done < pending.size();) {
    const ssize_t n = ::write(STDOUT_FILENO, pending.data() + done, pending.size() - done);
    if (n < 0) _exit(1);  // the reader has gone: nobody is left to answer
    done += static_cast<size_t>(n);
  }
  pending.clear();
}

bool input_waits() {
  pollfd waiting{STDIN_FILENO, POLLIN, 0};
  return ::poll(&waiting, 1, 0) > 0;
}

// Cuts what comes in pieces into lines; a line within one piece is not copied.
class Lines {
 public:
  explicit Lines(std::function<void(Result<std::string_view>)> take) : take_(std::move(take)) {}

  void feed(std::string_view piece) {
    for (size_t end; (end = piece.find('\n')) != std::string_view::npos; piece.remove_prefix(end + 1))
      end_line(piece.substr(0, end));
    append(piece);
  }
  // The last line may have no end.
  void finish() {
    if (too_long_ || !begun_.empty()) end_line({});
  }

 private:
  static constexpr size_t kMaxLine = 64 << 20;

  void append(std::string_view piece) {
    too_long_ = too_long_ || begun_.size() + piece.size() > kMaxLine;
    if (too_long_)
      begun_ = {};
    else
      begun_ += piece;
  }
  void end_line(std::string_view piece) {
    if (!begun_.empty() || too_long_) {
      append(piece);
      piece = begun_;
    }
    if (piece.ends_with('\r')) piece.remove_suffix(1);
    if (too_long_)
      take_(fail(ErrorCode::limit, "a line of more than 64 MB"));
    else
      take_(piece);
    begun_.clear();
    too_long_ = false;
  }

  const std::function<void(Result<std::string_view>)> take_;
  std::string begun_;  // a line whose end has not come yet
  bool too_long_ = false;
};

}  // namespace

void run_batch(BadItem bad, const std::function<Result<std::string>(std::string_view line)>& answer) {
  constexpr size_t kFlushAt = 256 * 1024;
  std::string output;
  std::string chunk(128 * 1024, '\0');
  Lines lines([&](const Result<std::string_view>& line) {
    auto said = line ? answer(*line) : std::unexpected(line.error());
    if (said)
      output += *said;
    else
      output += bad == BadItem::json ? error_line(said.error().message) : "-";
    output += '\n';
  });
  for (;;) {
    if (output.size() > kFlushAt || !input_waits()) write_out(output);
    const ssize_t n = ::read(STDIN_FILENO, chunk.data(), chunk.size());
    if (n <= 0) break;
    lines.feed(std::string_view(chunk).substr(0, static_cast<size_t>(n)));
  }
  lines.finish();
  write_out(output);
}

std::string error_line(std::string_view message) { return JsonObject().add("error", message).finish(); }

}  // namespace caddis::cli
