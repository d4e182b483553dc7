#include "report/nearest.h"

#include <algorithm>
#include <numeric>

namespace basalt {

namespace {

// Levenshtein's distance: letters to insert, remove or replace.
size_t Distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); i++) {
    size_t corner = row[0]++;
    for (size_t j = 0; j < b.size(); j++) {
      const size_t replaced = corner + (a[i] != b[j]);
      corner = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, corner + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string DidYouMean(std::string_view wanted, const std::vector<std::string_view>& names) {
  constexpr size_t kShown = 3, kLongest = 300;
  std::vector<std::pair<size_t, std::string_view>> close;
  const size_t most = wanted.size() / 3 + 1;
  const auto behind_namespace = [](std::string_view name) { return name.substr(name.find('/') + 1); };
  for (const std::string_view name : names) {
    if (behind_namespace(name) == behind_namespace(wanted)) {
      close.emplace_back(0, name);  // right but for the namespace
      continue;
    }
    const size_t apart = name.size() > wanted.size() ? name.size() - wanted.size() : wanted.size() - name.size();
    if (apart > most || name.size() > kLongest || wanted.size() > kLongest) continue;
    if (const size_t d = Distance(wanted, name); d <= most) close.emplace_back(d, name);
  }
  if (close.empty()) return "";
  std::sort(close.begin(), close.end());
  std::string text = "; did you mean ";
  for (size_t i = 0; i < std::min(kShown, close.size()); i++) text.append(i ? ", " : "").append(close[i].second);
  return text + "?";
}

}  // namespace basalt
