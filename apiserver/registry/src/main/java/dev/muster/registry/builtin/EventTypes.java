package dev.muster.registry.builtin;

import dev.muster.model.GroupVersionKind;
import dev.muster.schema.Schemas;
import dev.muster.types.ServedTypeBuilder;
import dev.muster.types.Strategy;
import dev.muster.types.TypeRules;
import dev.muster.types.TypeTrait;
import dev.muster.types.conversion.GroupedEvent;
import dev.muster.types.select.BuiltInFields;
import dev.muster.types.table.EventTable;
import dev.muster.types.table.TableSpec;
import dev.muster.validation.core.EventRules;
import java.time.Duration;
import java.util.List;

/** The types of {@code events.k8s.io}: the core group's events under other names. */
final class EventTypes implements TypeRules {
  private static final GroupVersionKind STORED = new GroupVersionKind("", "v1", "Event");

  private EventTypes() {}

  static List<ServedTypeBuilder> all(Duration timeToLive) {
    var rules = new EventTypes();
    var v1 = new TypeTable("events.k8s.io/v1", 17750, 15, rules);
    v1.namespaced("events", "Event", "ev")
        .storedAs(STORED, Schemas.struct("io.k8s.api.core.v1.Event"), new GroupedEvent())
        .selectable(BuiltInFields.events())
        .timeToLive(timeToLive)
        .trait(TypeTrait.NOT_COUNTED);
    return v1.builders();
  }

  @Override
  public Strategy strategy(String plural) {
    return switch (plural) {
      case "events" -> EventRules.EVENTS;
      default -> throw new IllegalArgumentException("no rules for " + plural);
    };
  }

  @Override
  public TableSpec table(String plural) {
    return switch (plural) {
      case "events" -> EventTable.SPEC;
      default -> TableSpec.PLAIN;
    };
  }
}
