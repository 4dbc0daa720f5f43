package dev.muster.server.request;

import dev.muster.authorization.AskedLabels;
import dev.muster.authorization.Attributes;
import dev.muster.model.User;
import dev.muster.model.select.FieldSelector;
import dev.muster.types.options.Query;

/** Derives the authorization attributes of a request. */
final class RequestAttributes {
  /** Longer label selectors are not parsed: that would hold up the event loop that authorizes. */
  private static final int LONGEST_LABELS = 4096;

  private RequestAttributes() {}

  /**
   * The attributes of lists, watches and {@code deletecollection} include the selectors, except for
   * watches of the deprecated {@code /watch/} paths. A list or watch that selects one name is
   * authorized for that name.
   */
  static Attributes of(User user, RequestInfo info, Query query) {
    if (!info.resourceRequest()) {
      return Attributes.path(user, info.verb(), info.path());
    }
    boolean reads = info.verb().equals("list") || info.verb().equals("watch");
    boolean selects = !info.watchPath() && (reads || info.verb().equals("deletecollection"));
    var fieldText = selects ? query.first("fieldSelector") : "";
    var labelText = selects ? query.first("labelSelector") : "";
    var fields = FieldSelector.readable(fieldText);
    var attributes =
        Attributes.resource(
            user,
            info.verb(),
            info.group(),
            info.version(),
            info.resource(),
            info.subresource(),
            info.namespace(),
            reads && info.name().isEmpty() ? name(fields) : info.name());
    return fieldText.isEmpty() && labelText.isEmpty()
        ? attributes
        : attributes.selecting(fields, labels(labelText));
  }

  /** Leaves out a long label selector. The request then needs more permissions, never fewer. */
  private static AskedLabels labels(String text) {
    return text.length() > LONGEST_LABELS ? AskedLabels.EVERYTHING : AskedLabels.of(text);
  }

  private static String name(FieldSelector fields) {
    var name = fields.exactValue("metadata.name");
    return name == null
            || name.equals(".")
            || name.equals("..")
            || name.contains("/")
            || name.contains("%")
        ? ""
        : name;
  }
}
