package dev.muster.validation;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonNumber;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.model.validation.MetadataRules;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A field of an object during validation, with its value, its old value and the receiver of errors.
 * It formats its path only when there is an error. Not thread-safe.
 */
public final class FieldCursor {
  /** The relation of a field to its parent. */
  private enum Step {
    ROOT,
    FIELD,
    INDEX,
    KEY
  }

  private final @Nullable FieldCursor parent;
  private final Step step;
  private final String name;
  private final int index;
  private final @Nullable Json value;
  private final @Nullable Json old;
  private final CheckContext context;

  /** The settings that all fields of one validation share. */
  private record CheckContext(
      boolean update,
      boolean oldIsValid,
      boolean cleanMetadata,
      Consumer<FieldError> errors,
      Consumer<String> warnings) {

    static CheckContext check(boolean update, boolean oldIsValid, Consumer<FieldError> errors) {
      return new CheckContext(update, oldIsValid, false, errors, ignored -> {});
    }
  }

  private FieldCursor(
      @Nullable FieldCursor parent,
      Step step,
      String name,
      int index,
      @Nullable Json value,
      @Nullable Json old,
      CheckContext context) {
    this.parent = parent;
    this.step = step;
    this.name = name;
    this.index = index;
    this.value = value == JsonNull.NULL ? null : value;
    this.old = old == JsonNull.NULL ? null : old;
    this.context = context;
  }

  /** The whole object; old is null for a create. */
  public static FieldCursor of(
      JsonObject object, @Nullable JsonObject old, List<FieldError> errors) {
    return new FieldCursor(
        null, Step.ROOT, "", 0, object, old, CheckContext.check(old != null, false, errors::add));
  }

  /** The whole object, when the old object is known to be valid. */
  public static FieldCursor ofValid(JsonObject object, JsonObject old, List<FieldError> errors) {
    return new FieldCursor(
        null, Step.ROOT, "", 0, object, old, CheckContext.check(true, true, errors::add));
  }

  /** The whole object, to collect warnings about it. */
  public static FieldCursor forWarnings(
      JsonObject object, @Nullable JsonObject old, List<String> warnings) {
    return new FieldCursor(
        null,
        Step.ROOT,
        "",
        0,
        object,
        old,
        new CheckContext(old != null, false, false, ignored -> {}, warnings::add));
  }

  private FieldCursor child(
      Step childStep,
      String childName,
      int childIndex,
      @Nullable Json childValue,
      @Nullable Json childOld) {
    return new FieldCursor(this, childStep, childName, childIndex, childValue, childOld, context);
  }

  /** The field of that name, present or not. */
  public FieldCursor at(String field) {
    return child(
        Step.FIELD,
        field,
        0,
        value instanceof JsonObject object ? object.get(field) : null,
        old instanceof JsonObject object ? object.get(field) : null);
  }

  /** The field at that path. */
  public FieldCursor at(String first, String... rest) {
    var place = at(first);
    for (var field : rest) {
      place = place.at(field);
    }
    return place;
  }

  /** The items of a list; the old value of an item is the old item at the same index. */
  public List<FieldCursor> items() {
    if (!(value instanceof JsonArray array)) {
      return List.of();
    }
    var before = old instanceof JsonArray oldArray ? oldArray : JsonArray.EMPTY;
    var found = new ArrayList<FieldCursor>(array.size());
    for (int i = 0; i < array.size(); i++) {
      found.add(child(Step.INDEX, "", i, array.get(i), i < before.size() ? before.get(i) : null));
    }
    return found;
  }

  /** The values of a map. */
  public List<FieldCursor> entries() {
    if (!(value instanceof JsonObject object)) {
      return List.of();
    }
    var found = new ArrayList<FieldCursor>(object.size());
    for (int i = 0; i < object.size(); i++) {
      found.add(entry(object.key(i)));
    }
    return found;
  }

  /** The value of a map at a key, with the path {@code map[key]}. */
  public FieldCursor entry(String key) {
    return child(
        Step.KEY,
        key,
        0,
        value instanceof JsonObject object ? object.get(key) : null,
        old instanceof JsonObject object ? object.get(key) : null);
  }

  /** This field with errors collected in a list; the caller reports them. */
  public FieldCursor collectingInto(List<FieldError> collected) {
    var collecting =
        new CheckContext(
            context.update,
            context.oldIsValid,
            context.cleanMetadata,
            collected::add,
            context.warnings);
    return new FieldCursor(parent, step, name, index, value, old, collecting);
  }

  /**
   * This field, with metadata that is known to be valid, so that labels, annotations and the like
   * are not checked again.
   */
  FieldCursor withCleanMetadata() {
    var next =
        new CheckContext(
            context.update, context.oldIsValid, true, context.errors, context.warnings);
    return new FieldCursor(parent, step, name, index, value, old, next);
  }

  boolean hasCleanMetadata() {
    return context.cleanMetadata;
  }

  /** This field with another value. */
  public FieldCursor with(@Nullable Json other) {
    return new FieldCursor(parent, step, name, index, other, old, context);
  }

  /** This field without an old value, as in a create. */
  public FieldCursor asNew() {
    return new FieldCursor(parent, step, name, index, value, null, forNew());
  }

