#include "caddis/pages/pages.h"

#include "caddis/base/check.h"
#include "caddis/pages/assets.h"
#include "caddis/pages/date_words.h"

namespace caddis::pages {
namespace {

std::string asset_of(std::string_view name) { return std::string(name) + ".html"; }

}  // namespace

const std::vector<std::string_view>& Pages::template_names() {
  static const std::vector<std::string_view> names = {
      "layout",  "search-form", "start", "collection", "calendar", "captures-table", "search", "search-results",
      "missing", "message",     "frame", "info",       "compare",  "host-warning",   "qa",     "proxy"};
  return names;
}

Result<std::shared_ptr<const Pages>> Pages::create(Theme theme) {
  auto pages = std::shared_ptr<Pages>(new Pages(std::move(theme)));
  for (const std::string_view name : template_names()) {
    const auto own = pages->theme_.templates.find(name);
    const std::string_view source =
        own != pages->theme_.templates.end() ? std::string_view(own->second) : find_asset(asset_of(name));
    TRY(Template made, Template::parse(source, asset_of(name)));
    for (const std::string& partial : made.partials())
      if (find_asset(asset_of(partial)).empty())
        return fail(ErrorCode::parse, asset_of(name) + ": there is no template '" + partial + "'");
    pages->templates_.emplace(name, std::move(made));
  }
  for (const Language& language : kLanguages) {
    const std::string file = "messages." + std::string(language.code) + ".json";
    auto messages = Messages::parse(find_asset(file), language);
    if (!messages) return pass(messages.error(), file);
    pages->messages_.emplace(language.code, *std::move(messages));
  }
  return pages;
}

const std::shared_ptr<const Pages>& Pages::plain() {
  static const std::shared_ptr<const Pages> pages = [] {
    auto made = create(Theme());
    CADDIS_CHECK(made);
    return *made;
  }();
  return pages;
}

std::string Pages::fill(std::string_view name, const Data& data, const Language& language) const {
  return template_named(name).fill(data, messages(language), [this](std::string_view partial) {
    const auto found = templates_.find(partial);
    return found == templates_.end() ? nullptr : &found->second;
  });
}

void Writer::add_surroundings(Data& data) const {
  const Theme& theme = pages_->theme();
  data.set("language", language_->code);
  data.set("here", here_);
  data.set("base", base_);
  data.set("user", user_);
  data.set("archive", Data{{"name", theme.name},
                           {"has_logo", !theme.logo.empty()},
                           {"has_style", !theme.style.empty()},
                           {"header", Data::Html{theme.header}},
                           {"footer", Data::Html{theme.footer}}});
  Data::List languages;
  for (const Language& one : kLanguages)
    languages.push_back(
        Data{{"code", one.code}, {"own_name", one.own_name}, {"is_current", one.code == language_->code}});
  data.set("languages", std::move(languages));
}

std::string Writer::page(std::string_view name, Data data) const {
  add_surroundings(data);
  data.set("content", Data::Html{pages_->fill(name, data, *language_)});
  return pages_->fill("layout", data, *language_);
}

std::string Writer::bare_page(std::string_view name, Data data) const {
  add_surroundings(data);
  return pages_->fill(name, data, *language_);
}

std::string Writer::date(std::string_view timestamp, std::string_view form) const {
  return date_words(timestamp, form, *language_);
}

}  // namespace caddis::pages
