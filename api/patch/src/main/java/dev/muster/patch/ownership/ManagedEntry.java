package dev.muster.patch.ownership;

import dev.muster.model.json.JsonObject;
import dev.muster.patch.ownership.fields.ElementOrder;
import dev.muster.patch.ownership.fields.FieldSet;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one manager: an entry of managedFields.
 *
 * @param apiVersion the version of the fields
 * @param time the manager's last change, in RFC 3339; "" when there is none
 * @param source the entry as the object contains it, or null when it has changed
 */
record ManagedEntry(
    ManagerId id, String apiVersion, String time, FieldSet fields, @Nullable JsonObject source) {

  private static final DateTimeFormatter SECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss'Z'").withZone(ZoneOffset.UTC);

  /** The order of the entries in an object. */
  static final Comparator<ManagedEntry> ORDER =
      Comparator.comparing((ManagedEntry entry) -> entry.id().operation())
          .thenComparing(ManagedEntry::time)
          .thenComparing(entry -> entry.id().manager(), ElementOrder::compareTexts)
          .thenComparing(ManagedEntry::apiVersion, ElementOrder::compareTexts)
          .thenComparing(entry -> entry.id().subresource(), ElementOrder::compareTexts);

  ManagedEntry(ManagerId id, String apiVersion, String time, FieldSet fields) {
    this(id, apiVersion, time, fields, null);
  }

  static String text(Instant time) {
    return SECONDS.format(time.truncatedTo(ChronoUnit.SECONDS));
  }

  boolean applied() {
    return id.operation().equals(ManagerId.APPLY);
  }

  ManagedEntry withFields(FieldSet newFields) {
    return newFields == fields ? this : new ManagedEntry(id, apiVersion, time, newFields);
  }

  JsonObject toJson() {
    if (source != null) {
      return source;
    }
    return JsonObject.builder()
        .putIf("manager", id.manager())
        .putIf("operation", id.operation())
        .putIf("apiVersion", apiVersion)
        .putIf("time", time)
        .put("fieldsType", "FieldsV1")
        .put("fieldsV1", fields.toJson())
        .putIf("subresource", id.subresource())
        .build();
  }
}
