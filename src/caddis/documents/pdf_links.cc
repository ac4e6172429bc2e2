#include "caddis/documents/pdf_links.h"

#include <string>

#include "caddis/base/utf8.h"
#include "caddis/documents/embedded.h"
#include "caddis/documents/markup.h"
#include "caddis/documents/pdf_walk.h"

namespace caddis::documents {
namespace {

class PdfLinks final : public PdfVisitor {
 public:
  PdfLinks(const Limits& limits, LinkCollector& links) : limits_(limits), links_(links) {}

  void on_base(const std::string& url) override { links_.set_base(url); }
  // By the standard it is ASCII; programs write UTF-8, too, or any text of PDF.
  void on_uri(const std::string& bytes, const std::string& text) override {
    const bool is_utf16 = bytes.starts_with("\xFE\xFF") || bytes.starts_with("\xFF\xFE");
    links_.add(is_utf8(bytes) && !is_utf16 ? bytes : text, LinkKind::navigation);
  }
  void on_script(const std::string& script) override { links_.add_quoted(script); }
  void on_metadata(const std::string& xmp) override { read_metadata(xmp, links_); }
  void on_attachment(const std::string& file) override {
    links_.count_attachment();
    links_.take_unpacked(file.size());
    read_embedded(file, limits_, links_);
  }
  void on_problem(const std::string& problem) override { links_.set_problem(problem); }

 private:
  const Limits& limits_;
  LinkCollector& links_;
};

}  // namespace

void read_pdf(std::string_view bytes, const Limits& limits, LinkCollector& links) {
  PdfLinks visitor(limits, links);
  walk_pdf(bytes, links.unpacked_left(), visitor);
}

}  // namespace caddis::documents
