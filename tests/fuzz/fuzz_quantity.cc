// Any bytes as a quantity, a time and a duration: what is accepted must survive being written and read again.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "snapshot/quantity.h"
#include "snapshot/time.h"

namespace {

using namespace basalt;

void Check(bool condition) {
  if (!condition) std::abort();
}

/// A non-negative quantity in plain decimals.
std::string Decimal(Quantity q) {
  std::string nano = std::to_string(q.nano);
  return std::to_string(q.units) + "." + std::string(9 - nano.size(), '0') + nano;
}

void CheckQuantity(std::string_view text) {
  const std::optional<Quantity> q = Quantity::Parse(text);
  if (!q) return;
  Check(q->nano < 1'000'000'000);
  Check(q->IsNegative() == (q->units < 0));
  Check(q->IsZero() == (*q == Quantity{}));
  Check(q->Value() >= q->units);
  Check((q->Value() < 0) == (q->MilliValue() < 0));
  if (!q->IsNegative()) {
    Check(Quantity::Parse(Decimal(*q)) == *q);
    // The same with the sign turned round has the same distance from zero.
    std::string negative(text);
    if (negative[0] == '+' || negative[0] == '-') negative.erase(0, 1);
    const std::optional<Quantity> minus = Quantity::Parse("-" + negative);
    Check(minus.has_value());
    Check(*minus + *q == Quantity{});
    Check(minus->Value() == -q->Value());
    if (q->MilliValue() != INT64_MAX) Check(minus->MilliValue() == -q->MilliValue());
  }
  // Leading zeros, and a zero behind the point, change nothing.
  const size_t sign = text[0] == '+' || text[0] == '-' ? 1 : 0;
  std::string padded(text);
  padded.insert(sign, "00");
  Check(Quantity::Parse(padded) == *q);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  CheckQuantity(text);
  if (const std::optional<int64_t> seconds = ParseRfc3339(text)) {
    if (*seconds >= -62'167'219'200 && *seconds <= 253'402'300'799) Check(ParseRfc3339(FormatRfc3339(*seconds)) == *seconds);
  }
  if (const std::optional<int64_t> ns = ParseGoDuration(text)) Check(ParseGoDuration(std::to_string(*ns) + "ns") == *ns);
  return 0;
}
