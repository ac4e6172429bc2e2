// caddis log convert: crawl.log as the logs by protocol and by fate, and back, without loss.
//
// Converted logs stand in a folder, a file each. Back again, their lines are merged by the places where they stood;
// lines that a crawl wrote, by time.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "caddis/base/counted.h"
#include "caddis/io/files.h"
#include "caddis/io/new_text_file.h"
#include "caddis/io/text_lines.h"
#include "caddis/logs/json_line.h"
#include "caddis/logs/line_upgrade.h"
#include "caddis/logs/link_words.h"
#include "caddis/logs/log_files.h"
#include "log_commands.h"
#include "tell.h"

namespace caddis::cli {
namespace {

constexpr std::string_view kSuffix = ".jsonl";

struct ConvertArguments {
  std::vector<std::string> inputs;
  std::string to;
  bool back = false;
};

// Bytes of lines, also of those longer than TextLines takes, are not the business of logs: such a line is an error.
Result<uint64_t> write_upgraded(const ConvertArguments& arguments) {
  io::Files& files = io::real_files();
  TRY_VOID(files.make_dirs(arguments.to));
  std::map<std::string, io::NewTextFile> logs;  // without names until all of them are whole
  uint64_t number = 0;
  for (const std::string& input : arguments.inputs) {
    TRY(const auto lines, io::TextLines::open(files, input));
    lines->keep_returns();
    for (;;) {
      TRY(const auto line, lines->next());
      if (!line) break;
      const logs::UpgradedLine upgraded = logs::upgraded_line(*line, ++number, lines->was_whole());
      auto log = logs.find(upgraded.log);
      if (log == logs.end()) {
        TRY(auto file,
            io::NewTextFile::create(files, io::join_path(arguments.to, upgraded.log + std::string(kSuffix))));
        log = logs.emplace(upgraded.log, std::move(file)).first;
        TRY_VOID(log->second.add(logs::upgraded_header(upgraded.log)));
      }
      TRY_VOID(log->second.add(upgraded.json));
    }
  }
  for (auto& [name, log] : logs) TRY_VOID(log.finish());
  return number;
}

// The folders of the path that are not there, the innermost first.
std::vector<std::string> missing_folders(const std::string& path) {
  std::vector<std::string> missing;
  for (std::string folder = path; !folder.empty() && !io::real_files().exists(folder); folder = io::parent_path(folder))
    missing.push_back(folder);
  return missing;
}

// If it fails, folders that it has made go again.
Result<uint64_t> upgrade(const ConvertArguments& arguments) {
  const std::vector<std::string> made = missing_folders(arguments.to);
  auto done = write_upgraded(arguments);
  if (!done)
    for (const std::string& folder : made)
      if (!io::real_files().remove(folder)) break;
  return done;
}

// The lines of one of the logs, each with its place among all.
class JsonSource {
 public:
  static Result<JsonSource> open(const std::string& path) {
    JsonSource source;
    TRY(auto opened, logs::open_log_file(io::real_files(), path));
    source.path_ = opened.path;
    TRY(source.lines_, io::TextLines::open(std::move(opened.file), opened.path));
    TRY_VOID(source.advance());
    return source;
  }
  bool at_end() const { return at_end_; }
  const logs::JsonLine& line() const { return *line_; }
  // Lines that were converted by their numbers; those of a crawl by time.
  std::tuple<uint64_t, std::string_view> place() const { return {number_, time_}; }
  Result<void> advance() {
    do {
      TRY(const auto text, lines_->next());
      at_end_ = !text;
      if (at_end_) return {};
      *text_ = *text;
      if (!line_->parse(*text_)) return fail(ErrorCode::parse, path_ + " has a line that is no JSON object");
      // Links that were not queued have no line in crawl.log.
    } while (line_->is_header() || logs::is_about_link(*line_));
    number_ = logs::legacy_number(*line_);
    time_ = line_->text("time", *room_);
    return {};
  }