  /** This field with another value and another old value. */
  public FieldCursor as(@Nullable Json other, @Nullable Json otherOld) {
    return new FieldCursor(parent, step, name, index, other, otherOld, context);
  }

  /** The parent of this field; the whole object is its own parent. */
  public FieldCursor parent() {
    return parent == null ? this : parent;
  }

  /** The whole object that contains this field. */
  public FieldCursor root() {
    return parent == null ? this : parent.root();
  }

  public @Nullable Json value() {
    return value;
  }

  public @Nullable Json old() {
    return old;
  }

  /** This field with its old value as the value. */
  public FieldCursor before() {
    return new FieldCursor(parent, step, name, index, old, null, forNew());
  }

  private CheckContext forNew() {
    return new CheckContext(false, false, context.cleanMetadata, context.errors, context.warnings);
  }

  public boolean isUpdate() {
    return context.update;
  }

  /** Whether the value was validated before by the same rules and has not changed. */
  public boolean isKnownValid() {
    return context.oldIsValid && value == old;
  }

  /** Whether an update changes the value. */
  public boolean isChanged() {
    return context.update && !same(value, old);
  }

  private static boolean same(@Nullable Json one, @Nullable Json other) {
    return one == null ? other == null : one.equals(other);
  }

  public boolean isAbsent() {
    return value == null;
  }

  public boolean isPresent() {
    return value != null;
  }

  /** Whether the value is absent, or an empty string, list or object. */
  public boolean isEmpty() {
    return switch (value) {
      case null -> true;
      case JsonString text -> text.value().isEmpty();
      case JsonArray array -> array.isEmpty();
      case JsonObject object -> object.isEmpty();
      case JsonBool ignored -> false;
      case JsonNull ignored -> true;
      case JsonNumber ignored -> false;
    };
  }

  public boolean has(String field) {
    return at(field).isPresent();
  }

  /** The string value, or "". */
  public String text() {
    return value instanceof JsonString string ? string.value() : "";
  }

  /** The integer value, or 0. */
  public long integer() {
    return value instanceof JsonInteger number ? number.value() : 0;
  }

  public boolean isTrue() {
    return value == JsonBool.TRUE;
  }

  public boolean isText(String text) {
    return value instanceof JsonString string && string.value().equals(text);
  }

  /** The object value, or an empty one. */
  public JsonObject object() {
    return value instanceof JsonObject object ? object : JsonObject.EMPTY;
  }

  /** The list value, or an empty one. */
  public JsonArray array() {
    return value instanceof JsonArray array ? array : JsonArray.EMPTY;
  }

  /** The key of a map entry, or the name of a field. */
  public String name() {
    return name;
  }

  public FieldPath path() {
    var way = new ArrayList<FieldCursor>();
    for (var place = this; place.parent != null; place = place.parent) {
      way.add(place);
    }
    var path = FieldPath.ROOT;
    for (var place : way.reversed()) {
      path =
          switch (place.step) {
            case ROOT -> path;
            case FIELD -> path.child(place.name);
            case INDEX -> path.index(place.index);
            case KEY -> path.key(place.name);
          };
    }
    return path;
  }

  public void report(FieldError error) {
    context.errors.accept(error);
  }

  public void required(String detail) {
    report(FieldError.required(path(), detail));
  }

  /** Reports the value as invalid; an absent value is shown as an empty string. */
  public void invalid(String detail) {
    report(FieldError.invalid(path(), value == null ? Json.of("") : value, detail));
  }

  /** Reports the field as invalid, and shows another value. */
  public void invalid(Json shown, String detail) {
    report(FieldError.invalid(path(), shown, detail));
  }

  /** Reports a string as invalid whose Go type is a named type or a pointer. */
  public void invalidTyped(String detail) {
    report(FieldError.invalidTyped(path(), text(), detail));
  }

  public void invalidEach(List<String> problems) {
    problems.forEach(this::invalid);
  }

  public void notSupported(List<String> supported) {
    report(FieldError.notSupported(path(), text(), supported));
  }

  /** Reports the field as not supported, and shows a value that is no string. */
  public void notSupported(Json shown, List<String> supported) {
    report(FieldError.notSupported(path(), shown, supported));
  }

  public void forbidden(String detail) {
    report(FieldError.forbidden(path(), detail));
  }

  public void duplicate() {
    report(FieldError.duplicate(path(), value == null ? Json.of("") : value));
  }

  public void tooLong(int most) {
    report(FieldError.tooLong(path(), most));
  }

  public void tooMany(int most) {
    report(FieldError.tooMany(path(), array().size(), most));
  }

  /** Refuses any change; absent, null and empty are different values. */
  public void immutable() {
    immutable(MetadataRules.IMMUTABLE);
  }

  public void immutable(String detail) {
    if (isChanged()) {
      report(FieldError.invalid(path(), value == null ? JsonNull.NULL : value, detail));
    }
  }

  /** Adds a warning to the client's Warning header. */
  public void warn(String warning) {
    context.warnings.accept(warning);
  }

  @Override
  public String toString() {
    return path() + "=" + value;
  }
}
