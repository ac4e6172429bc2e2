// The settings of the section `extract`, ready for use: the extractors that run, patterns compiled, dates read.
//
// Immutable; any thread. Made once for each set of settings, not for each document.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/extract/settings.h"

namespace re2 {
class RE2;
}

namespace caddis::extract {

struct Extractor;

// Regular expressions (RE2) of which one may match; none of an empty list does.
class Patterns {
 public:
  // A part of the text is enough.
  explicit Patterns(const std::vector<std::string>& expressions);
  Patterns(Patterns&&) noexcept;
  ~Patterns();
  bool match(std::string_view text) const;
  bool empty() const { return compiled_.empty(); }

 private:
  std::vector<std::unique_ptr<const re2::RE2>> compiled_;
};

// Words by which a script says that a string is a URL.
class WordList {
 public:
  explicit WordList(std::vector<std::string> words);
  bool has(std::string_view word) const;
  // Whether the list has "owner.word".
  bool has(std::string_view owner, std::string_view word) const;

 private:
  std::vector<std::string> words_;  // sorted
  size_t longest_ = 0;
};

// How strings of scripts are judged.
struct ScriptRules {
  explicit ScriptRules(const ScriptOptions& options);

  WordList locations, properties, functions, keys, extensions, reject_strings;
  bool strict;
  size_t max_length;
  Patterns reject_relative, strict_in, reject_attributes;
};

// "regex -> format": a URL that is implied by another.
struct ImpliedUri {
  std::unique_ptr<const re2::RE2> pattern;
  std::string format;
};

struct MultipleRegex {
  std::unique_ptr<const re2::RE2> url;
  std::vector<std::pair<std::string, std::unique_ptr<const re2::RE2>>> parts;
};

class Plan {
 public:
  // The values of `options` have passed the checks of their rows.
  explicit Plan(const Options& options);
  ~Plan();
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  const Options& options() const { return options_; }
  std::span<const Extractor* const> extractors() const { return extractors_; }
  // Entries of sitemaps that say an earlier time are left out.
  const std::optional<WallTime>& newer_than() const { return newer_than_; }
  const ScriptRules& script() const { return script_; }
  std::span<const ImpliedUri> implied_uris() const { return implied_; }
  const MultipleRegex& multiple_regex() const { return multiple_; }
  // Whether the settings say that the document with that URL is a sitemap.
  bool names_sitemap(std::string_view url) const { return sitemap_urls_.match(url); }
  // Whether the program (settings.h) is asked about the document with that URL.
  bool asks_program(std::string_view url) const;

 private:
  const Options options_;
  std::vector<const Extractor*> extractors_;
  std::optional<WallTime> newer_than_;
  ScriptRules script_;
  std::vector<ImpliedUri> implied_;
  MultipleRegex multiple_;
  Patterns sitemap_urls_, program_urls_;
};

// Checks of rows.
Result<void> is_pattern(std::string_view text);        // a regular expression of RE2
Result<void> is_implied_uri(std::string_view text);    // "regex -> format"
Result<void> is_named_pattern(std::string_view text);  // "name: regex"
Result<void> is_date(std::string_view text);           // as in sitemaps; or empty
Result<void> is_site_path(std::string_view text);      // "/…"

}  // namespace caddis::extract
