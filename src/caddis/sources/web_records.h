// Records in files of a web server or of S3: the name of a file is added to an address.
#pragma once

#include <memory>
#include <string>

#include "caddis/sources/record_source.h"
#include "caddis/sources/web_place.h"

namespace caddis::sources {

class WebRecords : public RecordSource {
 public:
  // Files lie below `base`, which ends in '/'.
  WebRecords(std::shared_ptr<WebPlace> place, std::string base) : place_(std::move(place)), base_(std::move(base)) {}
  Result<std::unique_ptr<io::File>> open(const cdx::Capture& capture) override;

 private:
  const std::shared_ptr<WebPlace> place_;
  const std::string base_;
};

class S3Records : public RecordSource {
 public:
  // Keys of objects are `prefix` and the name of the file.
  S3Records(std::shared_ptr<WebPlace> place, remote::S3Bucket bucket, std::string prefix)
      : place_(std::move(place)), bucket_(std::move(bucket)), prefix_(std::move(prefix)) {}
  Result<std::unique_ptr<io::File>> open(const cdx::Capture& capture) override;

 private:
  const std::shared_ptr<WebPlace> place_;
  const remote::S3Bucket bucket_;
  const std::string prefix_;
};

}  // namespace caddis::sources
