#include "caddis/html/tokenizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "caddis/base/strings.h"
#include "caddis/base/utf8.h"
#include "support/testdata.h"

namespace caddis::html {
namespace {

using nlohmann::json;

// A token in the notation of the html5lib tests.
json notation(const Tokenizer& tokenizer, const Token& token) {
  switch (token.kind) {
    case Token::Kind::start_tag: {
      json attributes = json::object();
      for (const Attribute& attribute : token.attributes) attributes[std::string(attribute.name)] = attribute.value;
      json out = {"StartTag", token.name, attributes};
      if (token.self_closing) out.push_back(true);
      return out;
    }
    case Token::Kind::end_tag:
      return {"EndTag", token.name};
    case Token::Kind::comment:
    case Token::Kind::text: {
      std::string text;
      append_text(text, token);
      return {token.kind == Token::Kind::text ? "Character" : "Comment", text};
    }
    case Token::Kind::doctype: {
      const Doctype& doctype = tokenizer.doctype();
      const auto id = [](const auto& value) { return value ? json(*value) : json(); };
      return {"DOCTYPE", doctype.has_name ? json(doctype.name) : json(), id(doctype.public_id), id(doctype.system_id),
              !doctype.force_quirks};
    }
    case Token::Kind::end:
      break;
  }
  return {};
}

json tokens_of(std::string_view source, Tokenizer::Options options) {
  Tokenizer tokenizer(source, options);
  json out = json::array();
  size_t behind = 0;
  for (Token token; tokenizer.next(token);) {
    EXPECT_LE(behind, token.start);
    EXPECT_LT(token.start, token.end);
    EXPECT_LE(token.end, source.size());
    behind = token.end;
    for (const Attribute& attribute : token.attributes) {
      EXPECT_LT(attribute.name_start, attribute.name_end);
      EXPECT_LE(attribute.name_end, attribute.value_start);
      EXPECT_LE(attribute.value_start, attribute.value_end);
    }
    json item = notation(tokenizer, token);
    if (item[0] == "Character" && !out.empty() && out.back()[0] == "Character") {
      out.back()[1] = out.back()[1].get<std::string>() + item[1].get<std::string>();
    } else {
      out.push_back(std::move(item));
    }
  }
  return out;
}

// Undoes the second escaping (\uHHHH) of a test with "doubleEscaped". Lone surrogates become their three generalized
// UTF-8 bytes, which the tokenizer passes through like any others.
std::string unescape(const std::string& text) {
  std::string out;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text.compare(at, 2, "\\u") != 0 || at + 6 > text.size()) {
      out += text[at];
      continue;
    }
    const auto unit = static_cast<char32_t>(std::stoul(text.substr(at + 2, 4), nullptr, 16));
    at += 5;
    if (unit < 0xD800 || unit > 0xDFFF) {
      append_utf8(out, unit);
    } else {
      out += {static_cast<char>(0xE0 | unit >> 12), static_cast<char>(0x80 | (unit >> 6 & 0x3F)),
              static_cast<char>(0x80 | (unit & 0x3F))};
    }
  }
  return out;
}

json unescape(const json& value) {
  if (value.is_string()) return unescape(value.get<std::string>());
  if (!value.is_structured()) return value;
  json out = value.is_array() ? json::array() : json::object();
  for (const auto& [key, item] : value.items()) {
    if (value.is_array())
      out.push_back(unescape(item));
    else
      out[unescape(key)] = unescape(item);
  }
  return out;
}

ContentModel model_of_state(const std::string& state) {
  static const std::map<std::string, ContentModel> kStates = {
      {"Data state", ContentModel::data},          {"PLAINTEXT state", ContentModel::plaintext},
      {"RCDATA state", ContentModel::rcdata},      {"RAWTEXT state", ContentModel::rawtext},
      {"Script data state", ContentModel::script}, {"CDATA section state", ContentModel::cdata}};
  return kStates.at(state);
}

// JSON compares invalid UTF-8 well but cannot print it.
std::string shown(const json& value) { return value.dump(-1, ' ', true, json::error_handler_t::replace); }

