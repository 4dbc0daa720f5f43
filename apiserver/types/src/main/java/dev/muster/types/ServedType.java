package dev.muster.types;

import dev.muster.model.GroupKind;
import dev.muster.model.GroupResource;
import dev.muster.model.GroupVersion;
import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.JsonObject;
import dev.muster.patch.ownership.fields.FieldFilter;
import dev.muster.replica.keyspace.CollectionSpec;
import dev.muster.schema.ResourceType;
import dev.muster.schema.ResourceType.Subresource;
import dev.muster.schema.StructShape;
import dev.muster.schema.read.ObjectForm;
import dev.muster.types.conversion.Conversion;
import dev.muster.types.conversion.VersionConverter;
import dev.muster.types.select.SelectableFields;
import dev.muster.types.table.TableSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Everything that generic code asks a resource in one of its versions: built-in and custom ones are
 * told apart by what stands here and by nothing else. Immutable. A definition that changes makes a
 * new instance, so that identity says whether a type is still what it was.
 */
public final class ServedType extends Derivation.Source {
  private final ResourceType resource;
  private final boolean served;
  private final @Nullable VersionConverter converter;
  private final @Nullable TypeDefinition definition;
  private final String storageVersionHash;
  private final GroupVersionKind kept;
  private final LazyRules rules;
  private final Set<String> tables;
  private final SelectableFields selectableFields;
  private final CollectionSpec collection;
  private final Conversion conversion;
  private final Map<String, FieldFilter> resetFields;
  private final @Nullable Duration timeToLive;
  private final @Nullable Deprecation deprecation;
  private final ApiPriority priority;
  private final @Nullable ScalePaths scale;
  private final Set<TypeTrait> traits;

  /** All versions of the resource, this one included, by their names; built together. */
  private final Map<GroupVersion, ServedType> versions;

  /**
   * @param versions gets its members while they are built, and does not change afterwards
   */
  ServedType(ServedTypeBuilder built, Map<GroupVersion, ServedType> versions) {
    this.resource = built.resource();
    this.served = built.served;
    this.converter = built.converter;
    this.definition = built.definition;
    this.storageVersionHash = built.storageVersionHash();
    this.kept = built.kept();
    this.rules = built.lazyRules();
    this.tables = built.tables();
    this.selectableFields = built.selectableFields;
    this.collection = built.collection();
    this.conversion = built.conversion;
    this.resetFields = built.resetFields();
    this.timeToLive = built.timeToLive;
    this.deprecation = built.deprecation;
    this.priority = built.priority;
    this.scale = built.scale;
    this.traits = Set.copyOf(built.traits);
    this.versions = versions;
  }

  /** Its names, its place in the store and its structure. */
  public ResourceType resource() {
    return resource;
  }

  public GroupVersionKind kind() {
    return resource.kind();
  }

  public String plural() {
    return resource.plural();
  }

  public String singular() {
    return resource.singular();
  }

  public boolean namespaced() {
    return resource.namespaced();
  }

  public List<String> shortNames() {
    return resource.shortNames();
  }

  public List<String> categories() {
    return resource.categories();
  }

  /** Empty for resources that live only as subresources. */
  public Set<String> verbs() {
    return resource.verbs();
  }

  public List<Subresource> subresources() {
    return resource.subresources();
  }

  public boolean has(String subresource) {
    return resource.has(subresource);
  }

  public @Nullable Subresource subresource(String name) {
    return resource.subresource(name);
  }

  public GroupVersion groupVersion() {
    return resource.groupVersion();
  }

  public GroupResource groupResource() {
    return resource.groupResource();
  }

  public GroupKind groupKind() {
    return resource.groupKind();
  }

  public GroupVersionKind listKind() {
    return resource.listKind();
  }

  /** The first part of its keys in the store, such as {@code /services/specs}. */
  public String storage() {
    return resource.storage();
  }

  /** Whether its objects are kept in the store; reviews, for instance, are only answered. */
  public boolean isStored() {
    return resource.isStored();
  }

  /** The version and kind in which its objects are kept. */
  public GroupVersionKind stored() {
    return resource.stored();
  }

  /** Whether objects are kept in this very version. */
  public boolean isStoredVersion() {
    return kind().equals(stored());
  }

  /**
   * The version and kind that a value in the store names: the stored one, or another name of it.
   */
  public GroupVersionKind kept() {
    return kept;
  }

