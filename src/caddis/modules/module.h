// The interface between Caddis and modules that others write: rules, steps, listeners, policies and frontiers, in C++ (a
// shared object) or in Lua (a file, docs/lua.md). docs/extending.md is a tutorial.
//
//   class Old final : public caddis::modules::Rule {
//     bool holds(const caddis::modules::Link& link) override { return link.url.contains("/old/"); }
//   };
//   std::vector<caddis::modules::Description> modules() {
//     return {{.name = "old", .doc = "Whether a URL is old.", .make_rule = [](std::string_view) { return std::make_unique<Old>(); }}};
//   }
//   CADDIS_MODULES(modules)
//
// Plain and synchronous, and only the standard library is needed. What is called through it may throw a std::exception:
// that is an error of the one visit or link at hand. Views are valid during the call only. Each object is used by one
// thread at a time; others of its kind may be used by other threads at the same time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace caddis::modules {

// A module that was built with another number is refused.
inline constexpr int kInterface = 2;

// A URL that a scope or a guard asks about.
struct Link {
  std::string_view url;
  std::string_view scheme, host, path;  // of it
  std::string_view hops;                // from the seed to it, a letter a hop: "LLE"
  std::string_view via;                 // the page that led to it; empty for seeds
  std::string_view seed;                // the seed from which the links led here
  bool is_seed = false;
  // The server's answer, for guards of steps; 0 if there is none yet.
  int status = 0;
  std::string_view mime;
  int64_t length = -1;  // bytes of the body; -1 if they are not known
  std::string_view address;
};

// The condition `module NAME ARGUMENTS` of rules and guards.
class Rule {
 public:
  virtual ~Rule() = default;
  virtual bool holds(const Link& link) = 0;
};

enum class Kind { none, flag, number, real, text, list, duration, size };

// The settings of a module that hold for the URL at hand.
class Values {
 public:
  virtual ~Values() = default;
  // Returns Kind::none if the module has no setting of that name.
  virtual Kind kind(std::string_view name) const = 0;
  // Each throws std::invalid_argument if the setting is of another kind. Durations are in milliseconds, sizes in bytes.
  virtual bool flag(std::string_view name) const = 0;
  virtual int64_t number(std::string_view name) const = 0;
  virtual double real(std::string_view name) const = 0;
  virtual std::string text(std::string_view name) const = 0;
  virtual std::vector<std::string> list(std::string_view name) const = 0;
};

// The visit of a URL, as a step sees it.
class Page {
 public:
  virtual ~Page() = default;
  virtual std::string_view url() const = 0;
  virtual std::string_view host() const = 0;
  virtual std::string_view hops() const = 0;
  virtual std::string_view via() const = 0;
  virtual std::string_view seed() const = 0;
  // HTTP's status, or one of Heritrix's numbers; 0 before the fetch.
  virtual int status() const = 0;
  // The type of the answer without parameters.
  virtual std::string_view mime() const = 0;
  // The first field of that name in the answer; empty if there is none.
  virtual std::string_view header(std::string_view name) const = 0;
  // The body with its codings undone, up to `extract.max-length`. Empty before the step `decode`.
  virtual std::string_view body() const = 0;
  virtual const Values& settings() const = 0;

  // A link of the page, absolute or relative to it; `hop` is one of "LEXIM"; any other letter is a
  // std::invalid_argument. A step adds 10,000 links to a page at most, and 1 MB of notes: more is a std::length_error. The step has to stand before `links`, and
  // before `records` if the link is to be named in the metadata record. Returns false for what is no URL that can be
  // crawled.
  virtual bool add_link(std::string_view url, char hop, std::string_view context) = 0;
  // A word in the last column of crawl.log.
  virtual void annotate(std::string_view annotation) = 0;
  // A field of the WARC metadata record; the step has to stand before `records`.
  virtual void add_metadata(std::string_view name, std::string_view value) = 0;
  // No records are written of it, if the step stands before `records`. That is on record in crawl.log.
  virtual void leave_out() = 0;
};

// A step of a visit; pipeline.url names it.
class Step {
 public:
  virtual ~Step() = default;
  virtual void run(Page& page) = 0;
};

