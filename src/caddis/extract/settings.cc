#include "caddis/extract/settings.h"

#include "caddis/extract/extractor.h"
#include "caddis/extract/plan.h"
#include "caddis/extract/url_guess.h"

namespace caddis::extract {

std::vector<std::string> usual_script_locations() {
  return {"location",          "location.href", "location.assign", "location.replace", "window.location",
          "document.location", "self.location", "top.location",    "parent.location"};
}

std::vector<std::string> usual_script_properties() { return {"src", "href", "location", "srcset", "poster"}; }

std::vector<std::string> usual_script_functions() {
  return {"open",   "fetch",        "getJSON",     "getScript", "importScripts",
          "Worker", "SharedWorker", "EventSource", "ajax",      "addAll",
          "$.get",  "jQuery.get",   "axios.get",   "$http.get", "serviceWorker.register",
          "Audio",  "addModule"};
}

std::vector<std::string> usual_script_keys() {
  return {"url",        "src",          "href",     "file",     "image",  "poster",    "start_url",
          "contentUrl", "thumbnailUrl", "embedUrl", "logo",     "images", "thumbnail", "link",
          "permalink",  "next",         "prev",     "previous", "srcset", "srcSet"};
}

std::vector<std::string> usual_script_extensions() {
  const auto usual = usual_extensions();
  return {usual.begin(), usual.end()};
}

std::vector<std::string> usual_extractors() {
  std::vector<std::string> names;
  for (const Extractor& extractor : extractors())
    if (extractor.is_usual) names.emplace_back(extractor.name);
  return names;
}

}  // namespace caddis::extract

