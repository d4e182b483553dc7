#include <algorithm>
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

}  // namespace

bool ScoreNpy(ScoreSource* source, const ScoreForm& form, size_t variants, const TextSink& sink) {
  const size_t parts = source->part_names().size();
  if (form.first) {
    std::vector<size_t> shape;
    if (!form.variant.empty()) shape.push_back(variants);
    shape.push_back(source->rows().size()), shape.push_back(source->nodes());
    if (parts) shape.push_back(1 + parts);
    if (!sink(Header(shape))) return false;
  }
  std::vector<double> values;
  for (const ScoreRow& row : source->rows()) {
    if (source->Judge(row)) {
      values.assign(source->nodes() * (1 + parts), std::numeric_limits<double>::quiet_NaN());
      for (size_t n = 0; n < source->nodes(); n++) {
        if (!source->Fits(n)) continue;
        double* to = values.data() + n * (1 + parts);
        *to = source->Score(n);
        if (parts) std::ranges::copy(source->Parts(n), to + 1);
      }
    }
    if (!sink({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)})) return false;
  }
  return true;
}

}  // namespace basalt
