package dev.muster.embedded;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The options of a test cluster. Immutable; each method returns a changed copy.
 *
 * @param servers the number of API servers that share the cluster
 * @param controllers which controllers run, as in {@code --controllers}: {@code *} is all, {@code
 *     name} is that one, {@code -name} is not that one; empty for none
 * @param manifests files, or else class path resources, to load during the start, definitions first
 * @param definitions annotated classes of custom resources whose definitions are loaded, too
 * @param flags flags of kube-apiserver for every API server, such as {@code --event-ttl=5m}; except
 *     those that the test cluster sets itself: addresses, certificates, tokens, the store and logs
 * @param admission the rules that review every write, by name, in the order of the map
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

  /** Runs only those controllers; without a name, none. */
  public MusterOptions withControllers(String... names) {
    return new MusterOptions(servers, List.of(names), manifests, definitions, flags, admission);
  }

  /** Also loads these files or class path resources. */
  public MusterOptions withManifests(String... names) {
    return new MusterOptions(
        servers, controllers, plus(manifests, Arrays.asList(names)), definitions, flags, admission);
  }

  /**
   * Also loads the definitions of these classes. The definition comes from a file that fabric8's
   * generator left on the class path, or from the generator if it is on the class path, or else has
   * the annotated names and a schema that accepts everything.
   */
  public MusterOptions withDefinitions(Class<?>... types) {
    return new MusterOptions(
        servers, controllers, manifests, plus(definitions, Arrays.asList(types)), flags, admission);
  }

  /**
   * Also sets these flags of kube-apiserver, as in {@code
   * withFlags("--runtime-config=api/all=true", "--enable-admission-plugins=AlwaysPullImages")}. The
   * start refuses flags that Muster does not have.
   */
  public MusterOptions withFlags(String... arguments) {
    return new MusterOptions(
        servers, controllers, manifests, definitions, plus(flags, List.of(arguments)), admission);
  }

  /**
   * Adds a rule that may change or refuse every write once the cluster is ready, like a webhook of
   * that name. The API server's own writes are not passed to it.
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
