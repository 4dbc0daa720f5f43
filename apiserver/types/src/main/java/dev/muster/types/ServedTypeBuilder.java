package dev.muster.types;

import dev.muster.model.GroupResource;
import dev.muster.model.GroupVersion;
import dev.muster.model.GroupVersionKind;
import dev.muster.patch.ownership.fields.FieldFilter;
import dev.muster.patch.ownership.fields.FieldSet;
import dev.muster.replica.keyspace.CollectionSpec;
import dev.muster.replica.object.IndexedField;
import dev.muster.replica.object.ObjectDecoder;
import dev.muster.schema.ResourceType;
import dev.muster.schema.ResourceType.Subresource;
import dev.muster.schema.StructShape;
import dev.muster.schema.read.ObjectForm;
import dev.muster.schema.storage.JsonStorageCodec;
import dev.muster.types.conversion.Conversion;
import dev.muster.types.conversion.VersionConverter;
import dev.muster.types.select.SelectableFields;
import dev.muster.types.table.TableSpec;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Builds a served type from its differences to the defaults: eight verbs, keys that begin with the
 * plural, stored in its own version, two table columns, name and namespace selectable.
 */
public final class ServedTypeBuilder {
  private static final Set<String> ALL_VERBS =
      Set.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");
  private static final Set<String> SUBRESOURCE_VERBS = Set.of("get", "patch", "update");
  private static final JsonStorageCodec JSON = new JsonStorageCodec();
  private static final GroupVersionKind SCALE = new GroupVersionKind("autoscaling", "v1", "Scale");

  private final GroupVersionKind kind;
  private final String plural;
  private final boolean namespaced;
  private final StructShape shape;
  private final TypeRules rules;
  private final @Nullable ObjectForm form;
  private final List<Subresource> subresources = new ArrayList<>();
  private final Map<String, FieldFilter> resets = new HashMap<>();
  private final Set<String> withoutTable = new HashSet<>();
  private final List<IndexedField> indexes = new ArrayList<>();
  private ObjectDecoder decoder = JSON::decode;
  private @Nullable CollectionSpec collection;
  private String singular;
  private String listKind;
  private List<String> shortNames = List.of();
  private List<String> categories = List.of();
  private Set<String> verbs = ALL_VERBS;
  private String storage;
  private GroupVersionKind stored;
  private @Nullable StructShape storedShape;
  private @Nullable GroupVersionKind hashed;
  private @Nullable GroupVersionKind kept;

  boolean served = true;
  @Nullable TableSpec table;
  SelectableFields selectableFields = SelectableFields.PLAIN;
  Conversion conversion = Conversion.NONE;
  @Nullable VersionConverter converter;
  @Nullable TypeDefinition definition;
  @Nullable Duration timeToLive;
  @Nullable Deprecation deprecation;
  ApiPriority priority = ApiPriority.NONE;
  @Nullable ScalePaths scale;
  final Set<TypeTrait> traits = EnumSet.noneOf(TypeTrait.class);

  /**
   * @param shape the struct of an object
   */
  public ServedTypeBuilder(
      GroupVersionKind kind,
      String plural,
      boolean namespaced,
      StructShape shape,
      Strategy strategy) {
    this(kind, plural, namespaced, shape, _ -> strategy, null);
  }

  /**
   * @param rules provides the strategy and the columns when the type is first used
   */
  public ServedTypeBuilder(
      GroupVersionKind kind,
      String plural,
      boolean namespaced,
      StructShape shape,
      TypeRules rules) {
    this(kind, plural, namespaced, shape, rules, null);
  }

  /**
   * @param form how objects are read
   */
  public ServedTypeBuilder(
      GroupVersionKind kind,
      String plural,
      boolean namespaced,
      ObjectForm form,
      Strategy strategy) {
    this(kind, plural, namespaced, form.shape(), _ -> strategy, form);
  }

