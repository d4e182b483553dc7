#include "snapshot/text/yaml_json.h"

namespace basalt {

void AppendJsonString(std::string_view text, std::string* out) {
  *out += '"';
  size_t done = 0;
  for (size_t i = 0; i < text.size(); i++) {
    const unsigned char c = static_cast<unsigned char>(text[i]);
    const bool mark = c == 0xEF && text.substr(i).starts_with("\xEF\xBB\xBF");  // readers take one out where a file seems to begin
    if (c >= 0x20 && c != '"' && c != '\\' && !mark) continue;
    out->append(text, done, i - done);
    done = i + (mark ? 3 : 1);
    switch (c) {
      case '"': *out += "\\\""; break;
      case '\\': *out += "\\\\"; break;
      case '\n': *out += "\\n"; break;
      case '\r': *out += "\\r"; break;
      case '\t': *out += "\\t"; break;
      case 0xEF: *out += "\\ufeff"; break;
      default:
        *out += "\\u00";
        *out += char('0' + (c >> 4));
        *out += "0123456789abcdef"[c & 15];
    }
  }
  out->append(text, done, text.size() - done);
  *out += '"';
}

size_t JsonStringEnd(std::string_view json) {
  for (size_t i = 1; i < json.size(); i++) {
    if (json[i] == '\\') i++;
    else if (json[i] == '"') return i + 1;
  }
  return json.size();
}

void SplitJson(std::string_view json, std::vector<std::string_view>* parts) {
  size_t depth = 0, begin = 1;
  for (size_t i = 0; i < json.size(); i++) {
    const char c = json[i];
    if (c == '"') i += JsonStringEnd(json.substr(i)) - 1;
    else if (c == '{' || c == '[') depth++;
    else if (c == '}' || c == ']') depth--;
    const bool end = depth == 0;
    if (!end && !(depth == 1 && c == ',')) continue;
    if (i > begin) parts->push_back(json.substr(begin, i - begin));
    begin = i + 1;
    if (end) return;
  }
}

}  // namespace basalt
