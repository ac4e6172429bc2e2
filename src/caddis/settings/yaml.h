// Settings as YAML 1.2 files: a mapping of sections, each a mapping of names to scalars (or to sequences, for lists).
//
//   scope:
//     kind: host
//     exclude: ['/calendar/', 'sessionid=']
//
// Beside the sections may stand `sheets` (sheet.h), and in files of people `extends`: other files, which are laid first.
//
// Files of people: every problem is reported with file and line, up to ten at once; unknown and doubled names are
// refused. Limits: kMostYaml of text, and what it says with all aliases resolved (yaml_tree.h). Any thread.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/settings/sections.h"
#include "caddis/settings/sheet.h"

namespace caddis::settings {

// Bytes of a settings file.
inline constexpr size_t kMostYaml = 64'000'000;

// A section that decides which others there are. It is read before them, wherever it stands.
struct FirstSection {
  std::string_view name;
  // Returns all sections, once it is read; also if the file does not have it. An error is told with its line.
  std::function<Result<Sections>()> all;
};

// Sets what the file names and leaves the rest; all sheets together count as one name. After an error the structs may
// be partly changed.
Result<void> load_yaml(std::string_view text, std::string_view file_name, const Sections& into,
                       Sheets* sheets = nullptr, const FirstSection* first = nullptr);

// A file that another one extends. By its name it is told apart from others, and stands in messages.
struct BaseFile {
  std::string name, text;
};

// Files that are laid one over the other: each lays first what it extends. A sheet is laid over the one of the same
// name, value by value; `sites` and `urls` replace those it had, and `NAME: null` takes it away. A new one outranks
// those there are.
struct Composition {
  // Finds what the file `by` names behind `extends`.
  std::function<Result<BaseFile>(const std::string& named, const std::string& by)> find;
  // Returns a secret with its references resolved: "Bearer ${TOKEN}", written by the file `by`.
  std::function<Result<std::string>(const std::string& text, const std::string& by)> resolve;

  FirstSection first = {};

  // As they have come out. Without `has_sheets` no file speaks of sheets.
  Sheets sheets;
  bool has_sheets = false;
  // The files on the way, outermost first, and all that were read.
  std::vector<std::string> chain = {};
  size_t files = 0;
};
// Lays a file, and what it extends, over `into` and the composition's sheets. ErrorCode::config if a file extends
// itself, or what it extends cannot be found; files are bounded in depth and number.
Result<void> load_yaml(std::string_view text, const std::string& file_name, const Sections& into,
                       Composition& composition);

// What `to_yaml` wrote with Secrets::only, laid over what it wrote without: sheets that are there get their secrets
// back.
Result<void> load_secrets(std::string_view text, std::string_view file_name, const Sections& into, Sheets& sheets);

enum class Secrets { hide, show, only };
// All settings with their docs as comments; `load_yaml` reads it back to the same values (secrets apart, where hidden).
// With `only` nothing but the secrets, and whole what holds one.
std::string to_yaml(const ConstSections& sections, Secrets secrets = Secrets::hide);
// What `to_yaml` is continued with; nothing where there are none.
std::string to_yaml(const Sheets& sheets, Secrets secrets = Secrets::hide);

}  // namespace caddis::settings
