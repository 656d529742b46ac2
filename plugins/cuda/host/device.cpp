#include "device.h"

#include "battery.h"
#include "event.h"
#include "stream.h"
#include "vendor.h"

namespace tenon::gpu {
namespace {

using plugin::KernelError;
using plugin::refuse;
using plugin::text;

constexpr std::uint64_t driver_alignment_bytes = 256;  // of everything that the drivers' allocators give
constexpr std::uint32_t non_blocking = 1;              // flag of a stream: takes no part in the default stream's order
constexpr std::uint32_t portable_and_mapped = 3;       // flags of pinned memory: for all contexts, seen by the devices
constexpr int release_threshold = 4;                   // attribute of a pool

}  // namespace

std::string Device::architecture() const { return vendor.architecture(driver_, device_); }

std::string Device::name() const { return text(TENON_GPU_KIND, ":", device_); }

Device::Device(const Driver& driver, int ordinal, std::uint64_t cookie, Roster<Device>& open_devices)
    : driver_(driver), device_(ordinal), cookie_(cookie), open_devices_(open_devices) {
  check(driver_.context_retain(&context_, device_), "context_retain");
  try {
    make_current();
    int value = 0;
    check(driver_.device_attribute(&value, vendor.multiprocessors, device_), "device_attribute");
    multiprocessors_ = static_cast<unsigned>(std::max(value, 1));
    check(driver_.stream_create(&allocations_, non_blocking), "stream_create");
    if (driver_.device_attribute(&value, vendor.pools, device_) == success && value != 0) {
      check(driver_.pool_default(&pool_, device_), "pool_default");
      std::uint64_t keep_all = UINT64_MAX;
      check(driver_.pool_set(pool_, release_threshold, &keep_all), "pool_set");
    }
    strict_failure_ = gpu::strict_failure(*this, allocations_);
    if (!strict_failure_.empty() && plugin::host != nullptr && plugin::host->log != nullptr) {
      const std::string words = text(name(), " is not strict: ", strict_failure_);
      plugin::host->log(TENON_LOG_WARN, TENON_GPU_KIND, words.c_str());
    }
    open_devices_.add(*this);
  } catch (...) {
    release();
    throw;
  }
}

Device::~Device() {
  open_devices_.remove(*this);
  enter();
  release();
}

// What fails here fails because the device is lost, which has been told. A battery that broke off may have left work
// that needs its kernels.
void Device::release() noexcept {
  attachment_.reset();
  if (allocations_ != nullptr) static_cast<void>(driver_.stream_synchronize(allocations_));
  for (const auto& [image, module] : modules_) static_cast<void>(driver_.module_unload(module));
  if (allocations_ != nullptr) static_cast<void>(driver_.stream_destroy(allocations_));
  static_cast<void>(driver_.context_release(device_));
}

void Device::drain() noexcept {
  streams_.for_each([this](Stream& stream) {
    enter();
    static_cast<void>(driver_.stream_synchronize(stream.native()));
  });
}

void Device::fail(Status status, const char* doing) const {
  const std::string words = text("[", name(), "] ", doing, ": ", words_of(driver_, status));
  if (status == out_of_memory) throw KernelError(TENON_ERROR_OUT_OF_MEMORY, words);
  if (!is_lost(status)) throw KernelError(TENON_ERROR, words);
  if (plugin::host != nullptr) plugin::host->device_lost(cookie_, TENON_ERROR_DEVICE_LOST, words.c_str());
  throw KernelError(TENON_ERROR_DEVICE_LOST, words);
}

// -- memory -------------------------------------------------------------------------------------------------

void Device::fail_out_of_memory(std::uint64_t bytes) const {
  std::size_t free_bytes = 0, total_bytes = 0;
  static_cast<void>(driver_.memory_info(&free_bytes, &total_bytes));
  throw KernelError(TENON_ERROR_OUT_OF_MEMORY, text("[", name(), "] out of memory: ", bytes, " bytes asked for, ",
                                                    free_bytes, " of ", total_bytes, " free"));
}

// The pool hands memory out in the order of a stream, on which nothing else runs: once it is idle, every stream may use
// what it gave.
Address Device::take(std::uint64_t bytes) {
  Address address = 0;
  const Status status = pool_ == nullptr ? driver_.memory_alloc(&address, bytes)
                                         : driver_.memory_alloc_async(&address, bytes, allocations_);
  if (status == out_of_memory) fail_out_of_memory(bytes);
  check(status, "memory_alloc");
  if (pool_ == nullptr) return address;
  const Status arrived = driver_.stream_synchronize(allocations_);
  if (arrived == success) return address;
  static_cast<void>(give_back({address, false}));
  fail(arrived, "memory_alloc");
}

Status Device::give_back(const Odd& given) const {
  if (given.on_host) return driver_.host_free(reinterpret_cast<void*>(given.base));
  return pool_ == nullptr ? driver_.memory_free(given.base) : driver_.memory_free_async(given.base, allocations_);
}

Address Device::take_on_host(std::uint64_t bytes) {
  void* memory = nullptr;
  const Status status = driver_.host_alloc(&memory, bytes, portable_and_mapped);
  if (status == out_of_memory) fail_out_of_memory(bytes);
  check(status, "host_alloc");
  return reinterpret_cast<Address>(memory);  // with unified addressing the device knows it by the same address
}

void Device::memory_alloc(std::uint64_t bytes, std::uint64_t alignment, std::uint32_t kind, tenon_memory* memory) {
  make_current();
  const std::uint64_t spare = alignment > driver_alignment_bytes ? alignment : 0;
  if (bytes > UINT64_MAX - spare) fail_out_of_memory(bytes);
  const bool on_host = kind != TENON_MEMORY_DEVICE;
  const std::uint64_t whole = std::max<std::uint64_t>(bytes + spare, 1);
  const Address base = on_host ? take_on_host(whole) : take(whole);
  const Address address = spare == 0 ? base : (base + alignment - 1) / alignment * alignment;
  if (on_host || address != base) remember(address, {base, on_host});
  void* host = on_host ? reinterpret_cast<void*>(address) : nullptr;
  *memory = {sizeof(tenon_memory), 0, address, bytes, host};
}

void Device::remember(Address address, const Odd& given) {
  try {
    const std::lock_guard lock(mutex_);
    odd_[address] = given;
  } catch (...) {
    static_cast<void>(give_back(given));
    throw;
  }
}

// Nobody asks a second time, so all is tried: where the context could not be set it may be the thread's already, and
// whether the memory went back only the free can tell.
void Device::memory_free(std::uint64_t memory) {
  if (memory == 0) refuse("[", name(), "] memory_free of nothing");
  enter();
  Odd given{memory, false};
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = odd_.find(memory); found != odd_.end()) {
      given = found->second;
      odd_.erase(found);
    }
  }
  check(give_back(given), given.on_host ? "host_free" : "memory_free");
}

