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

install_test_tools() {
  local missing=()
  command -v etcd >/dev/null 2>&1 || missing+=(etcd-server)
  command -v ip >/dev/null 2>&1 || missing+=(iproute2)
  command -v kubectl >/dev/null 2>&1 || missing+=(kubernetes-client)
  if [ ${#missing[@]} = 0 ]; then
    return
  fi
  echo "Installing ${missing[*]}"
  if ! command -v apt-get >/dev/null 2>&1; then
    echo "dev/test: the tests need etcd, ip and kubectl on the PATH; install them, or run dev/test unit" >&2
    return 1
  fi
  local log=target/install.log
  mkdir -p target
  if ! {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -q update &&
      as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install "${missing[@]}"
  } > "$log" 2>&1; then
    tail -n 5 "$log" >&2
    echo "dev/test: ${missing[*]} could not be installed; install what provides etcd, ip and kubectl, or run dev/test unit" >&2
    return 1
  fi
}
