package dev.muster.flowcontrol.config;

import dev.muster.authorization.Attributes;
import dev.muster.model.json.JsonObject;
import java.util.Comparator;
import java.util.List;

/**
 * A compiled FlowSchema: the matching rules and the priority level. Immutable.
 *
 * @param uid "" when the object does not exist and its mandatory content applies
 */
public record FlowSchema(
    String name,
    String uid,
    long precedence,
    String level,
    Distinguisher distinguisher,
    List<FlowRule> rules) {
  public static final String EXEMPT = "exempt";
  public static final String CATCH_ALL = "catch-all";

  /** The matching order. */
  public static final Comparator<FlowSchema> ORDER =
      Comparator.comparingLong(FlowSchema::precedence).thenComparing(FlowSchema::name);

  /** The attribute that divides the requests of a FlowSchema into flows. */
  public enum Distinguisher {
    NONE,
    BY_USER,
    BY_NAMESPACE;

    public String of(Attributes request) {
      return switch (this) {
        case NONE -> "";
        case BY_USER -> request.user().name();
        case BY_NAMESPACE -> request.namespace();
      };
    }
  }

  public static FlowSchema of(JsonObject object) {
    var spec = object.object("spec");
    return new FlowSchema(
        object.object("metadata").string("name"),
        object.object("metadata").string("uid"),
        spec.integer("matchingPrecedence", 1000),
        spec.object("priorityLevelConfiguration").string("name"),
        switch (spec.object("distinguisherMethod").string("type")) {
          case "ByUser" -> Distinguisher.BY_USER;
          case "ByNamespace" -> Distinguisher.BY_NAMESPACE;
          default -> Distinguisher.NONE;
        },
        spec.array("rules").objects().stream().map(FlowRule::of).toList());
  }

  public boolean matches(Attributes request) {
    for (var rule : rules) {
      if (rule.concerns(request.user()) && rule.matches(request)) {
        return true;
      }
    }
    return false;
  }
}
