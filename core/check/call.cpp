#include "call.h"

namespace tenon::check {
namespace {

std::string status_name(std::int32_t status) {
  switch (status) {
    case TENON_OK:
      return "TENON_OK";
    case TENON_DECLINED:
      return "TENON_DECLINED";
    case TENON_UNIMPLEMENTED:
      return "TENON_UNIMPLEMENTED";
    case TENON_PENDING:
      return "TENON_PENDING";
    case TENON_ERROR:
      return "TENON_ERROR";
    case TENON_ERROR_OUT_OF_MEMORY:
      return "TENON_ERROR_OUT_OF_MEMORY";
    case TENON_ERROR_DEVICE_LOST:
      return "TENON_ERROR_DEVICE_LOST";
    case TENON_ERROR_INVALID_ARGUMENT:
      return "TENON_ERROR_INVALID_ARGUMENT";
    case TENON_ERROR_UNKNOWN_OPTION:
      return "TENON_ERROR_UNKNOWN_OPTION";
    default:
      return "status " + std::to_string(status);
  }
}

}  // namespace

std::string status_text(std::int32_t status, const std::string& words) {
  return status_name(status) + (words.empty() ? "" : " ('" + words + "')");
}

Verdict contained_check(const std::function<Verdict()>& check) {
  const auto failed = [](std::string_view what) {
    return wrong("the check itself failed: " + std::string(what), "an answer");
  };
  try {
    return check();
  } catch (const std::exception& thrown) {
    return failed(thrown.what());
  } catch (...) {
    return failed("an exception of an unknown type");
  }
}

Verdict is_status(std::string_view slot, std::int32_t found, std::int32_t expected) {
  if (found == expected) return {};
  return wrong(std::string(slot) + " returned " + status_text(found, take_words()), status_name(expected));
}

Verdict is_worded_error(std::string_view slot, std::int32_t status) {
  const std::string words = take_words();
  if (status >= 0)
    return wrong(std::string(slot) + " returned " + status_text(status, words), "an error, a negative status");
  if (words.empty())
    return wrong(std::string(slot) + " returned " + status_name(status) + " without a word",
                 "its text, given to host->set_error before it returns");
  return {};
}

}  // namespace tenon::check
