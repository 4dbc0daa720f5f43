package dev.muster.cli.identity;

import dev.muster.authorization.Authorizer;
import dev.muster.multicluster.rules.PropertyRules;
import dev.muster.multicluster.rules.WellKnownProperties;
import dev.muster.registry.admission.Admission;
import dev.muster.server.ServerExtension;
import dev.muster.server.ServerHost;
import dev.muster.types.SnapshotView;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Enforces the rules for cluster properties in an API server, and publishes the cluster's identity.
 * The server calls it as {@link ServerExtension} describes; a background thread follows the
 * identity.
 */
public final class ClusterIdentityExtension implements ServerExtension {
  private final PropertyRules rules;
  private final Consumer<PropertyRules.Identity> shown;
  private long seen = -1;

  /**
   * @param shown receives the cluster's identity after each change
   */
  public ClusterIdentityExtension(PropertyRules rules, Consumer<PropertyRules.Identity> shown) {
    this.rules = rules;
    this.shown = shown;
  }

  @Override
  public List<Admission> admission(Authorizer authorizer) {
    return List.of(new ClusterPropertyAdmission(rules, authorizer));
  }

  @Override
  public void attach(ServerHost host) {
    GaugeWithCallback.builder()
        .name("muster_cluster_info")
        .help("Always 1; its labels say which cluster this is, and in which ClusterSet.")
        .labelNames("cluster_id", "clusterset")
        .callback(
            gauge -> {
              var identity = ClusterPropertyAdmission.identity(view(host));
              gauge.call(1, identity.id().orElse(""), identity.clusterSet().orElse(""));
            })
        .register(host.metrics());
    host.background().scheduleWithFixedDelay(() -> check(host), 1, 1, TimeUnit.SECONDS);
  }

  private void check(ServerHost host) {
    var cluster = view(host);
    long changed = ClusterPropertyAdmission.changed(cluster);
    if (changed != seen) {
      seen = changed;
      var identity = ClusterPropertyAdmission.identity(cluster);
      shown.accept(identity);
      host.audit().cluster(annotations(identity));
    }
  }

  /** The existing properties, by name. */
  private static Map<String, String> annotations(PropertyRules.Identity identity) {
    var pair = new HashMap<String, String>();
    identity.id().ifPresent(id -> pair.put(WellKnownProperties.CLUSTER_ID, id));
    identity.clusterSet().ifPresent(set -> pair.put(WellKnownProperties.CLUSTER_SET, set));
    return pair;
  }

  private static SnapshotView view(ServerHost host) {
    return new SnapshotView(host.replica().current());
  }

  @Override
  public void start() {}

  @Override
  public void leave() {}
}
