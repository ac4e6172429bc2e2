// Captures and URLs as pages show them (pages/data.h): what several templates of web/pages are filled with. Pure.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/cdx/capture.h"
#include "caddis/pages/data.h"
#include "caddis/pages/pages.h"

namespace caddis::replay {

// "/coll/20260102030405/http://example.org/"
std::string replay_address(std::string_view collection, std::string_view timestamp, std::string_view url);
// "/coll/*/http://example.org/"
std::string calendar_address(std::string_view collection, std::string_view url);
// The page about one capture.
std::string about_address(std::string_view collection, std::string_view timestamp, std::string_view url);
std::string compare_address(std::string_view collection, std::string_view url, std::string_view old_time,
                            std::string_view new_time, std::string_view way = {});

// A URL in Unicode, with what is to be said of its host ("shown" of the template host-warning).
pages::Data shown_url(std::string_view url);

// A URL for the title of a window, where nothing is said of it: in Unicode only if its host does not mislead.
std::string url_in_title(std::string_view url);

struct RowOptions {
  std::string collection;
  std::string compare_url;  // captures of it can be compared; empty: none
  bool with_url = false;
  std::function<std::string(const cdx::Capture&)> title_of = {};  // empty: titles are not shown
};
// Fills the template captures-table.
void add_capture_table(pages::Data& page, const std::vector<cdx::Capture>& captures, const RowOptions& options);

// The fields of the search form. `collection` empty: all of them.
struct SearchForm {
  std::string collection, url, match, from, to, status, type;
};
pages::Data form_data(const SearchForm& form);
// Its query string, without the collection.
std::string form_query(const SearchForm& form);

}  // namespace caddis::replay
