// All who know payloads that a crawl need not store again: the crawl itself, earlier crawls of its collection, and
// what dedup.against names. They are asked in this order.
//
//   known.add(rows);
//   TRY_VOID(add_earlier_digests(files, launch, settings.dedup.against, known, notices));
//
// Filled on the crawl's loop, before any other thread asks.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "caddis/dedup/original.h"

namespace caddis::dedup {

class KnownOriginals final : public Originals {
 public:
  // They must outlive this.
  void add(const Originals& source) { sources_.push_back({&source}); }
  void add(std::unique_ptr<const Originals> source) {
    add(*source);
    owned_.push_back(std::move(source));
  }

  // The best of all; among those that are equally good, that of the first source. One that cannot be read is told of
  // in the log, and not asked any more.
  Result<std::optional<Match>> find(Strategy strategy, const Question& question) const override;

 private:
  struct Source {
    const Originals* originals;
    std::unique_ptr<std::atomic<bool>> is_broken = std::make_unique<std::atomic<bool>>(false);
  };
  static Result<std::optional<Match>> ask(const Source& source, Strategy strategy, const Question& question);

  std::vector<Source> sources_;
  std::vector<std::unique_ptr<const Originals>> owned_;
};

}  // namespace caddis::dedup
