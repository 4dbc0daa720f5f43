package dev.muster.multicluster.rules;

import java.util.List;

/**
 * Validates cluster IDs: an RFC 1123 subdomain of fewer than 128 characters that leaves room for
 * the DNS names composed of it.
 *
 * @param allowLong whether IDs of 128 or more characters are accepted, with a warning
 */
public record ClusterIdRules(boolean allowLong) {
  /** From this length on there is a warning. */
  public static final int NOTABLE = 64;

  /** From this length on, {@code --allow-long-cluster-id} is required. */
  public static final int LONG = 128;

  /** The shortest text that follows an ID in the DNS name of a headless service. */
  private static final int SHORTEST_REST = ".s.n.svc.clusterset.local".length();

  /** The fixed text around the service and namespace in such a name. */
  private static final int FIXED_REST = "..".length() + ".svc.clusterset.local".length();

  public PropertyVerdict evaluate(String id) {
    if (!DnsNames.isSubdomain(id)) {
      return new PropertyVerdict.Refused(
          "%s is not an RFC 1123 subdomain: use small letters, digits and '-' in parts of at most 63"
                  .formatted(shown(id))
              + " characters that begin and end with a letter or digit and are joined by '.'.");
    }
    if (id.length() >= LONG && !allowLong) {
      return new PropertyVerdict.Refused(
          "The cluster ID has %d characters and must have fewer than %d: choose a shorter one, or allow it with --allow-long-cluster-id."
              .formatted(id.length(), LONG));
    }
    int most = DnsNames.LONGEST_NAME - SHORTEST_REST;
    if (id.length() > most) {
      return new PropertyVerdict.Refused(
          "The cluster ID has %d characters, so that no service's DNS name would fit into %d: choose one of at most %d."
              .formatted(id.length(), DnsNames.LONGEST_NAME, most));
    }
    return id.length() < NOTABLE
        ? PropertyVerdict.allowed()
        : new PropertyVerdict.Allowed(List.of(warning(id)));
  }

  private static String warning(String id) {
    int room = DnsNames.LONGEST_NAME - FIXED_REST - id.length();
    return "the cluster ID has %d characters; in DNS names it leaves %d for a service's name and namespace together"
        .formatted(id.length(), room);
  }

  private static String shown(String id) {
    return id.length() <= LONG ? "The cluster ID \"" + id + "\"" : "The cluster ID";
  }
}
