// Answers of an index server about an index itself: how much it holds, its rows one by one, what has changed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/cdxserver/index_folder.h"
#include "caddis/http/server.h"

namespace caddis::cdxserver {

http::ServerResponse answer_list(IndexFolder& folder);        // of names, in JSON
http::ServerResponse answer_start_page(IndexFolder& folder);  // for people
http::ServerResponse answer_index_page(ServedIndex& index);   // for people
http::ServerResponse answer_stats(ServedIndex& index, std::string_view query);
http::ServerResponse answer_rows(ServedIndex& index, std::string_view query);     // captures from a key on
http::ServerResponse answer_aliases(ServedIndex& index, std::string_view query);  // from a key on
// Lines "host type status year count bytes".
http::ServerResponse answer_cube(ServedIndex& index);
// A JSON array of writes for an index that follows this one.
http::ServerResponse answer_changes(ServedIndex& index, std::string_view query);

}  // namespace caddis::cdxserver
