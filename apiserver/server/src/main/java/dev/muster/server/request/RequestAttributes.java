package dev.muster.server.request;

import dev.muster.authorization.AskedLabels;
import dev.muster.authorization.Attributes;
import dev.muster.model.User;
import dev.muster.model.select.FieldSelector;
import dev.muster.types.options.Query;

/** What a request is about, as authorization sees it. */
final class RequestAttributes {
  /** Requests are authorized on event loops, which nobody's selector may hold up. */
  private static final int LONGEST_LABELS = 4096;

  private RequestAttributes() {}

  /**
   * Lists, watches and deletions of many are about what their selectors choose, unless the watch is
   * of the old form, which does not look at them. A list or a watch of one name is about that.
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

  /** What takes long to read is left out, which asks for more and never for less. */
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
