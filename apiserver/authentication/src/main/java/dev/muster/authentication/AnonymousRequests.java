package dev.muster.authentication;

import java.util.Set;

/**
 * The setting for requests without credentials: whether they get the user {@code system:anonymous}.
 * Immutable.
 *
 * @param paths the only paths that accept such a request; empty for all paths
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
