package dev.muster.authentication;

import java.util.Set;

/**
 * Whether a request without credentials is from {@code system:anonymous}. Immutable.
 *
 * @param paths the only ones that such a request may be about; empty for all
 */
public record AnonymousRequests(boolean allowed, Set<String> paths) {
  public static final AnonymousRequests ALL = new AnonymousRequests(true, Set.of());
  public static final AnonymousRequests NONE = new AnonymousRequests(false, Set.of());

  public AnonymousRequests {
    paths = Set.copyOf(paths);
  }

  public static AnonymousRequests of(boolean allowed) {
    return allowed ? ALL : NONE;
  }

  public boolean allows(String path) {
    return allowed && (paths.isEmpty() || paths.contains(path));
  }
}
