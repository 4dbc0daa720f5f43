package dev.muster.server.start;

import dev.muster.model.GroupVersionResource;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Creates namespaces as the server's own user. Thread-safe. Blocks the calling thread. */
public final class ProvisionedNamespaces implements Consumer<String> {
  private static final GroupVersionResource NAMESPACES =
      new GroupVersionResource("", "v1", "namespaces");

  private volatile @Nullable RegistryObjects objects;

  /** Sets the writer. Without it, requests for a namespace get 503. */
  public void writeTo(RegistryObjects writer) {
    objects = writer;
  }

  @Override
  public void accept(String name) {
    var writer = objects;
    if (writer == null) {
      throw new ApiException(Reason.SERVICE_UNAVAILABLE, "not yet ready to handle request");
    }
    writer.create(
        NAMESPACES,
        JsonObject.of("metadata", JsonObject.of("name", name))
            .with("kind", "Namespace")
            .with("apiVersion", "v1"));
  }
}
