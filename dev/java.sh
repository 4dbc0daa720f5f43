# Sourced by the scripts: finds a JDK 25 or newer and Maven, sets JAVA_HOME and MVN.

# The first part of a JDK's version, such as 25; nothing for what is no JDK.
jdk_version() {
  [ -x "$1/bin/javac" ] || return 0
  if [ -r "$1/release" ]; then
    sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release"
  else
    "$1/bin/javac" -version 2>&1 | sed -n 's/^javac \([0-9]*\).*/\1/p'
  fi
}

# JDK 25, for which this is built and tested, or else the newest that is there and not older. The
# first one counts of those that are of one version: JAVA_HOME, then PATH, then the usual places.
find_jdk() {
  local candidate version best= newest=0
  local on_path
  on_path=$(command -v javac 2>/dev/null || true)
  for candidate in "${JAVA_HOME:-}" \
    ${on_path:+"$(dirname "$(dirname "$(readlink -f "$on_path")")")"} \
    "${jdk_folders[@]}"; do
    version=
    if [ -n "$candidate" ]; then
      version=$(jdk_version "$candidate")
    fi
    if [ "${version:-0}" = 25 ]; then
      echo "$candidate"
      return
    fi
    if [ "${version:-0}" -gt 25 ] && [ "$version" -gt "$newest" ]; then
      newest=$version
      best=$candidate
    fi
  done
  if [ -z "$best" ]; then
    return 1
  fi
  echo "$best"
}

jdk_folders=(/usr/lib/jvm/* /opt/java/* /opt/jdk* "${HOME:-/nonexistent}"/.sdkman/candidates/java/*
  "${HOME:-/nonexistent}"/.jdks/* /Library/Java/JavaVirtualMachines/*/Contents/Home)

if ! JAVA_HOME=$(find_jdk); then
  echo "muster: no JDK 25 or newer found in JAVA_HOME, on PATH or in the usual places; install one, for example Temurin 25, and set JAVA_HOME to it" >&2
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
