#include "caddis/sources/remote_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caddis/io/memory_files.h"
#include "caddis/sources/archive_testing.h"

namespace caddis::sources {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class RemoteIndexTest : public ::testing::Test {
 protected:
  std::unique_ptr<RemoteIndex> open(const Archive& archive, RemoteIndexOptions::Kind kind, uint64_t most = 10'000) {
    RemoteIndexOptions options;
    options.kind = kind;
    options.name = "far";
    options.address = archive.address() + "/map/";
    options.timeout = std::chrono::seconds(60);
    options.most = most;
    if (kind != RemoteIndexOptions::Kind::cdx) options.mementos = archive.address() + "/";
    return std::make_unique<RemoteIndex>(client, options);
  }
  static size_t captures(RemoteIndex& index, const std::string& url) {
    cdx::LineQuestion question;
    question.url = url;
    const auto lines = index.ask(question);
    auto cursor = lines->seek("");
    size_t count = 0;
    for (; cursor && !(*cursor)->at_end(); ++count) EXPECT_TRUE((*cursor)->next());
    return count;
  }
  static std::string cdx_lines(int count) {
    std::string text;
    for (int i = 0; i < count; ++i)
      text += "com,a)/ " + std::to_string(20160101000000 + i) + " http://a.com/ text/html 200 BBB - - 7 0 f.warc.gz\n";
    return text;
  }
  static std::string page(int number, bool has_next) {
    const std::string i = std::to_string(number);
    return "<http://a.com/>;rel=\"original\",\n</" + std::to_string(20140101000000 + number) +
           "/http://a.com/>;rel=\"memento\";datetime=\"Wed, 01 Jan 2014 00:00:" + (number < 10 ? "0" : "") + i +
           " GMT\"" + (has_next ? ",\n</page" + i + ">;rel=\"timemap\"" : "");
  }

  io::MemoryFiles files;
  std::shared_ptr<remote::WebClient> client = std::make_shared<remote::WebClient>(system_clock(), files, "spool");
};

TEST_F(RemoteIndexTest, TellsThatMoreCapturesAreThereThanAreTaken) {
  const Archive archive({answer(200, cdx_lines(3)), answer(200, cdx_lines(2))});
  const auto index = open(archive, RemoteIndexOptions::Kind::cdx, 2);
  EXPECT_EQ(captures(*index, "http://a.com/"), 2u);
  EXPECT_THAT(index->problem(), HasSubstr("far: it has more captures"));
  EXPECT_EQ(captures(*index, "http://a.com/b"), 2u);
  EXPECT_THAT(index->problem(), IsEmpty());
  // The answer that is kept tells it as well.
  EXPECT_EQ(captures(*index, "http://a.com/"), 2u);
  EXPECT_THAT(index->problem(), HasSubstr("far: it has more captures"));
}

TEST_F(RemoteIndexTest, APageThatFailsIsTold) {
  const Archive archive({answer(200, page(1, true)), answer(429, "slowly")});
  const auto index = open(archive, RemoteIndexOptions::Kind::timemap);
  EXPECT_EQ(captures(*index, "http://a.com/"), 1u);
  EXPECT_THAT(index->problem(), HasSubstr("does not answer"));
}

TEST_F(RemoteIndexTest, APageThatIsNotThereIsTheEnd) {
  const Archive archive({answer(200, page(1, true)), answer(200, page(2, true)), answer(404, "none")});
  const auto index = open(archive, RemoteIndexOptions::Kind::timemap);
  EXPECT_EQ(captures(*index, "http://a.com/"), 2u);
  EXPECT_THAT(index->problem(), IsEmpty());
}

TEST_F(RemoteIndexTest, MorePagesThanAreReadAreTold) {
  std::vector<std::string> answers;
  for (int i = 1; i <= 21; ++i) answers.push_back(answer(200, page(i, true)));
  const Archive archive(answers);
  const auto index = open(archive, RemoteIndexOptions::Kind::timemap);
  EXPECT_EQ(captures(*index, "http://a.com/"), 20u);
  EXPECT_THAT(index->problem(), HasSubstr("far: it has more captures"));
}

}  // namespace
}  // namespace caddis::sources
