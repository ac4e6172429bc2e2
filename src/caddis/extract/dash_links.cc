// The manifest is read into a tree; then periods, sets and representations are walked with what each inherits from those
// around it: the base URL, and the template or list of segments.
#include "caddis/extract/dash_links.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "caddis/base/strings.h"
#include "caddis/feeds/xml_reader.h"

namespace caddis::extract {
namespace {

constexpr size_t kMaxElements = 500'000;

constexpr auto kAttributes = std::to_array<std::string_view>(
    {"media", "initialization", "index", "sourceURL", "startNumber", "endNumber", "duration", "timescale", "t", "d",
     "r", "id", "bandwidth", "mediaPresentationDuration", "start", "xlink:href", "presentationTimeOffset"});

struct Element {
  std::string name;
  std::vector<std::pair<std::string_view, std::string>> attributes;  // those of kAttributes
  std::string text;
  std::vector<std::unique_ptr<Element>> children;

  std::string_view attribute(std::string_view wanted) const {
    for (const auto& [key, value] : attributes)
      if (key == wanted) return value;
    return {};
  }
  std::optional<int64_t> number(std::string_view wanted) const { return parse_int(attribute(wanted)); }
  const Element* child(std::string_view wanted) const {
    for (const auto& one : children)
      if (one->name == wanted) return one.get();
    return nullptr;
  }
};

bool is_kept(std::string_view name) {
  static constexpr std::string_view kNames[] = {"MPD",
                                                "Period",
                                                "AdaptationSet",
                                                "Representation",
                                                "BaseURL",
                                                "SegmentTemplate",
                                                "SegmentTimeline",
                                                "S",
                                                "SegmentList",
                                                "SegmentURL",
                                                "SegmentBase",
                                                "Initialization",
                                                "RepresentationIndex",
                                                "BitstreamSwitching",
                                                "Location",
                                                "PatchLocation"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

// Elements that are not kept are passed over with all that is in them.
std::unique_ptr<Element> read_tree(std::string_view source) {
  feeds::XmlReader xml(source);
  auto root = std::make_unique<Element>();
  std::vector<Element*> open = {root.get()};
  size_t passed_over = 0, elements = 0;
  for (auto event = xml.next(); event != feeds::XmlReader::Event::finished; event = xml.next()) {
    if (event == feeds::XmlReader::Event::start) {
      if (passed_over > 0 || !is_kept(xml.local_name())) {
        ++passed_over;
        continue;
      }
      if (++elements > kMaxElements) break;
      Element& made = *open.back()->children.emplace_back(std::make_unique<Element>());
      made.name = xml.local_name();
      for (const std::string_view name : kAttributes)
        if (std::string value = xml.attribute(name); !value.empty())
          made.attributes.emplace_back(name, std::move(value));
      open.push_back(&made);
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
  if (!duration.starts_with('P')) return std::nullopt;
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
  std::string id, bandwidth;
  double seconds = 0;  // of the period; 0: unknown
};

class Manifest {
 public:
  Manifest(Renditions renditions, LinkSink& sink) : best_(renditions == Renditions::best), sink_(sink) {}

  void run(const Element& mpd) {
    Place place{.base = sink_.document_url(),
                .seconds = seconds_of(mpd.attribute("mediaPresentationDuration")).value_or(0)};
    enter(mpd, place);
    for (const auto& child : mpd.children)
      if (child->name == "Location" || child->name == "PatchLocation") add(trim_url(child->text), place);
    for (size_t i = 0; i < mpd.children.size(); ++i)
      if (mpd.children[i]->name == "Period") read_period(mpd, i, place);
  }

 private:
  // A period ends where the next one begins.
  void read_period(const Element& mpd, size_t index, Place place) {
    const Element& period = *mpd.children[index];
    const double start = seconds_of(period.attribute("start")).value_or(0), whole = place.seconds;
    if (const auto own = seconds_of(period.attribute("duration"))) {
      place.seconds = *own;
    } else {
      place.seconds = std::max(0.0, whole - start);
      for (size_t i = index + 1; i < mpd.children.size(); ++i)
        if (const auto next = seconds_of(mpd.children[i]->attribute("start"));
            next && mpd.children[i]->name == "Period") {
          place.seconds = *next - start;
          break;
        }
    }
    enter(period, place);
    if (const std::string_view remote = period.attribute("xlink:href"); !remote.empty() && !remote.starts_with("urn:"))
      add(remote, place);
    for (const auto& set : period.children)
      if (set->name == "AdaptationSet") read_set(*set, place);
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
      if (one->name == "Representation" && (!best_ || one.get() == best)) read_representation(*one, place);
  }

  void read_representation(const Element& representation, Place place) {
    enter(representation, place);
    place.id = representation.attribute("id");
    place.bandwidth = representation.attribute("bandwidth");
    const bool has_base = representation.child("BaseURL") != nullptr;
    if (!place.templates.empty()) return read_template(place);
    if (!place.lists.empty()) return read_list(*place.lists.back(), place);
    // One file.
    if (has_base) sink_.add_to(place.base, place.base.href(), Hop::embed, kEmbedMisc, {});
    if (const Element* const base = representation.child("SegmentBase")) read_files(*base, place);
  }

  // Takes over what holds for all that is in an element.
  void enter(const Element& element, Place& place) {
    if (const Element* const base = element.child("BaseURL"))
      if (auto url = url::Url::parse(trim_url(base->text), &place.base)) place.base = std::move(*url);
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

  void read_template(const Place& place) {
    if (const std::string_view start = inherited(place, "initialization"); !start.empty())
      add_filled(start, place, 0, 0);
    for (const Element* const one : place.templates) read_files(*one, place);
    const std::string_view media = inherited(place, "media");
    if (media.empty()) return;
    // The same file again and again.
    const bool changes =
        media.find("$Number") != std::string_view::npos || media.find("$Time") != std::string_view::npos;
    if (!changes) return add_filled(media, place, 0, 0);
    const int64_t first = parse_int(inherited(place, "startNumber")).value_or(1);
    const int64_t scale = std::max<int64_t>(1, parse_int(inherited(place, "timescale")).value_or(1));
    for (size_t i = place.templates.size(); i-- > 0;)
      if (const Element* const timeline = place.templates[i]->child("SegmentTimeline"))
        return read_timeline(*timeline, media, place, first, scale);
    const int64_t duration = parse_int(inherited(place, "duration")).value_or(0);
    int64_t count = 0;
    if (const auto last = parse_int(inherited(place, "endNumber")))
      count = *last - first + 1;
    else if (duration > 0 && place.seconds > 0)
      count = static_cast<int64_t>(
          std::min(1e9, std::ceil(place.seconds * static_cast<double>(scale) / static_cast<double>(duration) - 1e-6)));
    for (int64_t i = 0; i < count && has_room(); ++i) add_filled(media, place, first + i, i * duration);
  }

  // <S t= d= r=>: a segment of d units from t on, and r more; r below 0: up to the next S, or the period's end.
  void read_timeline(const Element& timeline, std::string_view media, const Place& place, int64_t number,
                     int64_t scale) {
    int64_t time = 0;
    for (size_t i = 0; i < timeline.children.size(); ++i) {
      const Element& one = *timeline.children[i];
      time = one.number("t").value_or(time);
      const int64_t duration = one.number("d").value_or(0);
      if (one.name != "S" || duration <= 0 || duration > kMaxTime || std::abs(time) > kMaxTime) continue;
      int64_t repeats = one.number("r").value_or(0);
      if (repeats < 0) {
        const bool has_next = i + 1 < timeline.children.size() && timeline.children[i + 1]->number("t");
        const double end = has_next ? static_cast<double>(*timeline.children[i + 1]->number("t"))
                                    : place.seconds * static_cast<double>(scale);
        repeats = static_cast<int64_t>(
            std::clamp((end - static_cast<double>(time)) / static_cast<double>(duration) - 1e-6, 0.0, 1e9));
      }
      for (int64_t k = 0; k <= repeats && time <= kMaxTime; ++k, time += duration) {
        if (!has_room()) return;
        add_filled(media, place, number++, time);
      }
    }
  }

  bool has_room() {
    // Each turn adds at most one link; a template whose URLs are all refused ends, too.
    if (sink_.is_full() || ++turns_ > kMaxTurns) {
      sink_.count_dropped();
      return false;
    }
    return true;
  }

  // Appends `value` as `%05d` says.
  static void append_number(std::string& out, std::string_view format, int64_t value) {
    const size_t width = static_cast<size_t>(
        std::clamp<int64_t>(format.starts_with("%0")
                                ? parse_int(format.substr(2, format.find_first_not_of("0123456789", 2) - 2)).value_or(0)
                                : 0,
                            0, 40));
    out += fmt::format("{:0{}}", value, width);
  }

  // $Number$, $Number%05d$, $Time$, $RepresentationID$, $Bandwidth$, and $$ for a '$' (5.3.9.4.4).
  void add_filled(std::string_view text, const Place& place, int64_t number, int64_t time) {
    std::string out;
    while (true) {
      const size_t open = text.find('$');
      out += text.substr(0, open);
      if (open == std::string_view::npos) break;
      const size_t close = text.find('$', open + 1);
      if (close == std::string_view::npos) return;
      const std::string_view mark = text.substr(open + 1, close - open - 1);
      const std::string_view name = mark.substr(0, mark.find('%')), format = mark.substr(name.size());
      if (mark.empty())
        out += '$';
      else if (name == "RepresentationID")
        out += place.id;
      else if (name == "Bandwidth")
        append_number(out, format, parse_int(place.bandwidth).value_or(0));
      else if (name == "Number")
        append_number(out, format, number);
      else if (name == "Time")
        append_number(out, format, time);
      else
        return;  // $SubNumber$ and others that nobody can fill in
      text.remove_prefix(close + 1);
    }
    add(out, place);
  }

  void add(std::string_view uri, const Place& place) {
    if (!uri.empty()) sink_.add_to(place.base, uri, Hop::embed, kEmbedMisc, {});
  }

  static constexpr int64_t kMaxTime = std::numeric_limits<int64_t>::max() / 4;
  static constexpr size_t kMaxTurns = 2'000'000;
  const bool best_;
  LinkSink& sink_;
  size_t turns_ = 0;
};

}  // namespace

void extract_dash(std::string_view manifest, Renditions renditions, LinkSink& sink) {
  const auto tree = read_tree(manifest);
  if (const Element* const mpd = tree->child("MPD")) Manifest(renditions, sink).run(*mpd);
}

}  // namespace caddis::extract
