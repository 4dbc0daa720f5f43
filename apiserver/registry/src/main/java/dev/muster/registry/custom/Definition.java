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
 * What is kept of a CustomResourceDefinition while its types are there: all that decides whether
 * another one may be served beside it. Knows nothing of the definition's tree. Safe for any thread;
 * only the applier's changes the latest state.
 *
 * @param latest the latest state that defines the same
 * @param hasServedVersion whether there is something to serve
 * @param created when it was made, as Kubernetes writes it
 * @param content the same instance while it defines the same, and is only accepted or about to go
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
   * What may change while the types stay.
   *
   * @param verdict what its status says of its names
   */
  record State(StoredObject object, Verdict verdict) {}

  /** Whether the names of a definition are its own. */
  enum Verdict {
    ACCEPTED,
    REFUSED,
    /** Nobody has said so yet. */
    OPEN
  }

  /**
   * @param tree the object's, or its outline
   * @param former the same definition before, whose schemas are used again where they stay the same
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

  /** The tree of a definition, of whose schemas no more may be there than what is at their top. */
  static JsonObject outline(StoredObject definition) {
    return definition.outline("properties");
  }

  /** Of the tree of a definition, what may change while it defines the same. */
  private static JsonObject brief(StoredObject definition) {
    return JsonObject.of(
        "metadata",
        definition.part("metadata"),
        "spec",
        JsonObject.of("names", definition.part("spec", "names")),
        "status",
        definition.part("status"));
  }

  /** The definition that these types are made of. */
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

  /** A later state of it if that defines the same, and no more than its names were accepted. */
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

  /** Goes on as a later state of it: the former one can go. */
  void follow(Definition later) {
    latest.set(later.latest.get());
    var _ = schemas(later.object());
  }

  /** The definition as it was written last. */
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
   * Whether a later state of it with the same spec defines the same, though it may be about to go,
   * or its names may have been accepted meanwhile: who began to watch before that sees nothing else
   * after it.
   */
  private boolean showsTheSame(JsonObject tree) {
    var now = verdict(tree.object("status"));
    return (verdict() == now || (verdict() == Verdict.OPEN && now == Verdict.ACCEPTED))
        && names.equals(DefinedNames.of(namesIn(tree)));
  }

  /** Whether it says the same as it did then; of the written text, since most changes are none. */
  boolean hasSpecOf(StoredObject other) {
    return object().hasSame("spec", other);
  }

  /** The names under which it is served: those that its status accepts, once it does. */
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

  /** Its schemas, for a later state with the same spec. */
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

  /** The kind in the version in which objects are stored. */
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

  /** Whether it comes before another one that wants the same names. */
  boolean precedes(Definition other) {
    if (verdict() != other.verdict()) {
      return verdict() == Verdict.ACCEPTED;
    }
    int order = created.compareTo(other.created);
    return order != 0 ? order < 0 : name.compareTo(other.name) < 0;
  }

  /** Whether it may be served beside all definitions of its group. */
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

  /** The names by which a resource is found. */
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
