package dev.muster.store.encrypted.config;

import dev.muster.model.go.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonNumber;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.wire.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Used by one thread: a JSON object that is read field by field, as Go's strict decoder does.
 *
 * @param path where it stands, such as {@code resources[0]}; "" for the whole document
 * @param problems collects what nobody looks at
 */
record StrictObject(JsonObject object, String path, Document document, List<String> problems) {

  /** Notes the fields that are not among these, and those that stand there twice. */
  StrictObject only(String... known) {
    var names = Set.of(known);
    for (var duplicate : document.duplicates().in(object)) {
      problems.add("duplicate field " + GoText.quote(at(duplicate.key())));
    }
    for (var key : object.keys()) {
      if (!names.contains(key)) {
        problems.add("unknown field " + GoText.quote(at(key)));
      }
    }
    return this;
  }

  private String at(String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  private @Nullable Json value(String key) {
    var value = object.get(key);
    return value instanceof JsonNull ? null : value;
  }

  String text(String key) throws EncryptionConfigurationException {
    var value = value(key);
    if (value == null) {
      return "";
    }
    if (value instanceof JsonString text) {
      return text.value();
    }
    throw wrong(value, key, "string");
  }

  @Nullable Long number(String key) throws EncryptionConfigurationException {
    var value = value(key);
    if (value == null) {
      return null;
    }
    if (value instanceof JsonNumber) {
      try {
        return (long) Integer.parseInt(value.toString());
      } catch (NumberFormatException e) {
        throw wrong(value, key, "int32");
      }
    }
    throw wrong(value, key, "int32");
  }

  /** The object there, or null. */
  @Nullable StrictObject object(String key) throws EncryptionConfigurationException {
    var value = value(key);
    if (value == null) {
      return null;
    }
    if (value instanceof JsonObject inner) {
      return new StrictObject(inner, at(key), document, problems);
    }
    throw wrong(value, key, "object");
  }

  List<String> texts(String key) throws EncryptionConfigurationException {
    var texts = new ArrayList<String>();
    for (var item : items(key)) {
      if (!(item instanceof JsonString text)) {
        throw wrong(item, key, "string");
      }
      texts.add(text.value());
    }
    return texts;
  }

  /** The objects of a list. */
  List<StrictObject> objects(String key) throws EncryptionConfigurationException {
    var objects = new ArrayList<StrictObject>();
    for (var item : items(key)) {
      var where = at(key) + "[" + objects.size() + "]";
      if (!(item instanceof JsonObject inner)) {
        throw wrong(item, key, "object");
      }
      objects.add(new StrictObject(inner, where, document, problems));
    }
    return objects;
  }

  private List<Json> items(String key) throws EncryptionConfigurationException {
    var value = value(key);
    if (value == null) {
      return List.of();
    }
    if (!(value instanceof JsonArray list)) {
      throw wrong(value, key, "array");
    }
    var items = new ArrayList<Json>();
    for (int i = 0; i < list.size(); i++) {
      items.add(list.get(i));
    }
    return items;
  }

  private EncryptionConfigurationException wrong(Json value, String key, String wanted) {
    return new EncryptionConfigurationException(
        "json: cannot unmarshal %s into field %s of type %s"
            .formatted(GoText.kind(value), at(key), wanted));
  }
}
