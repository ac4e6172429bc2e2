// A step that a module brings along: it sees the page, and may add links, annotations and metadata, or leave the page out.

#include <algorithm>
#include <exception>
#include <optional>
#include <stdexcept>

#include "caddis/base/strings.h"
#include "caddis/modules/registry.h"
#include "caddis/url/crawl_schemes.h"
#include "caddis/url/url.h"
#include "caddis/visit/page_notes.h"
#include "caddis/visit/steps.h"
#include "caddis/visit/visit.h"

namespace caddis::visit {
namespace {

constexpr size_t kMostLinks = 10'000;   // of modules, on one page
constexpr size_t kMostNotes = 1 << 20;  // bytes of annotations and metadata

// A word of crawl.log: the last column has them separated by commas.
std::string annotation(std::string_view text) {
  std::string word(text);
  for (char& c : word)
    if (static_cast<unsigned char>(c) <= ' ' || c == ',') c = '_';
  return word;
}

// The value of a field of warc-fields.
std::string one_line(std::string_view text) {
  std::string line(text);
  for (char& c : line)
    if (c == '\r' || c == '\n') c = ' ';
  return line;
}

// The steps that come behind that of the module.
struct StandsBefore {
  bool links = false, records = false;
};

// A field of Caddis's own in the metadata record, or no name of a field.
bool is_taken(std::string_view name) {
  constexpr std::string_view kOwn[] = {"via",         "hopsFromSeed", "sourceTag",
                                       "fetchTimeMs", "httpInterim",  "charsetForLinkExtraction",
                                       "outlink",     "httpProblem",  "tlsVerify"};
  const bool is_token = std::ranges::all_of(name, [](char c) { return is_alnum(c) || c == '-' || c == '_'; });
  return name.empty() || !is_token || name.starts_with("WARC-") ||
         std::ranges::any_of(kOwn, [&](std::string_view own) { return equals_ignore_case(name, own); });
}

class VisitedPage final : public modules::Page {
 public:
  VisitedPage(Visit& visit, const modules::LoadedModule& module, StandsBefore before)
      : visit_(visit), before_(before), settings_(module, visit.site().modules) {}

  std::string_view url() const override { return visit_.url()->href(); }
  std::string_view host() const override { return visit_.url()->hostname(); }
  std::string_view hops() const override { return entry().hops; }
  std::string_view via() const override { return entry().via; }
  std::string_view seed() const override { return entry().seed; }
  int status() const override { return entry().status; }
  std::string_view mime() const override { return entry().mime; }
  std::string_view header(std::string_view name) const override {
    const http::Exchange* const exchange = visit_.document.exchange();
    return exchange == nullptr ? std::string_view() : exchange->head.find(name).value_or("");
  }
  std::string_view body() const override {
    if (!visit_.document.body) return {};
    const auto bytes = visit_.document.body_bytes();
    if (!bytes) throw std::runtime_error(bytes.error().message);
    return *bytes;
  }
  const modules::Values& settings() const override { return settings_; }

  bool add_link(std::string_view text, char hop, std::string_view context) override {
    if (std::string_view("LEXIM").find(hop) == std::string_view::npos)
      throw std::invalid_argument("a hop is one of L E X I M");
    if (!before_.links) throw std::logic_error("the step adds links behind the step links: put it before that");
    if (++links_ > kMostLinks) throw std::length_error("modules have added too many links to the page");
    auto& extracted = visit_.document.extracted;
    if (!extracted) extracted.emplace();
    auto target = url::Url::parse(text, visit_.url());
    if (!target || !url::can_be_crawled(*target) || !url::may_lead_to(*visit_.url(), *target)) return false;
    target->drop_fragment();
    extracted->links.push_back({*std::move(target), static_cast<extract::Hop>(hop), one_line(context)});
    return true;
  }
  void annotate(std::string_view text) override {
    spend(text.size() + 1);
    visit_.line->entry.facts.words.push_back(annotation(text));
  }
  void add_metadata(std::string_view name, std::string_view value) override {
    check_before_records();
    if (is_taken(name))
      throw std::invalid_argument(
          "a field of metadata has letters, digits, - and _ in its name, and is none of Caddis's own");
    spend(name.size() + value.size() + 1);
    PageNotes::of(visit_).metadata.emplace_back(name, one_line(value));
  }
  void leave_out() override {
    check_before_records();
    PageNotes::of(visit_).is_left_out = true;
  }

 private:
  const LogEntry& entry() const { return visit_.line->entry; }
  void check_before_records() const {
    if (!before_.records)
      throw std::logic_error("the step changes records behind the step records: put it before that");
  }
  void spend(size_t bytes) {
    noted_ += bytes;
    if (noted_ > kMostNotes) throw std::length_error("modules have noted too much of the page");
  }

  Visit& visit_;
  const StandsBefore before_;
  const modules::ModuleValues settings_;
  size_t links_ = 0, noted_ = 0;
};

class ModuleStep final : public Step {
 public:
  ModuleStep(const modules::LoadedModule& module, StandsBefore before) : module_(module), before_(before) {}
  std::string_view name() const override { return module_.name(); }

  Result<Next> run(Visit& visit) override {
    if (!visit.line || module_.errors().is_off()) return Next::on();
    try {
      if (step_ == nullptr) step_ = module_.make_step();
      VisitedPage page(visit, module_, before_);
      step_->run(page);
    } catch (const std::exception& error) {
      step_.reset();
      module_.errors().record("step", error.what(), visit.line->entry.url);
      visit.line->entry.facts.failed_modules.push_back(module_.name());
    }
    return Next::on();
  }

 private:
  const modules::LoadedModule& module_;
  const StandsBefore before_;
  std::unique_ptr<modules::Step> step_;
};

}  // namespace

std::unique_ptr<Step> make_module_step(const modules::LoadedModule& module, const std::vector<std::string>& order) {
  const auto place = [&](std::string_view step) { return std::ranges::find(order, step); };
  const auto own = place(module.name());
  return std::make_unique<ModuleStep>(module,
                                      StandsBefore{.links = own < place("links"), .records = own < place("records")});
}

}  // namespace caddis::visit