void run_case(const std::string& file, const json& test) {
  const bool escaped = test.value("doubleEscaped", false);
  const std::string raw = test["input"].get<std::string>();
  const std::string input = escaped ? unescape(raw) : raw;
  const json expected = escaped ? unescape(test["output"]) : test["output"];
  const std::string last_start_tag = test.value("lastStartTag", "");
  for (const json& state : test.value("initialStates", json::array({"Data state"}))) {
    Tokenizer::Options options;
    options.model = model_of_state(state.get<std::string>());
    options.last_start_tag = last_start_tag;
    options.follow_elements = false;
    const json found = tokens_of(input, options);
    EXPECT_EQ(found, expected) << file << ": " << test["description"] << " (" << state << ")\n  input " << shown(input)
                               << "\n  found " << shown(found) << "\n  expected " << shown(expected);
  }
}

// Not applicable: xmlViolation.test (4 cases), which is about coercing a DOM into an XML infoset, not about tokens; and
// the "errors" of every case: parse errors are not reported.
TEST(Tokenizer, Html5libTests) {
  CADDIS_TESTDATA_OR_SKIP(folder, "02-html5lib/tokenizer");
  size_t cases = 0;
  for (const char* name :
       {"contentModelFlags", "domjs", "entities", "escapeFlag", "namedEntities", "numericEntities",
        "pendingSpecChanges", "test1", "test2", "test3", "test4", "unicodeChars", "unicodeCharsProblematic"}) {
    const std::string file = std::string(name) + ".test";
    const json tests = json::parse(testing::read_file(folder + "/" + file))["tests"];
    for (const json& test : tests) run_case(file, test);
    cases += tests.size();
  }
  EXPECT_EQ(cases, 6806u);
}

std::string summary(std::string_view source) {
  Tokenizer tokenizer(source);
  std::string out;
  for (Token token; tokenizer.next(token);) {
    switch (token.kind) {
      case Token::Kind::start_tag:
        out += "<" + std::string(token.name) + ">";
        break;
      case Token::Kind::end_tag:
        out += "</" + std::string(token.name) + ">";
        break;
      case Token::Kind::text:
        out += "'" + std::string(token.text) + "'";
        break;
      case Token::Kind::comment:
        out += "<!>";
        break;
      default:
        out += "?";
        break;
    }
  }
  return out;
}

TEST(Tokenizer, ElementsChangeTheContentModel) {
  EXPECT_EQ(summary("<title><a></title><a>"), "<title>'<a>'</title><a>");
  EXPECT_EQ(summary("<STYLE><a></sTyle ><a>"), "<style>'<a>'</style><a>");
  EXPECT_EQ(summary("<script>'<a>'</script><a>"), "<script>''<a>''</script><a>");
  EXPECT_EQ(summary("<script><!-- <script> </script> --></script><a>"),
            "<script>'<!-- <script> </script> -->'</script><a>");
  EXPECT_EQ(summary("<noscript><a></noscript>"), "<noscript><a></noscript>");
  EXPECT_EQ(summary("<plaintext><a></plaintext>"), "<plaintext>'<a></plaintext>'");
  EXPECT_EQ(summary("<textarea><a>"), "<textarea>'<a>'");
}

TEST(Tokenizer, ForeignContentHasCdataAndSelfClosingScripts) {
  EXPECT_EQ(summary("<svg><![CDATA[<a>]]></svg><![CDATA[<a>]]>"), "<svg>'<a>'</svg><!>']]>'");
  EXPECT_EQ(summary("<svg><script href=x /><a>"), "<svg><script><a>");
  EXPECT_EQ(summary("<svg/><![CDATA[x]]>"), "<svg><!>");
}

