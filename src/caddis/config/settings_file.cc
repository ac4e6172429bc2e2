#include "caddis/config/settings_file.h"

#include <fmt/format.h>

#include <cstdlib>

#include "caddis/base/strings.h"
#include "caddis/config/profiles.h"
#include "caddis/io/files.h"

namespace caddis::config {
namespace {

constexpr size_t kMostSecret = 100'000;

std::unexpected<Error> refuse(std::string message) { return fail(ErrorCode::config, std::move(message)); }

Result<std::string> read_file(io::Files& files, const std::string& path) {
  auto text = files.read_all(path, settings::kMostYaml);
  if (text) return text;
  Error error = std::move(text).error();
  if (error.code == ErrorCode::limit)
    return refuse(
        fmt::format("{}: larger than {} MB, this is no settings file (many seeds are given with --seeds FILE)", path,
                    settings::kMostYaml / 1'000'000));
  if (error.code == ErrorCode::unsupported) error.code = ErrorCode::config;
  return std::unexpected(std::move(error));
}

// A path counts from the folder of the file that names it.
std::string path_from(const std::string& named, const std::string& by) {
  if (named.starts_with('/')) return named;
  const size_t slash = by.rfind('/');
  return slash == by.npos ? named : io::join_path(by.substr(0, slash), named);
}

// "a/./b/../c.yaml" is "a/c.yaml": a file that extends itself by another path is found out.
std::string plain_path(std::string_view path) {
  std::vector<std::string_view> parts;
  for (const std::string_view part : split(path, '/')) {
    if (part.empty() || part == ".") continue;
    if (part == ".." && !parts.empty() && parts.back() != "..")
      parts.pop_back();
    else
      parts.push_back(part);
  }
  return fmt::format("{}{}", path.starts_with('/') ? "/" : "", fmt::join(parts, "/"));
}

bool is_file_name(std::string_view named) {
  return named.find('/') != named.npos || named.ends_with(".yaml") || named.ends_with(".yml");
}

Result<settings::BaseFile> find_base(io::Files& files, const std::string& named, const std::string& by) {
  if (!is_file_name(named)) {
    TRY(const Profile* const profile, find_profile(named));
    return settings::BaseFile{profile_title(*profile), std::string(profile->yaml)};
  }
  const std::string path = plain_path(path_from(named, by));
  if (!files.exists(path)) return refuse(fmt::format("there is no file {}", path));
  TRY(std::string text, read_file(files, path));
  return settings::BaseFile{path, std::move(text)};
}

Result<std::string> secret_of(io::Files& files, std::string_view named, const std::string& by) {
  constexpr std::string_view kFile = "file:";
  if (named.starts_with(kFile)) {
    const std::string path = path_from(std::string(named.substr(kFile.size())), by);
    auto text = files.read_all(path, kMostSecret);
    if (!text) return refuse(fmt::format("its secret cannot be read: {}", text.error().message));
    while (text->ends_with('\n') || text->ends_with('\r')) text->pop_back();
    if (text->empty()) return refuse(fmt::format("its secret is to stand in {}, which is empty", path));
    return text;
  }
  const std::string name(named);
  if (name.empty() || name.contains(':'))
    return refuse(
        fmt::format("'${{{}}}' names no secret: write ${{NAME}} for a variable of the environment, or "
                    "${{file:PATH}} for a file",
                    name));
  const char* const value = std::getenv(name.c_str());
  if (value == nullptr || *value == '\0')
    return refuse(
        fmt::format("its secret is to stand in the environment as {0}, which is not set there: export {0}=…, or write "
                    "$${{ where ${{ itself is meant",
                    name));
  return std::string(value);
}

Result<std::string> resolve(io::Files& files, std::string_view text, const std::string& by) {
  constexpr std::string_view kBegin = "${", kItself = "$${";
  std::string out;
  while (!text.empty()) {
    if (text.starts_with(kItself)) {
      out += kBegin;
      text.remove_prefix(kItself.size());
    } else if (text.starts_with(kBegin)) {
      const size_t end = text.find('}');
      if (end == text.npos) return refuse("'${' lacks its '}' (write $${ where ${ itself is meant)");
      TRY(const std::string secret, secret_of(files, text.substr(kBegin.size(), end - kBegin.size()), by));
      out += secret;
      text.remove_prefix(end + 1);
    } else {
      out += text.front();
      text.remove_prefix(1);
    }
  }
  return out;
}

}  // namespace

std::string literal(std::string_view secret) {
  std::string out(secret);
  for (size_t at = 0; (at = out.find("${", at)) != std::string::npos; at += 3) out.insert(at, "$");
  return out;
}

Result<void> load_settings_file(io::Files& files, const std::string& path, Settings& into) {
  return load_settings_file(files, "", path, into);
}

Result<void> load_settings_file(io::Files& files, std::string_view profile, const std::string& path, Settings& into) {
  settings::Composition composition{
      .find = [&](const std::string& named, const std::string& by) { return find_base(files, named, by); },
      .resolve = [&](const std::string& text, const std::string& by) { return resolve(files, text, by); },
      .first = modules_first(into),
      .sheets = {}};
  std::string name = path;
  if (!profile.empty()) {
    TRY(const Profile* const found, find_profile(profile));
    if (path.empty()) name = profile_title(*found);
    TRY_VOID(settings::load_yaml(found->yaml, profile_title(*found), sections_of(into), composition));
  }
  if (!path.empty()) {
    TRY(const std::string text, read_file(files, path));
    TRY_VOID(settings::load_yaml(text, path, sections_of(into), composition));
  }
  if (composition.has_sheets) into.sheets = std::move(composition.sheets);
  return validate_laid(into, name);
}

Result<void> load_own_settings(io::Files& files, Settings& into) {
  const char* const home = std::getenv("HOME");
  const std::string own = std::string(home == nullptr ? "" : home) + "/.config/caddis/caddis.yaml";
  if (home != nullptr && files.exists(own)) TRY_VOID(load_settings_file(files, own, into));
  const char* const contact = std::getenv("CADDIS_CONTACT");
  if (contact == nullptr) return {};
  return settings::apply(into.crawl, "contact", contact, "CADDIS_CONTACT");
}

}  // namespace caddis::config
