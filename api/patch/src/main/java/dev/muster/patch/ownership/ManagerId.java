package dev.muster.patch.ownership;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.patch.ownership.fields.ElementOrder;

/**
 * The identity of a managedFields entry: manager, operation, subresource and, for updates, version.
 * An applier has the same identity in all versions.
 *
 * @param operation {@code Apply} or {@code Update}
 * @param apiVersion "" for appliers
 */
record ManagerId(String manager, String operation, String apiVersion, String subresource)
    implements Comparable<ManagerId> {
  static final String APPLY = "Apply";
  static final String UPDATE = "Update";

  ManagerId {
    if (operation.equals(APPLY)) {
      apiVersion = "";
    }
  }

  /** The text by which upstream identifies and sorts managers. */
  private String text() {
    var out = new StringBuilder("{");
    member("manager", manager, out);
    member("operation", operation, out);
    member("apiVersion", apiVersion, out);
    member("subresource", subresource, out);
    return out.append('}').toString();
  }

  private static void member(String name, String value, StringBuilder out) {
    if (!value.isEmpty()) {
      out.append(out.length() > 1 ? "," : "").append(Json.of(name)).append(':');
      out.append(Json.of(value));
    }
  }

  @Override
  public int compareTo(ManagerId other) {
    return ElementOrder.compareTexts(text(), other.text());
  }

  /** The manager in a conflict message. */
  String describe() {
    var text = new StringBuilder(GoText.quote(manager));
    if (!subresource.isEmpty()) {
      text.append(" with subresource ").append(GoText.quote(subresource));
    }
    if (operation.equals(UPDATE)) {
      text.append(" using ").append(apiVersion);
    }
    return text.toString();
  }
}
