package dev.muster.types;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.model.select.LabelSelector;
import java.util.List;

/**
 * Where the subresource {@code scale} finds what it shows.
 *
 * @param specReplicas the path of the wanted number, such as {@code spec}, {@code replicas}
 * @param statusReplicas the path of the present number
 * @param selector the path of what chooses the pods; empty when nothing does
 */
public record ScalePaths(
    List<String> specReplicas,
    List<String> statusReplicas,
    List<String> selector,
    SelectorForm selectorForm) {

  /** How a type writes its selector. */
  public enum SelectorForm {
    /** As the text that clients send, such as {@code app=web}. */
    TEXT,
    /** As labels that must all be there. */
    LABELS,
    /** As labels and expressions. */
    LABEL_SELECTOR
  }

  public ScalePaths {
    specReplicas = List.copyOf(specReplicas);
    statusReplicas = List.copyOf(statusReplicas);
    selector = List.copyOf(selector);
  }

  /** The paths of Kubernetes' own workloads. */
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

  /** The selector as a text; "" when there is none. */
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

  /** The object with another wanted number. */
  public JsonObject scaled(JsonObject object, long replicas) {
    return object.withAt(Json.of(replicas), specReplicas.toArray(String[]::new));
  }

  /** The wanted number's place as server-side apply writes it, such as {@code spec.replicas}. */
  public String replicasField() {
    return String.join(".", specReplicas);
  }
}
