#include "foundation.h"

#include "data.h"
#include "system.h"

namespace gpusim::metal {
namespace {

const Class string_class{nullptr, "NSString", {{"UTF8String", method<&String::utf8>()}}, destroy_as<String>};
const Class error_class{nullptr,
                        "NSError",
                        {{"code", method<&Error::code_>()}, {"localizedDescription", method<&Error::description>()}},
                        destroy_as<Error>};
const Class array_class{nullptr,
                        "NSArray",
                        {{"count", method<&Array::count>()}, {"objectAtIndex:", method<&Array::at>()}},
                        destroy_as<Array>};
const Class data_class{nullptr, "OS_dispatch_data", {}, destroy_as<Data>};

struct ProcessInfo : Object {
  ProcessInfo();
  Object* version() { return autoreleased(new String("(no macOS: gpusim)")); }
};
const Class info_class{nullptr,
                       "NSProcessInfo",
                       {{"operatingSystemVersionString", method<&ProcessInfo::version>()}},
                       destroy_as<ProcessInfo>};
ProcessInfo::ProcessInfo() : Object(info_class) {}

// Messages to classes.
Object* string_with(const Class*, const char*, const char* text) { return autoreleased(new String(text)); }
Object* process_info(const Class*, const char*) { return autoreleased(new ProcessInfo); }

template <class Function>
Implementation plain(Function* function) {
  return reinterpret_cast<Implementation>(function);
}
const Class string_meta{nullptr, "NSString", {{"stringWithUTF8String:", plain(string_with)}}};
const Class info_meta{nullptr, "NSProcessInfo", {{"processInfo", plain(process_info)}}};

}  // namespace

String::String(std::string of) : Object(string_class), text(std::move(of)) {}
Error::Error(long number, std::string of) : Object(error_class), code(number), words(std::move(of)) {}
Array::Array(std::vector<Ref<Object>> of) : Object(array_class), elements(std::move(of)) {}
Data::Data(std::string of) : Object(data_class), bytes(std::move(of)) {}

Object* Array::at(unsigned long index) {
  if (index < elements.size()) return elements[index].get();
  System::get().complain("objectAtIndex: of an array of " + std::to_string(elements.size()) + " was given " +
                         std::to_string(index));
  return nullptr;
}

void set_error(Object** place, long code, const std::string& words) {
  if (place != nullptr) *place = autoreleased(new Error(code, words));
}

}  // namespace gpusim::metal

// What clang's code refers to as classes.
extern "C" {
extern const gpusim::metal::Class fake_NSString asm("OBJC_CLASS_$_NSString");
extern const gpusim::metal::Class fake_NSProcessInfo asm("OBJC_CLASS_$_NSProcessInfo");
const gpusim::metal::Class fake_NSString{&gpusim::metal::string_meta, "NSString", {}};
const gpusim::metal::Class fake_NSProcessInfo{&gpusim::metal::info_meta, "NSProcessInfo", {}};

gpusim::metal::Object* dispatch_data_create(const void* bytes, std::size_t size, void*, void* destructor) {
  using namespace gpusim::metal;
  const Entered entered("dispatch_data_create");
  if (destructor != nullptr) System::get().complain("dispatch_data_create: only the default destructor is modelled");
  if (System::get().planned_failure() != 0) return nullptr;
  return new Data(std::string(static_cast<const char*>(bytes), size));
}
}
