// The objects of a PDF file that may have links, by qpdf. Internal to documents.
//
// The headers of qpdf cannot be read as C++20 or later. This header and its source are C++17, and name nothing else of
// the project.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace caddis::documents {

// Is told what is found, in the order of the file's table of objects.
class PdfVisitor {
 public:
  virtual ~PdfVisitor() = default;
  virtual void on_base(const std::string& url) = 0;  // of the whole file
  // An action: its string as it stands, and in UTF-8 by the rules for texts.
  virtual void on_uri(const std::string& bytes, const std::string& text) = 0;
  virtual void on_script(const std::string& script) = 0;
  virtual void on_metadata(const std::string& xmp) = 0;
  virtual void on_attachment(const std::string& file) = 0;
  virtual void on_problem(const std::string& problem) = 0;
};

// Streams are unpacked to `unpacked` bytes together. std::bad_alloc passes; other failures go to the visitor.
void walk_pdf(std::string_view bytes, uint64_t unpacked, PdfVisitor& visitor);

}  // namespace caddis::documents
