// The smaller parts: documents, forms, forms of answers.
#include <gtest/gtest.h>

#include "caddis/rest/answer_form.h"
#include "caddis/rest/document.h"
#include "caddis/rest/form.h"
#include "caddis/rest/heritrix_documents.h"
#include "caddis/rest/script_runner.h"

namespace caddis::rest {
namespace {

TEST(Document, HasTwoForms) {
  Node job{Fields{}};
  job.add("name", Node("a<b")).add("none", Node()).add("flag", Node(true)).count("count", 3);
  job.add("list", texts({"x", "y"})).add("rate", Node(0.5)).add("empty", Node(Items{}));
  EXPECT_EQ(to_xml("job", job),
            "<?xml version=\"1.0\" standalone=\"yes\"?>\n<job>\n  <name>a&lt;b</name>\n"
            "  <none></none>\n  <flag>true</flag>\n  <count>3</count>\n  <list>\n    <value>x</value>\n"
            "    <value>y</value>\n  </list>\n  <rate>0.5</rate>\n  <empty></empty>\n</job>\n");
  EXPECT_EQ(to_json(job), R"({"name":"a<b","none":null,"flag":true,"count":3,"list":["x","y"],"rate":0.5,"empty":[]})"
                          "\n");
}

TEST(Document, HoldsNoCharacterThatXmlCannot) {
  EXPECT_NE(to_xml("a", Node(std::string("\x01\xff", 2))).find("<a>\uFFFD\uFFFD</a>"), std::string::npos);
}

TEST(Form, ReadsWhatBrowsersSend) {
  const Form form = Form::parse("action=exit+java+process&im_sure=on&ignore__a%20b=on&x&y=%zz");
  EXPECT_EQ(form.text("action"), "exit java process");
  EXPECT_TRUE(form.ticked("im_sure"));
  EXPECT_TRUE(form.ticked("ignore__a b"));
  EXPECT_TRUE(form.ticked("x"));
  EXPECT_FALSE(form.ticked("z"));
  EXPECT_EQ(form.text("y"), "%zz");
}

TEST(Form, RefusesOtherTypes) {
  http::ServerRequest request;
  request.headers = {{"Content-Type", "application/json"}};
  EXPECT_FALSE(Form::of(request));
  request.headers = {{"Content-Encoding", "gzip"}};
  request.body = "\x1f\x8b\x08";
  EXPECT_FALSE(Form::of(request));
}

TEST(AnswerForm, TakesTheFirstThatIsKnown) {
  EXPECT_EQ(answer_form(""), AnswerForm::xml);
  EXPECT_EQ(answer_form("*/*"), AnswerForm::xml);
  EXPECT_EQ(answer_form("application/json"), AnswerForm::json);
  EXPECT_EQ(answer_form("text/html,application/xhtml+xml,application/xml;q=0.9"), AnswerForm::page);
}

TEST(HeritrixDocuments, WriteTimes) {
  EXPECT_EQ(pretty_time(0), "0ms");
  EXPECT_EQ(pretty_time(3'600'001), "1h0m0s1ms");
  EXPECT_EQ(pretty_time(90'061'002), "1d1h1m1s2ms");
  EXPECT_EQ(launch_time("20261124170000-2"), "2026-11-24T17:00:00.000Z");
  EXPECT_EQ(launch_time("x"), "");
}

TEST(PauseAtStart, IsHeritrixsDefault) {
  EXPECT_TRUE(pauses_at_start("<beans/>"));
  EXPECT_TRUE(pauses_at_start("<!-- <property name=\"pauseAtStart\" value=\"true\" /> -->"));
  EXPECT_FALSE(pauses_at_start("crawlController.pauseAtStart=false"));
}

}  // namespace
}  // namespace caddis::rest
