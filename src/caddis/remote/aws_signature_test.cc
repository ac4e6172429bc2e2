// The vectors are those of AWS's documentation of Signature Version 4 and of its test suite.
#include "caddis/remote/aws_signature.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caddis/base/time_format.h"

namespace caddis::remote {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

constexpr char kNoBody[] = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const AwsKeys kS3{"AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "us-east-1", "s3"};
const WallTime kDay = *parse_timestamp("20130524000000");

TEST(AwsSignature, GetVanilla) {
  const AwsKeys keys{"AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", "us-east-1", "service"};
  const AwsRequest request{
      "GET", "/", "", {{"Host", "example.amazonaws.com"}, {"X-Amz-Date", "20150830T123600Z"}}, kNoBody};
  EXPECT_EQ(aws_authorization(keys, request, *parse_timestamp("20150830123600")),
            "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
            "SignedHeaders=host;x-amz-date, "
            "Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31");
}

TEST(AwsSignature, GetsAnObject) {
  const AwsRequest request{"GET",
                           "/test.txt",
                           "",
                           {{"Host", "examplebucket.s3.amazonaws.com"},
                            {"Range", "bytes=0-9"},
                            {"x-amz-content-sha256", kNoBody},
                            {"x-amz-date", "20130524T000000Z"}},
                           kNoBody};
  EXPECT_THAT(aws_authorization(kS3, request, kDay),
              EndsWith("Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"));
}

TEST(AwsSignature, PutsAnObject) {
  constexpr char kBody[] = "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072";
  const AwsRequest request{"PUT",
                           "/test%24file.text",
                           "",
                           {{"Host", "examplebucket.s3.amazonaws.com"},
                            {"Date", "Fri, 24 May 2013 00:00:00 GMT"},
                            {"x-amz-content-sha256", kBody},
                            {"x-amz-date", "20130524T000000Z"},
                            {"x-amz-storage-class", "REDUCED_REDUNDANCY"}},
                           kBody};
  EXPECT_THAT(aws_authorization(kS3, request, kDay),
              EndsWith("Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"));
}

TEST(AwsSignature, QueriesAreSorted) {
  const auto signed_with = [](const std::string& query) {
    return aws_authorization(kS3,
                             {"GET",
                              "/",
                              query,
                              {{"Host", "examplebucket.s3.amazonaws.com"},
                               {"x-amz-content-sha256", kNoBody},
                               {"x-amz-date", "20130524T000000Z"}},
                              kNoBody},
                             kDay);
  };
  EXPECT_THAT(signed_with("lifecycle="),
              HasSubstr("Signature=fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"));
  EXPECT_EQ(signed_with("lifecycle"), signed_with("lifecycle="));
  EXPECT_THAT(signed_with("prefix=J&max-keys=2"),
              HasSubstr("Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"));
}

}  // namespace
}  // namespace caddis::remote
