# Sourced by the scripts, in the source folder, after dev/java.sh: builds what they run.

muster_is_built() {
  local built=cli/target/muster/.built
  [ -f "$built" ] &&
    [ -z "$(find . \( -name target -o -name .git -o -name .tools -o -name test -o -name it \) -prune -o \
      -type f \( -path '*/src/main/*' -o -name pom.xml \) -newer "$built" -print -quit)" ]
}

# One line on the error stream that grows while Maven goes through the modules.
show_build_progress() {
  local line
  local blank='                                        '
  while IFS= read -r line; do
    if [[ $line =~ Building\ (muster[a-z-]*).*\[([0-9]+)/([0-9]+)\] ]]; then
      if [ -t 2 ]; then
        printf '\rmuster: building %s of %s: %s%s' "${BASH_REMATCH[2]}" "${BASH_REMATCH[3]}" \
          "${BASH_REMATCH[1]}" "${blank:${#BASH_REMATCH[1]}}" >&2
      else
        echo "muster: building ${BASH_REMATCH[2]} of ${BASH_REMATCH[3]}: ${BASH_REMATCH[1]}" >&2
      fi
    fi
  done
  if [ -t 2 ]; then
    printf '\r%s%s\r' "$blank" "$blank" >&2
  fi
}

# The flags that every start and the rehearsal share, so that what one learns fits the other.
jvm_flags=(
  -XX:+UseG1GC
  -XX:+UseCompactObjectHeaders
  # the heap follows what is in use, and what a burst took is given back
  -Xms32m
  -XX:MinHeapFreeRatio=10
  -XX:MaxHeapFreeRatio=30
  -XX:G1PeriodicGCInterval=30000
  -XX:+ExitOnOutOfMemoryError
  # for objects that are nested as deeply as JSON may be
  -Xss2m
  --enable-native-access=ALL-UNNAMED
  --sun-misc-unsafe-memory-access=allow
  -Dio.netty.noUnsafe=false
  "-Djava.library.path=$PWD/cli/target/muster/native"
)

# Native libraries lie ready instead of being unpacked at every start, and jars lose signatures that
# nobody checks but the JVM, which would not keep their classes ready. All of it is for speed only.
prepare_libraries() (
  set +e
  cd cli/target/muster || return
  rm -rf native
  mkdir -p native
  case "$(uname -s)-$(uname -m)" in
    Linux-x86_64) rocksdb=linux64 netty=linux-x86_64 ;;
    Linux-aarch64) rocksdb=linux-aarch64 netty=linux-aarch_64 ;;
    *) rocksdb= netty= ;;
  esac
  if [ -n "$netty" ] && ! ls /lib/ld-musl-* > /dev/null 2>&1; then
    (
      cd native || exit
      "$JAVA_HOME/bin/jar" xf ../lib/rocksdbjni-*.jar "librocksdbjni-$rocksdb.so"
      for jar in ../lib/netty-*-"$netty".jar; do
        "$JAVA_HOME/bin/jar" xf "$jar" META-INF/native
      done
      mv META-INF/native/*.so . && rm -rf META-INF
    )
  fi
  for jar in lib/bc*.jar; do
    rm -rf unsigned
    mkdir unsigned
    (cd unsigned && "$JAVA_HOME/bin/jar" xf "../$jar" && rm -f META-INF/*.SF META-INF/*.RSA META-INF/*.DSA) &&
      "$JAVA_HOME/bin/jar" --create --file unsigned.jar --manifest unsigned/META-INF/MANIFEST.MF -C unsigned . &&
      mv unsigned.jar "$jar"
    rm -rf unsigned unsigned.jar
  done
)

# Runs Muster once and keeps what the JVM has loaded, linked and profiled. Starts work without it,
# only slower, so that a failure is no more than a line.
rehearse_muster() {
  local folder
  folder=$(mktemp -d)
  rm -f cli/target/muster/muster.aot
  [ -t 2 ] && printf '\rmuster: rehearsing, for faster starts' >&2 || echo "muster: rehearsing, for faster starts" >&2
  if ! "$JAVA_HOME/bin/java" -XX:AOTCacheOutput=cli/target/muster/muster.aot "${jvm_flags[@]}" \
    -jar cli/target/muster/muster.jar rehearse --servers=1 --port=0 --data="$folder" \
    > target/rehearsal.log 2>&1; then
    echo "muster: the rehearsal failed, starts will be slower; its output is in $PWD/target/rehearsal.log" >&2
  fi
  [ -t 2 ] && printf '\r                                      \r' >&2
  rm -rf "$folder"
}

build_muster() {
  if muster_is_built; then
    return
  fi
  local log=target/build.log
  mkdir -p target
  exec 9> target/build.lock
  flock 9 2>/dev/null || true
  if muster_is_built; then
    return
  fi
  echo "muster: building; the first time this takes a few minutes" >&2
  touch target/build.started
  if ! $MVN -B -Dstyle.color=never --no-transfer-progress package -Dmaven.test.skip=true -pl cli -am 2>&1 |
    tee "$log" | show_build_progress; then
    grep -E '^\[ERROR\]' "$log" | head -n 20 >&2 || tail -n 20 "$log" >&2
    echo "muster: the build failed; all of its output is in $PWD/$log" >&2
    return 1
  fi
  prepare_libraries
  rehearse_muster
  touch -r target/build.started cli/target/muster/.built
  exec 9>&-
}
