package dev.muster.cli.identity;

import dev.muster.multicluster.rules.ClusterIdRules;
import dev.muster.multicluster.rules.PropertyRules;
import dev.muster.server.options.flag.Flag;
import dev.muster.server.options.flag.FlagGroup;

/** The flags for the rules on cluster properties. */
@FlagGroup("Cluster identity")
public record ClusterIdentityFlags(
    @Flag(
            name = "allow-long-cluster-id",
            help =
                "Take cluster IDs of 128 characters and more, as long as DNS names with them can"
                    + " be composed.")
        boolean allowLong) {
  public static ClusterIdentityFlags defaults() {
    return new ClusterIdentityFlags(false);
  }

  public PropertyRules rules() {
    return new PropertyRules(new ClusterIdRules(allowLong));
  }
}
