package dev.muster.server.options;

import dev.muster.server.options.flag.Flag;
import dev.muster.server.options.flag.FlagGroup;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The served APIs, feature gates, and aggregated API servers. */
@FlagGroup("API")
public record ApiOptions(
    @Flag(
            name = "runtime-config",
            forms = Flag.Form.RUNTIME_CONFIG,
            help =
                "API versions and resources to switch on or off, as key=true or key=false pairs:"
                    + " v1, <group>/<version>, <group>/<version>/<resource>, api/all, api/ga,"
                    + " api/beta, api/alpha.")
        Map<String, Boolean> runtimeConfig,
    @Flag(
            name = "feature-gates",
            forms = Flag.Form.FEATURE_GATES,
            help =
                "Features to switch on or off, as Name=true or Name=false pairs, or as"
                    + " kube:Name=true.")
        Map<String, Boolean> featureGates,
    @Flag(
            name = "profiling",
            help =
                "Serve recordings of the Java Flight Recorder at /debug/jfr/profile?seconds=N to"
                    + " those who may get that path, one at a time and of at most a minute.")
        boolean profiling,
    @Flag(
            name = "strict-discovery-user-agents",
            help =
                "Clients that refuse fields that they do not know: those whose User-Agent begins"
                    + " with one of these get discovery without the field consistent, and find it"
                    + " in the header Muster-Discovery-Consistent only.")
        List<String> strictDiscoveryUserAgents,
    AggregatorOptions aggregator)
    implements OptionGroup {

  private static final Set<String> ON_BY_DEFAULT =
      Set.of(
          "APIServerIdentity",
          "ComponentFlagz",
          "ComponentStatusz",
          "EnableCoordinatedDiscoveryDocument");

  /** The gate that switches a feature together with all others of its stage. */
  private static final Map<String, String> KINDS =
      Map.of(
          "AllowUnsafeMalformedObjectDeletion", "AllAlpha",
          "CBORServingAndStorage", "AllAlpha",
          "ManifestBasedAdmissionControlConfig", "AllAlpha",
          "StorageVersionAPI", "AllAlpha",
          "APIServerIdentity", "AllBeta",
          "ComponentFlagz", "AllBeta",
          "ComponentStatusz", "AllBeta",
          "StorageVersionMigrator", "AllBeta",
          "StructuredAuthenticationConfigurationEgressSelector", "AllBeta");

  /** The official Java client under its own name and the one that Spring gives it. */
  private static final List<String> STRICT_USER_AGENTS =
      List.of("Kubernetes Java Client/", "Spring-Cloud-Kubernetes-Application");

  public ApiOptions {
    strictDiscoveryUserAgents = List.copyOf(strictDiscoveryUserAgents);
    if (strictDiscoveryUserAgents.contains("")) {
      throw new IllegalArgumentException(
          "--strict-discovery-user-agents: an empty text is the beginning of every User-Agent");
    }
    runtimeConfig = Map.copyOf(runtimeConfig);
    featureGates = Map.copyOf(featureGates);
  }

  /** With default options for aggregated API servers. */
  public ApiOptions(Map<String, Boolean> runtimeConfig, Map<String, Boolean> featureGates) {
    this(runtimeConfig, featureGates, true, STRICT_USER_AGENTS, AggregatorOptions.defaults());
  }

  public ApiOptions withAggregator(AggregatorOptions other) {
    return new ApiOptions(runtimeConfig, featureGates, profiling, strictDiscoveryUserAgents, other);
  }

  public ApiOptions withProfiling(boolean served) {
    return new ApiOptions(
        runtimeConfig, featureGates, served, strictDiscoveryUserAgents, aggregator);
  }

  /** Whether a feature is enabled, given its default. */
  public boolean enabled(String feature, boolean byDefault) {
    var all = featureGates.getOrDefault(KINDS.getOrDefault(feature, ""), byDefault);
    return featureGates.getOrDefault(feature, all);
  }

  /** Whether a feature is enabled, with the server's default. */
  public boolean enabled(String feature) {
    return enabled(feature, ON_BY_DEFAULT.contains(feature));
  }

  public static ApiOptions defaults() {
    return new ApiOptions(Map.of(), Map.of());
  }
}
