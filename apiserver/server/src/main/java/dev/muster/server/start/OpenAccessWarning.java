package dev.muster.server.start;

import dev.muster.authentication.RequestAuthenticator;
import dev.muster.authorization.Attributes;
import dev.muster.authorization.Authorizer;
import dev.muster.model.User;
import dev.muster.server.options.ApiServerOptions;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns in the log when unauthenticated users have permissions that only administrators should
 * have.
 */
public final class OpenAccessWarning {
  private static final Logger LOG = LoggerFactory.getLogger(OpenAccessWarning.class);

  /** A permission that gives control over the whole cluster. */
  private record Right(String verb, String group, String resource, String subresource) {
    Attributes of(User user) {
      return Attributes.resource(
          user, verb, group, "v1", resource, subresource, "kube-system", "any");
    }

    @Override
    public String toString() {
      return verb + " " + resource + (subresource.isEmpty() ? "" : "/" + subresource);
    }
  }

  private static final List<Right> OF_ADMINISTRATORS =
      List.of(
          new Right("get", "", "secrets", ""),
          new Right("create", "", "pods", ""),
          new Right("create", "", "pods", "exec"),
          new Right("create", "", "serviceaccounts", "token"),
          new Right("get", "", "nodes", "proxy"),
          new Right("update", "rbac.authorization.k8s.io", "clusterrolebindings", ""));

  private OpenAccessWarning() {}

  /**
   * Whether requests without credentials are accepted as {@code system:anonymous}. Never with
   * {@code AlwaysAllow}: kube-apiserver then disables anonymous requests, too, even if the flag
   * enables them.
   */
  static boolean acceptsAnonymous(ApiServerOptions options, boolean asksWho) {
    boolean wanted = options.authentication().anonymous();
    if (asksWho) {
      return wanted;
    }
    LOG.warn(
        "OPEN: with --authorization-mode=AlwaysAllow everybody who has credentials, every pod with"
            + " a service account for example, may do everything");
    if (wanted) {
      LOG.warn("--anonymous-auth is switched off: AlwaysAllow would let strangers do everything");
    }
    return false;
  }

  /** Checks whether a binding gives permissions of administrators to anonymous users. */
  public static void warnOfRights(RequestAuthenticator authenticator, Authorizer authorizer) {
    var open = rightsOfStrangers(authenticator, authorizer);
    if (!open.isEmpty()) {
      LOG.warn(
          "OPEN TO STRANGERS: requests without any credentials may {}; take the bindings of {} and"
              + " {} away, or start with --anonymous-auth=false",
          open,
          User.ANONYMOUS_NAME,
          User.ALL_UNAUTHENTICATED);
    }
  }

  /** The administrator permissions that requests without credentials have. */
  static List<String> rightsOfStrangers(RequestAuthenticator authenticator, Authorizer authorizer) {
    if (!authenticator.acceptsAnonymous()) {
      return List.of();
    }
    return OF_ADMINISTRATORS.stream()
        .filter(right -> authorizer.authorize(right.of(User.ANONYMOUS)).allowed())
        .map(Right::toString)
        .toList();
  }
}
