// The languages of the archive's own pages. Pure, any thread.
#pragma once

#include <array>
#include <string_view>

namespace caddis::pages {

struct Language {
  std::string_view code;      // as in <html lang>
  std::string_view locale;    // of dates and numbers
  std::string_view own_name;  // as its speakers call it
};

inline constexpr std::array<Language, 5> kLanguages = {{
    {"en", "en-GB", "English"},
    {"de", "de", "Deutsch"},
    {"fr", "fr", "Français"},
    {"es", "es", "Español"},
    {"da", "da", "Dansk"},
}};

// Null if it is none of these.
const Language* find_language(std::string_view code);

// The one that a browser prefers (Accept-Language, RFC 9110 section 12.5.4); English if it wants none of ours.
const Language& preferred_language(std::string_view accept_language);

}  // namespace caddis::pages
