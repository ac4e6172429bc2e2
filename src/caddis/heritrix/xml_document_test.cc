#include "caddis/heritrix/xml_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace caddis::heritrix {
namespace {

using ::testing::HasSubstr;

TEST(XmlDocument, IsATree) {
  const auto root = read_xml("<?xml version='1.0'?>\n<a x='1&amp;2'><!-- no -->t<b/>\n<c><![CDATA[<&]]></c></a>");
  ASSERT_TRUE(root) << root.error().message;
  EXPECT_EQ(root->name, "a");
  EXPECT_EQ(*root->attribute("x"), "1&2");
  EXPECT_EQ(root->attribute("y"), nullptr);
  EXPECT_EQ(root->text, "t\n");
  ASSERT_EQ(root->children.size(), 2U);
  EXPECT_EQ(root->child("c")->text, "<&");
  EXPECT_EQ(root->child("c")->line, 3U);
}

TEST(XmlDocument, SaysWhereItIsBroken) {
  EXPECT_THAT(read_xml("<a>\n<b></a>").error().message, HasSubstr("line 2"));
  EXPECT_EQ(read_xml("").error().code, ErrorCode::parse);
  EXPECT_EQ(read_xml("<a/><b/>").error().code, ErrorCode::parse);
}

TEST(XmlDocument, ExpandsNoEntitiesOfItsOwn) {
  const auto bomb = read_xml("<!DOCTYPE a [<!ENTITY x 'yyyy'><!ENTITY z '&x;&x;'>]><a>&z;</a>");
  EXPECT_THAT(bomb.error().message, HasSubstr("declares entities"));
  const auto file = read_xml("<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>&x;</a>");
  EXPECT_THAT(file.error().message, HasSubstr("declares entities"));
  EXPECT_TRUE(
      read_xml("<!DOCTYPE beans PUBLIC '-//SPRING//DTD BEAN//EN' "
               "'http://www.springframework.org/dtd/spring-beans.dtd'><beans/>"));
}

TEST(XmlDocument, HasBounds) {
  std::string deep, wide = "<a>";
  for (size_t i = 0; i <= kMostDepth; ++i) deep += "<a>";
  EXPECT_EQ(read_xml(deep).error().code, ErrorCode::limit);
  for (size_t i = 0; i <= kMostElements; ++i) wide += "<b/>";
  EXPECT_EQ(read_xml(wide + "</a>").error().code, ErrorCode::limit);
  EXPECT_EQ(read_xml(std::string(kMostXml + 1, ' ')).error().code, ErrorCode::limit);
}

}  // namespace
}  // namespace caddis::heritrix