TEST(Tokenizer, TellsWhereAttributesStand) {
  const std::string_view source = "x<A HREF = \"a&amp;b\" b=c d e='' f=g/>";
  Tokenizer tokenizer(source);
  Token token;
  ASSERT_TRUE(tokenizer.next(token));
  ASSERT_TRUE(tokenizer.next(token));
  EXPECT_EQ(source.substr(token.start, token.end - token.start), source.substr(1));
  EXPECT_FALSE(token.self_closing);
  ASSERT_EQ(token.attributes.size(), 5u);
  const auto raw = [&](size_t i) {
    const Attribute& a = token.attributes[i];
    return std::string(source.substr(a.name_start, a.name_end - a.name_start)) + "|" +
           std::string(source.substr(a.value_start, a.value_end - a.value_start)) + "|" +
           (a.quote == '\0' ? '-' : a.quote);
  };
  EXPECT_EQ(raw(0), "HREF|a&amp;b|\"");
  EXPECT_EQ(token.attributes[0].value, "a&b");
  EXPECT_EQ(raw(1), "b|c|-");
  EXPECT_EQ(raw(2), "d||-");
  EXPECT_FALSE(token.attributes[2].has_value);
  EXPECT_EQ(raw(3), "e||'");
  EXPECT_TRUE(token.attributes[3].has_value);
  EXPECT_EQ(raw(4), "f|g/|-");
  ASSERT_NE(token.find("href"), nullptr);
  EXPECT_EQ(token.find("nothing"), nullptr);
}

TEST(Tokenizer, DropsAttributesBeyondItsLimit) {
  std::string source = "<a";
  for (int i = 0; i < 3000; ++i) source += " x" + std::to_string(i);
  source += ">";
  Tokenizer tokenizer(source);
  Token token;
  ASSERT_TRUE(tokenizer.next(token));
  EXPECT_EQ(token.attributes.size(), 1000u);
  EXPECT_EQ(token.end, source.size());
}

TEST(Tokenizer, TakesLinearTimeOnHostileInput) {
  for (const char* piece : {"<a ", "<!--", "</script", "<script><!--<script>", "<a href=\"", "<![CDATA[", "&", "--!"}) {
    std::string source;
    while (source.size() < 400'000) source += piece;
    Tokenizer tokenizer(source);
    size_t tokens = 0;
    for (Token token; tokenizer.next(token);) ++tokens;
    EXPECT_LE(tokens, source.size());
  }
}

TEST(Tokenizer, ConvertsNamesAndValuesFromTheSourcesEncoding) {
  Tokenizer::Options options;
  options.encoding = "windows-1252";
  Tokenizer tokenizer("<\xE9L\xC9 A\xE9='\xE9&amp;\x80' b=\"plain\">\xE9", options);
  Token token;
  ASSERT_TRUE(tokenizer.next(token));
  ASSERT_EQ(token.kind, Token::Kind::text);  // no element's name begins with such a letter
  Tokenizer second("<x\xE9 A\xE9='\xE9&amp;\x80' b=\"plain\">\xE9", options);
  ASSERT_TRUE(second.next(token));
  EXPECT_EQ(token.name, "x\u00E9");
  ASSERT_EQ(token.attributes.size(), 2u);
  EXPECT_EQ(token.attributes[0].name, "a\u00E9");
  EXPECT_EQ(token.attributes[0].value, "\u00E9&\u20AC");
  EXPECT_EQ(token.attributes[1].value, "plain");
  ASSERT_TRUE(second.next(token));
  EXPECT_EQ(token.text, "\xE9");  // texts stay as they are
}

TEST(Tokenizer, SkippedTagsCountAllTheSame) {
  Tokenizer::Options options;
  options.skip_bare_tags = true;
  Tokenizer tokenizer("<svg></svg><![CDATA[<p>]]></b x=1></i ><p><script></script><em id=x><TITLE></TITLE><em>",
                      options);
  std::vector<std::string> seen;
  for (Token token; tokenizer.next(token);)
    seen.push_back((token.kind == Token::Kind::end_tag   ? "/"
                    : token.kind == Token::Kind::comment ? "!"
                                                         : "") +
                   std::string(token.kind == Token::Kind::comment ? token.text : token.name));
  // Behind the svg a CDATA section is a comment, which ends at the first '>'.
  EXPECT_THAT(seen, ::testing::ElementsAre("svg", "![CDATA[<p", "", "/b", "/i", "script", "em", "title", "/title"));
}

}  // namespace
}  // namespace caddis::html
