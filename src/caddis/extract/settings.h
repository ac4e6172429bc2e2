// The settings of the section `extract`: which links of a document are followed.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/process/sandbox.h"
#include "caddis/settings/schema.h"

namespace caddis::extract {

// Which renditions of a film or sound are taken from a list of them.
enum class Renditions { all, best };

// The words that make a string of a script a URL where it is relative, and the extensions of files in scripts; Caddis's
// own lists. A word is a name (`fetch`), or two (`location.replace`).
std::vector<std::string> usual_script_locations();
std::vector<std::string> usual_script_properties();
std::vector<std::string> usual_script_functions();
std::vector<std::string> usual_script_keys();
std::vector<std::string> usual_script_extensions();

// Regular expressions by which strings of scripts are judged, and the words that stand before URLs.
struct ScriptOptions {
  std::vector<std::string> locations = usual_script_locations();    // `location.href = "…"`: any text
  std::vector<std::string> properties = usual_script_properties();  // `x.src = "…"`
  std::vector<std::string> functions = usual_script_functions();    // `open("…")`
  std::vector<std::string> keys = usual_script_keys();              // `url: "…"`
  std::vector<std::string> extensions = usual_script_extensions();  // "….jpg"
  bool strict = false;                                              // absolute URLs only
  size_t max_length = 0;                                            // longer strings are no links; 0: no bound
  std::vector<std::string> reject_strings;                          // strings that are never links
  std::vector<std::string> reject_relative;                         // relative strings that match are no links
  std::vector<std::string> strict_in;                               // documents whose URL matches: absolute URLs only
  std::vector<std::string> reject_attributes;                       // handlers (onclick) that are not read
};

// For the extractors that look for anything: all of them are off by default.
struct PatternOptions {
  std::vector<std::string> implied_uris;    // "regex -> format"
  bool remove_triggers = false;             // leave out the links that implied others
  std::string multiple_url;                 // multiple-regex: the documents that are read; empty: none
  std::vector<std::string> multiple_parts;  // "name: regex"
  std::string multiple_format;              // "https://h/${name[1]}"
  size_t universal_length = 1u << 20;       // bytes that the extractor universal reads
};

// Things that are taken of sites beside the links of their pages.
struct SiteOptions {
  std::vector<std::string> paths;         // inferred from every answer of a site
  std::vector<std::string> sitemap_urls;  // expressions: documents that are sitemaps, whatever their servers call them
  std::string sitemap_newer_than;         // a date: what a sitemap says is older is no link; empty: all are
};

// A program of others that finds links (program_links.h).
struct ProgramOptions {
  std::vector<std::string> command;  // empty: there is none
  std::vector<std::string> urls;     // expressions: the URLs that it is asked about
  Duration time_limit = std::chrono::seconds(60);
  int64_t memory = 1'000'000'000;  // bytes of address space, of each process
  int64_t workers = 1;             // programs that run at the same time
  process::Sandbox sandbox = process::Sandbox::automatic;
  bool is_recorded = true;  // what it answers is a record of the archive
};

// The extractors that are on by default, in their order (extractor.h).
std::vector<std::string> usual_extractors();

struct Options {
  std::vector<std::string> extractors = usual_extractors();
  size_t max_length = 20'000'000;  // bytes of a document, for who decodes it; of a sitemap, kMaxSitemap if that is more
  size_t max_links = 6000;         // of one document; further ones are dropped and counted
  size_t max_sitemap_links = 50000;  // the same for sitemaps
  size_t max_url_length = 2083;      // longer ones are dropped and counted
  bool javascript = true;            // strings in scripts and event handlers that are surely URLs
  bool value_attributes = true;      // value="…" that is surely a URL
  bool forms = true;                 // form/@action,
  bool only_get_forms = true;        // of method GET only
  bool frames_as_embeds = true;      // frame and iframe: E, else L
  bool obey_rel_nofollow = false;    // leave out <a rel=nofollow>
  bool obey_meta_nofollow = true;    // what says nofollow by <meta name=robots> or X-Robots-Tag has no links
  bool not_found_pages = true;       // also the body of a 404
  bool suppress_traps = false;       // no links of a page that is byte for byte the one that led to it
  bool favicon = true;               // infer /favicon.ico from every HTML page
  SiteOptions sites;
  Renditions renditions = Renditions::all;
  ScriptOptions script;
  PatternOptions patterns;
  ProgramOptions program;
};

}  // namespace caddis::extract
