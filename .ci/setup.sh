# Shared by run and nightly: every package is required, nothing optional is left out, warnings are errors. Sourced, not
# run.
export TRAMMEL_CMAKE_FLAGS="-DTRAMMEL_WERROR=ON -DTRAMMEL_COMPLETE=ON"
for part in sundials browser extras; do
  sh "scripts/$part" || {
    echo "scripts/$part failed: continuous integration needs what it installs" >&2
    exit 1
  }
done
