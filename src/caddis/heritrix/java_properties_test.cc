#include "caddis/heritrix/java_properties.h"

#include <gtest/gtest.h>

#include <string>

namespace caddis::heritrix {
namespace {

std::string read(std::string_view text) {
  std::string out;
  for (const JavaProperty& property : read_java_properties(text))
    out += std::to_string(property.line) + " [" + property.key + "][" + property.value + "]\n";
  return out;
}

TEST(JavaProperties, AreReadAsInJava) {
  EXPECT_EQ(read("a=1\n  b : 2 \n# c=3\n! d=4\n\ne   5\nf=\ng\n"), "0 [a][1]\n1 [b][2 ]\n5 [e][5]\n6 [f][]\n7 [g][]\n");
  EXPECT_EQ(read("long=one, \\\n   two\nnext=x"), "0 [long][one, two]\n2 [next][x]\n");
  EXPECT_EQ(read("a\\=b=c\\tx\\u0041\\q"), "0 [a=b][c\txAq]\n");
  EXPECT_EQ(read("path=a\\\\\nb=1"), "0 [path][a\\]\n1 [b][1]\n");
  EXPECT_EQ(read("last=\\"), "0 [last][]\n");
  EXPECT_EQ(read("scope.rules[2].maxHops=3\r\n"), "0 [scope.rules[2].maxHops][3]\n");
  EXPECT_EQ(read(""), "");
}

}  // namespace
}  // namespace caddis::heritrix
