// The manifest of a checkpoint: docs/formats/checkpoint.md.

#include <fmt/format.h>

#include <map>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/crawl/checkpoint.h"

namespace caddis::crawl {
namespace {

constexpr std::string_view kFirstLine = "caddis-checkpoint 1";
constexpr std::string_view kLastLine = "end";
constexpr size_t kMostLogs = 100'000;

std::unexpected<Error> damaged(size_t line, std::string_view what) {
  return fail(ErrorCode::corrupt, fmt::format("line {} of the manifest: {}", line, what));
}

void add_logs(std::string& out, std::string_view name, const std::vector<Checkpoint::Log>& logs) {
  for (const Checkpoint::Log& log : logs) out += fmt::format("{}: {} {} {}\n", name, log.length, log.stream, log.file);
}

Result<uint64_t> number_in(std::string_view text, size_t line) {
  const auto number = parse_int(text);
  if (!number || *number < 0) return damaged(line, fmt::format("'{}' is no number", text));
  return static_cast<uint64_t>(*number);
}

Result<Checkpoint::Log> parse_log(std::string_view text, size_t line) {
  const auto words = split(text, ' ');
  if (words.size() != 3 || words[1].empty() || words[2].empty() || words[2].find('/') != std::string_view::npos)
    return damaged(line, "a log is: length stream file");
  TRY(const uint64_t length, number_in(words[0], line));
  return Checkpoint::Log{std::string(words[1]), length, std::string(words[2])};
}

Result<void> take(Checkpoint& into, std::string_view name, std::string_view value, size_t line) {
  const std::map<std::string_view, std::string*> texts = {
      {"name", &into.name}, {"launch", &into.launch}, {"state", &into.format}};
  const std::map<std::string_view, uint64_t*> numbers = {{"number", &into.number},
                                                         {"documents", &into.documents},
                                                         {"bytes", &into.bytes},
                                                         {"queued", &into.queued},
                                                         {"seen", &into.seen}};
  if (const auto text = texts.find(name); text != texts.end()) {
    *text->second = value;
  } else if (const auto number = numbers.find(name); number != numbers.end()) {
    TRY(*number->second, number_in(value, line));
  } else if (name == "kept") {
    into.is_kept = value == "yes";
  } else if (name == "time") {
    TRY(into.taken, parse_w3c_date(value));
  } else if (name == "log" || name == "seen-part") {
    auto& logs = name == "log" ? into.logs : into.seen_parts;
    if (logs.size() == kMostLogs) return damaged(line, "too many logs");
    TRY(Checkpoint::Log log, parse_log(value, line));
    logs.push_back(std::move(log));
  } else {
    return damaged(line, fmt::format("'{}' is not known", name));
  }
  return {};
}

}  // namespace

std::string format_manifest(const Checkpoint& checkpoint) {
  std::string out = fmt::format("{}\nname: {}\nnumber: {}\nkept: {}\ntime: {}\nlaunch: {}\nstate: {}\n", kFirstLine,
                                checkpoint.name, checkpoint.number, checkpoint.is_kept ? "yes" : "no",
                                rfc3339_micros(checkpoint.taken), checkpoint.launch, checkpoint.format);
  out += fmt::format("documents: {}\nbytes: {}\nqueued: {}\nseen: {}\n", checkpoint.documents, checkpoint.bytes,
                     checkpoint.queued, checkpoint.seen);
  add_logs(out, "log", checkpoint.logs);
  add_logs(out, "seen-part", checkpoint.seen_parts);
  return out + fmt::format("{}\n", kLastLine);
}

Result<Checkpoint> parse_manifest(std::string_view text) {
  const auto lines = split(text, '\n');
  if (lines.front().starts_with("caddis-checkpoint ") && lines.front() != kFirstLine)
    return fail(
        ErrorCode::unsupported,
        fmt::format("it is a '{}'; this Caddis reads '{}': use the version that took it", lines.front(), kFirstLine));
  if (lines.front() != kFirstLine) return damaged(1, "this is no manifest of a checkpoint");
  Checkpoint read;
  for (size_t at = 1; at < lines.size(); ++at) {
    if (lines[at] == kLastLine) {
      if (read.name.empty() || read.format.empty()) return damaged(at + 1, "name or state is missing");
      return read;
    }
    const size_t colon = lines[at].find(": ");
    if (colon == std::string_view::npos) return damaged(at + 1, "no 'name: value'");
    TRY_VOID(take(read, lines[at].substr(0, colon), lines[at].substr(colon + 2), at + 1));
  }
  return damaged(lines.size(), "it ends early");
}

}  // namespace caddis::crawl
