#include "caddis/replay/page_titles.h"

#include "caddis/base/visible.h"

namespace caddis::replay {
namespace {

constexpr size_t kMostOfATitle = 200;

}  // namespace

std::string PageTitles::of(const cdx::Capture& capture) {
  Collection& holder = collection_.holder_of(capture);
  auto& list = read_[&holder];
  if (!list) list = holder.pages();
  if (!list->titles || list->titles->empty()) return {};
  const auto known = list->titles->find(capture.timestamp + ' ' + capture.url);
  return known == list->titles->end() ? std::string() : visible(known->second, kMostOfATitle);
}

}  // namespace caddis::replay
