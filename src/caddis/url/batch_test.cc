// The batch modes of `caddis url` (a fixed interface) on all lines of the public data, through the executable itself.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "caddis/base/strings.h"
#include "support/testdata.h"

namespace caddis::url {
namespace {

using nlohmann::json;

// The lines that `caddis url <arguments>` prints for these lines of input; nothing where this build has no executable.
std::optional<std::vector<std::string>> run(const std::string& arguments, const std::vector<std::string>& input) {
  const char* binary = std::getenv("CADDIS_BINARY");
  if (binary == nullptr || !std::filesystem::exists(binary)) return std::nullopt;
  const testing::TempDir folder;
  std::ofstream file(folder / "in");
  for (const std::string& line : input) file << line << '\n';
  file.close();
  const std::string command =
      std::string(binary) + " url " + arguments + " < " + (folder / "in") + " > " + (folder / "out");
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  const std::string text = testing::read_file(folder / "out");
  std::vector<std::string> lines;
  for (const std::string_view line : split(text, '\n')) lines.emplace_back(line);
  lines.pop_back();
  return lines;
}

#define RUN_OR_SKIP(variable, arguments, input)                             \
  const auto variable##_run = run(arguments, input);                        \
  if (!variable##_run) GTEST_SKIP() << "the executable caddis is not here"; \
  const std::vector<std::string>& variable = *variable##_run

TEST(UrlBatch, ParseAllOfTheWebPlatformTests) {
  CADDIS_TESTDATA_OR_SKIP(path, "01-url-wpt/urltestdata.json");
  std::vector<json> tests;
  std::vector<std::string> input;
  for (const json& test : json::parse(testing::read_file(path))) {
    if (!test.is_object()) continue;
    tests.push_back(test);
    input.push_back(json{{"url", test.at("input")}, {"base", test.at("base")}}.dump());
  }
  RUN_OR_SKIP(output, "parse --json", input);
  ASSERT_EQ(output.size(), tests.size());
  for (size_t i = 0; i < tests.size(); ++i) {
    const json answer = json::parse(output[i]);
    if (tests[i].value("failure", false)) {
      EXPECT_TRUE(answer.contains("error") && answer.size() == 1) << input[i];
      continue;
    }
    EXPECT_EQ(answer.size(), 10u) << output[i];
    for (const auto& [name, value] : answer.items()) EXPECT_EQ(value, tests[i].at(name)) << name << " of " << input[i];
  }
}

TEST(UrlBatch, IndexKeys) {
  CADDIS_TESTDATA_OR_SKIP(path, "06-canon/oracle_multi.jsonl");
  std::vector<json> tests;
  std::vector<std::string> input;
  for (const std::string& line : testing::read_lines(path)) {
    json test = json::parse(line);
    const std::string in = test.at("in");
    if (in.find_first_of("\r\n") != std::string::npos) continue;  // no line
    input.push_back(in);
    tests.push_back(std::move(test));
  }
  RUN_OR_SKIP(plain, "surt", input);
  RUN_OR_SKIP(objects, "canonicalize --policy ia-surt --json", input);
  ASSERT_EQ(plain.size(), tests.size());
  ASSERT_EQ(objects.size(), tests.size());
  for (size_t i = 0; i < tests.size(); ++i) {
    const json answer = json::parse(objects[i]);
    if (tests[i].contains("python_surt_error")) {
      EXPECT_EQ(plain[i], "-");
      EXPECT_TRUE(answer.contains("error"));
      continue;
    }
    EXPECT_EQ(plain[i], tests[i].at("python_surt").get<std::string>());
    EXPECT_EQ(answer, (json{{"in", input[i]}, {"key", plain[i]}}));
  }
}

TEST(UrlBatch, AnswersEveryLineOnce) {
  const std::vector<std::string> input = {"http://A", "", "x", "{", "{\"url\":1}", R"({"url":"b","base":"http://a/"})"};
  RUN_OR_SKIP(plain, "parse", input);
  EXPECT_EQ(plain, (std::vector<std::string>{"http://a/", "-", "-", "-", "-", "http://a/b"}));
  RUN_OR_SKIP(half_pair, "parse", {R"({"url":"http://a/\ud800\ud83d\ude00"})"});
  EXPECT_EQ(half_pair, (std::vector<std::string>{"http://a/%EF%BF%BD%F0%9F%98%80"}));
  RUN_OR_SKIP(based, "parse --base http://h/x/", {"y"});
  EXPECT_EQ(based, (std::vector<std::string>{"http://h/x/y"}));
  RUN_OR_SKIP(keys, "canonicalize", (std::vector<std::string>{"https://WWW.a/B?#c", "a"}));
  EXPECT_EQ(keys, (std::vector<std::string>{"https://www.a/B", "-"}));
}

}  // namespace
}  // namespace caddis::url
