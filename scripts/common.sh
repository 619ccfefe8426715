# Shared by the scripts beside it: sets up a Debian 12 machine and builds. Sourced, not run.

# Debian packages that the build and the tests use. dpkg-dev makes packages, and brings the make that CMake takes for
# plugins; tinyxml2 reads robot descriptions; pybind11, Python's headers and NumPy are for the Python package; h5py
# reads what the writer hdf5 writes; SQLite and Random123 are for studies.
packages="cmake ninja-build g++ dpkg-dev libboost-dev libeigen3-dev nlohmann-json3-dev doctest-dev libcli11-dev libfmt-dev
  libsuitesparse-dev libmd-dev libtinyxml2-dev libnlopt-dev libbenchmark-dev python3 python3-jsonschema esbuild libjs-three
  libjs-chart.js universal-ctags pybind11-dev python3-dev python3-numpy libhdf5-dev python3-h5py
  libsqlite3-dev librandom123-dev"

say() { printf '==> %s\n' "$*"; }

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    printf 'This needs root and there is no sudo; as root, run: %s\n' "$*" >&2
    exit 1
  fi
}

# Installs what dpkg does not know as installed. Asks the archive for its list only if the local one does not suffice.
install_missing_packages() {
  missing=""
  for package in $packages; do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$state" = installed ] || missing="$missing $package"
  done
  if [ -z "$missing" ]; then
    say "All Debian packages are there"
    return
  fi
  say "Installing Debian packages:$missing"
  # shellcheck disable=SC2086  # the list is meant to be split
  apt_get="as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install $missing"
  $apt_get || { as_root apt-get -q update && $apt_get; }
}

# configure PRESET: build/PRESET, with the options of TRAMMEL_CMAKE_FLAGS, which are separated by spaces; continuous
# integration sets it to "-DTRAMMEL_WERROR=ON -DTRAMMEL_COMPLETE=ON". A build folder keeps its options until they are
# set otherwise. CMake's status lines are shown only if it fails, its warnings always.
configure() {
  if [ -z "${CMAKE_CXX_COMPILER_LAUNCHER:-}" ] && command -v ccache >/dev/null; then
    export CMAKE_CXX_COMPILER_LAUNCHER=ccache
  fi
  say "Configuring build/$1"
  status_lines=$(mktemp)
  # shellcheck disable=SC2086  # the options are meant to be split
  cmake --preset "$1" ${TRAMMEL_CMAKE_FLAGS:-} >"$status_lines" || {
    cat "$status_lines"
    rm -f "$status_lines"
    exit 1
  }
  rm -f "$status_lines"
}

# configure_and_build PRESET [TARGET...]: without targets, everything.
configure_and_build() {
  preset=$1
  shift
  configure "$preset"
  say "Building build/$preset with $(nproc) jobs"
  if [ $# -eq 0 ]; then
    cmake --build "build/$preset" -j "$(nproc)"
  else
    cmake --build "build/$preset" -j "$(nproc)" --target "$@"
  fi
}
