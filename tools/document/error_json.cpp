// Writes the fields of an error or a warning as JSON members; unknown parts of a place are null.
#include "document/error_json.h"

namespace femflex::tools {

Json where_json(const Where& where) {
  Json out = Json::object();
  out["file"] = where.file.empty() ? Json() : Json(where.file);
  out["line"] = where.line < 0 ? Json() : Json(where.line);
  out["column"] = where.column < 0 ? Json() : Json(where.column);
  out["byte"] = where.byte < 0 ? Json() : Json(where.byte);
  out["record"] = where.record.empty() ? Json() : Json(where.record);
  return out;
}

Json error_document(const Error& error) {
  Json inner = Json::object();
  inner["kind"] = error.kind();
  inner["code"] = error.code();
  inner["message"] = error.message();
  inner["where"] = where_json(error.where());
  inner["fix"] = error.fix();
  Json out = Json::object();
  out["error"] = std::move(inner);
  return out;
}

Json error_document(const std::exception& error) {
  const bool is_out_of_memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
  return error_document(NumericalError(is_out_of_memory ? "out-of-memory" : "internal",
                                       is_out_of_memory ? "memory ran out" : error.what()));
}

int exit_code_of(const Error& error) {
  if (error.kind() == "Cancelled") return 130;
  return error.kind() == "NumericalError" ? 3 : 2;
}

Json warnings_json(const Diagnostics& diagnostics) {
  Json out = Json::list();
  for (const Warning& warning : diagnostics.warnings()) {
    Json item = Json::object();
    item["code"] = warning.code;
    item["message"] = warning.message;
    item["where"] = where_json(warning.where);
    out.push_back(std::move(item));
  }
  return out;
}

}  // namespace femflex::tools
