# Sourced by ./demo and ./test: paths, packages, and how a build folder is made. Expects `set -euo pipefail`.

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
cores=$(nproc)

build_packages=(g++ cmake ninja-build ccache libboost-dev libspdlog-dev libfmt-dev nlohmann-json3-dev libexpected-dev
                graphviz)
test_packages=(libgtest-dev binutils abigail-tools qemu-user
               glslc libvulkan-dev mesa-vulkan-drivers vulkan-validationlayers)

say() { printf '\n== %s\n' "$*"; }

# make_build FOLDER [cmake arguments...]: configures once, builds what changed.
make_build() {
  local folder=$1
  shift
  mkdir -p "$folder"
  cmake -S "$root" -B "$folder" -G Ninja "$@" >"$folder/configure.log" 2>&1 || { cat "$folder/configure.log" >&2; return 1; }
  cmake --build "$folder" -j "$cores"
}
