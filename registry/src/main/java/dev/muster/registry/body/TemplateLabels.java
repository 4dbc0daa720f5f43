package dev.muster.registry.body;

import dev.muster.model.MalformedValueException;
import dev.muster.model.json.JsonObject;
import dev.muster.model.select.LabelSelector;
import dev.muster.registry.rules.EmptyPlace;

/** The labels of a template that its selector does not choose are shown as they were sent. */
final class TemplateLabels {
  private static final EmptyPlace LABELS = EmptyPlace.at("spec.template.metadata.labels");

  private TemplateLabels() {}

  static JsonObject kept(JsonObject sent, JsonObject read) {
    return choosesAll(read) ? read : LABELS.kept(sent, read);
  }

  /** Whether the selector chooses pods without labels. */
  private static boolean choosesAll(JsonObject object) {
    var selector = object.object("spec").get("selector") instanceof JsonObject given ? given : null;
    if (object.string("kind").equals("ReplicationController")) {
      return selector == null || selector.isEmpty();
    }
    try {
      return LabelSelector.ofObject(selector).matches(JsonObject.EMPTY);
    } catch (MalformedValueException e) {
      return true;
    }
  }
}
