// Signatures of requests to S3 and what speaks like it: AWS Signature Version 4, in the field Authorization.
//
// Pure, any thread.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/base/clock.h"

namespace caddis::remote {

struct AwsKeys {
  std::string access_key, secret_key;
  std::string region = "us-east-1", service = "s3";
};

struct AwsRequest {
  std::string method;
  std::string path;   // percent-encoded, as it is sent: "/bucket/a%20b"
  std::string query;  // percent-encoded, "a=1&b="; empty: none
  // All fields that are signed, Host and X-Amz-Date among them; names in any case.
  std::vector<std::pair<std::string, std::string>> fields;
  std::string payload_sha256;  // hexadecimal, or "UNSIGNED-PAYLOAD"
};

// "20150830T123600Z": X-Amz-Date.
std::string aws_date(WallTime time);
// The value of Authorization, for a request of that time.
std::string aws_authorization(const AwsKeys& keys, const AwsRequest& request, WallTime time);

}  // namespace caddis::remote
