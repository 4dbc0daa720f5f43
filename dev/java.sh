# Sourced by the scripts: finds a JDK 25 and Maven, sets JAVA_HOME and MVN.

is_jdk_25() {
  [ -x "$1/bin/javac" ] || return 1
  if [ -r "$1/release" ]; then
    grep -q '^JAVA_VERSION="25[".]' "$1/release"
  else
    "$1/bin/javac" -version 2>&1 | grep -q '^javac 25'
  fi
}

find_jdk_25() {
  local candidate
  local on_path
  on_path=$(command -v javac 2>/dev/null || true)
  for candidate in "${JAVA_HOME:-}" \
    ${on_path:+"$(dirname "$(dirname "$(readlink -f "$on_path")")")"} \
    /usr/lib/jvm/* /opt/java/* /opt/jdk* "${HOME:-/nonexistent}"/.sdkman/candidates/java/* \
    "${HOME:-/nonexistent}"/.jdks/* /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    if [ -n "$candidate" ] && is_jdk_25 "$candidate"; then
      echo "$candidate"
      return
    fi
  done
  return 1
}

if ! JAVA_HOME=$(find_jdk_25); then
  echo "muster: no JDK 25 found in JAVA_HOME, on PATH or in the usual places; install one, for example Temurin 25, and set JAVA_HOME to it" >&2
  exit 1
fi
export JAVA_HOME

if command -v mvn >/dev/null 2>&1; then
  MVN=mvn
else
  MVN=$PWD/mvnw
fi
# Maven's own libraries use methods that JDK 25 warns about.
export MAVEN_OPTS="${MAVEN_OPTS:-} --sun-misc-unsafe-memory-access=allow"
