// The manifest is read into a tree; then periods, sets and representations are walked with what each inherits from those
// around it: the base URL, and the template or list of segments.
#include "caddis/extract/dash_links.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "caddis/base/strings.h"
#include "caddis/extract/dash_template.h"
#include "caddis/extract/text_tools.h"
#include "caddis/feeds/xml_reader.h"

namespace caddis::extract {
namespace {

constexpr size_t kMaxElements = 500'000;
// Numbers beyond it are none: sums and products of what is left do not overflow.
constexpr int64_t kMaxTime = std::numeric_limits<int64_t>::max() / 4;

constexpr auto kAttributes = std::to_array<std::string_view>(
    {"media", "initialization", "index", "sourceURL", "startNumber", "endNumber", "duration", "timescale", "t", "d",
     "r", "id", "bandwidth", "mediaPresentationDuration", "start", "xlink:href", "presentationTimeOffset"});

constexpr std::string_view kRepeated[] = {"Period",     "AdaptationSet", "Representation", "S",
                                          "SegmentURL", "Location",      "PatchLocation"};
// The first one in an element counts.
constexpr std::string_view kSingle[] = {
    "MPD",         "BaseURL",        "SegmentTemplate",     "SegmentTimeline",   "SegmentList",
    "SegmentBase", "Initialization", "RepresentationIndex", "BitstreamSwitching"};

// A decimal number within ±kMaxTime.
std::optional<int64_t> number_of(std::string_view text) {
  constexpr size_t kMostDigits = 40;
  if (text.size() > kMostDigits) return std::nullopt;
  const auto value = parse_int(text);
  return value && *value >= -kMaxTime && *value <= kMaxTime ? value : std::nullopt;
}

struct Element {
  std::string name;
  std::vector<std::pair<std::string_view, std::string>> attributes;  // those of kAttributes
  std::string text;
  std::vector<std::unique_ptr<Element>> children;  // of kRepeated
  std::vector<std::unique_ptr<Element>> single;    // of kSingle: one each

  std::string_view attribute(std::string_view wanted) const {
    for (const auto& [key, value] : attributes)
      if (key == wanted) return value;
    return {};
  }
  std::optional<int64_t> number(std::string_view wanted) const { return number_of(attribute(wanted)); }
  // One of kSingle; null if it is not there.
  const Element* child(std::string_view wanted) const {
    for (const auto& one : single)
      if (one->name == wanted) return one.get();
    return nullptr;
  }
};

// Makes the element a child of `parent`; null if it is not looked at.
Element* add_child(Element& parent, std::string_view name) {
  const bool is_repeated = is_one_of(name, kRepeated);
  if (!is_repeated && (!is_one_of(name, kSingle) || parent.child(name) != nullptr)) return nullptr;
  Element& made = *(is_repeated ? parent.children : parent.single).emplace_back(std::make_unique<Element>());
  made.name = name;
  return &made;
}

// Elements that are not looked at are passed over with all that is in them.
std::unique_ptr<Element> read_tree(std::string_view source) {
  feeds::XmlReader xml(source);
  auto root = std::make_unique<Element>();
  std::vector<Element*> open = {root.get()};
  size_t passed_over = 0, elements = 0;
  for (auto event = xml.next(); event != feeds::XmlReader::Event::finished; event = xml.next()) {
    if (event == feeds::XmlReader::Event::start) {
      Element* const made = passed_over > 0 ? nullptr : add_child(*open.back(), xml.local_name());
      if (made == nullptr) {
        ++passed_over;
        continue;
      }
      if (++elements > kMaxElements) break;
      for (const std::string_view name : kAttributes)
        if (std::string value = xml.attribute(name); !value.empty())
          made->attributes.emplace_back(name, std::move(value));
      open.push_back(made);
    } else if (event == feeds::XmlReader::Event::end) {
      if (passed_over > 0)
        --passed_over;
      else if (open.size() > 1)
        open.pop_back();
    } else if (passed_over == 0) {
      open.back()->text += xml.text();
    }
  }
  return root;
}

// "PT1H2M3.5S" in seconds; nothing if it is not so written. Years and months have no length, and no film has them.
std::optional<double> seconds_of(std::string_view duration) {
  constexpr size_t kLongest = 100;
  if (!duration.starts_with('P') || duration.size() > kLongest) return std::nullopt;
  double seconds = 0, number = 0, fraction = 0;
  bool in_time = false;
  for (const char c : duration.substr(1)) {
    if (c == 'T') {
      in_time = true;
    } else if (c == '.') {
      fraction = 0.1;
    } else if (is_digit(c)) {
      number = fraction > 0 ? number + fraction * (c - '0') : number * 10 + (c - '0');
      fraction /= 10;
    } else {
      const double unit = c == 'D' ? 86400 : c == 'H' ? 3600 : c == 'M' && in_time ? 60 : c == 'S' ? 1 : -1;
      if (unit < 0) return std::nullopt;
      seconds += number * unit;
      number = fraction = 0;
    }
  }
  return seconds;
}

// The values that a representation inherits, and those that its templates are filled with.
struct Place {
  url::Url base;
  std::vector<const Element*> templates, lists;  // the innermost last
  std::string_view id;
  int64_t bandwidth = 0;
  double seconds = 0;  // of the period; 0: unknown
};

// Goes through the tree. Everything that is repeated for what others inherit, or by a number that is written, asks the
// sink for its share of work first: a small manifest may ask for very many URLs.
class Manifest {
 public:
  Manifest(Renditions renditions, LinkSink& sink) : best_(renditions == Renditions::best), sink_(sink) {}

