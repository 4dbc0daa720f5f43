package dev.muster.server.discovery;

import dev.muster.model.GroupVersion;
import dev.muster.model.json.JsonArray;
import dev.muster.types.ApiPriority;
import java.util.List;

/**
 * The versions of groups that other API servers answer for, at one moment. Immutable; documents are
 * made anew for another instance.
 */
public record RemoteVersions(List<RemoteVersion> all) {
  public static final RemoteVersions NONE = new RemoteVersions(List.of());

  /**
   * One of them.
   *
   * @param resources as they stand in aggregated discovery
   * @param current whether that is what the server says now, as far as anybody knows
   */
  public record RemoteVersion(
      GroupVersion groupVersion, ApiPriority priority, JsonArray resources, boolean current) {}

  public RemoteVersions {
    all = List.copyOf(all);
  }
}
