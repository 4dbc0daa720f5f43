package dev.muster.authentication.token;

import dev.muster.model.json.JsonObject;
import java.time.LocalDate;

/**
 * Receives the first use per day of a token that a secret holds, so that the secret's last-used
 * label can be updated. Event loops call it: it must not block.
 */
@FunctionalInterface
public interface LegacyTokenUse {
  LegacyTokenUse IGNORED = (secret, today) -> {};

  /** The label of the secret with the day of the last use. */
  String LAST_USED = "kubernetes.io/legacy-token-last-used";

  void used(JsonObject secret, LocalDate today);
}
