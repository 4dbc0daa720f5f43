package dev.muster.registry.read;

import dev.muster.model.MalformedValueException;
import dev.muster.model.ObjectName;
import dev.muster.model.json.JsonObject;
import dev.muster.model.select.FieldMatcher;
import dev.muster.model.select.FieldSelector;
import dev.muster.model.select.LabelRequirement;
import dev.muster.model.select.LabelSelector;
import dev.muster.model.status.ApiException;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.snapshot.Collection;
import dev.muster.replica.snapshot.Range;
import dev.muster.types.ServedType;
import dev.muster.types.options.ListOptions;
import dev.muster.types.scheduling.CpuTask;
import dev.muster.types.select.SelectableFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Which objects of a collection a request means: namespace, labels and fields together. */
public final class Selection {
  private static final String NAME = SelectableFields.NAME;
  private static final String NAMESPACE = SelectableFields.NAMESPACE;

  /** Objects of that many bytes of JSON are parsed in no time, as each is once. */
  private static final int SMALL = 16 * 1024;

  /** How many comparisons of labels take the time of parsing an object, more or less. */
  private static final int PARSED = 50;

  /** More values of a label than these are compared one by one. */
  private static final int MOST_VALUES = 16;

  private final SelectableFields selectable;
  private final String namespace;
  private final LabelSelector labels;
  private final FieldSelector fields;
  private final FieldMatcher matcher;
  private final boolean namespaced;
  private final boolean needsTree;

  /** Who has objects converted before their fields are looked at; null when they are as stored. */
  private final @Nullable ServedType converting;

  private Selection(ServedType type, String namespace, LabelSelector labels, FieldSelector fields) {
    this.selectable = type.selectableFields();
    this.namespaced = type.namespaced();
    this.namespace = namespace;
    this.labels = labels;
    this.fields = fields;
    this.matcher = new FieldMatcher(fields);
    this.needsTree =
        fields.terms().stream()
            .anyMatch(term -> !term.field().equals(NAME) && !term.field().equals(NAMESPACE));
    this.converting = needsTree && type.convertsByCall() ? type : null;
  }

  /** Reads the selectors; a malformed or unsupported one is a bad request. */
  public static Selection of(ServedType type, String namespace, String name, ListOptions options) {
    var selectable = type.selectableFields();
    try {
      var labels =
          options.labelSelector().isEmpty()
              ? LabelSelector.EVERYTHING
              : LabelSelector.parse(options.labelSelector());
      var fields =
          options.fieldSelector().isEmpty()
              ? FieldSelector.EVERYTHING
              : selectable.checked(FieldSelector.parse(options.fieldSelector()));
      if (!name.isEmpty()) {
        if (!fields.isEverything() && !name.equals(fields.exactValue(NAME))) {
          throw ApiException.badRequest("fieldSelector metadata.name doesn't match requested name");
        }
        fields = fields.and(new FieldSelector.Term(NAME, true, name));
      }
      return new Selection(type, namespace, labels, fields);
    } catch (MalformedValueException e) {
      throw ApiException.badRequest(e.text());
    }
  }

  /** The namespace that the request names, or "". */
  String namespace() {
    return namespace;
  }

  public boolean selectsEverything() {
    return labels.isEverything() && fields.isEverything();
  }

  public boolean matches(StoredObject object) {
    if (!namespace.isEmpty() && !object.namespace().equals(namespace)) {
      return false;
    }
    return matchesSelectors(object);
  }

  /** Whether an object that is not stored is chosen. */
  public boolean matchesUnstored(JsonObject object) {
    return labels.matches(object.object("metadata", "labels").strings())
        && matcher.matches(field -> selectable.value(object, field));
  }

  /** Those of the candidates that match, each found when it is asked for. */
  Iterable<StoredObject> matching(Range candidates) {
    if (selectsEverything()) {
      return candidates;
    }
    return converting == null
        ? candidates.where(this::matchesInTurn)
        : () -> new ConvertedMatches(candidates.iterator(), this, converting);
  }

  /** Others have their turn while a client has a large collection searched. */
  private boolean matchesInTurn(StoredObject object) {
    CpuTask.checkpoint();
    return matches(object);
  }

  /** Whether an object can match as far as that is known without its fields. */
  boolean mayMatch(StoredObject object) {
    return (namespace.isEmpty() || object.namespace().equals(namespace))
        && labels.matches(object.labels());
  }

  private boolean matchesSelectors(StoredObject object) {
    if (!labels.isEverything() && !labels.matches(object.labels())) {
      return false;
    }
    if (fields.isEverything()) {
      return true;
    }
    if (converting != null) {
      return matchesFields(object, converting.fromStored(object.tree()));
    }
    return matcher.matches(field -> selectable.value(object, field));
  }

