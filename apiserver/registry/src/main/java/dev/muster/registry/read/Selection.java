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

/** The namespace, label selector and field selector of a list or watch request. */
public final class Selection {
  private static final String NAME = SelectableFields.NAME;
  private static final String NAMESPACE = SelectableFields.NAMESPACE;

  /** Objects up to that many bytes of JSON are cheap to parse; each is parsed only once. */
  private static final int SMALL = 16 * 1024;

  /** How many label comparisons take about as long as parsing an object. */
  private static final int PARSED = 50;

  /** A label requirement with more values than this is not used as a key. */
  private static final int MOST_VALUES = 16;

  private final SelectableFields selectable;
  private final String namespace;
  private final LabelSelector labels;
  private final FieldSelector fields;
  private final FieldMatcher matcher;
  private final boolean namespaced;
  private final boolean needsTree;

  /**
   * The type that converts objects before field selectors see them; null when no webhook is needed.
   */
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

  /** Parses the selectors; a malformed or unsupported one answers BadRequest. */
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

  /** The namespace of the request, or "". */
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

  /** Whether an object that is not stored matches. */
  public boolean matchesUnstored(JsonObject object) {
    return labels.matches(object.object("metadata", "labels").strings())
        && matcher.matches(field -> selectable.value(object, field));
  }

  /** The matching candidates, each found when the iterator reaches it. */
  Iterable<StoredObject> matching(Range candidates) {
    if (selectsEverything()) {
      return candidates;
    }
    return converting == null
        ? candidates.where(this::matchesInTurn)
        : () -> new ConvertedMatches(candidates.iterator(), this, converting);
  }

  /** Yields the CPU to other requests while a large collection is searched. */
  private boolean matchesInTurn(StoredObject object) {
    CpuTask.checkpoint();
    return matches(object);
  }

  /** Whether namespace and labels match; the fields are not looked at. */
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

  /**
   * Whether the fields of a stored object match, given the object in the version of the request.
   */
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

  /** Whether matching is cheap: it parses at most a small object. */
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

  /** Whether a webhook must convert an object before field selectors can match. */
  public boolean needsConversion() {
    return converting != null;
  }

  /**
   * Keys by which to find matching objects: a matching object has one of the values of every key,
   * so one key is enough to find all. Empty when there is no key.
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

  /** Whether both match the same objects by the same selectors. */
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

  /** The approximate number of comparisons for a list; an object to parse counts more. */
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

  /** The candidates in order, narrowed by an index if one fits; each must still be matched. */
  Range candidates(Collection collection) {
    var name = fields.exactValue(NAME);
    var within = within();
    if (name != null && within != null) {
      var object = collection.get(within, name);
      return Ranges.of(object == null ? List.of() : List.of(object));
    }
    for (var term : fields.terms()) {
      // Indexes contain the fields of objects as stored.
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
