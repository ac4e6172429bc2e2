#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caddis/protocols/ftp_listing.h"
#include "caddis/protocols/ftp_reply.h"
#include "caddis/protocols/whois.h"

namespace caddis::protocols {
namespace {

using Listing = http::Resource::Listing;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> shown(std::string_view text, Listing form) {
  std::vector<std::string> names;
  for (const ListedName& each : read_listing(text, form)) names.push_back(each.name + (each.is_folder ? "/" : ""));
  return names;
}

TEST(FtpReplyTest, IsPutTogetherFromItsLines) {
  EXPECT_EQ((*FtpReplyReader().take("220 Welcome"))->lines.front(), "Welcome");
  FtpReplyReader other;
  EXPECT_FALSE(other.take("211-Features:")->has_value());
  EXPECT_FALSE(other.take(" MLST type*;size*;")->has_value());
  EXPECT_FALSE(other.take("212 other code")->has_value());
  const auto reply = *other.take("211 End");
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->code, 211);
  EXPECT_THAT(reply->lines, ElementsAre("Features:", " MLST type*;size*;", "212 other code", "End"));
  EXPECT_EQ(reply->text(), "211 End");
  EXPECT_TRUE((*other.take("425"))->is_transient());
}

TEST(FtpReplyTest, RefusesWhatIsNone) {
  for (const char* line : {"", "HTTP/1.1 200 OK", "22", "2200 x", "099 x", "600 x", "220x"})
    EXPECT_FALSE(FtpReplyReader().take(line)) << line;
  FtpReplyReader endless;
  ASSERT_TRUE(endless.take("220-x"));
  Result<std::optional<FtpReply>> last = std::optional<FtpReply>();
  for (size_t i = 0; last && i < 2 * FtpReplyReader::kMostLines; ++i) last = endless.take("and more");
  ASSERT_FALSE(last);
  EXPECT_EQ(last.error().code, ErrorCode::limit);
}

TEST(FtpReplyTest, ReadsPortsAndSizes) {
  EXPECT_EQ(epsv_port("Entering Extended Passive Mode (|||6446|)"), 6446);
  EXPECT_EQ(epsv_port("ok (!!!21!)"), 21);
  for (const char* text : {"", "(|||0|)", "(|||6446)", "(||6446|)", "(|||70000|)", "(111211)", "(|1|1.2.3.4|5|)"})
    EXPECT_FALSE(epsv_port(text)) << text;
  EXPECT_EQ(pasv_port("Entering Passive Mode (192,0,2,1,200,13)."), 200 * 256 + 13);
  EXPECT_EQ(pasv_port("=192,0,2,1,0,21"), 21);
  for (const char* text : {"", "1,2,3,4,5", "1,2,3,4,5,256", "1,2,3,4,0,0", "1, 2,3,4,5,6"})
    EXPECT_FALSE(pasv_port(text)) << text;
  EXPECT_EQ(size_of("1234"), 1234u);
  EXPECT_FALSE(size_of("12 kB"));
  EXPECT_FALSE(size_of("99999999999999999999"));
}

TEST(ListingTest, ReadsMlsd) {
  EXPECT_THAT(shown("type=cdir;modify=20200131; /pub\r\ntype=pdir; ..\r\nType=DIR;perm=el; a b\r\n"
                    "type=file;size=25;modify=20200131123059; c;d.txt\r\nsize=3; e\r\nbroken\r\n"
                    "type=OS.unix=slink:/x; link\r\n",
                    Listing::mlsd),
              ElementsAre("a b/", "c;d.txt", "e", "link"));
}

TEST(ListingTest, ReadsUnixForms) {
  EXPECT_THAT(shown("total 12\r\n"
                    "drwxr-xr-x    2 0        0            4096 Jan 31  2020 folder\r\n"
                    "-rw-r--r--    1 ftp      ftp         12345 Feb  3 12:30 two  blanks\r\n"
                    "-rw-r--r--+   1 owner with blanks  7 Mar  3 1999 4 May 1999 name\r\n"
                    "lrwxrwxrwx    1 0        0               7 Jan 01 00:00 latest -> folder/x\r\n"
                    "-rw-r--r-- 1 u g 5 2020-01-31 12:30 iso\r\n"
                    "-rw-r--r-- 1 u g 5 2020-01-31 12:30:59.000000000 +0100 full-iso\r\n"
                    "-r--r--r-- 1 u g 5 31 Jan 2020 day-first\r\n"
                    "drwxr-xr-x 2 u g 5 Jan 31 2020 .\r\n"
                    "-rw-r--r-- 1 u g 5 Jan 31 2020\r\n"
                    "someone else's text\r\n",
                    Listing::list),
              ElementsAre("folder/", "two  blanks", "4 May 1999 name", "latest", "iso", "full-iso", "day-first"));
}

TEST(ListingTest, ReadsDosForms) {
  EXPECT_THAT(shown("01-16-02  11:14AM       <DIR>          epsgroup\r\n"
                    "06-05-2003  03:19PM                 1973 read me.txt\r\n"
                    "2003-06-05  15:19                 1,973 b\r\n"
                    "06/05/03  03:19 PM  7 c\r\n",
                    Listing::list),
              ElementsAre("epsgroup/", "read me.txt", "b", "c"));
}

TEST(ListingTest, ReadsBareNames) {
  EXPECT_THAT(shown("a\r\n./b\r\n/pub/c\r\nd/\r\n.\r\n..\r\n\r\ne", Listing::nlst),
              ElementsAre("a", "b", "c", "d/", "e"));
  EXPECT_THAT(read_listing("a\nb\nc\n", Listing::nlst, 2).size(), 2u);
  EXPECT_THAT(shown("a\n", Listing::none), IsEmpty());
}

TEST(ListingTest, MakesUrls) {
  const std::vector<ListedName> names = {{"a b", false}, {"d", true}, {"x:y?#%2F;type=a\\", false}, {"\xe9", false}};
  EXPECT_THAT(
      listed_urls("ftp://h/pub", names),
      ElementsAre("ftp://h/pub/a%20b", "ftp://h/pub/d/", "ftp://h/pub/x:y%3F%23%252F%3Btype=a%5C", "ftp://h/pub/%E9"));
  EXPECT_EQ(listed_urls("ftp://h/", {{"a", false}}).front(), "ftp://h/a");
  EXPECT_EQ(parent_url("ftp://h/a/b"), "ftp://h/a/");
  EXPECT_EQ(parent_url("ftp://h/a/b/"), "ftp://h/a/");
  EXPECT_EQ(parent_url("ftp://h/a"), "ftp://h/");
  EXPECT_EQ(parent_url("ftp://h/"), "");
  EXPECT_EQ(parent_url("ftp://h"), "");
}

TEST(WhoisTest, FindsReferrals) {
  EXPECT_EQ(whois_referral("domain: ORG\nrefer:        whois.publicinterestregistry.org\n\nstatus: ACTIVE"),
            "whois.publicinterestregistry.org");
  EXPECT_EQ(whois_referral("whois:        whois.nic.fr\r\n"), "whois.nic.fr");
  EXPECT_EQ(whois_referral("Whois Server (port 43): whois.nic.fr"), "whois.nic.fr");
  EXPECT_EQ(whois_referral("ReferralServer: whois://Whois.RIPE.net:43/"), "whois.ripe.net:43");
  EXPECT_EQ(whois_referral("   Registrar WHOIS Server: whois.example.org"), "whois.example.org");
  for (const char* none :
       {"", "WHOIS lookup made at 23:48:04 13-Jan-2011", "ReferralServer: rwhois://rwhois.x.net:4321",
        "whois: ", "refer: http://a.b/c", "remarks: see whois.example.org"})
    EXPECT_FALSE(whois_referral(none)) << none;
}

TEST(WhoisTest, AsksServersInTheirWords) {
  const std::vector<std::string> templates = {"whois.denic.de -T dn %s"};
  EXPECT_EQ(whois_url("whois.denic.de", "domain a.de", templates), "whois://whois.denic.de/-T%20dn%20a.de");
  EXPECT_EQ(whois_url("w.example:4343", "a.de", templates), "whois://w.example:4343/a.de");
  EXPECT_TRUE(check_whois_template("whois.denic.de -T dn %s"));
  for (const char* bad : {"", "whois.denic.de", "whois.denic.de -T", "a/b %s"})
    EXPECT_FALSE(check_whois_template(bad)) << bad;
}

}  // namespace
}  // namespace caddis::protocols
