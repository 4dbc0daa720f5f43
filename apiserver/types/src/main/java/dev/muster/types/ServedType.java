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
 * One resource in one version: all that generic code needs to know about it. Built-in and custom
 * resources differ only in these values. Immutable. A changed definition makes a new instance, so
 * an identity comparison tells whether a type is still the same.
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

  /** All versions of the resource by name, including this one; built together. */
  private final Map<GroupVersion, ServedType> versions;

  /**
   * @param versions is filled while the types are built, and does not change afterwards
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

  /** The names, the storage prefix and the scope of the resource. */
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

  /** Empty for resources that exist only as subresources. */
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

  /** The prefix of its keys in the store, such as {@code /services/specs}. */
  public String storage() {
    return resource.storage();
  }

  /** Whether objects are stored. Reviews, for example, are not. */
  public boolean isStored() {
    return resource.isStored();
  }

  /** The version and kind in which objects are stored. */
  public GroupVersionKind stored() {
    return resource.stored();
  }

  /** Whether this version is the stored one. */
  public boolean isStoredVersion() {
    return kind().equals(stored());
  }

  /** The version and kind written in stored values: the stored one, or another name of it. */
  public GroupVersionKind kept() {
    return kept;
  }

  /** The storageVersionHash in discovery, by which clients see that the stored version changes. */
  public String storageVersionHash() {
    return storageVersionHash;
  }

  /** The struct of an object in this version. */
  public StructShape shape() {
    return resource.shape();
  }

  /** How objects of this version are read. */
  public ObjectForm form() {
    return rules.form();
  }

  /** The form in which objects are written. */
  public ObjectForm storedForm() {
    return rules.storedForm();
  }

  /** The definition that declares this type; null for built-in types. */
  public @Nullable TypeDefinition definition() {
    return definition;
  }

  /** Whether a definition declares this type. */
  public boolean isCustom() {
    return definition != null;
  }

  /** Whether reading or writing objects can call a conversion webhook, and thus block. */
  public boolean convertsByCall() {
    return converter != null && converter.isBlocking();
  }

  /** Whether clients can use the type; a type that is not served may still be stored. */
  public boolean isServed() {
    return served;
  }

  public Strategy strategy() {
    return rules.strategy();
  }

  /** The table columns; rows are made from objects in their stored version. */
  public TableSpec table() {
    return rules.table();
  }

  /** Whether clients can request the object ("") or one of its subresources as a table. */
  public boolean offersTable(String subresource) {
    return tables.contains(subresource);
  }

  public SelectableFields selectableFields() {
    return selectableFields;
  }

  /**
   * How the replica holds the objects, whatever their version. If several types share a storage
   * prefix, the type in the stored version decides.
   */
  public CollectionSpec collection() {
    return collection;
  }

  /** The fields that a write to a subresource, or to the object itself (""), cannot set. */
  public FieldFilter resetFields(String subresource) {
    return resetFields.getOrDefault(subresource, FieldFilter.NONE);
  }

  /** How long an object is kept after its last write; null means until it is deleted. */
  public @Nullable Duration timeToLive() {
    return timeToLive;
  }

  /** Null when the type is not deprecated. */
  public @Nullable Deprecation deprecation() {
    return deprecation;
  }

  public ApiPriority priority() {
    return priority;
  }

  /** The paths of the {@code scale} subresource; null without that subresource. */
  public @Nullable ScalePaths scale() {
    return scale;
  }

  public boolean is(TypeTrait trait) {
    return traits.contains(trait);
  }

  /** The same resource in another version, or null when it has no such version. */
  public @Nullable ServedType inVersion(GroupVersion version) {
    return versions.get(version);
  }

  /**
   * The object in the version in which handlers work: for a built-in resource its stored version,
   * for a custom resource the version of the request.
   *
   * @throws dev.muster.wire.DecodeException when the stored version cannot represent the object
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

  /** A stored object, converted to this version. */
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

  /** Stored objects, converted to this version. */
  public List<JsonObject> fromStored(List<JsonObject> stored) {
    return converter == null
        ? stored.stream().map(this::fromStored).toList()
        : converter.convert(stored, kind());
  }

  /** The object of a handler, converted for the store. */
  public JsonObject forStore(JsonObject object) {
    if (converter != null) {
      return converter.convert(List.of(object), stored()).getFirst();
    }
    return kept.equals(stored()) ? object : object.with("apiVersion", kept.apiVersion());
  }

  /** The metadata of a stored object as it appears without the rest of the object. */
  public JsonObject shownMetadata(JsonObject stored) {
    return conversion.shownMetadata(stored.object("metadata"));
  }

  @Override
  public String toString() {
    return groupVersion().resource(plural()).toString();
  }
}