  /** Whether the fields match of a stored object that looks so in the version of the request. */
  boolean matchesFields(StoredObject object, JsonObject shown) {
    return matchesFields(object, field -> selectable.value(shown, field));
  }

  private boolean matchesFields(StoredObject object, Function<String, String> values) {
    return matcher.matches(
        field ->
            switch (field) {
              case NAME -> object.simpleName();
              case NAMESPACE -> object.namespace();
              default -> values.apply(field);
            });
  }

  /** Whether it is soon found out that it matches or not: nothing has to be parsed for that. */
  public boolean isSoonDecided(StoredObject object) {
    if (converting != null) {
      return false;
    }
    return !needsTree || object.json().length <= SMALL || areFieldsAtHand(object);
  }

  private boolean areFieldsAtHand(StoredObject object) {
    for (var term : fields.terms()) {
      if (!selectable.isPrecomputed(object, term.field())) {
        return false;
      }
    }
    return true;
  }

  /** Whether others have to convert an object before it is known whether it matches. */
  public boolean needsConversion() {
    return converting != null;
  }

  /**
   * By each of these alone, all objects can be found that match: what matches has one of the values
   * of every key. Empty when there is none.
   */
  public List<SelectionKey> keys() {
    var keys = new ArrayList<SelectionKey>();
    var name = fields.exactValue(NAME);
    var within = within();
    if (name != null) {
      keys.add(
          within == null
              ? new SelectionKey.Name(name)
              : new SelectionKey.Named(new ObjectName(within, name)));
    }
    for (var term : fields.terms()) {
      if (term.equal() && isFieldKey(term.field())) {
        keys.add(new SelectionKey.Field(selectable, term.field(), term.value()));
      }
    }
    if (within != null && !within.isEmpty()) {
      keys.add(new SelectionKey.Namespace(within));
    }
    for (var requirement : labels.requirements()) {
      if (isLabelKey(requirement)) {
        keys.add(new SelectionKey.Label(requirement.key(), requirement.values()));
      }
    }
    return keys;
  }

  private boolean isFieldKey(String field) {
    return converting == null && !field.equals(NAME) && !field.equals(NAMESPACE);
  }

  private static boolean isLabelKey(LabelRequirement requirement) {
    return switch (requirement.operator()) {
      case EQUALS, DOUBLE_EQUALS, IN -> requirement.values().size() <= MOST_VALUES;
      case NOT_EQUALS, NOT_IN, EXISTS, DOES_NOT_EXIST, GREATER_THAN, LESS_THAN -> false;
    };
  }

  /** Whether it chooses the same objects for the same reasons, by the same fields. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Selection selection
        && selectable == selection.selectable
        && converting == selection.converting
        && namespaced == selection.namespaced
        && namespace.equals(selection.namespace)
        && labels.equals(selection.labels)
        && fields.equals(selection.fields);
  }

  @Override
  public int hashCode() {
    return Objects.hash(System.identityHashCode(selectable), namespace, labels, fields);
  }

  /** About how many objects have to be compared for a list, one that is parsed counting more. */
  public long comparisons(Collection collection) {
    if (selectsEverything()) {
      return 0;
    }
    if (converting != null) {
      return Long.MAX_VALUE;
    }
    long looks = candidates(collection).looks();
    return needsTree ? looks * PARSED : looks;
  }

  /** The candidates in order, narrowed by whatever index fits; each still has to match. */
  Range candidates(Collection collection) {
    var name = fields.exactValue(NAME);
    var within = within();
    if (name != null && within != null) {
      var object = collection.get(within, name);
      return Ranges.of(object == null ? List.of() : List.of(object));
    }
    for (var term : fields.terms()) {
      // An index is made of objects as they are stored.
      if (needsTree && converting == null && term.equal() && collection.indexes(term.field())) {
        return collection.withField(term.field(), term.value());
      }
    }
    for (var requirement : labels.requirements()) {
      if (requirement.isExact()) {
        return collection.withLabel(
            requirement.key(),
            requirement.values().getFirst(),
            within == null || within.isEmpty() ? null : within);
      }
    }
    return within == null || within.isEmpty() ? collection.all() : collection.in(within);
  }

  /** The only namespace that can match, "" for cluster-scoped objects, or null for any. */
  private @Nullable String within() {
    if (!namespace.isEmpty()) {
      return namespace;
    }
    return namespaced ? fields.exactValue(NAMESPACE) : "";
  }
}
