#include "caddis/visit/document_links.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace caddis::visit {
namespace {

using documents::Format;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Settings {
  documents::DocumentSettings documents;
  extract::Options extract;
  DocumentRules rules() const { return {.documents = documents, .extract = extract}; }
};

extract::Document document_at(std::string_view url) { return {.url = url, .body = "{\\rtf1 }"}; }

TEST(DocumentLinks, AreLookedForInWhatIsWanted) {
  Settings settings;
  extract::Document document = document_at("http://h/a");
  EXPECT_EQ(format_to_read(document, settings.rules()), Format::rtf);
  document.status = 404;
  EXPECT_EQ(format_to_read(document, settings.rules()), std::nullopt);
  document.status = 206;
  settings.documents.formats = {"pdf"};
  EXPECT_EQ(format_to_read(document, settings.rules()), std::nullopt);
  document.body = "<html>";
  EXPECT_EQ(format_to_read(document, Settings().rules()), std::nullopt);
}

TEST(DocumentLinks, AreBoundedAsTheSettingsSay) {
  Settings settings;
  settings.documents.max_size = 10;
  settings.documents.max_links = 3;
  settings.documents.max_unpacked = 1000;
  settings.extract.max_url_length = 50;
  EXPECT_EQ(too_large(10, settings.rules()), "");
  EXPECT_THAT(too_large(11, settings.rules()), HasSubstr("more than 10 bytes (documents.max-size)"));
  const extract::Document document = document_at("http://h/a");
  const documents::Question question = question_of(document, Format::rtf, settings.rules());
  EXPECT_EQ(question.bytes.data(), document.body.data());
  EXPECT_EQ(question.limits.links, 3U);
  EXPECT_EQ(question.limits.url_length, 50U);
  EXPECT_EQ(question.limits.unpacked, 1000U);
}

// The links of a document with a relative one, that names `base` and is shown by `via`.
std::vector<std::string> links_of(Format format, std::string_view url, std::string_view base, std::string_view via) {
  extract::Document document = document_at(url);
  document.via = via;
  documents::Found found;
  found.links = {{"b", documents::LinkKind::embed}, {"http://o/", documents::LinkKind::navigation}};
  found.base = base;
  found.dropped = 2;
  extract::Extracted out;
  out.dropped = 1;
  add_document_links(document, format, found, Settings().rules(), out);
  EXPECT_EQ(out.dropped, 3U);
  std::vector<std::string> all;
  for (const extract::Link& link : out.links) all.push_back(static_cast<char>(link.hop) + std::string(link.url()));
  return all;
}

TEST(DocumentLinks, HaveTheBaseOfTheirFormat) {
  EXPECT_THAT(links_of(Format::pdf, "http://h/a/d", "", "http://v/x"), ElementsAre("Ehttp://h/a/b", "Lhttp://o/"));
  EXPECT_THAT(links_of(Format::pdf, "http://h/a/d", "/c/", "http://v/x"), ElementsAre("Ehttp://h/c/b", "Lhttp://o/"));
  EXPECT_THAT(links_of(Format::pdf, "http://h/a/d", "file:///c/", ""), ElementsAre("Ehttp://h/a/b", "Lhttp://o/"));
  EXPECT_THAT(links_of(Format::swf, "http://h/a/d", "/c/", "http://v/x"), ElementsAre("Ehttp://v/b", "Lhttp://o/"));
  EXPECT_THAT(links_of(Format::swf, "http://h/a/d", "", "dns:v"), ElementsAre("Ehttp://h/a/b", "Lhttp://o/"));
  EXPECT_THAT(links_of(Format::swf, "http://h/a/d", "", "file:///v/x"), ElementsAre("Ehttp://h/a/b", "Lhttp://o/"));
  EXPECT_THAT(links_of(Format::pdf, "no URL", "", ""), IsEmpty());
}

}  // namespace
}  // namespace caddis::visit
