#include "caddis/archive/file_names.h"

#include <fmt/format.h>

#include "caddis/base/time_format.h"
#include "caddis/base/visible.h"
#include "caddis/settings/checks.h"

namespace caddis::archive {
namespace {

constexpr std::string_view kVariables =
    "{prefix}, {timestamp12}, {timestamp14}, {timestamp17}, {serialno}, {pid}, {host}, {fqdn}, {port}";

constexpr size_t kLongestName = 240;  // of 255 that file systems have; ".open" and the like stand behind it

// As long as they may be.
NameParts longest_parts() {
  return {std::string(100, 'x'), {}, 9'999'999, "4194304", std::string(64, 'x'), std::string(64, 'x'), 65535};
}

// Appends the value of a variable; false if there is none of that name.
bool expand(std::string_view name, const NameParts& parts, std::string& out) {
  if (name == "prefix")
    out += parts.prefix;
  else if (name == "timestamp12")
    out += timestamp14(parts.time).substr(0, 12);
  else if (name == "timestamp14")
    out += timestamp14(parts.time);
  else if (name == "timestamp17")
    out += timestamp17(parts.time);
  else if (name == "serialno")
    out += fmt::format("{:05}", parts.serial);
  else if (name == "pid" || name == "heritrix.pid")
    out += parts.pid;
  else if (name == "host" || name == "heritrix.hostname")
    out += parts.host;
  else if (name == "fqdn")
    out += parts.full_host.empty() ? parts.host : parts.full_host;
  else if (name == "port" || name == "heritrix.port")
    out += std::to_string(parts.port);
  else
    return false;
  return true;
}

// Calls `text` for what stands between variables and `variable` for each; false if a brace is not closed.
template <class Text, class Variable>
bool walk(std::string_view name_template, const Text& text, const Variable& variable) {
  for (;;) {
    const size_t open = name_template.find('{');
    std::string_view before = name_template.substr(0, open);
    if (open != std::string_view::npos && before.ends_with('$')) before.remove_suffix(1);
    text(before);
    if (open == std::string_view::npos) return true;
    const size_t close = name_template.find('}', open);
    if (close == std::string_view::npos) return false;
    variable(name_template.substr(open + 1, close - open - 1));
    name_template.remove_prefix(close + 1);
  }
}

}  // namespace

Result<void> check_name_template(std::string_view name_template) {
  std::string unknown, ignored;
  bool serial = false;
  const bool closed = walk(
      name_template, [](std::string_view) {},
      [&](std::string_view name) {
        serial |= name == "serialno";
        if (!expand(name, NameParts{}, ignored)) unknown = name;
      });
  if (!closed)
    return fail(ErrorCode::config,
                fmt::format("name-template '{}' has a brace that is not closed", visible(name_template, kQuoted)));
  if (!unknown.empty())
    return fail(ErrorCode::config, fmt::format("name-template has the unknown variable {{{}}}; there are {}",
                                               visible(unknown, kQuoted), kVariables));
  if (!serial)
    return fail(ErrorCode::config, "name-template needs {serialno}: without it two files would have one name");
  TRY_VOID(settings::file_name_part(name_template));
  const size_t longest = archive_file_name(name_template, longest_parts(), ".warc.gz").size();
  if (longest > kLongestName)
    return fail(
        ErrorCode::config,
        fmt::format("name-template makes names of {} bytes with a long prefix and a long host name; file systems "
                    "take {}: name fewer variables",
                    longest, kLongestName));
  return {};
}

std::string archive_file_name(std::string_view name_template, const NameParts& parts, std::string_view ending) {
  std::string name;
  walk(
      name_template, [&](std::string_view text) { name += text; },
      [&](std::string_view variable) { expand(variable, parts, name); });
  for (char& c : name)
    if (c == '/' || c == '\0' || static_cast<unsigned char>(c) < 0x20) c = '_';
  return name.append(ending);
}

std::string file_ending(WriterKind kind, warc::Packing packing) {
  std::string ending = fmt::format(".{}", to_string(kind));
  if (packing == warc::Packing::gzip) ending += ".gz";
  if (packing == warc::Packing::zstd) ending += ".zst";
  return ending;
}

}  // namespace caddis::archive