// A visit that is over for good.
struct Finished {
  std::string_view url, host, hops, via, seed, mime, digest;
  int status = 0;
  uint64_t size = 0;     // bytes received
  int64_t duration = 0;  // of the fetch, in milliseconds
  bool is_seed = false;
  bool is_prerequisite = false;  // robots.txt or an address
};

// Hears what becomes of visits and of the crawl: for statistics with a report of their own. One a crawl.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual void finished(const Finished& visit) { (void)visit; }
  // Something happens to the crawl; the text is as in progress-statistics.log.
  virtual void event(std::string_view what) { (void)what; }
  // The text of reports/NAME-report.txt, written when the crawl ends.
  virtual std::string report() { return {}; }
  // A text that is kept if the crawl is stopped or dies: it is written with the visits that it speaks of. `restore` gets it
  // back before anything else when the crawl is resumed.
  virtual std::string state() { return {}; }
  virtual void restore(std::string_view state) { (void)state; }
};

// A queue: the URLs of one origin that wait.
struct Queue {
  std::string_view origin, host;  // "https://example.org", "example.org"
  uint64_t waiting = 0;           // URLs
  uint64_t finished = 0;          // documents of it that are done
};

// How a crawl orders, prices and groups what waits: asked where a setting says `module` (frontier.order, frontier.cost,
// frontier.queues, politeness.together). One a crawl; frontier.policy names it.
class Policy {
 public:
  virtual ~Policy() = default;
  // The precedence of a URL in its queue, 0 to 62; lower ones first. Asked when the URL is found. Seeds, redirects and
  // embeds come first, each among themselves by this.
  virtual int precedence(const Link& url) {
    (void)url;
    return 0;
  }
  // The cost of a visit for the session of its queue (frontier.session-budget), 0 to 1000.
  virtual int cost(const Link& url) {
    (void)url;
    return 1;
  }
  // The precedence of a queue among those that are due; lower ones first.
  virtual uint32_t queue_precedence(const Queue& queue) {
    (void)queue;
    return 0;
  }
  // The politeness group of a host: hosts of one group are visited as if they were one. Empty: it stands alone. A host
  // has one group as long as the crawl lasts.
  virtual std::string group(std::string_view host) {
    (void)host;
    return {};
  }
};

// The order of a whole crawl: it holds the URLs that wait, and hands one after the other over to be visited. One a crawl;
// frontier.module names it. Caddis keeps what was found before from it, and keeps on disk what it holds: when a crawl is
// resumed, each URL that waits is added anew, in the order in which they were found. Politeness, robots.txt and tries
// after failures are Caddis's as well.
class Frontier {
 public:
  virtual ~Frontier() = default;
  // A URL that is new to the crawl. `id` names it from now on.
  virtual void add(uint64_t id, const Link& url) = 0;
  // The URL that is next, which it forgets; nothing: none at this time.
  virtual std::optional<uint64_t> next() = 0;
};

// A setting of a module, in the section of crawl.yaml that has the module's name.
struct Setting {
  std::string name;  // "max-words"
  Kind kind = Kind::text;
  std::string default_value;       // as it is written in crawl.yaml; of a list, an item a line
  std::string doc;                 // a sentence
  std::string min = {}, max = {};  // of numbers, sizes and durations
  bool per_site = true;            // sheets may set it, for steps of the module
};

// A module: at least one of these.
struct Description {
  std::string name;  // lower case letters, digits and hyphens
  std::string doc;   // a sentence
  std::vector<Setting> settings = {};
  std::function<std::unique_ptr<Rule>(std::string_view arguments)> make_rule = nullptr;
  std::function<std::unique_ptr<Step>()> make_step = nullptr;
  std::function<std::unique_ptr<Listener>(const Values& settings)> make_listener = nullptr;
  std::function<std::unique_ptr<Policy>(const Values& settings)> make_policy = nullptr;
  std::function<std::unique_ptr<Frontier>(const Values& settings)> make_frontier = nullptr;
};

}  // namespace caddis::modules

// Once in a shared object: `function` returns its modules.
#define CADDIS_MODULES(function)                                                    \
  extern "C" __attribute__((visibility("default"))) int caddis_module_interface() { \
    return caddis::modules::kInterface;                                             \
  }                                                                                 \
  extern "C" __attribute__((visibility("default"))) void caddis_module_describe(    \
      std::vector<caddis::modules::Description>& into) {                            \
    into = function();                                                              \
  }
