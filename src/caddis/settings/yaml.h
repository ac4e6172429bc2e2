// Settings as YAML 1.2 files: a mapping of sections, each a mapping of names to scalars (or to sequences, for lists).
//
//   scope:
//     kind: host
//     exclude: ['/calendar/', 'sessionid=']
//
// Files of people: every problem is reported with file and line, up to ten at once; unknown and doubled names are
// refused. Limits: 1 MB of text. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "caddis/settings/sections.h"

namespace caddis::settings {

// Sets what the file names and leaves the rest. After an error the structs may be partly changed.
Result<void> load_yaml(std::string_view text, std::string_view file_name, const Sections& into);

enum class Secrets { hide, show, only };
// All settings with their docs as comments; `load_yaml` reads it back to the same values (secrets apart, where hidden).
// With `only` nothing but the secrets.
std::string to_yaml(const ConstSections& sections, Secrets secrets = Secrets::hide);

}  // namespace caddis::settings
