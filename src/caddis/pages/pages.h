// The pages for people: templates, messages in all languages and a theme, read once. Immutable, any thread.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/pages/data.h"
#include "caddis/pages/language.h"
#include "caddis/pages/messages.h"
#include "caddis/pages/template.h"
#include "caddis/pages/theme.h"

namespace caddis::pages {

class Pages {
 public:
  // ErrorCode::parse if a template of the theme is broken, or names another one that does not exist.
  static Result<std::shared_ptr<const Pages>> create(Theme theme);
  // Without a theme.
  static const std::shared_ptr<const Pages>& plain();

  const Theme& theme() const { return theme_; }
  const Messages& messages(const Language& language) const { return messages_.at(language.code); }
  // A template, filled. `name` has to be one of ours.
  std::string fill(std::string_view name, const Data& data, const Language& language) const;

  static const std::vector<std::string_view>& template_names();
  const Template& template_named(std::string_view name) const { return templates_.find(name)->second; }

 private:
  explicit Pages(Theme theme) : theme_(std::move(theme)) {}
  Theme theme_;
  std::map<std::string, Template, std::less<>> templates_;
  std::map<std::string_view, Messages> messages_;
};

// Writes pages for one reader.
class Writer {
 public:
  // `here` is the address of the page that is written, beginning with '/': the switch of languages leads back to it.
  // `base` is the path below which the server stands, in front of all addresses that a template has ("/wayback").
  Writer(std::shared_ptr<const Pages> pages, const Language& language, std::string here, std::string base = {})
      : pages_(std::move(pages)), language_(&language), here_(std::move(here)), base_(std::move(base)) {}
  // In English, without a theme.
  Writer() : Writer(Pages::plain(), kLanguages.front(), "/") {}

  // The user who has logged in, shown by name with a button to log out (POST /logout below the base); empty: nobody.
  void set_user(std::string name) { user_ = std::move(name); }

  // A whole page: the template in the layout, under the title `data` has.
  std::string page(std::string_view name, Data data) const;
  // A document of its own: what the layout has is there for it, but not around it.
  std::string bare_page(std::string_view name, Data data) const;
  std::string text(std::string_view key, const Data& values = {}) const {
    return pages_->messages(*language_).text(key, values);
  }
  std::string date(std::string_view timestamp, std::string_view form = "date") const;
  // The same for a server that stands below no path.
  Writer at_root() const { return {pages_, *language_, here_}; }
  const Language& language() const { return *language_; }
  const Pages& pages() const { return *pages_; }

 private:
  void add_surroundings(Data& data) const;
  std::shared_ptr<const Pages> pages_;
  const Language* language_;
  std::string here_;
  std::string base_;
  std::string user_;
};

}  // namespace caddis::pages
