package dev.muster.server.discovery;

import dev.muster.model.GroupVersion;
import dev.muster.model.json.JsonArray;
import dev.muster.types.ApiPriority;
import java.util.List;

/**
 * The group versions of aggregated API servers. Immutable; documents are built again for another
 * instance.
 */
public record RemoteVersions(List<RemoteVersion> all) {
  public static final RemoteVersions NONE = new RemoteVersions(List.of());

  /**
   * One group version.
   *
   * @param resources as in aggregated discovery
   * @param current whether the last fetch from the server succeeded
   */
  public record RemoteVersion(
      GroupVersion groupVersion, ApiPriority priority, JsonArray resources, boolean current) {}

  public RemoteVersions {
    all = List.copyOf(all);
  }
}