  void run(const Element& mpd) {
    Place place{.base = sink_.document_url(),
                .seconds = seconds_of(mpd.attribute("mediaPresentationDuration")).value_or(0)};
    enter(mpd, place);
    for (const auto& child : mpd.children)
      if (child->name == "Location" || child->name == "PatchLocation") add(trim_url(child->text), place);
    const std::vector<std::optional<double>> ends = ends_of(mpd);
    for (size_t i = 0; i < mpd.children.size(); ++i)
      if (mpd.children[i]->name == "Period" && may_go_on(place)) read_period(*mpd.children[i], ends[i], place);
  }

 private:
  // For each child the start of the next period that says when it starts.
  static std::vector<std::optional<double>> ends_of(const Element& mpd) {
    std::vector<std::optional<double>> ends(mpd.children.size());
    std::optional<double> next;
    for (size_t i = ends.size(); i-- > 0;) {
      ends[i] = next;
      if (mpd.children[i]->name != "Period") continue;
      if (const auto start = seconds_of(mpd.children[i]->attribute("start"))) next = start;
    }
    return ends;
  }

  // A period ends where the next one begins.
  void read_period(const Element& period, std::optional<double> end, Place place) {
    const double start = seconds_of(period.attribute("start")).value_or(0);
    if (const auto own = seconds_of(period.attribute("duration")))
      place.seconds = *own;
    else
      place.seconds = std::max(0.0, end.value_or(place.seconds) - start);
    enter(period, place);
    if (const std::string_view remote = period.attribute("xlink:href"); !remote.empty() && !remote.starts_with("urn:"))
      add(remote, place);
    for (const auto& set : period.children)
      if (set->name == "AdaptationSet" && may_go_on(place)) read_set(*set, place);
  }

  void read_set(const Element& set, Place place) {
    enter(set, place);
    const Element* best = nullptr;
    for (const auto& one : set.children) {
      if (one->name != "Representation") continue;
      if (best == nullptr || one->number("bandwidth").value_or(0) > best->number("bandwidth").value_or(0))
        best = one.get();
    }
    for (const auto& one : set.children)
      if (one->name == "Representation" && (!best_ || one.get() == best) && may_go_on(place))
        read_representation(*one, place);
  }

  void read_representation(const Element& representation, Place place) {
    enter(representation, place);
    place.id = representation.attribute("id");
    place.bandwidth = representation.number("bandwidth").value_or(0);
    if (!place.templates.empty()) return read_template(place);
    if (!place.lists.empty()) return read_list(*place.lists.back(), place);
    // One file.
    if (representation.child("BaseURL") != nullptr)
      sink_.add_to(place.base, place.base.href(), Hop::embed, kEmbedMisc, {});
    if (const Element* const base = representation.child("SegmentBase")) read_files(*base, place);
  }

  // Takes over what holds for all that is in an element. A base that is too long for a link is none.
  void enter(const Element& element, Place& place) {
    if (const Element* const base = element.child("BaseURL"); base != nullptr && base->text.size() <= sink_.longest())
      if (auto url = url::Url::parse(trim_url(base->text), &place.base); url && url->href().size() <= sink_.longest())
        place.base = std::move(*url);
    if (const Element* const one = element.child("SegmentTemplate")) place.templates.push_back(one);
    if (const Element* const one = element.child("SegmentList")) place.lists.push_back(one);
  }

  void read_files(const Element& element, const Place& place) {
    for (const char* name : {"Initialization", "RepresentationIndex", "BitstreamSwitching"})
      if (const Element* const one = element.child(name)) add(one->attribute("sourceURL"), place);
  }

  void read_list(const Element& list, const Place& place) {
    read_files(list, place);
    for (const auto& one : list.children) {
      if (!may_go_on(place)) return;
      if (one->name != "SegmentURL") continue;
      add(one->attribute("media"), place);
      add(one->attribute("index"), place);
    }
  }

