package dev.muster.registry.webhook;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonNumber;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldErrors;
import dev.muster.model.validation.FieldPath;
import dev.muster.model.validation.LabelRules;

/**
 * An object that a conversion webhook returned. The webhook must not change the object's identity;
 * in metadata only its labels and annotations count.
 *
 * @param original the object that was sent
 * @param returned the object that came back
 */
record ConvertedObject(JsonObject original, JsonObject returned) {

  /**
   * @throws WebhookException when the value is no object
   */
  static ConvertedObject of(JsonObject original, Json returned) throws WebhookException {
    if (!(returned instanceof JsonObject object)) {
      throw new WebhookException(
          "json: cannot unmarshal "
              + GoText.kind(returned)
              + " into Go value of type map[string]interface {}");
    }
    if (object.string("kind").isEmpty()) {
      throw new WebhookException("Object 'Kind' is missing in '" + object + "'");
    }
    return new ConvertedObject(original, object);
  }

  /** Checks that the object has the desired version and the same kind. */
  void checkType(String desiredApiVersion) throws WebhookException {
    var version = returned.string("apiVersion");
    if (!version.equals(desiredApiVersion)) {
      throw new WebhookException(
          "invalid groupVersion (expected %s, received %s)".formatted(desiredApiVersion, version));
    }
    if (!returned.string("kind").equals(original.string("kind"))) {
      throw new WebhookException(
          "invalid kind (expected %s, received %s)"
              .formatted(original.string("kind"), returned.string("kind")));
    }
  }

  /** Checks that the object has the same name, namespace and UID. */
  void checkIdentity() throws WebhookException {
    same("name", "name");
    same("namespace", "namespace");
    same("UID", "uid");
  }

  private void same(String what, String field) throws WebhookException {
    var before = original.object("metadata").string(field);
    var after = returned.object("metadata").string(field);
    if (!before.equals(after)) {
      throw new WebhookException("must have the same %s: %s != %s".formatted(what, before, after));
    }
  }

  /**
   * The returned object with the original metadata, except labels and annotations.
   *
   * @throws WebhookException when the labels or annotations are invalid
   */
  JsonObject restored() throws WebhookException {
    var sent = returned.get("metadata");
    if (sent == null) {
      throw new WebhookException("missing metadata in converted object");
    }
    if (!(sent instanceof JsonObject theirs)) {
      throw new WebhookException(
          "invalid metadata of type %s in converted object".formatted(go(sent)));
    }
    var metadata = original.object("metadata");
    for (var field : new String[] {"labels", "annotations"}) {
      var value = theirs.get(field);
      metadata =
          value == null || value == JsonNull.NULL
              ? metadata.without(field)
              : metadata.with(field, texts(field, value));
    }
    return returned.with("metadata", metadata);
  }

  private JsonObject texts(String field, Json value) throws WebhookException {
    if (!(value instanceof JsonObject texts)) {
      throw new WebhookException(
          "invalid metadata.%s of type %s in converted object".formatted(field, go(value)));
    }
    for (int i = 0; i < texts.size(); i++) {
      if (!(texts.value(i) instanceof JsonString)) {
        throw new WebhookException(
            "metadata.%s[%s] must be a string, but is %s in converted object"
                .formatted(field, texts.key(i), go(texts.value(i))));
      }
    }
    if (!texts.equals(original.object("metadata").object(field))) {
      check(field, texts);
    }
    return texts;
  }

  /** kube-apiserver uses a special name for annotations here. */
  private static void check(String field, JsonObject texts) throws WebhookException {
    var errors =
        FieldErrors.of(
            found -> {
              if (field.equals("labels")) {
                LabelRules.labels(texts, FieldPath.of("metadata", "labels"), found);
              } else {
                LabelRules.annotations(texts, FieldPath.of("metadata", "annotation"), found);
              }
            });
    if (!errors.isEmpty()) {
      throw new WebhookException(FieldError.join(errors));
    }
  }

  /** The Go name of a value's JSON type. */
  private static String go(Json value) {
    return switch (value) {
      case JsonObject ignored -> "map[string]interface {}";
      case JsonArray ignored -> "[]interface {}";
      case JsonString ignored -> "string";
      case JsonInteger ignored -> "int64";
      case JsonNumber ignored -> "float64";
      case JsonBool ignored -> "bool";
      case JsonNull ignored -> "<nil>";
    };
  }
}