 private:
  std::string path_;
  std::unique_ptr<io::TextLines> lines_;
  // Views into them stay where they are if the source is moved.
  std::unique_ptr<std::string> text_ = std::make_unique<std::string>(), room_ = std::make_unique<std::string>();
  std::unique_ptr<logs::JsonLine> line_ = std::make_unique<logs::JsonLine>();
  uint64_t number_ = 0;
  std::string_view time_;
  bool at_end_ = false;
};

// The paths of the logs in a folder, without those of scope and links. A log has several files, and may be there in two
// forms while it is packed: `logs::files_of_log` knows which of them count.
Result<std::set<std::string>> logs_in(const std::string& folder) {
  std::set<std::string> paths;
  TRY(const auto entries, io::real_files().list(folder));
  for (const auto& entry : entries) {
    const size_t suffix = entry.name.find(kSuffix);
    const std::string_view name = std::string_view(entry.name).substr(0, suffix);
    const bool is_other = name == "scope" || name == "outlinks" || name == "pages" || name == "mirror";
    if (!entry.is_directory && suffix != std::string::npos && !is_other)
      paths.insert(io::join_path(folder, entry.name.substr(0, suffix + kSuffix.size())));
  }
  return paths;
}

// Files, and of folders those of their logs.
Result<std::vector<std::string>> json_inputs(const std::vector<std::string>& inputs) {
  std::vector<std::string> all;
  for (const std::string& input : inputs) {
    if (!io::real_files().is_directory(input)) {
      all.push_back(input);
      continue;
    }
    TRY(const auto paths, logs_in(input));
    for (const std::string& path : paths) {
      TRY(const auto files, logs::files_of_log(io::real_files(), path));
      all.insert(all.end(), files.begin(), files.end());
    }
  }
  if (all.empty()) return fail(ErrorCode::not_found, "there are no *.jsonl to convert");
  return all;
}

Result<uint64_t> downgrade(const ConvertArguments& arguments) {
  TRY(const auto inputs, json_inputs(arguments.inputs));
  TRY(auto file, io::NewTextFile::create(io::real_files(), arguments.to));
  std::vector<JsonSource> sources;
  for (const std::string& input : inputs) {
    TRY(auto source, JsonSource::open(input));
    sources.push_back(std::move(source));
  }
  for (uint64_t lines = 0;; ++lines) {
    std::erase_if(sources, [](const JsonSource& source) { return source.at_end(); });
    if (sources.empty()) {
      TRY_VOID(file.finish());
      return lines;
    }
    const auto next =
        std::ranges::min_element(sources, [](const auto& a, const auto& b) { return a.place() < b.place(); });
    TRY_VOID(file.add(logs::downgraded_line(next->line()), !logs::legacy_lacks_end(next->line())));
    TRY_VOID(next->advance());
  }
}

Result<std::vector<std::string>> existing(const std::vector<std::string>& inputs) {
  std::vector<std::string> all;
  for (const std::string& input : inputs) {
    if (!io::real_files().exists(input)) return fail(ErrorCode::not_found, input + " is not there");
    all.push_back(input);
  }
  return all;
}

}  // namespace

void add_log_convert_command(CLI::App& log, int& exit_code) {
  CLI::App* command = log.add_subcommand(
      "convert", "Turn crawl.log (Caddis's, Heritrix's) into the logs in JSON, and back, without loss");
  const auto arguments = std::make_shared<ConvertArguments>();
  command->add_option("input", arguments->inputs, "Files, gzip or not; with --back also a folder of *.jsonl")
      ->required();
  command->add_option("--to", arguments->to, "A folder for the new logs; with --back the file to be written")
      ->required();
  command->add_flag("--back", arguments->back, "From the logs in JSON to crawl.log");
  command->callback([arguments, &exit_code] {
    auto inputs = existing(arguments->inputs);
    auto done = !inputs           ? Result<uint64_t>(std::unexpected(inputs.error()))
                : arguments->back ? downgrade(*arguments)
                                  : upgrade(*arguments);
    if (!done) {
      tell(fmt::format("caddis log convert: {}\n", done.error().message));
      exit_code = 2;
      return;
    }
    tell(fmt::format("{} converted\n", counted(*done, "line")), stdout);
  });
}

}  // namespace caddis::cli
