#include "caddis/extract/program_links.h"

#include <gmock/gmock.h>

#include <fmt/format.h>

namespace caddis::extract {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> read(std::string_view answer, Renditions renditions = Renditions::all, size_t most = 100) {
  const auto read = parse_program_answer(answer, renditions, most);
  if (!read) return {read.error().message};
  std::vector<std::string> lines;
  for (const ProgramLink& link : read->links)
    lines.push_back(fmt::format("{} {} {}", static_cast<char>(link.hop), link.url, link.context));
  return lines;
}

TEST(ProgramLinks, Questions) {
  const ProgramQuestion question{"http://h/?a=\"b\"", "http://h/", "text/html", "/dev/fd/3"};
  EXPECT_EQ(program_question(question),
            R"({"url":"http://h/?a=\"b\"","via":"http://h/","content_type":"text/html","file":"/dev/fd/3"})"
            "\n");
  EXPECT_THAT(program_command({"yt-dlp", "-J", "{url}", "--file={file}", "{file}"}, question),
              ElementsAre("yt-dlp", "-J", "http://h/?a=\"b\"", "--file={file}", "/dev/fd/3"));
}

TEST(ProgramLinks, ListsOfLinks) {
  EXPECT_THAT(read(""), IsEmpty());
  EXPECT_THAT(read(" \n"), IsEmpty());
  EXPECT_THAT(read("[]"), IsEmpty());
  EXPECT_THAT(read(R"(["http://h/a", {"url": "b", "hop": "L", "context": "player"}, {"url": "c"}])"),
              ElementsAre("E http://h/a program", "L b player", "E c program"));
  EXPECT_THAT(read(R"({"links": ["a"]})"), ElementsAre("E a program"));
  EXPECT_THAT(read("{\"url\": \"a\", \"hop\": \"X\"}\n\n[\"b\"]\n"), ElementsAre("X a program", "E b program"));
  EXPECT_THAT(read(R"(["a", "b", "c"])", Renditions::all, 2), ElementsAre("E a program", "E b program"));
}

TEST(ProgramLinks, AnswersSayWhatTheyAre) {
  const auto kind = [](std::string_view answer) {
    const auto read = parse_program_answer(answer, Renditions::all, 10);
    return fmt::format("{}{}", read->is_of_yt_dlp ? "film" : "links", read->is_of_lines ? " in lines" : "");
  };
  EXPECT_EQ(kind(R"(["http://h/a"])"), "links");
  EXPECT_EQ(kind("[\"a\"]\n[\"b\"]\n"), "links in lines");
  EXPECT_EQ(kind(R"({"id": "1", "formats": []})"), "film");
  EXPECT_EQ(kind("{\"id\": \"1\", \"formats\": []}\n{\"id\": \"2\", \"formats\": []}\n"), "film in lines");
}

TEST(ProgramLinks, ObjectsOfYtDlp) {
  const std::string_view film =
      R"({"id": "1", "url": "http://v/1.mp4", "formats": [{"url": "http://v/1-low.mp4"}, {"x": 1}],
      "requested_formats": [{"url": "http://v/1-v.mp4"}], "thumbnails": [{"url": "http://v/1.jpg"}],
      "subtitles": {"en": [{"url": "http://v/1.vtt"}]}, "http_headers": {}})";
  EXPECT_THAT(read(film),
              ElementsAre("E http://v/1.mp4 url", "E http://v/1-v.mp4 requested_formats",
                          "E http://v/1-low.mp4 formats", "E http://v/1.jpg thumbnails", "E http://v/1.vtt subtitles"));
  EXPECT_THAT(read(film, Renditions::best), ElementsAre("E http://v/1.mp4 url", "E http://v/1-v.mp4 requested_formats",
                                                        "E http://v/1.jpg thumbnails", "E http://v/1.vtt subtitles"));
  EXPECT_THAT(
      read(R"({"_type": "playlist", "title": "t", "entries": [{"_type": "url", "url": "http://v/w?1", "id": "1"}]})"),
      ElementsAre("L http://v/w?1 entries"));
  EXPECT_THAT(read(R"({"_type": "playlist", "webpage_url": "http://v/list", "entries": [{"id": "1",
      "url": "http://v/1.mp4", "webpage_url": "http://v/w?1"}]})"),
              ElementsAre("E http://v/1.mp4 url", "L http://v/w?1 entries"))
      << "the page of each film";
}

TEST(ProgramLinks, RubbishIsRefused) {
  EXPECT_THAT(read("rubbish"), ElementsAre(HasSubstr("line 1 of its answer is no list of links: rubbish")));
  EXPECT_THAT(read("[\"a\"]\n[1]"), ElementsAre(HasSubstr("line 2")));
  EXPECT_THAT(read("7"), ElementsAre(HasSubstr("no list of links")));
  EXPECT_THAT(read(R"([{"url": 7}])"), ElementsAre(HasSubstr("no list of links")));
  EXPECT_THAT(read(R"([{"url": "a", "hop": "P"}])"), ElementsAre(HasSubstr("no list of links")));
  EXPECT_THAT(read("[\"\xff\"]"), ElementsAre(HasSubstr("line 1")));
}

}  // namespace
}  // namespace caddis::extract
