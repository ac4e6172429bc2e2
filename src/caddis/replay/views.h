// The archive's own pages as HTML: start page, a collection, "not in the archive", a message. Pure: data in, text out.
// Their templates are in web/pages; they work without scripts, and style.css is in web/replay.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/cdx/capture.h"
#include "caddis/collection/metadata.h"
#include "caddis/pages/pages.h"
#include "caddis/replay/collection.h"

namespace caddis::replay {

struct CollectionSummary {
  std::string name;
  collection::Metadata metadata;
  uint64_t captures = 0;
  bool exact = true;
  uint64_t pages = 0;
  bool pages_exact = true;
  std::vector<std::string> problems;  // what of the collection cannot be used, in words
};
std::string start_page(const pages::Writer& writer, const std::vector<CollectionSummary>& collections);
// `launch`: what is shown is of it alone; empty: of all.
std::string collection_page(const pages::Writer& writer, const CollectionSummary& summary, const PageList& pages,
                            std::string_view launch);

struct MissingView {
  std::string collection, url;
  std::string title = "title-missing";      // the key of its text
  std::vector<std::string> problems;        // captures that exist but cannot be shown, in words
  std::vector<std::string> index_problems;  // what of the collection cannot be used, in words
  std::string fate;                         // name of a why::Fate; may be empty
  std::vector<std::string> reasons;         // why, in sentences of English
  std::vector<cdx::Capture> same_url;       // other captures of it
  std::vector<cdx::Capture> near;           // captures of URLs around it
  struct Elsewhere {
    std::string collection, heading, timestamp, url;
  };
  std::vector<Elsewhere> elsewhere;  // the latest captures in other collections
};
std::string missing_page(const pages::Writer& writer, const MissingView& view);

// A page with one sentence; both are texts.
std::string message_page(const pages::Writer& writer, std::string_view title, std::string_view sentence);
// In English, for what is told before there is a reader.
std::string message_page(std::string_view title, std::string_view sentence);

}  // namespace caddis::replay
