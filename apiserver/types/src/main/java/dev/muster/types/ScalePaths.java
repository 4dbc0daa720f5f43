package dev.muster.types;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.model.select.LabelSelector;
import java.util.List;

/**
 * The paths of the fields behind the {@code scale} subresource.
 *
 * @param specReplicas the path of the desired replicas, such as {@code spec}, {@code replicas}
 * @param statusReplicas the path of the current replicas
 * @param selector the path of the pod selector; empty when there is none
 */
public record ScalePaths(
    List<String> specReplicas,
    List<String> statusReplicas,
    List<String> selector,
    SelectorForm selectorForm) {

  /** The form of a type's selector. */
  public enum SelectorForm {
    /** Text, such as {@code app=web}. */
    TEXT,
    /** A map of labels that must all match. */
    LABELS,
    /** A LabelSelector with labels and expressions. */
    LABEL_SELECTOR
  }

  public ScalePaths {
    specReplicas = List.copyOf(specReplicas);
    statusReplicas = List.copyOf(statusReplicas);
    selector = List.copyOf(selector);
  }

  /** The paths of built-in workloads. */
  public static ScalePaths ofWorkload(SelectorForm selectorForm) {
    return new ScalePaths(
        List.of("spec", "replicas"),
        List.of("status", "replicas"),
        List.of("spec", "selector"),
        selectorForm);
  }

  public long specReplicas(JsonObject object) {
    return number(object, specReplicas);
  }

  public long statusReplicas(JsonObject object) {
    return number(object, statusReplicas);
  }

  private static long number(JsonObject object, List<String> path) {
    var holder = object;
    for (var name : path.subList(0, path.size() - 1)) {
      holder = holder.object(name);
    }
    return holder.integer(path.getLast(), 0);
  }

  /** The selector as text; "" when there is none. */
  public String selectorText(JsonObject object) {
    if (selector.isEmpty()) {
      return "";
    }
    return switch (object.at(selector.toArray(String[]::new))) {
      case JsonObject found ->
          switch (selectorForm) {
            case TEXT -> "";
            case LABELS -> LabelSelector.ofLabels(found).toString();
            case LABEL_SELECTOR -> LabelSelector.ofObject(found).toString();
          };
      case JsonString text -> selectorForm == SelectorForm.TEXT ? text.value() : "";
      case null, default -> "";
    };
  }

  /** The object with another number of desired replicas. */
  public JsonObject scaled(JsonObject object, long replicas) {
    return object.withAt(Json.of(replicas), specReplicas.toArray(String[]::new));
  }

  /**
   * The path of the desired replicas as server-side apply writes it, such as {@code spec.replicas}.
   */
  public String replicasField() {
    return String.join(".", specReplicas);
  }
}
