// Settings as YAML 1.2 files: a mapping of sections, each a mapping of names to scalars (or to sequences, for lists).
//
//   scope:
//     kind: host
//     exclude: ['/calendar/', 'sessionid=']
//
// Beside the sections may stand `sheets` (sheet.h).
//
// Files of people: every problem is reported with file and line, up to ten at once; unknown and doubled names are
// refused. Limits: kMostYaml of text, and what it says with all aliases resolved (yaml_tree.h). Any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "caddis/settings/sections.h"
#include "caddis/settings/sheet.h"

namespace caddis::settings {

// Bytes of a settings file.
inline constexpr size_t kMostYaml = 64'000'000;

// Sets what the file names and leaves the rest; all sheets together count as one name. After an error the structs may
// be partly changed.
Result<void> load_yaml(std::string_view text, std::string_view file_name, const Sections& into,
                       Sheets* sheets = nullptr);

// Sets what the file says of this one section, and leaves what else is in the file, right or wrong, to `load_yaml`.
Result<void> load_section(std::string_view text, std::string_view file_name, const Section& into);

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
