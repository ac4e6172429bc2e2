// The page of what replayed pages missed, and the same as seeds.
#include <optional>
#include <set>

#include "caddis/base/csv.h"
#include "caddis/base/percent.h"
#include "caddis/replay/capture_rows.h"
#include "caddis/replay/missed.h"
#include "caddis/replay/own_routes.h"
#include "caddis/text/host_display.h"

namespace caddis::replay {
namespace {

using pages::Data;
using pages::Writer;

http::ServerResponse download(std::string_view type, std::string_view name, std::string body) {
  http::ServerResponse response(200);
  response.headers = {{"Content-Type", std::string(type)},
                      {"Content-Disposition", "attachment; filename=\"" + std::string(name) + '"'},
                      {"X-Content-Type-Options", "nosniff"}};
  response.body = std::move(body);
  return response;
}

// Each URL once, in the order of pages.
std::string seeds_of(const std::vector<MissedResource>& missed, std::string_view page) {
  std::string text = "# missing in replay";
  if (!page.empty()) text += " of " + header_url(page);
  text += '\n';
  std::set<std::string_view> known;
  for (const MissedResource& one : missed) {
    if (!page.empty() && one.page != page) continue;
    if (known.insert(one.url).second) text += header_url(one.url) + '\n';
  }
  return text;
}

std::string csv_of(const std::vector<MissedResource>& missed) {
  std::string text = "page,timestamp,url,kind,count\r\n";
  for (const MissedResource& one : missed)
    text += csv_cell(one.page) + ',' + csv_cell(one.timestamp) + ',' + csv_cell(one.url) + ',' + csv_cell(one.kind) +
            ',' + std::to_string(one.count) + "\r\n";
  return text;
}

Data pages_of(const std::string& collection, const std::vector<MissedResource>& missed) {
  Data::List pages;
  for (size_t i = 0; i < missed.size();) {
    const MissedResource& first = missed[i];
    Data::List urls;
    for (; i < missed.size() && missed[i].page == first.page; ++i)
      urls.push_back(Data{{"shown_url", text::display_url(missed[i].url).text},
                          {"kind", missed[i].kind},
                          {"count", missed[i].count},
                          {"why_address", replay_address(collection, first.timestamp, missed[i].url)}});
    pages.push_back(Data{{"page", text::display_url(first.page).text},
                         {"timestamp", first.timestamp},
                         {"address", replay_address(collection, first.timestamp, first.page)},
                         {"seeds_address", '/' + collection + "/qa?as=seeds&page=" + percent_encoded(first.page)},
                         {"urls", std::move(urls)}});
  }
  return pages;
}

// The entries that the viewer may know of: neither a page nor what it asked for has anything hidden.
std::vector<MissedResource> seen_of(const RequestContext& context) {
  auto missed = context.missed.of(context.collection.name());
  std::erase_if(missed, [&](const MissedResource& one) {
    return context.seen.hides_anything_of(one.page) || context.seen.hides_anything_of(one.url);
  });
  return missed;
}

// Returns nothing if the list may be cleared: from this page alone, for others of the web can send a form here, too; and where
// there is a log-in, by those who may change something.
std::optional<http::ServerResponse> refuse_clearing(const RequestContext& context) {
  const std::string_view origin = context.request.header("origin");
  const size_t host = origin.find("://");
  if (host == std::string_view::npos || origin.substr(host + 3) != context.request.header("host"))
    return http::text_response(403, "this is done from the archive's own page alone");
  const std::string_view role = context.place.viewer.role;
  if (!role.empty() && role != "operator" && role != "admin")
    return http::text_response(403, "this needs the role operator");
  return std::nullopt;
}

}  // namespace

http::ServerResponse answer_qa(const RequestContext& context, const FormValues& asked) {
  const std::string& name = context.collection.name();
  if (context.request.method == "POST" && asked.get("do") == "clear") {
    if (auto refused = refuse_clearing(context)) return *std::move(refused);
    context.missed.clear(name);
    return redirect_to(303, context.own_prefix() + "qa");
  }
  const auto missed = seen_of(context);
  if (asked.get("as") == "seeds")
    return download("text/plain; charset=utf-8", name + "-missing.txt", seeds_of(missed, asked.get("page")));
  if (asked.get("as") == "csv")
    return download("text/csv; charset=utf-8; header=present", name + "-missing.csv", csv_of(missed));
  const Writer& writer = context.writer;
  Data page{{"title", writer.text("title-qa")},         {"launch", context.collection.launch()},
            {"has_missing", !missed.empty()},           {"count", missed.size()},
            {"is_full", context.missed.is_full()},      {"seeds_address", '/' + name + "/qa?as=seeds"},
            {"csv_address", '/' + name + "/qa?as=csv"}, {"clear_address", '/' + name + "/qa?do=clear"},
            {"by_page", pages_of(name, missed)}};
  return own_page(200, writer.page("qa", std::move(page)));
}

}  // namespace caddis::replay
