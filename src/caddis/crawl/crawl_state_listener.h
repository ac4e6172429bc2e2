// The interface of those who hear what becomes of the crawl as a whole: events, its columns of numbers, the time that it
// runs. CrawlEvents tells them on the crawl's loop, in the order in which they were added.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "caddis/base/clock.h"

namespace caddis::crawl {

// Something that happened to the crawl, in words that go into a log: "pauses the crawl".
struct CrawlEvent {
  enum class Source : uint8_t {
    operated,    // an operator asked for it
    crawl,       // the crawl found it out, or decided itself
    pattern,     // the frontier found it out about a pattern of URLs
    checkpoint,  // one was taken; the text is its name
    module,      // a module says something, or has failed; modules do not hear it themselves
    state,       // it runs, pauses or ends: "PAUSED - Paused", in Heritrix's words
  };
  Source source = Source::crawl;
  std::string_view text;
};

class CrawlStateListener {
 public:
  virtual ~CrawlStateListener() = default;
  virtual void on_event(const CrawlEvent& event) { (void)event; }
  // Heritrix's columns of progress, a line without its end; from time to time.
  virtual void on_progress(std::string_view columns) { (void)columns; }
  // So much time has passed since the last call in which the crawl ran: it was not paused.
  virtual void on_running_time(Duration passed) { (void)passed; }
};

class CrawlEvents {
 public:
  // Listeners must outlive the last call.
  void add(CrawlStateListener& listener) { listeners_.push_back(&listener); }

  void tell(CrawlEvent::Source source, std::string_view text) const {
    for (CrawlStateListener* const listener : listeners_) listener->on_event({source, text});
  }
  void tell_progress(std::string_view columns) const {
    for (CrawlStateListener* const listener : listeners_) listener->on_progress(columns);
  }
  void tell_running_time(Duration passed) const {
    for (CrawlStateListener* const listener : listeners_) listener->on_running_time(passed);
  }

 private:
  std::vector<CrawlStateListener*> listeners_;
};

}  // namespace caddis::crawl
