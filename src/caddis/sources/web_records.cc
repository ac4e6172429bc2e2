#include "caddis/sources/web_records.h"

namespace caddis::sources {

Result<std::unique_ptr<io::File>> WebRecords::open(const cdx::Capture& capture) {
  TRY_VOID(check_file_name(capture.filename));
  return open_web_file(place_, base_ + remote::s3_encoded(capture.filename), capture.offset_number().value_or(0),
                       capture.length_number());
}

Result<std::unique_ptr<io::File>> S3Records::open(const cdx::Capture& capture) {
  TRY_VOID(check_file_name(capture.filename));
  return open_web_file(place_, remote::s3_address(bucket_, prefix_ + capture.filename),
                       capture.offset_number().value_or(0), capture.length_number());
}

}  // namespace caddis::sources