  /** What discovery says about the stored version, so that clients see when it changes. */
  public String storageVersionHash() {
    return storageVersionHash;
  }

  /** The structure of an object in this version. */
  public StructShape shape() {
    return resource.shape();
  }

  /** How an object in this version is read. */
  public ObjectForm form() {
    return rules.form();
  }

  /** The form of an object as it is written. */
  public ObjectForm storedForm() {
    return rules.storedForm();
  }

  /** What defines this type at run time; null for built-in ones. */
  public @Nullable TypeDefinition definition() {
    return definition;
  }

  /** Whether an object defines this type at run time. */
  public boolean isCustom() {
    return definition != null;
  }

  /** Whether reading or writing an object may mean to ask somebody else to convert it, and wait. */
  public boolean convertsByCall() {
    return converter != null && converter.isBlocking();
  }

  /** Whether clients can ask for it; what they cannot may still be stored. */
  public boolean isServed() {
    return served;
  }

  public Strategy strategy() {
    return rules.strategy();
  }

  /** The columns of its tables; rows are made of objects as they are stored. */
  public TableSpec table() {
    return rules.table();
  }

  /** Whether the object ("") or one of its subresources can be had as a table. */
  public boolean offersTable(String subresource) {
    return tables.contains(subresource);
  }

  public SelectableFields selectableFields() {
    return selectableFields;
  }

  /**
   * How the replica keeps its objects, in whatever version. Of several types at one place in the
   * store, the one that is stored in its own version says so.
   */
  public CollectionSpec collection() {
    return collection;
  }

  /** What a write to a subresource, or to the object itself (""), cannot set. */
  public FieldFilter resetFields(String subresource) {
    return resetFields.getOrDefault(subresource, FieldFilter.NONE);
  }

  /** How long an object is kept after it was written last; null: until it is deleted. */
  public @Nullable Duration timeToLive() {
    return timeToLive;
  }

  /** Null while nobody is told to use something else. */
  public @Nullable Deprecation deprecation() {
    return deprecation;
  }

  public ApiPriority priority() {
    return priority;
  }

  /** Where the subresource {@code scale} finds its numbers; null without that subresource. */
  public @Nullable ScalePaths scale() {
    return scale;
  }

  public boolean is(TypeTrait trait) {
    return traits.contains(trait);
  }

  /** The same resource in another of its versions, or null when it has no such version. */
  public @Nullable ServedType inVersion(GroupVersion version) {
    return versions.get(version);
  }

  /**
   * The object in the version that handlers work in: the stored one of a built-in resource, that of
   * the request of a custom one.
   *
   * @throws dev.muster.wire.DecodeException when the stored version cannot say what the object says
   */
  public JsonObject toStored(JsonObject object) {
    if (converter != null) {
      return object;
    }
    if (isStoredVersion()) {
      return conversion.toStored(object);
    }
    var stored =
        conversion
            .toStored(object)
            .with("kind", stored().kind())
            .with("apiVersion", stored().apiVersion());
    return conversion.withEmpty(storedForm().normal(stored, null));
  }

  /** A stored object in this version. */
  public JsonObject fromStored(JsonObject stored) {
    if (converter != null) {
      return converter.convert(List.of(stored), kind()).getFirst();
    }
    return isStoredVersion()
        ? stored
        : form()
            .normal(
                conversion
                    .fromStored(stored)
                    .with("kind", kind().kind())
                    .with("apiVersion", kind().apiVersion()),
                null);
  }

  /** Stored objects in this version. */
  public List<JsonObject> fromStored(List<JsonObject> stored) {
    return converter == null
        ? stored.stream().map(this::fromStored).toList()
        : converter.convert(stored, kind());
  }

  /** An object that a handler made, as it goes into the store. */
  public JsonObject forStore(JsonObject object) {
    if (converter != null) {
      return converter.convert(List.of(object), stored()).getFirst();
    }
    return kept.equals(stored()) ? object : object.with("apiVersion", kept.apiVersion());
  }

  /** The metadata of a stored object as it is shown without the object. */
  public JsonObject shownMetadata(JsonObject stored) {
    return conversion.shownMetadata(stored.object("metadata"));
  }

  @Override
  public String toString() {
    return groupVersion().resource(plural()).toString();
  }
}
