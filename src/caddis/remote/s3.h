// Requests to S3 and what speaks as it does: credentials, addresses, and the signature of a request (AWS Signature Version 4,
// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html). Pure but for reading credentials. Keys are
// in no message.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/http/request.h"
#include "caddis/io/files.h"

namespace caddis::remote {

struct S3Credentials {
  std::string key_id, secret, session_token;
  bool empty() const { return key_id.empty(); }
  bool operator==(const S3Credentials&) const = default;
};

// The credentials of AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN; empty without them.
S3Credentials s3_credentials_of_environment();
// The credentials of a profile in a file as AWS's tools have it (~/.aws/credentials).
Result<S3Credentials> read_s3_credentials(io::Files& files, const std::string& path, std::string_view profile);

struct S3Bucket {
  std::string bucket;
  std::string endpoint;  // "https://s3.example.org"; empty: Amazon's, of the region
  std::string region = "us-east-1";
  bool is_host_style = false;  // the bucket is part of the host's name, not of the path
};

// The address of an object, its key encoded.
std::string s3_address(const S3Bucket& bucket, std::string_view key);
// As S3 encodes paths: all but unreserved characters and '/'.
std::string s3_encoded(std::string_view text);

// The fields that sign a GET request to `address` with these fields, all of which are signed. None without credentials: what
// anybody may read is asked for without.
std::vector<http::Header> s3_signature(std::string_view address, const std::vector<http::Header>& fields,
                                       const S3Credentials& credentials, std::string_view region, WallTime now);

}  // namespace caddis::remote
