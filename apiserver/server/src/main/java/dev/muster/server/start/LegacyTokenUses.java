package dev.muster.server.start;

import dev.muster.authentication.token.LegacyTokenUse;
import dev.muster.model.GroupVersionResource;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import java.time.LocalDate;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records in a Secret on which day its service account token was last used, so that the cleaner of
 * legacy tokens can find unused ones. Thread-safe. It writes on threads of its own.
 */
public final class LegacyTokenUses implements LegacyTokenUse {
  private static final Logger LOG = LoggerFactory.getLogger(LegacyTokenUses.class);
  private static final GroupVersionResource SECRETS = new GroupVersionResource("", "v1", "secrets");

  private final Executor threads;
  private final Set<String> underWay = ConcurrentHashMap.newKeySet();
  private volatile @Nullable RegistryObjects objects;

  public LegacyTokenUses(Executor threads) {
    this.threads = threads;
  }

  /** Sets the writer. Earlier uses are not recorded. */
  public void writeTo(RegistryObjects writer) {
    objects = writer;
  }

  @Override
  public void used(JsonObject secret, LocalDate today) {
    var writer = objects;
    var uid = secret.object("metadata").string("uid");
    if (writer != null && underWay.add(uid)) {
      threads.execute(() -> write(writer, secret.object("metadata"), today));
    }
  }

  private void write(RegistryObjects writer, JsonObject metadata, LocalDate today) {
    var uid = metadata.string("uid");
    var patch =
        JsonObject.of(
            "metadata",
            JsonObject.of("uid", uid, "labels", JsonObject.of(LAST_USED, today.toString())));
    try {
      writer.patch(SECRETS, metadata.string("namespace"), metadata.string("name"), patch);
    } catch (ApiException e) {
      LOG.warn(
          "the use of the token in the secret {}/{} is not written down: {}",
          metadata.string("namespace"),
          metadata.string("name"),
          e.getMessage());
    } finally {
      underWay.remove(uid);
    }
  }
}
