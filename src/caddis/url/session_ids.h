// Session ids in URLs: the shapes that web archives have always taken out of their keys. Names match in any case.
//
// The cut_… functions are the index key's and Heritrix's rules with all their reach: they match the end of a longer
// name too ("foosid=" ends in "sid="), and leave the separator before the id. drop_… removes whole parameters only.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

namespace caddis::url {

// Is there anything that could be a session id? Cheap, and wrong only by saying yes.
bool may_hold_session_id(std::string_view path_and_query);

// Cut the last `<one of names>=<32 letters and digits>` that "&" or the end follows, with that "&". `from`: where a
// match may begin.
bool cut_value32(std::string& text, std::initializer_list<std::string_view> names, size_t from);
// The same for aspsessionid<8 letters>=<24 letters>.
bool cut_aspsessionid(std::string& text, size_t from);
// The same for cfid=…&cftoken=….
bool cut_cfid(std::string& text, size_t from);

// ASP.NET's segments "/(S(24))/" and "/(24)/" before an .aspx page, one of each.
bool cut_aspx_segments(std::string& path);

// ";jsessionid=<32>" with an optional ".node", at the end of a path segment.
bool drop_path_parameter(std::string& path);
// Query parameters jsessionid, phpsessid, sid (32), aspsessionid* (24) and the pair cfid, cftoken.
bool drop_query_parameters(std::string& query);

}  // namespace caddis::url
