// The test tables of Python's surt and of urlcanon, as far as they test what this module has: whole pipelines and
// single steps.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "caddis/url/canonicalize.h"
#include "caddis/url/domain.h"
#include "caddis/url/ip.h"
#include "caddis/url/steps.h"
#include "caddis/url/surt.h"
#include "support/testdata.h"

namespace caddis::url {
namespace {

using nlohmann::json;
using Function = std::function<std::string(const std::string&)>;

// The answer of the given steps on a whole URL, written as a URL.
Function on_url(std::vector<const Step*> steps) {
  return [steps = std::move(steps)](const std::string& text) {
    Draft draft;
    draft.text = text;
    for (const Step* step : steps) {
      if (!draft.final && !step->apply(draft)) return std::string("failure");
    }
    return draft.final || steps::write_url.apply(draft) ? draft.text : "failure";
  };
}

Function on_part(const Step& step, std::function<std::string&(Draft&)> part) {
  return [&step, part = std::move(part)](const std::string& text) {
    Draft draft;
    part(draft) = text;
    EXPECT_TRUE(step.apply(draft));
    return draft.query || !draft.path.empty() || draft.host ? part(draft) : "";
  };
}

std::string& host(Draft& draft) { return draft.host ? *draft.host : draft.host.emplace(); }
std::string& path(Draft& draft) { return draft.path; }
std::string& query(Draft& draft) { return draft.query ? *draft.query : draft.query.emplace(); }

// Google's part of the index key, and the Internet Archive's behind it, as the libraries divide them.
std::vector<const Step*> google() {
  using namespace steps;
  return {&lenient_parse, &strip_fragment, &unescape, &normalize_host, &normalize_path, &escape, &strip_userinfo};
}

std::vector<const Step*> archive(std::vector<const Step*> out) {
  using namespace steps;
  for (const Step* step : {&strip_default_port, &strip_www_n, &lowercase_parts, &strip_path_session_ids,
                           &strip_trailing_slash, &strip_query_session_ids, &sort_query}) {
    out.push_back(step);
  }
  return out;
}

std::string index_key(const std::string& text) { return surt(text).value_or("failure"); }

std::string ip_form(const std::string& text) {
  Draft draft;
  draft.host = text;
  EXPECT_TRUE(steps::normalize_host.apply(draft));
  return draft.host.value_or("");
}

// A query as the tests write it, with its '?'.
std::string strip_query(const std::string& text) {
  return "?" + on_part(steps::strip_query_session_ids, query)(text.substr(1));
}

// Parsing and writing without any rule would keep the "www." and more; the data calls that canonicalizer "google".
const std::map<std::string, Function>& python_functions() {
  static const std::map<std::string, Function> functions = {
      {"surt.surt", index_key},
      {"surt.GoogleURLCanonicalizer.canonicalize", on_url(google())},
      {"surt.DefaultIAURLCanonicalizer.canonicalize", on_url(archive(google()))},
      {"surt.IAURLCanonicalizer.canonicalize", on_url(archive({&steps::lenient_parse}))},
      {"surt.GoogleURLCanonicalizer.attemptIPFormats", ip_form},
      {"surt.GoogleURLCanonicalizer.unescapeRepeatedly", on_part(steps::unescape, path)},
      {"surt.IAURLCanonicalizer.alphaReorderQuery", on_part(steps::sort_query, query)},
      {"surt.IAURLCanonicalizer.massageHost", on_part(steps::strip_www_n, host)},
      {"surt.URLRegexTransformer.stripPathSessionID", on_part(steps::strip_path_session_ids, path)},
      {"surt.URLRegexTransformer.stripQuerySessionID", strip_query},
      {"handyurl.getPublicSuffix", [](const std::string& text) { return std::string(registrable_domain(text)); }},
      {"h", [](const std::string& text) { return surt_host(text); }},
  };
  return functions;
}

// Why a row of surt_python.jsonl is not applicable; empty where it is.
std::string_view not_applicable(const json& test) {
  const std::string call = test.at("expr");
  if (!test.at("reference_passes").get<bool>()) return "the reference itself fails it";
  if (!test.at("in").is_string()) return "no URL at all (Python's None)";
  for (const std::string_view option :
       {"with_scheme=", "trailing_comma=", "host_massage=", "canonicalizer=", "query_lowercase="}) {
    if (call.find(option) != std::string::npos) return "an option that the policy has not";
  }
  if (call.find("reverse_ipaddr=False") != std::string::npos) return "an option that the policy has not";
  if (test.at("vars").value("opts", json::object()).value("reverse_ipaddr", true) == false)
    return "an option that the policy has not";
  if (call.starts_with("handyurl.parse")) return "prints Python's object before any rule";
  if (call.find("getPublicPrefix") != std::string::npos)
    return "what stands before the registrable domain: not offered";
  if (call.find("getDefaultPort") != std::string::npos) return "an inner table; strip-default-port covers it";
  return {};
}

std::string function_of(std::string call) {
  if (call.find("getPublicSuffix") != std::string::npos) return "handyurl.getPublicSuffix";
  return call.substr(0, call.find('('));
}

TEST(Oracle, PythonSurt) {
  CADDIS_TESTDATA_OR_SKIP(file, "06-canon/surt_python.jsonl");
  int count = 0;
  std::map<std::string_view, int> left_out;
  for (const std::string& line : testing::read_lines(file)) {
    const json test = json::parse(line);
    if (const auto why = not_applicable(test); !why.empty()) {
      ++left_out[why];
      continue;
    }
    const auto function = python_functions().find(function_of(test.at("expr")));
    ASSERT_NE(function, python_functions().end()) << line;
    EXPECT_EQ(function->second(test.at("in")), test.at("out").get<std::string>()) << line;
    ++count;
  }
  EXPECT_EQ(count, 139);
  EXPECT_EQ(left_out["an option that the policy has not"], 39);
}

std::string special_path(const std::string& text) {
  const auto url = Url::parse("http://host" + text);
  return url ? std::string(url->pathname()) : "failure";
}

std::string nonspecial_path(const std::string& text) {
  const auto url = Url::parse("foo://host" + text);
  return url ? std::string(url->pathname()) : "failure";
}

std::string dotted(const std::string& text) {
  std::string out;
  if (const auto address = parse_ipv4(text)) append_ipv4(out, *address);
  return out;
}

TEST(Oracle, Urlcanon) {
  CADDIS_TESTDATA_OR_SKIP(file, "06-canon/urlcanon.jsonl");
  // Not applicable: urlcanon.aggressive, urlcanon.semantic_precise (policies that Caddis has not), ssurt.ssurtHost
  // (hosts that no parser gives), ssurt.surt* (a SURT with scheme and without userinfo, which is no dialect in use),
  // urlcanon.whatwg (of 2017, and it accepts every input: the URL Standard's own tests of today stand in
  // url_wpt_test.cc). ssurt.ssurt is in canonicalize_test.cc. Of resolve_path_dots, the rows with backslashes: it keeps
  // them, the URL Standard writes slashes.
  const std::map<std::string, Function> functions = {
      {"surt.defaultIASurt", index_key},
      {"surt.google", on_url(google())},
      {"surt.googleSupplementalFromSurt", on_url(google())},
      {"surt.Canonicalizer.DefaultIA", on_url(archive(google()))},
      {"surt.Canonicalizer.IA", on_url(archive({&steps::lenient_parse}))},
      {"surt.unescapeRepeatedly", on_part(steps::unescape, path)},
      {"surt.alphaRorderQuery", on_part(steps::sort_query, query)},
      {"surt.massageHost", on_part(steps::strip_www_n, host)},
      {"surt.stripPathSessionId", on_part(steps::strip_path_session_ids, path)},
      {"ipv4_number_to_dotted", dotted},
      {"resolve_path_dots.special", special_path},
      {"resolve_path_dots.nonspecial", nonspecial_path},
  };
  int count = 0;
  for (const std::string& line : testing::read_lines(file)) {
    const json test = json::parse(line);
    const auto function = functions.find(test.at("scheme"));
    if (function == functions.end() || !test.at("in").is_string()) continue;
    const bool is_path = function->first.starts_with("resolve_path_dots");
    if (is_path && test.at("in").get<std::string>().find('\\') != std::string::npos) continue;
    const std::string expected = test.at("out").is_null() ? "" : test.at("out").get<std::string>();
    EXPECT_EQ(function->second(test.at("in")), expected) << line;
    ++count;
  }
  EXPECT_GT(count, 1000);
}

}  // namespace
}  // namespace caddis::url
