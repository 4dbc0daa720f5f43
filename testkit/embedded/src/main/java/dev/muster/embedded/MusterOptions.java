package dev.muster.embedded;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a cluster for tests is like. Immutable; each method answers changed options.
 *
 * @param servers how many API servers share the cluster
 * @param controllers which controllers run, as in {@code --controllers}: {@code *} is all, {@code
 *     name} is that one, {@code -name} is not that one; empty for none
 * @param manifests files, or else resources on the class path, that are loaded before the start is
 *     over: definitions first
 * @param definitions annotated classes of custom resources whose definitions are loaded, too
 * @param flags flags of kube-apiserver for every API server, such as {@code --event-ttl=5m}; not
 *     those for what a cluster inside a test sees to by itself: addresses, certificates, tokens,
 *     the store and logs
 * @param admission what looks at every write, by name, in the order of the map
 */
public record MusterOptions(
    int servers,
    List<String> controllers,
    List<String> manifests,
    List<Class<?>> definitions,
    List<String> flags,
    Map<String, AdmissionRule> admission) {

  public MusterOptions {
    if (servers < 1 || servers > 16) {
      throw new IllegalArgumentException("servers: " + servers + " is not between 1 and 16");
    }
    controllers = List.copyOf(controllers);
    manifests = List.copyOf(manifests);
    definitions = List.copyOf(definitions);
    flags = List.copyOf(flags);
    admission = Collections.unmodifiableMap(new LinkedHashMap<>(admission));
  }

  public static MusterOptions defaults() {
    return new MusterOptions(1, List.of("*"), List.of(), List.of(), List.of(), Map.of());
  }

  public MusterOptions withServers(int count) {
    return new MusterOptions(count, controllers, manifests, definitions, flags, admission);
  }

  /** Those controllers only; without a name, none. */
  public MusterOptions withControllers(String... names) {
    return new MusterOptions(servers, List.of(names), manifests, definitions, flags, admission);
  }

  /** These files or class path resources, too. */
  public MusterOptions withManifests(String... names) {
    return new MusterOptions(
        servers, controllers, plus(manifests, Arrays.asList(names)), definitions, flags, admission);
  }

  /**
   * The definitions of these classes, too: what fabric8's generator has left for them on the class
   * path, or else what it makes of them now if it is on the class path itself, or else one with the
   * names of their annotations and a schema that takes everything.
   */
  public MusterOptions withDefinitions(Class<?>... types) {
    return new MusterOptions(
        servers, controllers, manifests, plus(definitions, Arrays.asList(types)), flags, admission);
  }

  /**
   * These flags of kube-apiserver, too, as in {@code withFlags("--runtime-config=api/all=true",
   * "--enable-admission-plugins=AlwaysPullImages")}. A start refuses those that Muster does not
   * have.
   */
  public MusterOptions withFlags(String... arguments) {
    return new MusterOptions(
        servers, controllers, manifests, definitions, plus(flags, List.of(arguments)), admission);
  }

  /**
   * A rule that may change or refuse every write from the moment the cluster is ready, like a
   * webhook of that name. The API server's own writes are not shown to it.
   */
  public MusterOptions withAdmission(String name, AdmissionRule rule) {
    var more = new LinkedHashMap<>(admission);
    more.put(name, rule);
    return new MusterOptions(servers, controllers, manifests, definitions, flags, more);
  }

  private static <T> List<T> plus(List<T> some, List<? extends T> others) {
    var all = new ArrayList<T>(some);
    all.addAll(others);
    return all;
  }
}
