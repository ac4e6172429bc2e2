// One pass over the tokens. A list of options is an element of its own, since the choice among them is known only at its
// end; so is a text, whose value is what stands in it.
#include "caddis/logins/page_form.h"

#include <algorithm>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/html/tokenizer.h"

namespace caddis::logins {
namespace {

using html::Token;

constexpr size_t kMostFields = 500, kMostForms = 100, kMostOptions = 10'000;

std::string attribute(const Token& token, std::string_view name) {
  const html::Attribute* const found = token.find(name);
  return found == nullptr ? std::string() : std::string(found->value);
}

bool has_attribute(const Token& token, std::string_view name) { return token.find(name) != nullptr; }

FormCoding coding_of(const Token& form) {
  const std::string written = attribute(form, "enctype");
  if (equals_ignore_case(written, "multipart/form-data")) return FormCoding::multipart;
  return equals_ignore_case(written, "text/plain") ? FormCoding::text : FormCoding::urlencoded;
}

// Blanks at both ends are left out, others are one each (HTML Standard, 4.10.10.2).
std::string collapsed(std::string_view text) {
  std::string out;
  for (const char c : trim(text)) {
    if (!is_space(c))
      out += c;
    else if (!out.ends_with(' '))
      out += ' ';
  }
  return out;
}

// Input fields that people type a name into: whatever is none of the others (HTML Standard, 4.10.5).
bool is_text(std::string_view type) {
  static constexpr std::string_view kOthers[] = {"hidden", "date",           "month", "week",
                                                 "time",   "datetime-local", "range", "color"};
  return std::ranges::find(kOthers, type) == std::end(kOthers);
}

class FormReader {
 public:
  PageForms read(std::string_view source) {
    html::Tokenizer tokens(source);
    Token token;
    while (tokens.next(token)) {
      if (token.kind == Token::Kind::start_tag)
        begin(token);
      else if (token.kind == Token::Kind::end_tag)
        end(token.name);
      else if (token.kind == Token::Kind::text && takes_text_)
        html::append_text(text_, token);
    }
    close_choice();
    return {std::move(base_), std::move(forms_)};
  }

 private:
  struct Option {
    std::string value;
    bool is_chosen = false, is_disabled = false;
  };
  // A <select> at hand.
  struct Choice {
    std::string name;
    bool is_disabled = false;
    bool is_multiple = false;
    bool has_first = false;  // without a choice the first option counts
    bool is_group_disabled = false;
    std::vector<Option> options;
  };

  void begin(const Token& token) {
    if (token.name == "form") {
      close_choice();
      is_inside_ = forms_.size() < kMostForms;
      if (is_inside_)
        forms_.push_back({.action = attribute(token, "action"),
                          .is_post = equals_ignore_case(attribute(token, "method"), "post"),
                          .coding = coding_of(token),
                          .fields = {}});
      has_button_ = false;
      return;
    }
    if (token.name == "base" && base_.empty()) base_ = attribute(token, "href");
    if (!is_inside_) return;
    if (is_choosing_) return begin_in_choice(token);
    if (token.name == "input" || token.name == "button") add_control(token);
    if (token.name == "textarea") {
      text_name_ = has_attribute(token, "disabled") ? std::string() : attribute(token, "name");
      begin_text();
    }
    if (token.name == "select") begin_choice(token);
  }

  void begin_in_choice(const Token& token) {
    if (token.name == "optgroup") {
      end_option();
      choice_.is_group_disabled = has_attribute(token, "disabled");
    } else if (token.name == "option") {
      end_option();
      if (choice_.options.size() >= kMostOptions) return;
      choice_.options.push_back({.value = attribute(token, "value"),
                                 .is_chosen = has_attribute(token, "selected"),
                                 .is_disabled = choice_.is_group_disabled || has_attribute(token, "disabled")});
      if (!has_attribute(token, "value")) begin_text();
    } else if (token.name == "select" || token.name == "input" || token.name == "textarea") {
      // A browser ends the list here.
      close_choice();
      if (token.name != "select") begin(token);
    }
  }

  void end(std::string_view name) {
    if (name == "textarea" && takes_text_ && !is_choosing_) {
      takes_text_ = false;
      const bool has_first_break = text_.starts_with('\n');
      add({.name = std::exchange(text_name_, {}), .value = text_.substr(has_first_break ? 1 : 0)});
    } else if (name == "option" && is_choosing_) {
      end_option();
    } else if (name == "optgroup" && is_choosing_) {
      end_option();
      choice_.is_group_disabled = false;
    } else if (name == "select") {
      close_choice();
    } else if (name == "form") {
      close_choice();
      is_inside_ = false;
    }
  }

  void begin_text() {
    text_.clear();
    takes_text_ = true;
  }

  void begin_choice(const Token& token) {
    is_choosing_ = true;
    const auto size = parse_int(attribute(token, "size"));
    const bool is_multiple = has_attribute(token, "multiple");
    choice_ = {.name = attribute(token, "name"),
               .is_disabled = has_attribute(token, "disabled"),
               .is_multiple = is_multiple,
               .has_first = !is_multiple && size.value_or(1) <= 1,
               .options = {}};
  }

  void end_option() {
    if (std::exchange(takes_text_, false) && !choice_.options.empty()) choice_.options.back().value = collapsed(text_);
  }

  void close_choice() {
    if (!is_choosing_) return;
    end_option();
    is_choosing_ = false;
    if (choice_.is_disabled) return;
    std::vector<Option>& options = choice_.options;
    if (choice_.is_multiple) {
      for (Option& option : options)
        if (option.is_chosen && !option.is_disabled) add({.name = choice_.name, .value = std::move(option.value)});
      return;
    }
    // The last one that is marked.
    const auto last = std::ranges::find(options.rbegin(), options.rend(), true, &Option::is_chosen);
    const auto first = std::ranges::find(options, false, &Option::is_disabled);
    if (last != options.rend()) {
      if (!last->is_disabled) add({.name = choice_.name, .value = std::move(last->value)});
    } else if (choice_.has_first && first != options.end()) {
      add({.name = choice_.name, .value = std::move(first->value)});
    }
  }

  // An <input> or a <button>.
  void add_control(const Token& token) {
    const bool is_button = token.name == "button";
    std::string type = to_lower(attribute(token, "type"));
    if (type.empty()) type = is_button ? "submit" : "text";
    FormField field{.name = attribute(token, "name"), .value = attribute(token, "value")};
    if (type == "password") {
      field.kind = FormField::Kind::password;
      field.value.clear();
      ++forms_.back().passwords;
    } else if (type == "submit") {
      if (std::exchange(has_button_, true)) return;
    } else if (type == "checkbox" || type == "radio") {
      if (!has_attribute(token, "checked")) return;
      if (field.value.empty()) field.value = "on";
    } else if (type == "image" || type == "reset" || type == "button" || type == "file") {
      return;
    } else if (!is_button && is_text(type)) {
      field.kind = FormField::Kind::text;
    }
    if (!has_attribute(token, "disabled")) add(std::move(field));
  }

  void add(FormField field) {
    std::vector<FormField>& fields = forms_.back().fields;
    if (!field.name.empty() && fields.size() < kMostFields) fields.push_back(std::move(field));
  }

  std::string base_;
  std::vector<PageForm> forms_;
  bool is_inside_ = false;
  bool has_button_ = false;
  bool is_choosing_ = false;
  Choice choice_;
  bool takes_text_ = false;  // of an option or a <textarea>
  std::string text_, text_name_;
};

}  // namespace

PageForms read_forms(std::string_view html) { return FormReader().read(html); }

}  // namespace caddis::logins
