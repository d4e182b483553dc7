#include <bit>
#include <limits>

#include "report/score_forms.h"

namespace basalt {

namespace {

static_assert(std::endian::native == std::endian::little, "the header says little-endian");

std::string Header(const std::vector<size_t>& shape) {
  std::string text = "{'descr': '<f8', 'fortran_order': False, 'shape': (";
  for (size_t d = 0; d < shape.size(); d++) text += (d ? ", " : "") + std::to_string(shape[d]);
  text += "), }";
  constexpr size_t kBefore = 10;  // magic, version, length
  text.append((64 - (kBefore + text.size() + 1) % 64) % 64, ' ');
  text += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(text.size() & 0xFF), header += static_cast<char>(text.size() >> 8);
  return header + text;
}

void Append(double v, std::string* out) { out->append(reinterpret_cast<const char*>(&v), sizeof v); }

}  // namespace

bool ScoreNpy(ScoreSource* source, const ScoreForm& form, size_t variants, const TextSink& sink) {
  const size_t parts = form.by_plugin ? source->PartNames().size() : 0;
  std::string text;
  if (form.first) {
    std::vector<size_t> shape;
    if (!form.variant.empty()) shape.push_back(variants);
    shape.push_back(source->rows().size()), shape.push_back(source->nodes());
    if (form.by_plugin) shape.push_back(1 + parts);
    text = Header(shape);
  }
  for (const ScoreSource::Row& row : source->rows()) {
    source->Judge(row);
    for (size_t n = 0; n < source->nodes(); n++) {
      const bool fits = source->Fits(n);
      Append(fits ? source->Score(n) : std::numeric_limits<double>::quiet_NaN(), &text);
      if (!form.by_plugin) continue;
      const std::vector<double> values = fits ? source->Parts(n) : std::vector<double>(parts, std::numeric_limits<double>::quiet_NaN());
      for (const double v : values) Append(v, &text);
    }
    if (!sink(text)) return false;
    text.clear();
  }
  return text.empty() || sink(text);
}

}  // namespace basalt
