// One object's JSON as it stands alone: without blanks, with its kind, without metadata.managedFields.
#pragma once
#include <string>
#include <string_view>

namespace basalt {

/// Appends well-formed JSON without the blanks and line ends between its tokens.
void AppendCompact(std::string_view json, std::string* out);

/// Appends the object `json` compactly. list_kind, list_api_version: what the items of its list are (Decoded), put in where it does not say so itself; empty
/// where it is no such item. managedFields are left out: no rule reads them, and they are half of many dumps. What is no object is appended as it is, and so is
/// a key that comes twice: the reader of the result finds the same fault.
void AppendStandalone(std::string_view json, std::string_view list_kind, std::string_view list_api_version, std::string* out);

}  // namespace basalt
