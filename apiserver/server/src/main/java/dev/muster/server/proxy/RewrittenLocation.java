package dev.muster.server.proxy;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites the location of a backend's redirect for a client that sees the backend below a path of
 * this server. Locations on the backend itself are moved below that path; others stay unchanged.
 * The server follows none of them.
 */
public final class RewrittenLocation {
  /** The components of a URI reference by RFC 3986, appendix B. */
  private static final Pattern REFERENCE =
      Pattern.compile("(?:([^:/?#]+):)?(?://([^/?#]*))?([^?#]*)(\\?[^#]*)?(#.*)?");

  private RewrittenLocation() {}

  /**
   * @param location as the backend sent it
   * @param backend its host and port as in URLs
   * @param asked the host that the client asked for
   * @param below the path below which the client sees the backend
   */
  public static String of(String location, String backend, String asked, String below) {
    var parts = REFERENCE.matcher(location);
    if (!parts.matches()) {
      return location;
    }
    @Nullable String scheme = parts.group(1);
    @Nullable String authority = parts.group(2);
    var path = text(parts.group(3));
    boolean elsewhere =
        authority == null ? scheme != null : !authority.equals(backend) && !authority.equals(asked);
    if (elsewhere || !path.startsWith("/")) {
      return location;
    }
    var moved = path.equals(below) || path.startsWith(below + "/") ? path : below + path;
    return (asked.equals(authority) ? text(scheme) + (scheme == null ? "//" : "://") + asked : "")
        + moved
        + text(parts.group(4))
        + text(parts.group(5));
  }

  private static String text(@Nullable String part) {
    return part == null ? "" : part;
  }
}
