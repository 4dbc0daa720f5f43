package dev.muster.model.json;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** An immutable JSON array. */
public final class JsonArray implements Json, Iterable<Json> {
  public static final JsonArray EMPTY = new JsonArray(new Json[0]);

  private final Json[] items;

  private JsonArray(Json[] items) {
    this.items = items;
  }

  public static JsonArray of(Json... items) {
    return items.length == 0 ? EMPTY : new JsonArray(items.clone());
  }

  public static JsonArray of(List<? extends Json> items) {
    return items.isEmpty() ? EMPTY : new JsonArray(items.toArray(new Json[0]));
  }

  /** An array that takes ownership of the given items. */
  public static JsonArray owning(Json[] items) {
    return items.length == 0 ? EMPTY : new JsonArray(items);
  }

  public static JsonArray ofStrings(Iterable<String> texts) {
    var items = new ArrayList<Json>();
    texts.forEach(text -> items.add(Json.of(text)));
    return of(items);
  }

  public int size() {
    return items.length;
  }

  public boolean isEmpty() {
    return items.length == 0;
  }

  public Json get(int index) {
    return items[index];
  }

  /** The object at that index, or an empty one when the item is not an object. */
  public JsonObject object(int index) {
    return items[index] instanceof JsonObject object ? object : JsonObject.EMPTY;
  }

  public List<Json> asList() {
    return List.of(items);
  }

  public Stream<Json> stream() {
    return Arrays.stream(items);
  }

  /** The items that are objects. */
  public List<JsonObject> objects() {
    var found = new ArrayList<JsonObject>(items.length);
    for (var item : items) {
      if (item instanceof JsonObject object) {
        found.add(object);
      }
    }
    return found;
  }

  /** The items that are strings. */
  public List<String> strings() {
    var found = new ArrayList<String>(items.length);
    for (var item : items) {
      if (item instanceof JsonString string) {
        found.add(string.value());
      }
    }
    return found;
  }

  public JsonArray with(int index, Json value) {
    if (items[index] == value) {
      return this;
    }
    var copy = items.clone();
    copy[index] = value;
    return new JsonArray(copy);
  }

  public JsonArray plus(Json value) {
    var copy = Arrays.copyOf(items, items.length + 1);
    copy[items.length] = value;
    return new JsonArray(copy);
  }

  /** This array with every item replaced; the same instance when nothing changed. */
  public JsonArray map(UnaryOperator<Json> change) {
    Json[] copy = items;
    for (int i = 0; i < items.length; i++) {
      var changed = change.apply(items[i]);
      if (changed != items[i]) {
        if (copy == items) {
          copy = items.clone();
        }
        copy[i] = changed;
      }
    }
    return copy == items ? this : new JsonArray(copy);
  }

  @Override
  public Iterator<Json> iterator() {
    return Arrays.asList(items).iterator();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof JsonArray array && Arrays.equals(items, array.items);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(items);
  }

  @Override
  public String toString() {
    var out = new StringBuilder();
    JsonText.write(this, out);
    return out.toString();
  }
}
