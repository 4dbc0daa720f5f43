package dev.muster.authentication.token;

import dev.muster.model.json.JsonObject;
import java.time.LocalDate;

/**
 * Is told that somebody uses a token that lives in a secret, on a day of which the secret does not
 * say so yet. Called on event loops: must not block.
 */
@FunctionalInterface
public interface LegacyTokenUse {
  LegacyTokenUse IGNORED = (secret, today) -> {};

  /** The label of the secret that says when its token was last used. */
  String LAST_USED = "kubernetes.io/legacy-token-last-used";

  void used(JsonObject secret, LocalDate today);
}
