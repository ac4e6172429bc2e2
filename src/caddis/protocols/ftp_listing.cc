// A line of LIST is read from its date: whatever stands before it (permissions, links, owners, which some servers leave
// out), the name begins one blank behind it.

#include "caddis/protocols/ftp_listing.h"

#include <algorithm>
#include <array>
#include <optional>

#include "caddis/base/strings.h"
#include "caddis/url/percent.h"

namespace caddis::protocols {
namespace {

using Listing = http::Resource::Listing;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool are_digits(std::string_view text) { return !text.empty() && std::ranges::all_of(text, is_digit); }

// A word, and where it ends in its line.
struct Word {
  std::string_view text;
  size_t end = 0;
};

// The next word from `at` on; empty at the end of the line.
Word next_word(std::string_view line, size_t at) {
  at = std::min(line.find_first_not_of(" \t", at), line.size());
  const size_t end = std::min(line.find_first_of(" \t", at), line.size());
  return {line.substr(at, end - at), end};
}

bool is_month(std::string_view word) {
  constexpr std::array<std::string_view, 12> kMonths = {"jan", "feb", "mar", "apr", "may", "jun",
                                                        "jul", "aug", "sep", "oct", "nov", "dec"};
  return std::ranges::any_of(kMonths, [&](std::string_view month) { return equals_ignore_case(word, month); });
}

bool is_day(std::string_view word) { return word.size() <= 2 && are_digits(word); }

// "12:30", "12:30:59", "12:30:59.123".
bool is_time(std::string_view word) {
  const size_t colon = word.find(':');
  return colon != word.npos && is_day(word.substr(0, colon)) && word.size() > colon + 2 &&
         std::ranges::all_of(word.substr(colon + 1), [](char c) { return is_digit(c) || c == ':' || c == '.'; });
}

bool is_year(std::string_view word) { return word.size() == 4 && are_digits(word); }

// "2020-01-31"
bool is_iso_date(std::string_view word) {
  return word.size() == 10 && word[4] == '-' && word[7] == '-' && are_digits(word.substr(0, 4)) &&
         are_digits(word.substr(5, 2)) && are_digits(word.substr(8));
}

// Where the name begins behind the date of a Unix line; nothing if there is no date.
std::optional<size_t> behind_date(std::string_view line) {
  Word before, last;  // the two words in front
  for (Word word = next_word(line, 0); !word.text.empty(); word = next_word(line, word.end)) {
    const bool is_clock = is_time(word.text) || is_year(word.text);
    const bool has_day = (is_month(before.text) && is_day(last.text)) || (is_day(before.text) && is_month(last.text));
    if ((is_clock && has_day) || (is_time(word.text) && is_iso_date(last.text))) {
      // "2020-01-31 12:30:59.0 +0100": a full time has its zone behind it.
      const Word zone = next_word(line, word.end);
      const bool has_zone = zone.text.size() == 5 && (zone.text[0] == '+' || zone.text[0] == '-') &&
                            are_digits(zone.text.substr(1)) && word.text.contains('.');
      const size_t end = has_zone ? zone.end : word.end;
      return end < line.size() ? std::optional(end + 1) : std::nullopt;
    }
    before = last;
    last = word;
  }
  return std::nullopt;
}

bool has_permissions(std::string_view line) {
  constexpr size_t kPermissions = 10;
  if (line.size() <= kPermissions || !std::string_view("-dlbcpsD").contains(line[0])) return false;
  return std::ranges::all_of(line.substr(1, kPermissions - 1),
                             [](char c) { return std::string_view("rwxsStTlL-").contains(c); });
}

std::optional<ListedName> unix_name(std::string_view line) {
  const auto at = behind_date(line);
  if (!at) return std::nullopt;
  std::string_view name = line.substr(*at);
  if (line[0] == 'l') name = name.substr(0, name.find(" -> "));
  return ListedName{std::string(name), line[0] == 'd'};
}

// "01-16-02", "2002-01-16", "01/16/2002": a date in numbers.
bool is_dos_date(std::string_view word) {
  if (word.size() < 8 || word.size() > 10) return false;
  return std::ranges::count_if(word, [](char c) { return c == '-' || c == '/'; }) == 2 &&
         std::ranges::all_of(word, [](char c) { return is_digit(c) || c == '-' || c == '/'; });
}

// "01-16-02  11:14AM       <DIR>          epsgroup", "06-05-03  03:19PM                 1973 readme.txt"
std::optional<ListedName> dos_name(std::string_view line) {
  const Word date = next_word(line, 0), time = next_word(line, date.end);
  if (!is_dos_date(date.text) || time.text.size() < 4 || !is_digit(time.text[0]) || !time.text.contains(':'))
    return std::nullopt;
  Word size = next_word(line, time.end);
  if (equals_ignore_case(size.text, "am") || equals_ignore_case(size.text, "pm")) size = next_word(line, size.end);
  const bool is_folder = equals_ignore_case(size.text, "<dir>") || equals_ignore_case(size.text, "<junction>");
  std::string digits(size.text);
  std::erase_if(digits, [](char c) { return c == ',' || c == '.'; });
  if (!is_folder && !are_digits(digits)) return std::nullopt;
  if (size.end >= line.size()) return std::nullopt;
  std::string_view name = line.substr(size.end);
  // Folders have their names in a column of its own.
  name.remove_prefix(is_folder ? std::min(name.find_first_not_of(' '), name.size()) : 1);
  return ListedName{std::string(name), is_folder};
}

std::optional<ListedName> listed_name(std::string_view line) {
  if (has_permissions(line)) return unix_name(line);
  return dos_name(line);
}

// "type=file;size=25;modify=20200131123059; a name"
std::optional<ListedName> machine_name(std::string_view line) {
  const size_t blank = line.find(' ');
  if (blank == line.npos) return std::nullopt;
  ListedName found{std::string(line.substr(blank + 1)), false};
  for (const std::string_view fact : split(line.substr(0, blank), ';')) {
    if (!starts_with_ignore_case(fact, "type=")) continue;
    const std::string_view type = fact.substr(5);
    if (equals_ignore_case(type, "cdir") || equals_ignore_case(type, "pdir")) return std::nullopt;
    found.is_folder = equals_ignore_case(type, "dir");
  }
  return found;
}

std::optional<ListedName> bare_name(std::string_view line) { return ListedName{std::string(line), false}; }

// Without the folders in front of it, which some servers write; nothing if it names none of the folder's own.
bool make_own(ListedName& found) {
  std::string& name = found.name;
  if (name.ends_with('/')) {
    found.is_folder = true;
    name.pop_back();
  }
  if (const size_t slash = name.rfind('/'); slash != name.npos) name.erase(0, slash + 1);
  return !name.empty() && name != "." && name != "..";
}

}  // namespace

std::vector<ListedName> read_listing(std::string_view text, Listing form, size_t limit) {
  std::vector<ListedName> names;
  while (!text.empty() && names.size() < limit) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    std::optional<ListedName> found;
    if (form == Listing::mlsd) found = machine_name(line);
    if (form == Listing::list) found = listed_name(line);
    if (form == Listing::nlst) found = bare_name(line);
    if (found && make_own(*found)) names.push_back(*std::move(found));
  }
  return names;
}

std::vector<std::string> listed_urls(std::string_view folder, const std::vector<ListedName>& names) {
  // A name is one segment of a path: what would end it is escaped, and ';', behind which a type may stand (RFC 1738).
  static constexpr url::ByteSet kSegment = url::kPathSet.with("/%;\\");
  std::vector<std::string> urls;
  urls.reserve(names.size());
  for (const ListedName& each : names) {
    std::string& made = urls.emplace_back(folder);
    if (!made.ends_with('/')) made += '/';
    url::append_escaped(made, each.name, kSegment);
    if (each.is_folder) made += '/';
  }
  return urls;
}

std::string parent_url(std::string_view url) {
  const size_t authority = url.find("://");
  if (authority == url.npos) return {};
  const size_t path = url.find('/', authority + 3);
  if (path == url.npos) return {};
  std::string_view rest = url.substr(path);
  if (rest.ends_with('/')) rest.remove_suffix(1);
  if (rest.empty()) return {};
  return std::string(url.substr(0, path + rest.rfind('/') + 1));
}

}  // namespace caddis::protocols
