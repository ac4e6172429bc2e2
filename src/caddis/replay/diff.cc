#include "caddis/replay/diff.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "caddis/base/html_text.h"
#include "caddis/base/strings.h"

namespace caddis::replay {
namespace {

constexpr int kMostEdits = 600;       // of a gap between two anchors
constexpr size_t kMostWords = 1'000;  // of a line
constexpr int kDeepest = 64;          // gaps in gaps

using Numbers = std::span<const uint32_t>;  // items that are equal have one number

class Differ {
 public:
  explicit Differ(size_t kinds) : old_count_(kinds), new_count_(kinds), new_place_(kinds) {}

  std::vector<Edit> run(Numbers a, Numbers b) {
    compare(a, 0, b, 0, 0);
    return std::move(edits_);
  }

 private:
  void same(size_t a, size_t b, size_t count) {
    for (size_t i = 0; i < count; ++i) edits_.push_back({Edit::Kind::same, a + i, b + i});
  }
  void replace(size_t a, size_t a_count, size_t b, size_t b_count) {
    for (size_t i = 0; i < a_count; ++i) edits_.push_back({Edit::Kind::removed, a + i, b});
    for (size_t i = 0; i < b_count; ++i) edits_.push_back({Edit::Kind::added, a + a_count, b + i});
  }

  void compare(Numbers a, size_t a_at, Numbers b, size_t b_at, int depth) {
    size_t front = 0;
    while (front < a.size() && front < b.size() && a[front] == b[front]) ++front;
    same(a_at, b_at, front);
    a = a.subspan(front), b = b.subspan(front);
    a_at += front, b_at += front;
    size_t back = 0;
    while (back < a.size() && back < b.size() && a[a.size() - 1 - back] == b[b.size() - 1 - back]) ++back;
    const Numbers a_middle = a.first(a.size() - back), b_middle = b.first(b.size() - back);
    if (a_middle.empty() || b_middle.empty())
      replace(a_at, a_middle.size(), b_at, b_middle.size());
    else
      compare_middle(a_middle, a_at, b_middle, b_at, depth);
    same(a_at + a_middle.size(), b_at + b_middle.size(), back);
  }

  void compare_middle(Numbers a, size_t a_at, Numbers b, size_t b_at, int depth) {
    const auto anchors = depth < kDeepest ? anchors_of(a, b) : std::vector<std::pair<size_t, size_t>>();
    if (anchors.empty()) {
      if (!myers(a, a_at, b, b_at)) replace(a_at, a.size(), b_at, b.size());
      return;
    }
    size_t a_done = 0, b_done = 0;
    for (const auto& [a_anchor, b_anchor] : anchors) {
      compare(a.subspan(a_done, a_anchor - a_done), a_at + a_done, b.subspan(b_done, b_anchor - b_done), b_at + b_done,
              depth + 1);
      same(a_at + a_anchor, b_at + b_anchor, 1);
      a_done = a_anchor + 1, b_done = b_anchor + 1;
    }
    compare(a.subspan(a_done), a_at + a_done, b.subspan(b_done), b_at + b_done, depth + 1);
  }

  // Items that both have exactly once, in the longest row that has one order in both.
  std::vector<std::pair<size_t, size_t>> anchors_of(Numbers a, Numbers b) {
    for (const uint32_t n : a) ++old_count_[n];
    for (size_t i = 0; i < b.size(); ++i) ++new_count_[b[i]], new_place_[b[i]] = i;
    std::vector<std::pair<size_t, size_t>> pairs;
    for (size_t i = 0; i < a.size(); ++i)
      if (old_count_[a[i]] == 1 && new_count_[a[i]] == 1) pairs.emplace_back(i, new_place_[a[i]]);
    for (const uint32_t n : a) old_count_[n] = 0;
    for (const uint32_t n : b) new_count_[n] = 0;
    // The longest increasing row of places in b: `tops` are the last of rows of each length.
    std::vector<size_t> tops, before(pairs.size());
    for (size_t i = 0; i < pairs.size(); ++i) {
      const auto at = std::ranges::lower_bound(tops, pairs[i].second, {}, [&](size_t p) { return pairs[p].second; });
      before[i] = at == tops.begin() ? i : *std::prev(at);
      if (at == tops.end())
        tops.push_back(i);
      else
        *at = i;
    }
    std::vector<std::pair<size_t, size_t>> longest(tops.size());
    for (size_t n = tops.size(), i = n > 0 ? tops.back() : 0; n > 0; i = before[i]) longest[--n] = pairs[i];
    return longest;
  }

