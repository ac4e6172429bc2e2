#include "caddis/replay/views.h"

#include "caddis/base/visible.h"
#include "caddis/replay/capture_rows.h"
#include "caddis/text/host_display.h"

namespace caddis::replay {
namespace {

using pages::Data;
using pages::Writer;

// A sentence of the log of a stranger's crawl.
constexpr size_t kMostOfASentence = 4000;

Data texts(const std::vector<std::string>& sentences) {
  Data::List list;
  for (const std::string& sentence : sentences) list.emplace_back(visible(sentence, kMostOfASentence));
  return list;
}

// The name that people read.
std::string heading_of(const CollectionSummary& summary) {
  const std::string_view title = summary.metadata.title();
  return title.empty() ? summary.name : std::string(title);
}

void add_summary(Data& data, const CollectionSummary& summary) {
  data.set("name", summary.name)
      .set("heading", heading_of(summary))
      .set("description", summary.metadata.description())
      .set("captures", summary.captures)
      .set("exact", summary.exact)
      .set("pages", summary.pages)
      .set("pages_exact", summary.pages_exact)
      .set("problems", texts(summary.problems));
}

}  // namespace

std::string start_page(const Writer& writer, const std::vector<CollectionSummary>& collections) {
  Data page{{"title", writer.text("title-start")}, {"has_collections", !collections.empty()}};
  // One collection is searched by name, so that its addresses are learned; several together.
  page.set("form", form_data({.collection = collections.size() == 1 ? collections.front().name : ""}));
  Data::List list;
  for (const CollectionSummary& one : collections) {
    Data data;
    add_summary(data, one);
    list.push_back(std::move(data));
  }
  page.set("collections", std::move(list));
  return writer.page("start", std::move(page));
}

std::string collection_page(const Writer& writer, const CollectionSummary& summary, const PageList& pages,
                            std::string_view launch) {
  Data page{{"title", heading_of(summary)}, {"launch", launch}, {"has_launches", true}};
  add_summary(page, summary);
  Data::List fields;
  for (const auto& [name, value] : summary.metadata.fields())
    if (name != "title" && name != "description") fields.push_back(Data{{"field", name}, {"value", value}});
  page.set("has_fields", !fields.empty());
  page.set("fields", std::move(fields));
  page.set("form", form_data({.collection = summary.name}));
  Data::List list;
  for (const Page& one : pages.first) {
    const std::string shown = text::display_url(one.url).text;
    list.push_back(Data{{"address", replay_address(summary.name, one.timestamp.empty() ? "*" : one.timestamp, one.url)},
                        {"heading", one.title.empty() ? shown : one.title},
                        {"shown", shown}});
  }
  page.set("listed", list.size());
  if (pages.count > pages.first.size()) page.set("listed_only", pages.first.size());
  page.set("page_list", std::move(list));
  return writer.page("collection", std::move(page));
}

std::string missing_page(const Writer& writer, const MissingView& view) {
  Data page{{"title", writer.text(view.title)}, {"shown", shown_url(view.url)}};
  const bool knows_nothing = view.reasons.empty() && view.problems.empty();
  // The sentences are English; readers of other languages are told the gist in theirs.
  if (writer.language().code != "en" && !view.fate.empty()) {
    const std::string key = "fate-" + view.fate;
    if (std::string text = writer.text(key); text != key) page.set("fate", std::move(text));
  }
  page.set("reasons", texts(view.reasons));
  page.set("is_unknown", knows_nothing || (view.fate == "unknown" && writer.language().code != "en"));
  page.set("problems", texts(view.problems));
  page.set("index_problems", texts(view.index_problems));
  if (!view.same_url.empty()) {
    Data table;
    add_capture_table(table, view.same_url, {.collection = view.collection, .compare_url = view.url});
    page.set("same_url", std::move(table));
  }
  if (!view.near.empty()) {
    Data table;
    add_capture_table(table, view.near, {.collection = view.collection, .compare_url = "", .with_url = true});
    page.set("near", std::move(table));
  }
  if (!view.elsewhere.empty()) {
    Data::List items;
    for (const auto& one : view.elsewhere)
      items.push_back(Data{{"heading", one.heading},
                           {"timestamp", one.timestamp},
                           {"address", calendar_address(one.collection, one.url)}});
    page.set("elsewhere", Data{{"items", std::move(items)}});
  }
  page.set("form", form_data({.collection = view.collection, .url = view.url}));
  return writer.page("missing", std::move(page));
}

std::string message_page(const Writer& writer, std::string_view title, std::string_view sentence) {
  return writer.page("message", Data{{"title", title}, {"sentence", sentence}});
}

std::string message_page(std::string_view title, std::string_view sentence) {
  return message_page(Writer(), title, sentence);
}

}  // namespace caddis::replay
