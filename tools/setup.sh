# Sourced by ./demo and ./test: paths, packages, and how a build folder is made. Expects `set -euo pipefail`.

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
cores=$(nproc)

build_packages=(g++ cmake ninja-build ccache libboost-dev libspdlog-dev libfmt-dev nlohmann-json3-dev libexpected-dev
                graphviz)
test_packages=(libgtest-dev binutils abigail-tools qemu-user
               glslc libvulkan-dev mesa-vulkan-drivers vulkan-validationlayers hipcc)

say() { printf '\n== %s\n' "$*"; }

# configure FOLDER [cmake arguments...]: what is not said stays as it was.
configure() {
  local folder=$1
  shift
  mkdir -p "$folder"
  cmake -S "$root" -B "$folder" -G Ninja "$@" >"$folder/configure.log" 2>&1 || { cat "$folder/configure.log" >&2; return 1; }
}

# make_build FOLDER [cmake arguments...]: builds what changed.
make_build() {
  configure "$@"
  cmake --build "$1" -j "$cores"
}
