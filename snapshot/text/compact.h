// One object's JSON as it stands alone: without blanks, with its kind, without metadata.managedFields.
#pragma once
#include <string>
#include <string_view>

namespace basalt {

/// Appends well-formed JSON without the blanks and line ends between its tokens.
void AppendCompact(std::string_view json, std::string* out);

/// Appends the object `json` compactly. kind_name: what it is where it does not say so itself (an item of a typed list); apiVersion is added for the kinds
/// that are decoded. managedFields are left out: no rule reads them, and they are half of many dumps. What is no object is appended as it is.
void AppendStandalone(std::string_view json, std::string_view kind_name, std::string* out);

}  // namespace basalt
