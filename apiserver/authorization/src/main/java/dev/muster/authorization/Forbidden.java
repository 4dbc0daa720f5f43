package dev.muster.authorization;

import dev.muster.model.GroupResource;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.status.ApiException;

/** Creates the 403 error of a request that no authorizer allowed, with kube-apiserver's message. */
public final class Forbidden {
  private Forbidden() {}

  public static ApiException of(Attributes attributes, Decision decision) {
    var why = harmless(explain(attributes));
    var reason = decision.reason();
    return ApiException.forbidden(
        new GroupResource(attributes.group(), attributes.resource()),
        attributes.name(),
        reason.isEmpty() ? why : why + ": " + reason);
  }

  private static String explain(Attributes attributes) {
    var start = "User " + quote(attributes.user().name()) + " cannot " + attributes.verb();
    if (!attributes.resourceRequest()) {
      return start + " path " + quote(attributes.path());
    }
    var resource =
        attributes.subresource().isEmpty()
            ? attributes.resource()
            : attributes.resource() + "/" + attributes.subresource();
    var scope =
        attributes.namespace().isEmpty()
            ? "at the cluster scope"
            : "in the namespace " + quote(attributes.namespace());
    return start
        + " resource "
        + quote(resource)
        + " in API group "
        + quote(attributes.group())
        + " "
        + scope;
  }

  private static String quote(String text) {
    return GoText.quote(text);
  }

  /** Escapes a path or user name, so that a browser does not interpret it as HTML. */
  private static String harmless(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
