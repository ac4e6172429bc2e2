// A template: HTML with places that data fill.
//
//   {{name}} {{day.count}}      a value, escaped; {{.}} is the item itself
//   {{number n}} {{date time}}  … as a number, or a timestamp as a date, of the reader's language; also day, month
//   {{url name}}                … percent-encoded, for the query of an address
//   {{#rows}} … {{/rows}}       once for each item of a list, or once if there is something; names are looked up in
//                               the item first, then around it
//   {{^rows}} … {{/rows}}       if there is nothing
//   {{>menu}}                   another template
//   {{t key}} {{t key n=count}} a message of the catalogue; `n` is filled with the value `count`
//   {{! a remark }}
//
// Sections, partials and remarks that stand alone on a line leave no empty line. Immutable, any thread.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/pages/data.h"
#include "caddis/pages/messages.h"

namespace caddis::pages {

class Template {
 public:
  // Null for a name that there is none of.
  using Find = std::function<const Template*(std::string_view name)>;

  // ErrorCode::parse with the line. `name` is for messages.
  static Result<Template> parse(std::string_view source, std::string_view name);

  std::string fill(const Data& data, const Messages& messages, const Find& partials) const;
  std::set<std::string> partials() const;
  // Keys of messages, with the names of the values they are given.
  std::vector<std::pair<std::string, std::set<std::string>>> messages() const;

 private:
  struct Node {
    enum class Kind { text, value, section, inverted, partial, message };
    Kind kind = Kind::text;
    std::string text;    // the text itself, a path of names, a partial, or a key
    std::string format;  // of a value
    std::vector<std::pair<std::string, std::string>> arguments;  // of a message: name and path
    std::vector<Node> children;
  };
  class Parser;
  class Filler;
  template <typename Use>
  static void each(const std::vector<Node>& nodes, const Use& use) {
    for (const Node& node : nodes) {
      use(node);
      each(node.children, use);
    }
  }

  std::vector<Node> nodes_;
};

}  // namespace caddis::pages
