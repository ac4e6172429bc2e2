#include "caddis/archive/writer_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caddis/archive/settings.h"

namespace caddis::archive {
namespace {

using testing::HasSubstr;

TEST(WriterSpec, IsReadAsPeopleWriteIt) {
  const auto plain = WriterSpec::parse("warc");
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->name, "warc");
  EXPECT_EQ(plain->kind, WriterKind::warc);
  EXPECT_EQ(plain->on_failure, OnFailure::pause);
  EXPECT_FALSE(plain->packing);
  const auto whole =
      WriterSpec::parse(" pictures : arc , prefix PIC, folder /disk:2/arcs/, packing none, on-failure go-on");
  ASSERT_TRUE(whole) << whole.error().message;
  EXPECT_EQ(whole->name, "pictures");
  EXPECT_EQ(whole->kind, WriterKind::arc);
  EXPECT_EQ(whole->prefix, "PIC");
  EXPECT_EQ(whole->folder, "/disk:2/arcs");
  EXPECT_EQ(whole->packing, warc::Packing::plain);
  EXPECT_EQ(whole->on_failure, OnFailure::go_on);
  EXPECT_EQ(WriterSpec::parse("mirror, folder /a:b")->name, "mirror") << "a colon behind the comma makes no name";
  EXPECT_FALSE(WriterSpec::parse("mirror")->writes_records());
  EXPECT_EQ(writer_step("pictures"), "writer pictures");
}

TEST(WriterSpec, ErrorsSayHowOneIsWritten) {
  const auto error = [](std::string_view text) {
    const auto spec = WriterSpec::parse(text);
    return spec ? std::string("it was taken") : spec.error().message;
  };
  EXPECT_THAT(error("wacz"), HasSubstr("there is no kind 'wacz'; write [NAME:] warc, arc or mirror"));
  EXPECT_THAT(error("Upper: warc"), HasSubstr("a name has at most 40 letters a to z"));
  EXPECT_THAT(error("warc, prefix"), HasSubstr("'prefix' has no value"));
  EXPECT_THAT(error("warc, prefix a/b"), HasSubstr("is no writer"));
  EXPECT_THAT(error("warc, folder ../up"), HasSubstr("no '..'"));
  EXPECT_THAT(error("warc, speed 7"), HasSubstr("there is no option 'speed'; options are prefix, folder, packing"));
  EXPECT_THAT(error("warc, packing zip"), HasSubstr("packing is gzip, zstd or none"));
  EXPECT_THAT(error("warc, on-failure weep"), HasSubstr("on-failure is pause, stop or go-on"));
  EXPECT_THAT(error("mirror, packing gzip"), HasSubstr("neither packing nor prefix"));
  EXPECT_THAT(error("arc, packing zstd"), HasSubstr("ARC files are packed by gzip"));
  EXPECT_THAT(error(""), HasSubstr("is no writer"));
}

TEST(WriterChain, NeedsAWriterAndDifferentNames) {
  EXPECT_TRUE(writer_chain({"warc", "more: warc", "mirror"}));
  EXPECT_THAT(writer_chain({"warc", "warc, prefix B"}).error().message, HasSubstr("'more: warc'"));
  EXPECT_THAT(writer_chain({}).error().message, HasSubstr("nothing would be archived"));
}

TEST(WriterChain, IsHeldAgainstThePackingOfTheSettings) {
  ArchiveSettings settings;
  settings.packing = warc::Packing::zstd;
  settings.writers = {"warc", "arc, packing gzip"};
  EXPECT_TRUE(validate(settings));
  settings.writers = {"warc", "arc"};
  EXPECT_THAT(validate(settings).error().message, HasSubstr("'arc, packing gzip'"));
}

}  // namespace
}  // namespace caddis::archive
