#include "caddis/rest/job_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "caddis/base/strings.h"

namespace caddis::rest {
namespace {

constexpr size_t kMostEntries = 100'000;
constexpr uint64_t kLargestText = 64 << 20;

// Passwords of sites, and the token of the crawl's control API.
constexpr std::array<std::string_view, 2> kSecrets = {"secrets.yaml", "control.token"};
bool is_secret(std::string_view name) { return std::ranges::find(kSecrets, name) != kSecrets.end(); }

// Beside the jobs lie the users with their passwords, the key of TLS, and files of the engine.
bool may_be_job(const io::DirectoryEntry& entry) { return entry.is_directory && !entry.name.starts_with('.'); }

// Files that the engine writes, and that nobody else may.
constexpr std::array<std::string_view, 2> kEnginesOwn = {"job.yaml", "job.log"};

Result<std::vector<std::string_view>> parts_of(std::string_view path) {
  std::vector<std::string_view> parts;
  if (path.contains('\0')) return fail(ErrorCode::denied, "the path holds a NUL");
  for (const std::string_view part : split(path, '/')) {
    if (part.empty()) continue;
    if (part == "." || part == "..")
      return fail(ErrorCode::denied, fmt::format("{} leaves its folder: give the path without \".\" and \"..\"", path));
    parts.push_back(part);
  }
  return parts;
}

}  // namespace

bool is_launch(std::string_view name) {
  const std::string_view digits = name.substr(0, name.find('-'));
  return digits.size() == 14 && std::ranges::all_of(digits, is_digit);
}

Result<std::string> JobFiles::link_target(const std::string& folder, std::string_view name) const {
  const auto newest = [&](const std::string& of, const auto& matches) -> std::optional<std::string> {
    const auto entries = files_.list(of);
    if (!entries) return std::nullopt;
    std::optional<std::string> found;
    for (const io::DirectoryEntry& entry : *entries)
      if (entry.is_directory && !entry.is_link && matches(entry.name)) found = io::join_path(of, entry.name);
    return found;
  };
  if (name == "latest") {
    if (auto launch = newest(folder, is_launch)) return *std::move(launch);
  } else if (is_launch(io::base_name(folder))) {
    if (name == "warcs") return folder + "/archive";
    if (name == "logs" || name == "reports" || name == "state" || name == "action")
      if (auto crawl = newest(folder + "/crawls", [](std::string_view) { return true; }))
        return io::join_path(*crawl, name);
  }
  return fail(ErrorCode::denied, fmt::format("{}/{} is a link, and not one of the engine's", folder, name));
}

// `depth`: 0 in the folder of the jobs.
Result<std::string> JobFiles::step_into(const std::string& folder, std::string_view name, size_t depth) const {
  TRY(const auto entries, files_.list(folder));
  const auto found = std::ranges::find(entries, name, &io::DirectoryEntry::name);
  if (found == entries.end() || is_secret(name) || (depth == 0 && !may_be_job(*found)))
    return fail(ErrorCode::not_found, fmt::format("there is no {}/{}", folder, name));
  if (!found->is_link) return io::join_path(folder, name);
  if (depth == 0) return fail(ErrorCode::denied, fmt::format("{}/{} is a link", folder, name));
  return link_target(folder, name);
}

Result<std::string> JobFiles::find(std::string_view path) const {
  TRY(const auto parts, parts_of(path));
  std::string at = root_;
  for (size_t depth = 0; depth < parts.size(); ++depth) {
    if (depth > 0 && !files_.is_directory(at)) return fail(ErrorCode::not_found, fmt::format("{} is no folder", at));
    TRY(at, step_into(at, parts[depth], depth));
  }
  return at;
}

Result<std::string> JobFiles::find_whole(std::string_view path) const {
  const bool is_below = path.starts_with(root_) && (path.size() == root_.size() || path[root_.size()] == '/');
  if (!is_below)
    return fail(ErrorCode::denied, fmt::format("{} is not below {}, which is all that can be read here", path, root_));
  return find(path.substr(root_.size()));
}

Result<std::vector<JobFiles::Entry>> JobFiles::list(std::string_view path) const {
  TRY(const std::string folder, find(path));
  if (!files_.is_directory(folder)) return fail(ErrorCode::not_found, fmt::format("{} is no folder", folder));
  TRY(const auto entries, files_.list(folder));
  std::vector<Entry> list;
  const bool is_root = folder == root_;
  for (const io::DirectoryEntry& entry : entries)
    if (!is_secret(entry.name) && (!is_root || may_be_job(entry)))
      list.push_back(Entry{fmt::format("{}/{}", path, entry.name), entry.is_directory});
  return list;
}

Result<void> JobFiles::add_all(std::string path, std::vector<Entry>& entries) const {
  TRY(const std::string folder, find(path));
  TRY(const auto below, files_.list(folder));
  for (const io::DirectoryEntry& entry : below) {
    if (entry.is_link || is_secret(entry.name)) continue;
    std::string name = fmt::format("{}/{}", path, entry.name);
    if (entry.is_directory) TRY_VOID(add_all(name, entries));
    if (entries.size() == kMostEntries)
      return fail(ErrorCode::limit, fmt::format("{} holds more than {} files", path, kMostEntries));
    entries.push_back(Entry{std::move(name), entry.is_directory});
  }
  return {};
}

Result<std::vector<JobFiles::Entry>> JobFiles::list_all(std::string_view path) const {
  std::vector<Entry> entries;
  TRY_VOID(add_all(std::string(path), entries));
  entries.push_back(Entry{std::string(path), true});
  return entries;
}

Result<std::string> JobFiles::read(std::string_view path) const {
  TRY(const std::string file, find(path));
  return files_.read_all(file, kLargestText);
}

Result<void> JobFiles::write(std::string_view path, std::string_view bytes) const {
  TRY(const auto parts, parts_of(path));
  if (parts.size() < 2) return fail(ErrorCode::denied, "name a file of a job");
  if (is_launch(parts[1]) || parts[1] == "latest" || parts[1] == "imported" ||
      (parts.size() == 2 && std::ranges::find(kEnginesOwn, parts[1]) != kEnginesOwn.end()) || is_secret(parts.back()))
    return fail(
        ErrorCode::denied,
        fmt::format("{} is written by the engine and its crawls alone: put files beside the configuration", path));
  TRY(std::string folder, find(parts[0]));
  for (size_t depth = 1; depth + 1 < parts.size(); ++depth) {
    auto next = step_into(folder, parts[depth], depth);
    if (!next && next.error().code != ErrorCode::not_found) return std::unexpected(std::move(next).error());
    folder = next ? *std::move(next) : io::join_path(folder, parts[depth]);
  }
  TRY_VOID(files_.make_dirs(folder));
  const std::string file = io::join_path(folder, parts.back());
  if (files_.is_directory(file)) return fail(ErrorCode::conflict, fmt::format("{} is a folder", file));
  TRY_VOID(files_.write_atomically(file, bytes));
  // A crawl.yaml beside it would count instead; it is kept under another name.
  const std::string yaml = io::join_path(folder, "crawl.yaml");
  if (parts.size() == 2 && parts[1] == "crawler-beans.cxml" && files_.exists(yaml))
    return files_.rename(yaml, yaml + ".before");
  return {};
}

}  // namespace caddis::rest