void Device::memory_info(std::uint64_t* free_bytes, std::uint64_t* total_bytes) const {
  make_current();
  std::size_t free = 0, total = 0;
  check(driver_.memory_info(&free, &total), "memory_info");
  *free_bytes = free;
  *total_bytes = total;
}

void Device::memory_trim() {
  if (pool_ == nullptr) return;
  make_current();
  check(driver_.stream_synchronize(allocations_), "memory_trim");
  check(driver_.pool_trim(pool_, 0), "memory_trim");
}

// -- streams and events -------------------------------------------------------------------------------------

void Device::stream_create(std::uint32_t, tenon_stream** stream) {
  *stream = plugin::to_handle<tenon_stream>(std::make_unique<Stream>(*this, streams_).release());
}

void Device::event_create(std::uint32_t, tenon_event** event) {
  *event = plugin::to_handle<tenon_event>(std::make_unique<Event>(*this).release());
}

Attachment& Device::attachment(std::unique_ptr<Attachment> (*make)(Device&)) {
  const std::lock_guard lock(attachment_mutex_);
  if (attachment_ != nullptr) return *attachment_;
  attachment_ = make(*this);
  try {
    streams_.for_each([this](Stream& stream) { stream.attach(attachment_->for_stream(stream)); });
  } catch (const std::exception& error) {
    streams_.for_each([](Stream& stream) { stream.attach(nullptr); });
    attachment_->give_up(error.what());
  }
  return *attachment_;
}

// A stream that is in the roster while another thread makes the attachment has joined by then.
void Device::attach(Stream& stream) {
  const std::lock_guard lock(attachment_mutex_);
  if (attachment_ != nullptr && stream.attachment() == nullptr) stream.attach(attachment_->for_stream(stream));
}

// -- code ---------------------------------------------------------------------------------------------------

Module Device::module(const Image& image) {
  const std::lock_guard lock(mutex_);
  const auto place = modules_.try_emplace(&image, nullptr).first;  // before there is code that could be lost
  if (place->second != nullptr) return place->second;
  const Status status = driver_.module_load(&place->second, image.code);
  if (status == success) return place->second;
  modules_.erase(place);
  if (status == no_binary_for_gpu) {
    refuse("[", name(), "] no code for ", architecture(), " among the kernels of ", image.family,
           ": this plugin was built for ", TENON_GPU_TARGETS);
  }
  fail(status, "module_load");
}

Function Device::function(std::string_view family, const std::string& name) {
  make_current();
  const auto image = std::find_if(images.begin(), images.end(), [=](const Image& i) { return family == i.family; });
  if (image == images.end()) refuse("[", TENON_GPU_KIND, "] no kernels of the family ", family);
  Function function = nullptr;
  const Status status = driver_.module_function(&function, module(*image), name.c_str());
  if (status != success)
    refuse("[", TENON_GPU_KIND, "] kernel ", name, " of ", family, ": ", words_of(driver_, status));
  return function;
}

}  // namespace tenon::gpu
