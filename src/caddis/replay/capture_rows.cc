#include "caddis/replay/capture_rows.h"

#include "caddis/base/percent.h"
#include "caddis/cdx/request_key.h"
#include "caddis/replay/address.h"
#include "caddis/text/host_display.h"

namespace caddis::replay {

using pages::Data;

std::string replay_address(std::string_view collection, std::string_view timestamp, std::string_view url) {
  return '/' + std::string(collection) + '/' + std::string(timestamp) + '/' + header_url(url);
}

std::string calendar_address(std::string_view collection, std::string_view url) {
  return replay_address(collection, "*", url);
}

std::string about_address(std::string_view collection, std::string_view timestamp, std::string_view url) {
  return '/' + std::string(collection) + "/info?time=" + percent_encoded(timestamp) + "&url=" + percent_encoded(url);
}

std::string compare_address(std::string_view collection, std::string_view url, std::string_view old_time,
                            std::string_view new_time, std::string_view way) {
  std::string address = '/' + std::string(collection) + "/compare?url=" + percent_encoded(url) +
                        "&a=" + percent_encoded(old_time) + "&b=" + percent_encoded(new_time);
  if (!way.empty()) address += "&by=" + std::string(way);
  return address;
}

Data shown_url(std::string_view url) {
  const text::UrlDisplay display = text::display_url(url);
  const size_t scheme = url.find("://");
  std::string_view host = scheme == std::string_view::npos ? url : url.substr(scheme + 3);
  host = host.substr(0, host.find_first_of("/?#"));
  return Data{{"text", display.text},
              {"ascii", host},
              {"host", display.host.text},
              {"is_foreign", display.host.text != host},
              {"is_mixed", display.host.doubt == text::HostDoubt::mixed_scripts},
              {"is_alike", display.host.doubt == text::HostDoubt::look_alike},
              {"is_doubtful", display.host.doubt != text::HostDoubt::none}};
}

std::string url_in_title(std::string_view url) {
  text::UrlDisplay display = text::display_url(url);
  return display.host.doubt == text::HostDoubt::none ? std::move(display.text) : std::string(url);
}

void add_capture_table(Data& page, const std::vector<cdx::Capture>& captures, const RowOptions& options) {
  const bool can_compare = !options.compare_url.empty() && captures.size() > 1;
  Data::List rows;
  for (size_t i = 0; i < captures.size(); ++i) {
    const cdx::Capture& capture = captures[i];
    const std::string url = cdx::indexed_url(capture);
    rows.push_back(Data{{"timestamp", capture.timestamp},
                        {"address", replay_address(options.collection, capture.timestamp, url)},
                        {"shown_url", text::display_url(capture.url).text},
                        {"page_title", options.title_of ? options.title_of(capture) : std::string()},
                        {"status", capture.status},
                        {"type", capture.mime},
                        {"is_unchanged", capture.is_revisit()},
                        {"length", capture.length},
                        {"filename", capture.filename},
                        {"about_address", about_address(options.collection, capture.timestamp, url)},
                        {"is_old", i + 2 == captures.size()},
                        {"is_new", i + 1 == captures.size()}});
  }
  page.set("has_rows", !captures.empty());
  page.set("rows", std::move(rows));
  page.set("collection", options.collection);
  page.set("compare_url", options.compare_url);
  page.set("can_compare", can_compare);
  page.set("with_url", options.with_url);
}

Data form_data(const SearchForm& form) {
  return Data{{"collection", form.collection},
              {"url", form.url},
              {"is_exact", form.match == "exact"},
              {"is_prefix", form.match == "prefix"},
              {"is_host", form.match == "host"},
              {"is_domain", form.match == "domain"},
              {"from", form.from},
              {"to", form.to},
              {"status", form.status},
              {"type", form.type},
              {"is_narrowed", !(form.from + form.to + form.status + form.type).empty()}};
}

std::string form_query(const SearchForm& form) {
  std::string query = "url=" + percent_encoded(form.url);
  const auto add = [&](std::string_view name, std::string_view value) {
    if (!value.empty()) query += '&' + std::string(name) + '=' + percent_encoded(value);
  };
  add("match", form.match);
  add("from", form.from);
  add("to", form.to);
  add("status", form.status);
  add("type", form.type);
  return query;
}

}  // namespace caddis::replay
