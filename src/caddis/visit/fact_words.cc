#include "caddis/visit/fact_words.h"

namespace caddis::visit {

std::string_view listing_word(http::Resource::Listing listing) {
  switch (listing) {
    case http::Resource::Listing::none:
      return "";
    case http::Resource::Listing::mlsd:
      return "mlsd";
    case http::Resource::Listing::list:
      return "list";
    case http::Resource::Listing::nlst:
      return "nlst";
  }
  return "";
}

std::string_view truncated_word(http::Truncated reason) {
  switch (reason) {
    case http::Truncated::none:
      return "";
    case http::Truncated::length:
      return "length";
    case http::Truncated::time:
      return "time";
    case http::Truncated::disconnect:
      return "disconnect";
    case http::Truncated::head:
      return "head";
    case http::Truncated::unwanted:
      return "unwanted";
  }
  return "";
}

std::string_view flaw_word(fetch::BodyFlaw flaw) {
  switch (flaw) {
    case fetch::BodyFlaw::none:
      return "";
    case fetch::BodyFlaw::read_in_part:
      return "read-in-part";
    case fetch::BodyFlaw::undecodable:
      return "undecodable";
  }
  return "";
}

std::string_view likeness_word(dedup::Likeness likeness) {
  switch (likeness) {
    case dedup::Likeness::url:
      return "url";
    case dedup::Likeness::canonical:
      return "canonical";
    case dedup::Likeness::digest:
      return "digest";
  }
  return "";
}

}  // namespace caddis::visit
