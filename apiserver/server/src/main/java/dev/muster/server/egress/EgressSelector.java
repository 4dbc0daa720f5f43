package dev.muster.server.egress;

import java.util.EnumMap;
import java.util.Map;

/** Chooses the egress of a connection by its type. Thread-safe. */
public final class EgressSelector {
  /** Connects everything directly. */
  public static final EgressSelector DIRECT = new EgressSelector(EgressConfiguration.NONE);

  private final Map<EgressType, Egress> ways = new EnumMap<>(EgressType.class);

  /**
   * @throws IllegalArgumentException when a file that the configuration names cannot be used
   */
  public EgressSelector(EgressConfiguration configuration) {
    configuration
        .selections()
        .forEach(
            (type, connection) -> {
              ways.put(
                  type,
                  connection instanceof EgressConnection.Direct
                      ? Egress.DIRECT
                      : new Egress(connection));
            });
  }

  /** Whether the configuration contains that type, even as a direct connection. */
  public boolean isConfigured(EgressType type) {
    return ways.containsKey(type);
  }

  public Egress of(EgressType type) {
    return ways.getOrDefault(type, Egress.DIRECT);
  }
}
