#include "caddis/remote/s3.h"

#include <gtest/gtest.h>

#include "caddis/base/time_format.h"
#include "caddis/io/memory_files.h"

namespace caddis::remote {
namespace {

// The example of Amazon's own documentation: "GET Object".
TEST(S3, SignsAsTheSpecificationShows) {
  const S3Credentials credentials{"AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", ""};
  const auto now = parse_timestamp("20130524000000");
  std::vector<http::Header> fields = {{"Range", "bytes=0-9"}};
  const auto made =
      s3_signature("https://examplebucket.s3.amazonaws.com/test.txt", fields, credentials, "us-east-1", *now);
  ASSERT_EQ(made.size(), 3u);
  EXPECT_EQ(made[1].value, "20130524T000000Z");
  EXPECT_EQ(made[2].value,
            "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
            "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, "
            "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
  EXPECT_TRUE(made[2].secret);
}

// "Get Bucket Lifecycle" there: a parameter without a value.
TEST(S3, SignsParameters) {
  const S3Credentials credentials{"AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", ""};
  const auto made = s3_signature("https://examplebucket.s3.amazonaws.com/?lifecycle", {}, credentials, "us-east-1",
                                 *parse_timestamp("20130524000000"));
  ASSERT_EQ(made.size(), 3u);
  EXPECT_TRUE(made[2].value.ends_with("Signature=fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"));
}

TEST(S3, SignsTheTokenOfASession) {
  const auto made = s3_signature("http://127.0.0.1:9000/b/k", {}, {"id", "secret", "token"}, "eu-west-1",
                                 *parse_timestamp("20260102030405"));
  ASSERT_EQ(made.size(), 4u);
  EXPECT_EQ(made[2].name, "x-amz-security-token");
  EXPECT_NE(made[3].value.find("x-amz-security-token"), std::string::npos);
}

TEST(S3, AsksWithoutASignatureIfThereAreNoCredentials) {
  EXPECT_TRUE(s3_signature("http://127.0.0.1:9000/b/k", {}, {}, "eu-west-1", WallTime()).empty());
}

TEST(S3, MakesAddressesInBothStyles) {
  S3Bucket bucket{"warcs", "", "eu-west-1", false};
  EXPECT_EQ(s3_address(bucket, "a b/c+d.warc.gz"), "https://s3.eu-west-1.amazonaws.com/warcs/a%20b/c%2Bd.warc.gz");
  bucket.is_host_style = true;
  EXPECT_EQ(s3_address(bucket, "x.warc"), "https://warcs.s3.eu-west-1.amazonaws.com/x.warc");
  bucket.endpoint = "http://store.example:9000/";
  EXPECT_EQ(s3_address(bucket, "x.warc"), "http://warcs.store.example:9000/x.warc");
}

TEST(S3, ReadsAProfileOfACredentialsFile) {
  io::MemoryFiles files;
  ASSERT_TRUE(files.write_atomically("c",
                                     "[default]\naws_access_key_id = A\naws_secret_access_key=B\n"
                                     "# another\n[other]\naws_access_key_id=C\naws_secret_access_key=D\n"
                                     "aws_session_token=E\n"));
  const auto other = read_s3_credentials(files, "c", "other");
  ASSERT_TRUE(other) << other.error().message;
  EXPECT_EQ(other->key_id, "C");
  EXPECT_EQ(other->secret, "D");
  EXPECT_EQ(other->session_token, "E");
  EXPECT_EQ(read_s3_credentials(files, "c", "default")->key_id, "A");
  const auto none = read_s3_credentials(files, "c", "third");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::config);
  EXPECT_NE(none.error().message.find("[third]"), std::string::npos);
}

}  // namespace
}  // namespace caddis::remote
