# Sourced by dev/test: the programs that the tests run besides Java.

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null 2>&1; then
    sudo "$@"
  else
    return 1
  fi
}

# Installs those of the programs that tests run and that are missing here. Debian may have an older
# version than a test needs; such a test says so and is skipped.
install_test_tools() {
  local package program _
  local missing=()
  local programs=()
  while read -r package program _; do
    if [ -n "$program" ] && [ "${package#\#}" = "$package" ]; then
      programs+=("$program")
      if ! command -v "$program" >/dev/null 2>&1 && [[ " ${missing[*]} " != *" $package "* ]]; then
        missing+=("$package")
      fi
    fi
  done < testkit/testing/src/main/resources/dev/muster/testing/programs
  if [ ${#missing[@]} = 0 ]; then
    return
  fi
  if [[ " ${missing[*]} " == *" curl "* ]]; then
    # Debian only recommends them, and without them curl believes nobody; the Maven wrapper uses it.
    missing+=(ca-certificates)
  fi
  echo "Installing ${missing[*]}"
  if ! command -v apt-get >/dev/null 2>&1; then
    echo "dev/test: the tests need ${programs[*]} on the PATH; install them, or run dev/test unit" >&2
    return 1
  fi
  local log=target/install.log
  mkdir -p target
  if ! {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -q update &&
      as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install "${missing[@]}"
  } > "$log" 2>&1; then
    tail -n 5 "$log" >&2
    echo "dev/test: ${missing[*]} could not be installed; install what provides ${programs[*]}, or run dev/test unit" >&2
    return 1
  fi
}