  private ServedTypeBuilder(
      GroupVersionKind kind,
      String plural,
      boolean namespaced,
      StructShape shape,
      TypeRules rules,
      @Nullable ObjectForm form) {
    this.kind = kind;
    this.plural = plural;
    this.namespaced = namespaced;
    this.shape = shape;
    this.rules = rules;
    this.form = form;
    this.singular = kind.kind().toLowerCase(Locale.ROOT);
    this.listKind = kind.kind() + "List";
    this.storage = "/" + plural;
    this.stored = kind;
  }

  public ServedTypeBuilder singular(String name) {
    singular = name;
    return this;
  }

  /** Sets the kind of lists, if it is not the kind followed by {@code List}. */
  public ServedTypeBuilder listKind(String name) {
    listKind = name;
    return this;
  }

  public ServedTypeBuilder shortNames(List<String> names) {
    shortNames = names;
    return this;
  }

  public ServedTypeBuilder categories(String... names) {
    return categories(List.of(names));
  }

  public ServedTypeBuilder categories(List<String> names) {
    categories = names;
    return this;
  }

  /** Sets the verbs, if they are not all eight. */
  public ServedTypeBuilder verbs(String... names) {
    verbs = Set.of(names);
    return this;
  }

  /** Adds a subresource with the usual verbs, whose body is the object. */
  public ServedTypeBuilder subresource(String name) {
    return subresource(name, kind, SUBRESOURCE_VERBS);
  }

  /** Adds a subresource whose body is another kind of the same version. */
  public ServedTypeBuilder subresource(String name, String bodyKind, String... itsVerbs) {
    return subresource(name, kind.groupVersion().kind(bodyKind), Set.of(itsVerbs));
  }

  /** Adds a subresource whose body is any kind. */
  public ServedTypeBuilder subresource(String name, GroupVersionKind body, Set<String> itsVerbs) {
    subresources.add(new Subresource(name, body, itsVerbs));
    return this;
  }

  /** Adds the {@code status} subresource. */
  public ServedTypeBuilder status() {
    return subresource("status");
  }

  /** Adds the {@code scale} subresource. */
  public ServedTypeBuilder scale(ScalePaths paths) {
    scale = paths;
    return subresource("scale", SCALE, SUBRESOURCE_VERBS);
  }

  /** Sets the storage prefix, if it is not the plural. */
  public ServedTypeBuilder storage(String prefix) {
    storage = prefix;
    return this;
  }

  /** Sets the stored version, if it is not this one, and the conversion to it. */
  public ServedTypeBuilder storedAs(
      GroupVersionKind other, StructShape itsShape, Conversion thereAndBack) {
    stored = other;
    storedShape = itsShape;
    conversion = thereAndBack;
    return this;
  }

  /**
   * Marks a type that a definition declares.
   *
   * @param itsStored the version in which objects are stored
   */
  public ServedTypeBuilder definedBy(
      TypeDefinition object, GroupVersionKind itsStored, VersionConverter betweenVersions) {
    definition = object;
    stored = itsStored;
    converter = betweenVersions;
    return this;
  }

  /** Sets the conversion that objects of the stored version pass when clients send or read them. */
  public ServedTypeBuilder conversion(Conversion ofItself) {
    conversion = ofItself;
    return this;
  }

  /**
   * Sets the version name written in stored values, if other servers expect an older name of the
   * same structure.
   */
  public ServedTypeBuilder keptAs(GroupVersion older) {
    kept = older.kind(kind.kind());
    return hashedAs(kept);
  }

  /** Sets the kind that discovery's storage version hash is made from, if it is another one. */
  public ServedTypeBuilder hashedAs(GroupVersionKind other) {
    hashed = other;
    return this;
  }

  public ServedTypeBuilder served(boolean isServed) {
    served = isServed;
    return this;
  }

  public ServedTypeBuilder table(TableSpec columns) {
    table = columns;
    return this;
  }

  /** Does not serve the subresource as a table. */
  public ServedTypeBuilder withoutTableOf(String subresource) {
    withoutTable.add(subresource);
    return this;
  }