  // False if there are more edits than the bound allows.
  bool myers(Numbers a, size_t a_at, Numbers b, size_t b_at) {
    const int n = static_cast<int>(a.size()), m = static_cast<int>(b.size());
    const int most = std::min(n + m, kMostEdits);
    const int middle = most + 1;
    std::vector<int> reach(static_cast<size_t>(2 * most + 3), 0);
    std::vector<std::vector<int>> trace;
    for (int d = 0; d <= most; ++d) {
      trace.emplace_back(reach.begin() + (middle - d), reach.begin() + (middle + d + 1));
      for (int k = -d; k <= d; k += 2) {
        const auto at = [&](int diagonal) -> int& { return reach[static_cast<size_t>(middle + diagonal)]; };
        int x = k == -d || (k != d && at(k - 1) < at(k + 1)) ? at(k + 1) : at(k - 1) + 1;
        int y = x - k;
        while (x < n && y < m && a[static_cast<size_t>(x)] == b[static_cast<size_t>(y)]) ++x, ++y;
        at(k) = x;
        if (x < n || y < m) continue;
        walk_back(trace, n, m, d, a_at, b_at);
        return true;
      }
    }
    return false;
  }

  // trace[d] has what the diagonals -d to d had reached before step d.
  void walk_back(const std::vector<std::vector<int>>& trace, int x, int y, int steps, size_t a_at, size_t b_at) {
    std::vector<Edit> backwards;
    const auto add = [&](Edit::Kind kind) {
      backwards.push_back({kind, a_at + static_cast<size_t>(x), b_at + static_cast<size_t>(y)});
    };
    for (int d = steps; d > 0; --d) {
      const std::vector<int>& reached = trace[static_cast<size_t>(d)];
      const auto at = [&](int diagonal) { return reached[static_cast<size_t>(diagonal + d)]; };
      const int k = x - y;
      const bool is_down = k == -d || (k != d && at(k - 1) < at(k + 1));
      const int from = is_down ? k + 1 : k - 1;
      const int from_x = at(from), from_y = from_x - from;
      while (x > from_x + (is_down ? 0 : 1) && y > from_y + (is_down ? 1 : 0)) {
        --x, --y;
        add(Edit::Kind::same);
      }
      if (is_down)
        --y;
      else
        --x;
      add(is_down ? Edit::Kind::added : Edit::Kind::removed);
    }
    while (x > 0 && y > 0) {
      --x, --y;
      add(Edit::Kind::same);
    }
    edits_.insert(edits_.end(), backwards.rbegin(), backwards.rend());
  }

  std::vector<uint32_t> old_count_, new_count_;
  std::vector<size_t> new_place_;
  std::vector<Edit> edits_;
};

void add_marked(std::string& html, std::string_view word, std::string_view tag, bool marked, bool& open) {
  if (marked != open) {
    html += marked ? '<' + std::string(tag) + '>' : "</" + std::string(tag) + '>';
    open = marked;
  }
  html += html_escape(word);
}

}  // namespace

std::vector<Edit> diff(std::span<const std::string_view> old_items, std::span<const std::string_view> new_items) {
  std::unordered_map<std::string_view, uint32_t> numbers;
  const auto numbered = [&](std::span<const std::string_view> items) {
    std::vector<uint32_t> row;
    row.reserve(items.size());
    for (const std::string_view item : items)
      row.push_back(numbers.try_emplace(item, static_cast<uint32_t>(numbers.size())).first->second);
    return row;
  };
  const std::vector<uint32_t> a = numbered(old_items), b = numbered(new_items);
  return Differ(numbers.size()).run(a, b);
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  const auto is_word = [](char c) { return is_alnum(c) || (static_cast<unsigned char>(c) & 0x80) != 0; };
  while (!line.empty()) {
    size_t end = 1;
    if (is_word(line.front()))
      while (end < line.size() && is_word(line[end])) ++end;
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
  return words;
}

MarkedLines mark_words(std::string_view old_line, std::string_view new_line) {
  const auto a = words_of(old_line), b = words_of(new_line);
  MarkedLines marked;
  if (a.size() > kMostWords || b.size() > kMostWords) {
    marked.old_html = html_escape(old_line);
    marked.new_html = html_escape(new_line);
    return marked;
  }
  bool in_del = false, in_ins = false;
  for (const Edit& edit : diff(a, b)) {
    if (edit.kind != Edit::Kind::added)
      add_marked(marked.old_html, a[edit.old_at], "del", edit.kind == Edit::Kind::removed, in_del);
    if (edit.kind != Edit::Kind::removed)
      add_marked(marked.new_html, b[edit.new_at], "ins", edit.kind == Edit::Kind::added, in_ins);
  }
  if (in_del) marked.old_html += "</del>";
  if (in_ins) marked.new_html += "</ins>";
  return marked;
}

}  // namespace caddis::replay