namespace caddis::settings {
namespace {

using S = extract::Options;

// A row for a member of a record within the settings.
template <auto Outer, auto Inner>
Field field_in(std::string_view name, std::string_view doc, RowOptions row = {}) {
  using Type = typename detail::MemberPointer<decltype(Inner)>::Type;
  Field made = field<Inner>(name, doc, std::move(row));
  made.get = [](const void* object) -> Value { return detail::to_value(static_cast<const S*>(object)->*Outer.*Inner); };
  made.set = [](void* object, const Value& value) {
    static_cast<S*>(object)->*Outer.*Inner = detail::from_value<Type>(value);
  };
  return made;
}

using Sites = extract::SiteOptions;
using Script = extract::ScriptOptions;
using Patterns = extract::PatternOptions;
using Program = extract::ProgramOptions;

// Which extractors run, and how much each takes.
std::vector<Field> limit_rows() {
  return {
      field<&S::extractors>(
          "extractors",
          "The extractors that look for links, in their order (docs/extractors.md). If the first has + or - before its "
          "name, all of them change the usual list: [-source-maps, +universal].",
          {.flags = kSheet | kLive, .check = extract::known_extractor}),
      field<&S::max_links>("max-links", "Links taken from one document.",
                           {.flags = kSheet | kLive, .min = "0", .max = "1000000", .heritrix = "frontier.maxOutlinks"}),
      field<&S::max_sitemap_links>("max-sitemap-links", "Links taken from one sitemap.",
                                   {.flags = kSheet | kLive, .min = "0", .max = "1000000"}),
      field<&S::max_length>("max-length",
                            "Look for links in so much of a document (of a sitemap, in up to 64 MB); one with more "
                            "is archived whole, and readTrunc in crawl.log says so.",
                            {.flags = kSheet | kLive, .unit = kBytes, .min = "64KB", .max = "1GB"}),
      field<&S::max_url_length>("max-url-length", "Longer URLs are no links.",
                                {.flags = kSheet | kLive | kExpert, .min = "64", .max = "65536"}),
  };
}

std::vector<Field> page_rows() {
  return {
      field<&S::javascript>("javascript", "Take strings in scripts that are surely URLs.",
                            {.flags = kSheet | kLive, .heritrix = "extractorHtml.extractJavascript"}),
      field<&S::value_attributes>("value-attributes", "Take value attributes that are surely URLs.",
                                  {.flags = kSheet | kLive, .heritrix = "extractorHtml.extractValueAttributes"}),
      field<&S::forms>("forms", "Take the targets of forms.", {.flags = kSheet | kLive}),
      field<&S::only_get_forms>("only-get-forms", "Of forms, only those that are sent by GET.",
                                {.flags = kSheet | kLive, .heritrix = "extractorHtml.extractOnlyFormGets"}),
      field<&S::frames_as_embeds>("frames-as-embeds", "Treat frames as parts of the page, not as links.",
                                  {.flags = kSheet | kLive, .heritrix = "extractorHtml.treatFramesAsEmbedLinks"}),
      field<&S::obey_rel_nofollow>("obey-rel-nofollow", "Leave out links marked rel=nofollow.",
                                   {.flags = kSheet | kLive, .heritrix = "extractorHtml.obeyRelNofollow"}),
      field<&S::obey_meta_nofollow>("obey-meta-nofollow",
                                    "What says nofollow has no links: a page by its robots meta element, any "
                                    "document by X-Robots-Tag.",
                                    {.flags = kSheet | kLive}),
      field<&S::not_found_pages>("not-found-pages", "Look for links in pages that come with 404, too.",
                                 {.flags = kSheet | kLive, .heritrix = "frontier.extract404s"}),
      field<&S::suppress_traps>("suppress-traps",
                                "Take no links of a page that is byte for byte the page that led to it: most likely a "
                                "trap. trapSuppressExtractor in crawl.log says so.",
                                {.flags = kSheet | kLive}),
      field<&S::favicon>("favicon", "Ask every site for /favicon.ico.", {.flags = kSheet | kLive}),
      field_in<&S::sites, &Sites::paths>(
          "site-paths", "Ask every site that answers for these paths, too, as in [/, /.well-known/security.txt].",
          {.flags = kSheet | kLive, .check = extract::is_site_path, .heritrix = "extractorHttp.inferPaths"}),
      field_in<&S::sites, &Sites::sitemap_urls>(
          "sitemap-urls",
          "Documents whose URLs match one of these expressions (RE2) are read as sitemaps if they "
          "are some, XML or a list of URLs, whatever their servers call them. So are those that "
          "robots.txt and other sitemaps name.",
          {.flags = kSheet | kLive, .check = extract::is_pattern}),
      field_in<&S::sites, &Sites::sitemap_newer_than>(
          "sitemap-newer-than",
          "Leave out what a sitemap says was last changed before this date (2026-01-31); "
          "what has no date is taken.",
          {.flags = kSheet | kLive, .check = extract::is_date}),
      field<&S::renditions>(
          "renditions",
          "Which renditions of a film or sound are taken from its playlist (HLS, DASH): all, or the "
          "one with most bits a second.",
          {.flags = kSheet | kLive,
           .choices = {choice("all", extract::Renditions::all), choice("best", extract::Renditions::best)}}),
  };
}

// Which strings of scripts are URLs.
std::vector<Field> script_rows() {
  constexpr unsigned kFlags = kSheet | kLive | kExpert;
  return {
      field_in<&S::script, &Script::locations>(
          "script-locations",
          "A string that a script assigns or hands to these is a URL, even if it is a mere word. NAME counts where no "
          "other name stands before it, OWNER.NAME behind its owner.",
          {.flags = kFlags}),
      field_in<&S::script, &Script::properties>(
          "script-properties", "A string that a script assigns to a property of these names may be a relative URL.",
          {.flags = kFlags}),
      field_in<&S::script, &Script::functions>("script-functions",
                                               "A string that is the first argument of these functions may be a "
                                               "relative URL: of NAME, or OWNER.NAME for those of one owner only.",
                                               {.flags = kFlags}),
      field_in<&S::script, &Script::keys>(
          "script-keys", "A string that is the value of these keys of an object may be a relative URL.",
          {.flags = kFlags}),
      field_in<&S::script, &Script::extensions>(
          "script-extensions",
          "A path from the root that ends in one of these extensions is a link wherever it stands in a script; in the "
          "scripts of a page, a relative one, too.",
          {.flags = kFlags}),
      field_in<&S::script, &Script::strict>("script-strict", "Of strings in scripts, take absolute URLs only.",
                                            {.flags = kFlags, .heritrix = "extractorJs.strict"}),
      field_in<&S::script, &Script::strict_in>(
          "script-strict-in", "The same for documents whose URLs match one of these expressions (RE2).",
          {.flags = kFlags, .check = extract::is_pattern, .heritrix = "extractorJs.forceStrictIfUrlMatchingRegexList"}),
      field_in<&S::script, &Script::max_length>(
          "script-max-length", "Longer strings in scripts are no links; 0: there is no such bound.",
          {.flags = kFlags, .min = "0", .heritrix = "extractorJs.maximumCandidateLength"}),
      field_in<&S::script, &Script::reject_relative>(
          "script-reject-relative", "Relative strings in scripts that match one of these expressions are no links.",
          {.flags = kFlags, .check = extract::is_pattern, .heritrix = "extractorJs.rejectRelativeMatchingRegexList"}),
      field_in<&S::script, &Script::reject_strings>(
          "script-reject-strings", "These strings in scripts are no links.",
          {.flags = kFlags, .heritrix = "extractorJs.rejectRelativeIgnoreList"}),
      field_in<&S::script, &Script::reject_attributes>(
          "script-reject-attributes",
          "Scripts in attributes whose names match one of these expressions are not read (onclick).",
          {.flags = kFlags, .check = extract::is_pattern, .heritrix = "extractorJs.rejectScriptAttributeRegexList"}),
  };
}

// For the extractors that are off by default.
std::vector<Field> pattern_rows() {
  constexpr unsigned kFlags = kSheet | kLive | kExpert;
  return {
      field_in<&S::patterns, &Patterns::implied_uris>(
          "implied-uris",
          "\"REGEX -> FORMAT\": a link that matches as a whole implies another; $1 is its first group. For the "
          "extractor implied-uris.",
          {.flags = kFlags, .check = extract::is_implied_uri}),
      field_in<&S::patterns, &Patterns::remove_triggers>(
          "implied-uris-alone", "Leave out the links that implied others.",
          {.flags = kFlags, .heritrix = "extractorImpliedUri.removeTriggerUris"}),
      field_in<&S::patterns, &Patterns::multiple_url>(
          "multiple-regex-url",
          "The extractor multiple-regex reads documents whose URLs match this expression (RE2) as a whole; its groups "
          "are ${url[1]} in the format.",
          {.flags = kFlags, .check = extract::is_pattern, .heritrix = "extractorMultipleRegex.uriRegex"}),
      field_in<&S::patterns, &Patterns::multiple_parts>(
          "multiple-regex-parts",
          "\"NAME: REGEX\": what it looks for in them; groups are ${NAME[1]} in the format. Each combination of finds "
          "makes a link.",
          {.flags = kFlags, .check = extract::is_named_pattern}),
      field_in<&S::patterns, &Patterns::multiple_format>(
          "multiple-regex-format", "The links that it makes, as in https://h.example/feed/${id[1]}.",
          {.flags = kFlags, .heritrix = "extractorMultipleRegex.template"}),
      field_in<&S::patterns, &Patterns::universal_length>("universal-length",
                                                          "The extractor universal looks at so many bytes of a "
                                                          "document; readTrunc in crawl.log says where there are more.",
                                                          {.flags = kFlags,
                                                           .unit = kBytes,
                                                           .min = "1KB",
                                                           .max = "1GB",
                                                           .heritrix = "extractorUniversal.maxSizeToParse"}),
  };
}

// For the step `program`.
std::vector<Field> program_rows() {
  using process::Sandbox;
  constexpr unsigned kFlags = kSheet | kLive | kExpert;
  return {
      field_in<&S::program, &Program::command>("program",
                                               "A program that finds further links (docs/programs.md), and its "
                                               "arguments, as in [yt-dlp, -J, \"{url}\"]. It is "
                                               "run for each document whose URL program-urls names.",
                                               {.flags = kFlags}),
      field_in<&S::program, &Program::urls>("program-urls",
                                            "The URLs whose documents it is asked about: those that match one of these "
                                            "expressions (RE2).",
                                            {.flags = kFlags, .check = extract::is_pattern}),
      field_in<&S::program, &Program::time_limit>("program-time-limit", "Give up a program that runs longer.",
                                                  {.flags = kFlags, .min = "1s", .max = "1h"}),
      field_in<&S::program, &Program::memory>("program-memory", "The address space of each of its processes.",
                                              {.flags = kFlags, .unit = kBytes, .min = "16MB", .max = "64GB"}),
      field_in<&S::program, &Program::workers>("program-workers", "Programs that run at the same time, at most.",
                                               {.flags = kLive | kExpert, .min = "1", .max = "64"}),
      field_in<&S::program, &Program::is_recorded>(
          "program-record", "Write what the program answers into the archive: a metadata record beside the document's.",
          {.flags = kFlags}),
      field_in<&S::program, &Program::sandbox>(
          "sandbox",
          "What keeps the program from writing files and seeing other processes: bubblewrap, or none. auto: bubblewrap "
          "if "
          "it is installed and works here. Limits of time and memory hold in any case.",
          {.flags = kFlags,
           .choices = {choice("auto", Sandbox::automatic), choice("bubblewrap", Sandbox::bubblewrap),
                       choice("none", Sandbox::none)}}),
  };
}

}  // namespace

template <>
const Schema& schema_of<extract::Options>() {
  static const Schema schema("extract", "Which links of a document are followed.", [] {
    std::vector<Field> rows = limit_rows();
    for (auto& more : {page_rows(), script_rows(), pattern_rows(), program_rows()})
      rows.insert(rows.end(), more.begin(), more.end());
    return rows;
  }());
  return schema;
}

}  // namespace caddis::settings
