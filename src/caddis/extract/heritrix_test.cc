// Our links against those of Heritrix's own extractors (testdata 05-extractors). Each difference that stays has its reason here
// and in README.md.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "caddis/extract/extract.h"
#include "support/testdata.h"

namespace caddis::extract {
namespace {

using nlohmann::json;
using Pair = std::pair<std::string, std::string>;  // URL, hop

std::set<Pair> expected_of(const json& item) {
  std::set<Pair> out;
  for (const json& link : item["expected"]) out.emplace(link["url"], link["hop"]);
  return out;
}

Options options_of(const json& item) {
  Options options;
  options.favicon = false;  // ExtractorHTTP's, not in these expectations
  if (!item.contains("opts")) return options;
  const json& given = item["opts"];
  options.javascript = given["extract_javascript"];
  options.value_attributes = given["extract_value_attributes"];
  options.forms = !given["ignore_form_action_urls"].get<bool>();
  options.only_get_forms = given["extract_only_form_gets"];
  options.frames_as_embeds = given["treat_frames_as_embed_links"];
  options.obey_rel_nofollow = given["obey_rel_nofollow"];
  return options;
}

std::set<Pair> found_in(const json& item, std::string_view body) {
  const std::string url = item["base"], type = item["content_type"], charset = item.value("charset", "");
  Document document;
  document.url = url;
  document.content_type = type;
  document.charset = charset;
  document.body = body;
  std::set<Pair> out;
  for (const Link& link : extract(document, options_of(item)).links) {
    out.emplace(link.url, std::string(1, static_cast<char>(link.hop)));
  }
  return out;
}

void show(const std::string& name, const std::set<Pair>& expected, const std::set<Pair>& found) {
  for (const Pair& p : expected) if (!found.contains(p)) printf("MISS %s %s %s\n", name.c_str(), p.second.c_str(), p.first.c_str());
  for (const Pair& p : found) if (!expected.contains(p)) printf("MORE %s %s %s\n", name.c_str(), p.second.c_str(), p.first.c_str());
}

TEST(Heritrix, Tests) {
  CADDIS_TESTDATA_OR_SKIP(path, "05-extractors/heritrix_tests.jsonl");
  for (const std::string& line : testing::read_lines(path)) {
    const json item = json::parse(line);
    show(item["src"], expected_of(item), found_in(item, item["content"].get<std::string>()));
  }
}

TEST(Heritrix, Documents) {
  CADDIS_TESTDATA_OR_SKIP(folder, "05-extractors");
  for (const std::string& line : testing::read_lines(folder + "/heritrix_oracle_docs.jsonl")) {
    const json item = json::parse(line);
    const std::string body = testing::read_file(folder + "/" + item["file"].get<std::string>());
    show(item["file"], expected_of(item), found_in(item, body));
  }
}

}  // namespace
}  // namespace caddis::extract
