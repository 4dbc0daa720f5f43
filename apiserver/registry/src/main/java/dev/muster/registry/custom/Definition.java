package dev.muster.registry.custom;

import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.JsonObject;
import dev.muster.replica.object.StoredObject;
import dev.muster.types.ObjectMeta;
import dev.muster.types.ServedType;
import dev.muster.types.TypeDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What the server keeps of a CustomResourceDefinition while it has types: all that decides whether
 * another definition can be served beside it, but not the definition's tree. Thread-safe; only the
 * applier changes the latest state.
 *
 * @param latest the latest state of the definition that has the same types
 * @param hasServedVersion whether any version is served
 * @param created the creationTimestamp
 * @param content the same instance as long as the definition serves the same; acceptance of its
 *     names and the start of its deletion do not change it
 */
record Definition(
    AtomicReference<State> latest,
    String name,
    String group,
    DefinedNames names,
    boolean isTerminating,
    boolean hasServedVersion,
    String created,
    Map<String, VersionSchema> schemas,
    Object content)
    implements TypeDefinition {
  static final String STORAGE = "/apiextensions.k8s.io/customresourcedefinitions";

  /**
   * The part of a definition that can change while its types stay.
   *
   * @param verdict whether its names are accepted
   */
  record State(StoredObject object, Verdict verdict) {}

  /** Whether the names of a definition are accepted. */
  enum Verdict {
    ACCEPTED,
    REFUSED,
    /** The status has no NamesAccepted condition yet. */
    OPEN
  }

  /**
   * @param tree the object's tree or its outline
   * @param former the previous state; its schemas are reused where they did not change
   */
  static Definition of(StoredObject object, JsonObject tree, @Nullable Definition former) {
    var spec = tree.object("spec");
    var metadata = tree.object("metadata");
    var same = former != null && former.hasSpecOf(object) ? former : null;
    return new Definition(
        new AtomicReference<>(new State(object, verdict(tree.object("status")))),
        ObjectMeta.name(tree),
        spec.string("group"),
        DefinedNames.of(namesIn(tree)),
        isTerminating(tree),
        spec.array("versions").objects().stream().anyMatch(version -> version.isTrue("served")),
        metadata.string("creationTimestamp"),
        same == null ? schemas(object, spec, former) : same.schemas(object),
        same != null && same.showsTheSame(tree) ? same.content : new Object());
  }

  /** The tree of a definition with schemas cut off at {@code properties}. */
  static JsonObject outline(StoredObject definition) {
    return definition.outline("properties");
  }

  /** The parts of a definition's tree that can change while the spec stays the same. */
  private static JsonObject brief(StoredObject definition) {
    return JsonObject.of(
        "metadata",
        definition.part("metadata"),
        "spec",
        JsonObject.of("names", definition.part("spec", "names")),
        "status",
        definition.part("status"));
  }

  /** The definition from which these types were built. */
  static Definition of(List<ServedType> types) {
    return (Definition) Objects.requireNonNull(types.getFirst().definition());
  }

  @Override
  public String storage() {
    return STORAGE;
  }

  @Override
  public boolean showsTheSameAs(TypeDefinition other) {
    return other instanceof Definition definition && definition.content == content;
  }

  /**
   * The definition at a later state that serves the same, apart from the acceptance of its names;
   * null if it serves anything else.
   */
  @Nullable Definition at(StoredObject later) {
    if (!hasSpecOf(later)) {
      return null;
    }
    var brief = brief(later);
    if (isTerminating != isTerminating(brief) || !showsTheSame(brief)) {
      return null;
    }
    var state = new State(later, verdict(brief.object("status")));
    return new Definition(
        new AtomicReference<>(state),
        name,
        group,
        names,
        isTerminating,
        hasServedVersion,
        created,
        schemas,
        content);
  }

  /** Moves on to a later state, so that the former one can be garbage-collected. */
  void follow(Definition later) {
    latest.set(later.latest.get());
    var _ = schemas(later.object());
  }

  /** The latest state of the definition object. */
  StoredObject object() {
    return state().object();
  }

  Verdict verdict() {
    return state().verdict();
  }

  private State state() {
    return Objects.requireNonNull(latest.get());
  }

  /**
   * Whether a later state with the same spec serves the same. Running watches see no difference
   * when the names are accepted or the deletion starts.
   */
  private boolean showsTheSame(JsonObject tree) {
    var now = verdict(tree.object("status"));
    return (verdict() == now || (verdict() == Verdict.OPEN && now == Verdict.ACCEPTED))
        && names.equals(DefinedNames.of(namesIn(tree)));
  }

  /**
   * Whether both objects have the same spec. Compares the encoded bytes, since most updates leave
   * the spec unchanged.
   */
  boolean hasSpecOf(StoredObject other) {
    return object().hasSame("spec", other);
  }

  /** The names under which it is served: the accepted names in the status, once they exist. */
  private static JsonObject namesIn(JsonObject tree) {
    var status = tree.object("status");
    var accepted = status.object("acceptedNames");
    boolean usesAccepted =
        verdict(status) == Verdict.ACCEPTED && !accepted.string("plural").isEmpty();
    return usesAccepted ? accepted : tree.object("spec").object("names");
  }

  private static boolean isTerminating(JsonObject tree) {
    return tree.object("metadata").has("deletionTimestamp")
        || isTrue(tree.object("status"), "Terminating");
  }

  private static Verdict verdict(JsonObject status) {
    if (isTrue(status, "NamesAccepted") || isTrue(status, "Established")) {
      return Verdict.ACCEPTED;
    }
    return condition(status, "NamesAccepted").isEmpty() ? Verdict.OPEN : Verdict.REFUSED;
  }

  private static boolean isTrue(JsonObject status, String condition) {
    return condition(status, condition).equals("True");
  }

  private static String condition(JsonObject status, String type) {
    for (var condition : status.array("conditions").objects()) {
      if (condition.string("type").equals(type)) {
        return condition.string("status");
      }
    }
    return "";
  }

  /** Makes its schemas read from a later state with the same spec. */
  private Map<String, VersionSchema> schemas(StoredObject later) {
    schemas.values().forEach(schema -> schema.follow(later));
    return schemas;
  }

  private static Map<String, VersionSchema> schemas(
      StoredObject object, JsonObject outline, @Nullable Definition former) {
    var spec = former == null ? outline : object.tree().object("spec");
    boolean keeps = spec.isTrue("preserveUnknownFields");
    var schemas = new TreeMap<String, VersionSchema>();
    for (var version : spec.array("versions").objects()) {
      var name = version.string("name");
      var source = VersionSchema.schema(version);
      var known = former == null ? null : former.schemas.get(name);
      boolean same =
          known != null && known.keepsEverything() == keeps && known.source().equals(source);
      schemas.put(
          name, same && known != null ? known : new VersionSchema(object, name, keeps, source));
    }
    return schemas;
  }

  /** The kind in the storage version. */
  GroupVersionKind stored(JsonObject spec) {
    for (var version : spec.array("versions").objects()) {
      if (version.isTrue("storage")) {
        return kind(version.string("name"));
      }
    }
    throw new IllegalArgumentException("no version of " + name + " is stored");
  }

  GroupVersionKind kind(String version) {
    return new GroupVersionKind(group, version, names.kind());
  }

  /** Whether this definition wins over another one with the same names. */
  boolean precedes(Definition other) {
    if (verdict() != other.verdict()) {
      return verdict() == Verdict.ACCEPTED;
    }
    int order = created.compareTo(other.created);
    return order != 0 ? order < 0 : name.compareTo(other.name) < 0;
  }

  /** Whether it can be served beside the other definitions of its group. */
  boolean isServedAmong(List<Definition> others) {
    return switch (verdict()) {
      case ACCEPTED -> true;
      case REFUSED -> false;
      case OPEN ->
          others.stream()
              .noneMatch(
                  other ->
                      other != this
                          && other.verdict() != Verdict.REFUSED
                          && other.precedes(this)
                          && other.names.collideWith(names));
    };
  }

  /** The names of a resource. */
  record DefinedNames(
      String plural,
      String singular,
      String kind,
      String listKind,
      List<String> shortNames,
      List<String> categories) {

    static DefinedNames of(JsonObject names) {
      var kind = names.string("kind");
      var singular = names.string("singular");
      var listKind = names.string("listKind");
      return new DefinedNames(
          names.string("plural"),
          singular.isEmpty() ? kind.toLowerCase(Locale.ROOT) : singular,
          kind,
          listKind.isEmpty() ? kind + "List" : listKind,
          names.array("shortNames").strings(),
          names.array("categories").strings());
    }

    private List<String> resources() {
      var all = new ArrayList<>(shortNames);
      all.add(plural);
      all.add(singular);
      return all;
    }

    private List<String> kinds() {
      return List.of(kind, listKind);
    }

    boolean collideWith(DefinedNames other) {
      return resources().stream().anyMatch(other.resources()::contains)
          || kinds().stream().anyMatch(other.kinds()::contains);
    }
  }
}
