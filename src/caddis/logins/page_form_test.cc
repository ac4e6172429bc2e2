#include "caddis/logins/page_form.h"

#include <gtest/gtest.h>

#include <string>

namespace caddis::logins {
namespace {

// "name=value" of each field of the first form.
std::string fields_of(std::string_view html) {
  std::string text;
  const auto forms = read_forms(html).forms;
  if (forms.empty()) return "no form";
  for (const FormField& field : forms.front().fields) text += field.name + "=" + field.value + ";";
  return text;
}

TEST(PageForm, SendsTheOptionThatIsChosen) {
  EXPECT_EQ(fields_of("<form><select name=a><option>One<option value=2>Two</select>"), "a=One;");
  EXPECT_EQ(fields_of("<form><select name=a><option>One<option selected>\n Two  and \t half </option></select>"),
            "a=Two and half;");
  EXPECT_EQ(fields_of("<form><select name=a><option selected>1<option selected value=''>2</select>"), "a=;");
  EXPECT_EQ(fields_of("<form><select name=a><option disabled>Choose<option>1</select><input name=b value=c>"),
            "a=1;b=c;");
  EXPECT_EQ(fields_of("<form><select name=a><optgroup disabled><option>1</optgroup><option>2</select>"), "a=2;");
  EXPECT_EQ(fields_of("<form><select name=a disabled><option>1</select>"), "");
  EXPECT_EQ(fields_of("<form><select name=a><option disabled selected>1<option>2</select>"), "");
  EXPECT_EQ(fields_of("<form><select name=a></select>"), "");
}

TEST(PageForm, SendsAllThatAreChosenOfMany) {
  constexpr std::string_view kMany =
      "<form><select name=a multiple><option>1<option selected>2<option selected>3<option selected disabled>4</select>";
  EXPECT_EQ(fields_of(kMany), "a=2;a=3;");
  EXPECT_EQ(fields_of("<form><select name=a multiple><option>1</select>"), "");
  EXPECT_EQ(fields_of("<form><select name=a size=3><option>1</select>"), "");
}

// As a browser's tree builder does.
TEST(PageForm, EndsListsThatAreNotClosed) {
  EXPECT_EQ(fields_of("<form><select name=a><option>1<input name=b value=2>"), "a=1;b=2;");
  EXPECT_EQ(fields_of("<form><select name=a><option>1<select name=c><option>3</select>"), "a=1;");
  EXPECT_EQ(fields_of("<form><select name=a><option>1"), "a=1;");
  EXPECT_EQ(fields_of("<select name=a><option>1</select><form></form>"), "");
}

TEST(PageForm, SendsTexts) {
  EXPECT_EQ(fields_of("<form><textarea name=t>\none &amp; <b>\ntwo</textarea><textarea name=u disabled>x</textarea>"),
            "t=one & <b>\ntwo;");
}

TEST(PageForm, SaysHowItIsSent) {
  EXPECT_EQ(read_forms("<form enctype=MULTIPART/form-data>").forms.front().coding, FormCoding::multipart);
  EXPECT_EQ(read_forms("<form enctype=text/plain>").forms.front().coding, FormCoding::text);
  EXPECT_EQ(read_forms("<form enctype=application/json>").forms.front().coding, FormCoding::urlencoded);
  EXPECT_EQ(read_forms("<form method=POST>").forms.front().is_post, true);
}

TEST(PageForm, IsBounded) {
  std::string many;
  for (int i = 0; i < 200; ++i) many += "<form>";
  EXPECT_EQ(read_forms(many).forms.size(), 100u);
  std::string fields = "<form>";
  for (int i = 0; i < 1000; ++i) fields += "<input name=a>";
  EXPECT_EQ(read_forms(fields).forms.front().fields.size(), 500u);
}

}  // namespace
}  // namespace caddis::logins
