#include "library.h"

#define BOOST_DLL_USE_STD_FS
#include <boost/dll/shared_library.hpp>

#include "load_error.h"

namespace tenon::host {
namespace {

using boost::dll::shared_library;
namespace load_mode = boost::dll::load_mode;

/// Boost puts words of its own around the loader's: "...: <the loader's>".
std::string loader_words(const std::exception& thrown) {
  const std::string text = thrown.what();
  constexpr std::string_view prefix = "boost::dll::shared_library::load() failed (dlerror system message: ";
  const auto at = text.find(prefix);
  if (at == text.npos) return text;
  const auto begin = at + prefix.size();
  return text.substr(begin, text.rfind(')') - begin);
}

}  // namespace

result<Library> Library::open(const std::filesystem::path& file) {
  Library library;
  library.file_ = file;
  try {
    const auto mode = load_mode::rtld_now | load_mode::rtld_local;
    library.handle_ = std::make_shared<shared_library>(file, mode);
  } catch (const std::bad_alloc&) {
    throw;  // the host's own want
  } catch (const std::exception& thrown) {
    return fail(load_error(file, loader_words(thrown)));
  } catch (...) {
    return fail(load_error(file, "a constructor of the library threw"));
  }
  return library;
}

result<QueryFunction> Library::entry_point() const {
  const auto& library = *static_cast<const shared_library*>(handle_.get());
  if (library.has("tenon_plugin_query"))
    return &library.get<std::int32_t(const tenon_query*, tenon_reply*)>("tenon_plugin_query");
  return fail(Reason::NO_ENTRY_POINT, "[plugin] " + file_.string() + ": it does not export tenon_plugin_query");
}

}  // namespace tenon::host
