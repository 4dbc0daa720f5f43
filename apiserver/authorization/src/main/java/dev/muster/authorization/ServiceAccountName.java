package dev.muster.authorization;

import dev.muster.model.User;
import dev.muster.model.validation.Names;
import org.jspecify.annotations.Nullable;

/** The namespace and name of a service account, parsed from its user name. */
public record ServiceAccountName(String namespace, String name) {
  /** The service account with that user name, or null when the user is not a service account. */
  public static @Nullable ServiceAccountName of(String user) {
    if (!user.startsWith(User.SERVICE_ACCOUNT_PREFIX)) {
      return null;
    }
    var parts = user.substring(User.SERVICE_ACCOUNT_PREFIX.length()).split(":", -1);
    return parts.length == 2
            && Names.dnsLabel(parts[0]).isEmpty()
            && Names.dnsSubdomain(parts[1]).isEmpty()
        ? new ServiceAccountName(parts[0], parts[1])
        : null;
  }
}
