#include "kernel_run.h"

#include <algorithm>
#include <array>

namespace tenon::check {
namespace {

/// Room on both sides of a tensor, by which writing beyond it is seen; keeps every alignment.
std::uint64_t margin_bytes(const Lane& lane) { return std::max<std::uint64_t>(256, lane.alignment_bytes()); }

std::uint64_t bytes_of(const TensorType& type) {
  return static_cast<std::uint64_t>(known_elements(type.shape)) * size_bytes(type.dtype);
}

/// The operand whose place output `output` was granted.
std::optional<std::size_t> granted_place(const DrawnCase& drawn, const tenon_kernel& prepared, std::size_t output) {
  if (prepared.aliases == nullptr) return std::nullopt;  // contracts/in-place says so
  const tenon_signature& signature = drawn.signature.get();
  for (std::uint32_t i = 0; i < prepared.alias_count; ++i) {
    if (prepared.aliases[std::size_t{2} * i] != signature.outputs[output]) continue;
    const std::span inputs(signature.inputs, signature.input_count);
    const auto at = std::ranges::find(inputs, prepared.aliases[std::size_t{2} * i + 1]);
    if (at != inputs.end()) return static_cast<std::size_t>(at - inputs.begin());
  }
  return std::nullopt;
}

}  // namespace

sought<bool> serves(const Lane& lane, const tenon_capsule& capsule, const tenon_signature& signature,
                    std::string* words) {
  std::array<char, 256> room{};
  tenon_text text{room.data(), room.size(), 0};
  TENON_SEEK(const std::int32_t status,
             status_of("supports", [&] { return capsule.supports(&capsule, lane.device(), &signature, &text); }));
  if (text.length > text.capacity || text.capacity != room.size())
    return wrong("supports set the length of its reason to " + std::to_string(text.length),
                 "at most the capacity, " + std::to_string(room.size()));
  if (words != nullptr) words->assign(room.data(), text.length);
  if (status == TENON_OK || status == TENON_DECLINED) return status == TENON_OK;
  return wrong("supports returned " + status_text(status, take_words()), "TENON_OK or TENON_DECLINED");
}

sought<PreparedKernel> PreparedKernel::prepare(const Lane& lane, const tenon_capsule& capsule,
                                               const tenon_signature& signature) {
  tenon_kernel prepared{};
  prepared.size = sizeof prepared;
  TENON_HOLDS(succeeds("prepare", [&] { return capsule.prepare(&capsule, lane.device(), &signature, &prepared); }));
  return PreparedKernel(capsule, prepared);
}

Verdict release(const tenon_capsule& capsule, void* kernel) {
  return succeeds("release", [&] { return capsule.release(kernel), TENON_OK; });
}

PreparedKernel::~PreparedKernel() {
  if (capsule_ != nullptr) static_cast<void>(release(*capsule_, prepared_.kernel));
}

Verdict PreparedKernel::launch(const tenon_args& args, tenon_stream* stream) const {
  return succeeds("launch", [&] { return raw_launch(args, stream); });
}

Verdict PlacedCase::add(const Lane& lane, std::string name, std::span<const std::byte> content, std::uint64_t bytes,
                        bool may_change) {
  if (bytes == 0) return {};
  const std::uint64_t margin = margin_bytes(lane);
  Piece piece;
  piece.offset_bytes = margin, piece.bytes = bytes, piece.may_change = may_change, piece.name = std::move(name);
  piece.before = pattern_bytes(bytes + 2 * margin, static_cast<unsigned>(pieces_.size()));
  std::ranges::copy(content, piece.before.begin() + static_cast<std::ptrdiff_t>(margin));
  TENON_SEEK(piece.memory, lane.allocate(piece.before.size()));
  TENON_HOLDS(lane.write(piece.memory.at(0), piece.before));
  pieces_.push_back(std::move(piece));
  return {};
}

sought<PlacedCase> PlacedCase::place(const Lane& lane, const DrawnCase& drawn, const tenon_kernel& prepared,
                                     Placement placement) {
  PlacedCase placed;
  const auto last_ref = [&](std::uint64_t bytes) -> tenon_ref {
    if (bytes == 0) return {};
    const Piece& piece = placed.pieces_.back();
    return piece.memory.at(piece.offset_bytes);
  };
  std::vector<std::size_t> operand_pieces;
  for (const Bytes& content : drawn.operand_bytes()) {
    const std::size_t i = placed.refs_.size();
    const bool is_mutable = (drawn.signature.get().values[i]->flags & TENON_TENSOR_MUTABLE) != 0;
    TENON_HOLDS(placed.add(lane, "operand " + std::to_string(i), content, content.size(), is_mutable));
    placed.refs_.push_back(last_ref(content.size()));
    operand_pieces.push_back(placed.pieces_.size() - 1);
  }
  for (std::size_t i = 0; i < drawn.request.outputs.size(); ++i) {
    const std::uint64_t bytes = bytes_of(drawn.request.outputs[i]);
    std::optional<std::size_t> shared;
    if (placement != Placement::apart) shared = granted_place(drawn, prepared, i);
    placed.output_bytes_.push_back(bytes);
    if (!shared) TENON_HOLDS(placed.add(lane, "output " + std::to_string(i), {}, bytes, true));
    placed.refs_.push_back(shared ? placed.refs_[*shared] : last_ref(bytes));
    placed.output_pieces_.push_back(shared ? operand_pieces[*shared] : placed.pieces_.size() - 1);
    if (shared && bytes != 0) placed.pieces_[operand_pieces[*shared]].may_change = true;
  }
  TENON_HOLDS(placed.add(lane, "the workspace", {}, prepared.workspace_bytes, true));
  placed.workspace_ = last_ref(prepared.workspace_bytes);
  for (const Scalar& scalar : drawn.source.scalars) placed.scalars_.push_back({.u = scalar.u});
  return placed;
}

tenon_args PlacedCase::args() const {
  tenon_args out{};
  out.tensors = refs_.data();
  out.scalars = scalars_.data();
  out.workspace = workspace_;
  out.launch_id = 1;
  return out;
}

sought<std::vector<Bytes>> PlacedCase::outputs(const Lane& lane) const {
  std::vector<Bytes> out;
  for (std::size_t i = 0; i < output_pieces_.size(); ++i) {
    if (output_bytes_[i] == 0) out.emplace_back();
    if (output_bytes_[i] == 0) continue;
    const Piece& piece = pieces_[output_pieces_[i]];
    TENON_SEEK(out.emplace_back(), lane.read(piece.memory.at(piece.offset_bytes), output_bytes_[i]));
  }
  return out;
}

Verdict PlacedCase::wrote_results_only(const Lane& lane) const {
  for (const Piece& piece : pieces_) {
    TENON_SEEK(const Bytes now, lane.read(piece.memory.at(0), piece.before.size()));
    const std::span found(now), before(piece.before);
    const std::size_t end = piece.offset_bytes + piece.bytes;
    TENON_HOLDS(same_bytes("before " + piece.name, found.first(piece.offset_bytes), before.first(piece.offset_bytes)));
    TENON_HOLDS(same_bytes("after " + piece.name, found.subspan(end), before.subspan(end)));
    if (!piece.may_change) TENON_HOLDS(same_bytes(piece.name, found, before));
  }
  return {};
}

sought<std::vector<Bytes>> run_case(const Lane& lane, const tenon_capsule& capsule, const DrawnCase& drawn,
                                    Placement placement) {
  TENON_SEEK(const PreparedKernel kernel, PreparedKernel::prepare(lane, capsule, drawn.signature.get()));
  TENON_SEEK(const PlacedCase placed, PlacedCase::place(lane, drawn, kernel.prepared(), placement));
  TENON_HOLDS(kernel.launch(placed.args(), lane.stream()));
  TENON_HOLDS(lane.synchronize());
  return placed.outputs(lane);
}

}  // namespace tenon::check
