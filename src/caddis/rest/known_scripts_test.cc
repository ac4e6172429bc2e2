#include "caddis/rest/known_scripts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caddis/rest/script_tokens.h"

namespace caddis::rest {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<ScriptCall> calls(std::string_view script) {
  auto found = recognise_script(script);
  EXPECT_TRUE(found) << script << ": " << (found ? "" : found.error().message);
  return found ? *std::move(found) : std::vector<ScriptCall>();
}

ScriptCall call(std::string_view script) {
  auto found = calls(script);
  EXPECT_EQ(found.size(), 1u) << script;
  return found.empty() ? ScriptCall{ScriptVerb::print_text, {}} : std::move(found.front());
}

TEST(KnownScripts, KnowsThemWhateverTheirWhiteSpace) {
  EXPECT_EQ(call("rawOut.println crawlController.pauseAtStart").verb, ScriptVerb::pause_at_start);
  EXPECT_EQ(call("  rawOut.println(crawlController.pauseAtStart);\n").verb, ScriptVerb::pause_at_start);
  EXPECT_EQ(call("// which?\nrawOut.println( appCtx.getCurrentLaunchId() );").verb, ScriptVerb::launch_id);
  EXPECT_EQ(call("job.crawlController.frontier.allQueuesReportTo(rawOut)").verb, ScriptVerb::all_queues);
}

TEST(KnownScripts, KnowsClosuresUnderAnyName) {
  constexpr std::string_view kList = R"(
        def listRecurs;
        listRecurs = {
            it.eachDir( listRecurs );
            it.eachFile {
                rawOut.println( it );
            };
            rawOut.println( it )
        };
        listRecurs( job.jobDir )
  )";
  EXPECT_EQ(call(kList).verb, ScriptVerb::list_recursively);
  EXPECT_THAT(call(kList).arguments, ElementsAre("both"));
  constexpr std::string_view kDelete =
      "def away\naway = { it.eachDir( away );\n it.eachFile {\n it.delete()\n }\n"
      "it.delete()\n}\naway( job.jobDir )";
  EXPECT_EQ(call(kDelete).verb, ScriptVerb::delete_job);
}

TEST(KnownScripts, TakesTextsAndNumbers) {
  const ScriptCall deletion = call(R"(job.crawlController.frontier.deleteURIs(".*","^http://a\\.example/.*"))");
  EXPECT_EQ(deletion.verb, ScriptVerb::delete_urls);
  EXPECT_THAT(deletion.arguments, ElementsAre(".*", "^http://a\\.example/.*"));
  const ScriptCall folder =
      call("warcDir = new File( job.jobDir, \"latest/warcs\" )\nwarcDir.eachFile {\n rawOut.println( it );\n};");
  EXPECT_THAT(folder.arguments, ElementsAre("latest/warcs"));
}

TEST(KnownScripts, FindsTheCallBehindTheSourceOfItsFunctions) {
  constexpr std::string_view kSource = R"(
import java.util.regex.Pattern
def frontier = job.crawlController.frontier
void deleteFromFrontier(String regex) {
  def n = 0
  listFrontier(regex, 10, 0)   // not the call
}
void listFrontier(regex, perPage, page) { rawOut.println "x" }
)";
  const ScriptCall list = call(std::string(kSource) + "listFrontier '.*[.]pdf', 100, 2");
  EXPECT_EQ(list.verb, ScriptVerb::nas_list_frontier);
  EXPECT_THAT(list.arguments, ElementsAre(".*[.]pdf", "100", "2"));
  EXPECT_EQ(call(std::string(kSource) + "\ndeleteFromFrontier('x');").verb, ScriptVerb::nas_delete);
  EXPECT_EQ(call(std::string(kSource) + "\ninitials = \"abc\"\ndeleteFromFrontier 'x'").verb, ScriptVerb::nas_delete);
  EXPECT_FALSE(recognise_script(std::string(kSource) + "listFrontier(other)"));
}

TEST(KnownScripts, RefusesByNameWhatItDoesNotKnow) {
  const auto wipe = recognise_script("rawOut.println 'a'\nSystem.exit(1)");
  ASSERT_FALSE(wipe);
  EXPECT_EQ(wipe.error().code, ErrorCode::unsupported);
  EXPECT_THAT(wipe.error().message, HasSubstr("System.exit"));
  EXPECT_FALSE(recognise_script("\"rm -rf /\".execute()"));
  EXPECT_FALSE(recognise_script("addFilter('x')\nSystem.exit(1)")) << "not even beside what it knows";
  EXPECT_FALSE(recognise_script("void addFilter(regex) { 1 }\naddFilter('x')\nSystem.exit(1)"));
  EXPECT_FALSE(recognise_script("def f\nf = { it.delete() }\nf(new File('/'))"));
  EXPECT_THAT(calls(""), IsEmpty());
}

TEST(ScriptTokens, EndWithTheScript) {
  for (const std::string_view script : {"'open", "/* open", "\"a\\", "'''", "{{{", "}}}", "#!", "\\"})
    EXPECT_LE(script_tokens(script).size(), script.size());
}

}  // namespace
}  // namespace caddis::rest
