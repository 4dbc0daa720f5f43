package dev.muster.registry.types.builtin;

import dev.muster.model.GroupVersionKind;
import dev.muster.registry.conversion.GroupedEvent;
import dev.muster.registry.rules.core.EventRules;
import dev.muster.registry.select.BuiltInFields;
import dev.muster.registry.table.EventTable;
import dev.muster.registry.table.TableSpec;
import dev.muster.registry.types.ServedTypeBuilder;
import dev.muster.registry.types.Strategy;
import dev.muster.registry.types.TypeRules;
import dev.muster.registry.types.TypeTrait;
import dev.muster.schema.Schemas;
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
