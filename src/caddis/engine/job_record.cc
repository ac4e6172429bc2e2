#include "caddis/engine/job_record.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/strings.h"

namespace caddis::engine {
namespace {

constexpr uint64_t kLongestRecord = 64 * 1024;
constexpr size_t kMostKilled = 1000;

Result<bool> read_flag(std::string_view value) {
  if (value == "true") return true;
  if (value == "false") return false;
  return fail(ErrorCode::parse, "is true or false");
}

Result<void> read_number(std::string_view value, uint64_t& into) {
  const auto number = parse_int(value);
  if (!number || *number < 0) return fail(ErrorCode::parse, "is a number");
  into = static_cast<uint64_t>(*number);
  return {};
}

Result<void> set(JobRecord& record, std::string_view name, std::string_view value) {
  const auto flag = [&](bool& into) -> Result<void> {
    TRY(into, read_flag(value));
    return {};
  };
  if (name == "profile") return flag(record.is_profile);
  if (name == "built") return flag(record.is_built);
  if (name == "ending") return flag(record.is_ending);
  if (name == "paused") return flag(record.request.paused);
  if (name == "resume") return flag(record.request.resume);
  if (name == "checkpoint") {
    record.request.checkpoint = value;
  } else if (name == "launch") {
    record.launch = value;
  } else if (name == "end-before") {
    record.end_before = value;
  } else if (name == "killed") {
    record.killed.emplace_back(value);
  } else if (name == "memory") {
    return read_number(value, record.memory);
  } else if (name == "ticket") {
    return read_number(value, record.ticket);
  }
  return {};  // a newer engine may say more
}

}  // namespace

bool was_killed(const JobRecord& record, std::string_view launch) {
  return std::ranges::find(record.killed, launch) != record.killed.end();
}

void set_killed(JobRecord& record, const std::string& launch, bool is_killed) {
  std::erase(record.killed, launch);
  if (!is_killed) return;
  if (record.killed.size() >= kMostKilled) record.killed.erase(record.killed.begin());
  record.killed.push_back(launch);
}

std::string format_record(const JobRecord& record) {
  std::string text = fmt::format("# Kept by the engine.\nprofile: {}\nbuilt: {}\n", record.is_profile, record.is_built);
  if (!record.launch.empty()) text += fmt::format("launch: {}\n", record.launch);
  if (record.is_ending) text += "ending: true\n";
  if (!record.end_before.empty()) text += fmt::format("end-before: {}\n", record.end_before);
  for (const std::string& launch : record.killed) text += fmt::format("killed: {}\n", launch);
  if (record.memory > 0) text += fmt::format("memory: {}\n", record.memory);
  if (record.ticket == 0) return text;
  text +=
      fmt::format("ticket: {}\npaused: {}\nresume: {}\n", record.ticket, record.request.paused, record.request.resume);
  if (!record.request.checkpoint.empty()) text += fmt::format("checkpoint: {}\n", record.request.checkpoint);
  return text;
}

Result<JobRecord> parse_record(std::string_view text) {
  JobRecord record;
  size_t number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    if (trim(line).empty() || line.starts_with('#')) continue;
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos) return fail(ErrorCode::parse, fmt::format("line {}: no colon", number));
    const std::string_view name = trim(line.substr(0, colon));
    if (const auto done = set(record, name, trim(line.substr(colon + 1))); !done)
      return fail(ErrorCode::parse, fmt::format("line {}: {} {}", number, name, done.error().message));
  }
  return record;
}

Result<JobRecord> read_record(io::Files& files, const std::string& path) {
  const auto text = files.read_all(path, kLongestRecord);
  if (!text && text.error().code == ErrorCode::not_found) return JobRecord();
  if (!text) return std::unexpected(text.error());
  auto record = parse_record(*text);
  if (!record) return pass(std::move(record).error(), path);
  return record;
}

Result<void> write_record(io::Files& files, const std::string& path, const JobRecord& record) {
  return files.write_atomically(path, format_record(record));
}

}  // namespace caddis::engine
