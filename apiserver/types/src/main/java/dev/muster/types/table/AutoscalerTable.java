package dev.muster.types.table;

import static dev.muster.types.table.Cells.NONE;
import static dev.muster.types.table.Cells.UNKNOWN;
import static dev.muster.types.table.Cells.UNSET;
import static dev.muster.types.table.Cells.number;
import static dev.muster.types.table.Cells.pathOr;
import static dev.muster.types.table.Cells.text;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The table of horizontal pod autoscalers, from objects of {@code autoscaling/v2}. */
public final class AutoscalerTable {
  private static final int SHOWN = 2;

  public static final TableSpec SPEC =
      TableSpec.of(
          Cells.name(),
          text("Reference", "What is scaled.", AutoscalerTable::reference),
          text("Targets", "Metrics: what is, and what should be.", AutoscalerTable::metrics),
          text("MinPods", "Least number of pods.", pathOr(UNSET, "spec", "minReplicas")),
          Cells.count("MaxPods", "Largest number of pods.", number("spec", "maxReplicas")),
          Cells.count("Replicas", "Pods that there are.", number("status", "currentReplicas")),
          Cells.age());

  private AutoscalerTable() {}

  private static String reference(JsonObject autoscaler) {
    var target = autoscaler.object("spec", "scaleTargetRef");
    return target.string("kind") + "/" + target.string("name");
  }

  private static String metrics(JsonObject autoscaler) {
    var specs = autoscaler.object("spec").array("metrics");
    if (specs.isEmpty()) {
      return NONE;
    }
    var statuses = autoscaler.object("status").array("currentMetrics");
    var texts = new ArrayList<String>();
    for (int i = 0; i < specs.size(); i++) {
      texts.add(
          metric(specs.object(i), i < statuses.size() ? statuses.object(i) : JsonObject.EMPTY));
    }
    return Cells.some(texts, SHOWN, ", ");
  }

  private static String metric(JsonObject spec, JsonObject status) {
    var type = spec.string("type");
    var field =
        type.isEmpty() ? "" : type.substring(0, 1).toLowerCase(Locale.ROOT) + type.substring(1);
    var metric = spec.object(field);
    var target = metric.object("target");
    var current = status.object(field).object("current");
    boolean known = status.get(field) instanceof JsonObject;
    boolean average = isSet(target.get("averageValue"));
    return switch (type) {
      case "External", "Object" ->
          average
              ? (isSet(current.get("averageValue")) ? value(current, "averageValue") : UNKNOWN)
                  + "/"
                  + value(target, "averageValue")
                  + " (avg)"
              : (known ? value(current, "value") : UNKNOWN) + "/" + value(target, "value");
      case "Pods" ->
          (known ? value(current, "averageValue") : UNKNOWN) + "/" + value(target, "averageValue");
      case "Resource", "ContainerResource" -> {
        var name = metric.string("name") + ": ";
        yield average
            ? name
                + (known ? value(current, "averageValue") : UNKNOWN)
                + "/"
                + value(target, "averageValue")
            : name + percent(current, UNKNOWN) + "/" + percent(target, "<auto>");
      }
      default -> "<unknown type>";
    };
  }

  private static boolean isSet(@Nullable Json value) {
    return value != null && value != JsonNull.NULL;
  }

  private static String value(JsonObject holder, String field) {
    return isSet(holder.get(field)) ? Cells.string(holder.get(field)) : "<nil>";
  }

  private static String percent(JsonObject holder, String otherwise) {
    return isSet(holder.get("averageUtilization"))
        ? Cells.string(holder.get("averageUtilization")) + "%"
        : otherwise;
  }
}
