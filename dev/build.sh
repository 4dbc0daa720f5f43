# Sourced by the scripts, in the source folder, after dev/java.sh: builds what they run.

muster_is_built() {
  local built=tools/cli/target/muster/.built
  [ -f "$built" ] &&
    [ -z "$(find . \( -name target -o -name .git -o -name .tools -o -path ./tests -o -name test \) -prune -o \
      -type f \( -path '*/src/main/*' -o -name pom.xml \) -newer "$built" -print -quit)" ]
}

# One line on the error stream that says how far the build is; a line for each step where nobody
# looks at a terminal.
say_progress() {
  if [ -t 2 ]; then
    printf '\r\033[K%s' "$1" >&2
  elif [ "${2:-}" = step ]; then
    echo "$1" >&2
  fi
}

end_progress() {
  if [ -t 2 ]; then
    printf '\r\033[K' >&2
  fi
}

# Reads Maven's output: which module it has come to, and how much it has downloaded. The rehearsal
# that follows is the last step.
show_build_progress() {
  local line step=
  local kilobytes=0 steps=0
  while IFS= read -r line; do
    if [[ $line =~ Building\ (muster-)?([A-Za-z-]+)\ .*\[([0-9]+)/([0-9]+)\] ]]; then
      # Counted here, because modules that are built at the same time are not told in order.
      steps=$((steps + 1))
      step="muster: building, step $steps of $((BASH_REMATCH[4] + 1)): ${BASH_REMATCH[2]}"
      say_progress "$step$(downloaded $kilobytes)" step
    elif [[ $line =~ Downloaded\ from\ .*\(([0-9]+)(\.[0-9]+)?\ ([kM]?)B\ at\  ]]; then
      case "${BASH_REMATCH[3]}" in
        M) kilobytes=$((kilobytes + BASH_REMATCH[1] * 1000)) ;;
        k) kilobytes=$((kilobytes + BASH_REMATCH[1])) ;;
      esac
      say_progress "${step:-muster: building}$(downloaded $kilobytes)"
    fi
  done
}

downloaded() {
  if [ "$1" -ge 1000 ]; then
    echo ", $(($1 / 1000)) MB downloaded"
  fi
}

# The flags that every start and the rehearsal share, so that what one learns fits the other.
jvm_flags=(
  -XX:+UseG1GC
  -XX:+UseCompactObjectHeaders
  # the heap follows what is in use, and what a burst took is given back; HeapSizing gives it more
  # room under load
  -Xms32m
  -XX:MinHeapFreeRatio=10
  -XX:MaxHeapFreeRatio=30
  -XX:G1PeriodicGCInterval=30000
  # what outlives one collection is history that stays for minutes: it is not copied again and again
  -XX:MaxTenuringThreshold=1
  # a pause stops everybody, so that there are short ones, and more of them in place of a larger heap
  -XX:MaxGCPauseMillis=8
  -XX:GCTimeRatio=4
  -XX:+ExitOnOutOfMemoryError
  # for objects that are nested as deeply as JSON may be
  -Xss2m
  --enable-native-access=ALL-UNNAMED
  --sun-misc-unsafe-memory-access=allow
  -Dio.netty.noUnsafe=false
  # keys that libraries keep in memory only are not encrypted there with ten thousand hashes
  -Dkeystore.pkcs12.keyPbeIterationCount=1
  "-Djava.library.path=$PWD/tools/cli/target/muster/native"
)

# Native libraries lie ready instead of being unpacked at every start, and jars lose signatures that
# nobody checks but the JVM, which would not keep their classes ready. All of it is for speed only.
prepare_libraries() (
  set +e
  cd tools/cli/target/muster || return
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

# Runs Muster once, with the given flags, and keeps what the JVM has loaded, linked and profiled.
# Starts work without it, only slower, so that a failure is no more than a line.
rehearse_muster() {
  local folder
  folder=$(mktemp -d)
  rm -f tools/cli/target/muster/muster.aot
  say_progress "muster: building, last step: rehearsing, for faster starts" step
  if ! "$JAVA_HOME/bin/java" -XX:AOTCacheOutput=tools/cli/target/muster/muster.aot "${jvm_flags[@]}" \
    -jar tools/cli/target/muster/muster.jar rehearse --servers=1 --port=0 --data="$folder" "$@" \
    > target/rehearsal.log 2>&1; then
    end_progress
    echo "muster: the rehearsal failed, starts will be slower; its output is in $PWD/target/rehearsal.log" >&2
  fi
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
  echo "muster: building; the first time this takes a minute or two" >&2
  touch target/build.started
  # Without what only developers need. Maven of an older version ignores how to download faster. It
  # is over before the JVM's second compiler would have paid for itself.
  if ! MAVEN_OPTS="$MAVEN_OPTS -XX:TieredStopAtLevel=1 -XX:+UseSerialGC" $MVN -B -Dstyle.color=never -T1C -Dquick -Dproduct -Daether.dependencyCollector.impl=bf \
    -Daether.connector.basic.threads=8 -Dmaven.artifact.threads=8 package -pl ':muster-cli' -am 2>&1 |
    tee "$log" | show_build_progress; then
    end_progress
    grep -E '^\[ERROR\]' "$log" | head -n 20 >&2 || tail -n 20 "$log" >&2
    echo "muster: the build failed; all of its output is in $PWD/$log" >&2
    return 1
  fi
  prepare_libraries
  rehearse_muster
  end_progress
  touch -r target/build.started tools/cli/target/muster/.built
  exec 9>&-
}
