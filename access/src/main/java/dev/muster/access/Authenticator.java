package dev.muster.access;

import dev.muster.model.User;
import dev.muster.model.status.ApiException;
import org.jspecify.annotations.Nullable;

/** Says who a client is. Safe for any thread; never blocks, so that it may run on an event loop. */
public interface Authenticator {
  /**
   * The user, or null when these credentials mean nothing here.
   *
   * @throws ApiException 401 when they are wrong, expired or revoked
   */
  @Nullable User authenticate(Credentials credentials);
}