  public ServedTypeBuilder selectable(SelectableFields fields) {
    selectableFields = fields;
    return this;
  }

  /** Sets the decoder of stored values. */
  public ServedTypeBuilder decoder(ObjectDecoder reader) {
    decoder = reader;
    return this;
  }

  /**
   * Reuses the collection of the previous type: its stored objects stay valid because this type
   * decodes and indexes them in the same way.
   */
  public ServedTypeBuilder collection(CollectionSpec former) {
    collection = former;
    return this;
  }

  /** Indexes a field that clients of large clusters select by. */
  public ServedTypeBuilder index(String field) {
    return index(IndexedField.at(field));
  }

  public ServedTypeBuilder index(IndexedField field) {
    indexes.add(field);
    return this;
  }

  /**
   * Sets the fields that a write to a subresource ("": to the object itself) cannot set. The
   * default is the status for the object, and the spec for the status.
   */
  public ServedTypeBuilder resets(String subresource, String... fields) {
    resets.put(subresource, FieldFilter.without(FieldSet.of(fields)));
    return this;
  }

  public ServedTypeBuilder timeToLive(Duration time) {
    timeToLive = time;
    return this;
  }

  public ServedTypeBuilder deprecated(Deprecation why) {
    deprecation = why;
    return this;
  }

  public ServedTypeBuilder priority(ApiPriority ofGroupAndVersion) {
    priority = ofGroupAndVersion;
    return this;
  }

  public ServedTypeBuilder trait(TypeTrait trait) {
    traits.add(trait);
    return this;
  }

  /** Builds a type with a single version. */
  public ServedType build() {
    return build(List.of(this)).getFirst();
  }

  /** Builds types; those with the same group and plural are versions of one resource. */
  public static List<ServedType> build(List<ServedTypeBuilder> builders) {
    var families = new HashMap<GroupResource, Map<GroupVersion, ServedType>>();
    var types = new ArrayList<ServedType>();
    for (var builder : builders) {
      var resource = new GroupResource(builder.kind.group(), builder.plural);
      var versions = families.computeIfAbsent(resource, ignored -> new LinkedHashMap<>());
      var type = new ServedType(builder, versions);
      versions.put(type.groupVersion(), type);
      types.add(type);
    }
    return types;
  }

  /** The names and the storage prefix, as set so far. */
  public ResourceType resource() {
    return new ResourceType(
        kind,
        plural,
        singular,
        namespaced,
        shortNames,
        categories,
        verbs,
        subresources,
        storage,
        stored,
        listKind,
        shape);
  }

  /** The version and kind written in stored values. */
  GroupVersionKind kept() {
    return kept == null ? stored : kept;
  }

  CollectionSpec collection() {
    return collection == null ? new CollectionSpec(storage, decoder, indexes) : collection;
  }

  LazyRules lazyRules() {
    return new LazyRules(plural, rules, shape, storedShape, form, table);
  }

  String storageVersionHash() {
    var named = hashed == null ? stored : hashed;
    var name = named.group() + "/" + named.version() + "/" + named.kind();
    try {
      var digest =
          MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
      return Base64.getEncoder().encodeToString(Arrays.copyOf(digest, 8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * The parts served as tables: the object, its status and its scale, if it is stored or has
   * columns.
   */
  Set<String> tables() {
    var offered = new HashSet<>(Set.of("status", "scale"));
    if (verbs.contains("watch") || !(table == null ? rules.table(plural) : table).isPlain()) {
      offered.add("");
    }
    offered.removeAll(withoutTable);
    return Set.copyOf(offered);
  }

  Map<String, FieldFilter> resetFields() {
    var all = new HashMap<String, FieldFilter>();
    all.put("status", FieldFilter.without(FieldSet.of("spec")));
    if (subresources.stream().anyMatch(subresource -> subresource.name().equals("status"))) {
      all.put("", FieldFilter.without(FieldSet.of("status")));
    }
    all.putAll(resets);
    return Map.copyOf(all);
  }
}
