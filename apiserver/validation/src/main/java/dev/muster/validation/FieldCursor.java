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
 * A place in an object that is being checked: what stands there, what stood there before, and where
 * complaints go. The path is put into words only when there is something to complain about. Not for
 * several threads.
 */
public final class FieldCursor {
  /** What a place is to its parent. */
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

  /** What is done with the object, the same for all its places. */
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

  /** The whole object; old is null when it is new. */
  public static FieldCursor of(
      JsonObject object, @Nullable JsonObject old, List<FieldError> errors) {
    return new FieldCursor(
        null, Step.ROOT, "", 0, object, old, CheckContext.check(old != null, false, errors::add));
  }

  /** The whole object, where the old one is known to keep all rules. */
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

  /** The field of that name, whether it is there or not. */
  public FieldCursor at(String field) {
    return child(
        Step.FIELD,
        field,
        0,
        value instanceof JsonObject object ? object.get(field) : null,
        old instanceof JsonObject object ? object.get(field) : null);
  }

  /** The field at the end of that path. */
  public FieldCursor at(String first, String... rest) {
    var place = at(first);
    for (var field : rest) {
      place = place.at(field);
    }
    return place;
  }

  /** The members of a list; each one's old value is what stood at the same index. */
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

  /** The value under a key of a map, written {@code map[key]}. */
  public FieldCursor entry(String key) {
    return child(
        Step.KEY,
        key,
        0,
        value instanceof JsonObject object ? object.get(key) : null,
        old instanceof JsonObject object ? object.get(key) : null);
  }

  /** This place with the errors of a list: nothing is reported until the caller does. */
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

  /** This place, where no rule needs to look at labels, annotations and the like once more. */
  FieldCursor withCleanMetadata() {
    var next =
        new CheckContext(
            context.update, context.oldIsValid, true, context.errors, context.warnings);
    return new FieldCursor(parent, step, name, index, value, old, next);
  }

  boolean hasCleanMetadata() {
    return context.cleanMetadata;
  }

  /** This place as if another value stood there. */
  public FieldCursor with(@Nullable Json other) {
    return new FieldCursor(parent, step, name, index, other, old, context);
  }

  /** This place of an object that is taken for new: there is no old value. */
  public FieldCursor asNew() {
    return new FieldCursor(parent, step, name, index, value, null, forNew());
  }

  /** This place as if another value stood and had stood there. */
  public FieldCursor as(@Nullable Json other, @Nullable Json otherOld) {
    return new FieldCursor(parent, step, name, index, other, otherOld, context);
  }

  /** What this place is a part of; the whole object is its own. */
  public FieldCursor parent() {
    return parent == null ? this : parent;
  }

  /** The whole object that this place is in. */
  public FieldCursor root() {
    return parent == null ? this : parent.root();
  }

  public @Nullable Json value() {
    return value;
  }

  public @Nullable Json old() {
    return old;
  }

  /** The old value seen as a place, to ask it the same questions. */
  public FieldCursor before() {
    return new FieldCursor(parent, step, name, index, old, null, forNew());
  }

  private CheckContext forNew() {
    return new CheckContext(false, false, context.cleanMetadata, context.errors, context.warnings);
  }

  public boolean isUpdate() {
    return context.update;
  }

  /** Whether what stands here was checked before, by the rules for its kind, and is the same. */
  public boolean isKnownValid() {
    return context.oldIsValid && value == old;
  }

  /** Whether an update changes what stands here. */
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

  /** Whether nothing stands here, or a text, list or object without content. */
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

  /** The text that stands here, or "". */
  public String text() {
    return value instanceof JsonString string ? string.value() : "";
  }

  /** The integer that stands here, or 0. */
  public long integer() {
    return value instanceof JsonInteger number ? number.value() : 0;
  }

  public boolean isTrue() {
    return value == JsonBool.TRUE;
  }

  public boolean isText(String text) {
    return value instanceof JsonString string && string.value().equals(text);
  }

  /** The object that stands here, or an empty one. */
  public JsonObject object() {
    return value instanceof JsonObject object ? object : JsonObject.EMPTY;
  }

  /** The list that stands here, or an empty one. */
  public JsonArray array() {
    return value instanceof JsonArray array ? array : JsonArray.EMPTY;
  }

  /** The key of a map's entry, or the name of a field. */
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

  /** Refuses the value as it stands here; an absent one is shown as an empty text. */
  public void invalid(String detail) {
    report(FieldError.invalid(path(), value == null ? Json.of("") : value, detail));
  }

  /** Refuses the value, and shows another one than stands here. */
  public void invalid(Json shown, String detail) {
    report(FieldError.invalid(path(), shown, detail));
  }

  /** Refuses a text that has a type of its own in Go, or is pointed to. */
  public void invalidTyped(String detail) {
    report(FieldError.invalidTyped(path(), text(), detail));
  }

  public void invalidEach(List<String> problems) {
    problems.forEach(this::invalid);
  }

  public void notSupported(List<String> supported) {
    report(FieldError.notSupported(path(), text(), supported));
  }

  /** Refuses the value, and shows another one than a text. */
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

  /** Refuses any change; absent, null and empty are told apart as they are written. */
  public void immutable() {
    immutable(MetadataRules.IMMUTABLE);
  }

  public void immutable(String detail) {
    if (isChanged()) {
      report(FieldError.invalid(path(), value == null ? JsonNull.NULL : value, detail));
    }
  }

  /** Adds a text to the client's Warning header. */
  public void warn(String warning) {
    context.warnings.accept(warning);
  }

  @Override
  public String toString() {
    return path() + "=" + value;
  }
}