  // The innermost template that has the attribute.
  static std::string_view inherited(const Place& place, std::string_view name) {
    for (size_t i = place.templates.size(); i-- > 0;)
      if (const std::string_view value = place.templates[i]->attribute(name); !value.empty()) return value;
    return {};
  }

  static int64_t inherited_number(const Place& place, std::string_view name, int64_t otherwise) {
    return number_of(inherited(place, name)).value_or(otherwise);
  }

  void read_template(const Place& place) {
    if (const std::string_view start = inherited(place, "initialization"); !start.empty())
      add_filled(start, place, 0, 0);
    for (const Element* const one : place.templates) read_files(*one, place);
    const std::string_view media = inherited(place, "media");
    if (media.empty()) return;
    // The same file again and again.
    if (media.size() > sink_.longest() || !changes_by_segment(media)) return add_filled(media, place, 0, 0);
    const int64_t first = inherited_number(place, "startNumber", 1);
    const auto scale = static_cast<double>(std::max<int64_t>(1, inherited_number(place, "timescale", 1)));
    for (size_t i = place.templates.size(); i-- > 0;)
      if (const Element* const timeline = place.templates[i]->child("SegmentTimeline"))
        return read_timeline(*timeline, media, place, first, scale);
    read_numbers(media, place, first, scale);
  }

  // Segments that all have the same length.
  void read_numbers(std::string_view media, const Place& place, int64_t first, double scale) {
    const int64_t duration = std::max<int64_t>(0, inherited_number(place, "duration", 0));
    int64_t count = 0;
    if (const auto last = number_of(inherited(place, "endNumber")))
      count = *last - first + 1;
    else if (duration > 0)
      count = how_many(place.seconds * scale, duration);
    for (int64_t i = 0, time = 0; i < count && time <= kMaxTime && has_room(place); ++i, time += duration)
      add_filled(media, place, first + i, time);
  }

  // The pieces of `duration` that `length` has; the last may be shorter.
  static int64_t how_many(double length, int64_t duration) {
    constexpr double kRounding = 1e-6, kMost = 1e9;
    return static_cast<int64_t>(std::clamp(std::ceil(length / static_cast<double>(duration) - kRounding), 0.0, kMost));
  }

  // <S t= d= r=>: a segment of d units from t on, and r more; r below 0: up to the next S, or the period's end.
  void read_timeline(const Element& timeline, std::string_view media, const Place& place, int64_t number,
                     double scale) {
    int64_t time = 0;
    for (size_t i = 0; i < timeline.children.size(); ++i) {
      if (!has_room(place)) return;
      const Element& one = *timeline.children[i];
      if (one.name != "S") continue;
      time = one.number("t").value_or(time);
      const int64_t duration = one.number("d").value_or(0);
      if (duration <= 0) continue;
      int64_t count = one.number("r").value_or(0) + 1;
      if (count <= 0) {
        const Element* const next = i + 1 < timeline.children.size() ? timeline.children[i + 1].get() : nullptr;
        const auto begin = next == nullptr ? std::nullopt : next->number("t");
        const double end = begin ? static_cast<double>(*begin) : place.seconds * scale;
        count = std::max<int64_t>(1, how_many(end - static_cast<double>(time), duration));
      }
      for (; count > 0 && time <= kMaxTime && has_room(place); --count, time += duration)
        add_filled(media, place, number++, time);
    }
  }

  // A turn of a loop costs about as much as it copies of the place.
  bool may_go_on(const Place& place) {
    constexpr size_t kTurn = 16;
    return sink_.may_write(kTurn + place.base.href().size());
  }

  bool has_room(const Place& place) {
    if (!sink_.is_full()) return may_go_on(place);
    if (!std::exchange(has_counted_, true)) sink_.count_dropped();
    return false;
  }

  void add_filled(std::string_view text, const Place& place, int64_t number, int64_t time) {
    if (!sink_.may_write(std::min(text.size(), sink_.longest()))) return;
    const SegmentValues values{.id = place.id, .bandwidth = place.bandwidth, .number = number, .time = time};
    if (const auto url = fill_in(text, values, sink_.longest())) add(*url, place);
  }

  void add(std::string_view uri, const Place& place) {
    if (uri.empty() || !sink_.may_write(std::min(uri.size(), sink_.longest()) + place.base.href().size())) return;
    sink_.add_to(place.base, uri, Hop::embed, kEmbedMisc, {});
  }

  const bool best_;
  LinkSink& sink_;
  bool has_counted_ = false;
};

}  // namespace

void extract_dash(std::string_view manifest, Renditions renditions, LinkSink& sink) {
  const auto tree = read_tree(manifest);
  if (const Element* const mpd = tree->child("MPD")) Manifest(renditions, sink).run(*mpd);
}

}  // namespace caddis::extract
