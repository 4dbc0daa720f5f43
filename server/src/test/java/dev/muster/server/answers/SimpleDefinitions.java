package dev.muster.server.answers;

import dev.muster.model.GroupVersionKind;
import dev.muster.model.Json;
import dev.muster.model.JsonObject;
import dev.muster.model.JsonString;
import dev.muster.model.NameRule;
import dev.muster.registry.Strategy;
import dev.muster.registry.rules.ResourceRules;
import dev.muster.registry.rules.Rules;
import dev.muster.registry.select.SelectableFields;
import dev.muster.registry.table.Column;
import dev.muster.registry.table.TableSpec;
import dev.muster.registry.types.ServedType;
import dev.muster.registry.types.ServedTypeBuilder;
import dev.muster.registry.types.Types;
import dev.muster.replica.KeySpace;
import dev.muster.replica.KeySpaceDefinitions;
import dev.muster.replica.StoredObject;
import dev.muster.schema.Field;
import dev.muster.schema.Field.WhenEmpty;
import dev.muster.schema.Scalar;
import dev.muster.schema.Schemas;
import dev.muster.schema.StructShape;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Just enough of custom resources to show that types come and go: one version, strings in {@code
 * spec}, columns, selectable fields.
 */
final class SimpleDefinitions implements KeySpaceDefinitions {
  private static final Strategy STRATEGY =
      ResourceRules.namespaced()
          .create(Rules.namespacedMetadata(NameRule.DNS_SUBDOMAIN))
          .update(Rules.metadataUpdate(), Rules.namespacedMetadata(NameRule.DNS_SUBDOMAIN))
          .build();

  /** All types that were ever made, as long as somebody else holds them. */
  final List<WeakReference<ServedType>> made = new CopyOnWriteArrayList<>();

  @Override
  public Set<String> storages() {
    return Set.of("/apiextensions.k8s.io/customresourcedefinitions");
  }

  @Override
  public KeySpace after(KeySpace before, List<Change> changes) {
    var types = (Types) before;
    for (var change : changes) {
      var old = change.before();
      var now = change.after();
      if (old == null || now == null || !spec(old).equals(spec(now))) {
        types =
            types.with(
                old == null ? List.of() : defined(types, spec(old)),
                now == null ? List.of() : List.of(type(spec(now))));
      }
    }
    return types;
  }

  private static JsonObject spec(StoredObject definition) {
    return definition.tree().object("spec");
  }

  private static List<ServedType> defined(Types types, JsonObject spec) {
    return types.all().stream()
        .filter(type -> type.kind().group().equals(spec.string("group")))
        .filter(type -> type.plural().equals(spec.object("names").string("plural")))
        .toList();
  }

  private ServedType type(JsonObject spec) {
    var names = spec.object("names");
    var version = spec.array("versions").object(0);
    var group = spec.string("group");
    var kind = new GroupVersionKind(group, version.string("name"), names.string("kind"));
    var selectable =
        version.array("selectableFields").objects().stream()
            .map(field -> field.string("jsonPath"))
            .toList();
    var builder =
        new ServedTypeBuilder(kind, names.string("plural"), true, shape(kind, version), STRATEGY)
            .storage("/" + group + "/" + names.string("plural"))
            .shortNames(names.array("shortNames").strings())
            .table(table(version))
            .selectable(SelectableFields.custom(selectable, true));
    selectable.forEach(path -> builder.index(path.substring(1)));
    var type = builder.build();
    made.add(new WeakReference<>(type));
    return type;
  }

  private static StructShape shape(GroupVersionKind kind, JsonObject version) {
    var name = "com.example." + kind.version() + "." + kind.kind();
    var spec = new StructShape(name + "Spec", false);
    var fields = new ArrayList<Field>();
    for (var field :
        version.object("schema", "openAPIV3Schema", "properties", "spec", "properties").keys()) {
      fields.add(new Field(field, Scalar.STRING, false, WhenEmpty.OMIT));
    }
    spec.define(fields);
    var shape = new StructShape(name, false);
    var all = new ArrayList<Field>();
    for (var field : Schemas.struct("io.k8s.api.core.v1.ConfigMap").fields()) {
      if (Set.of("kind", "apiVersion", "metadata").contains(field.name())) {
        all.add(field);
      }
    }
    all.add(new Field("spec", spec, false, WhenEmpty.OMIT));
    shape.define(all);
    return shape;
  }

  private static TableSpec table(JsonObject version) {
    var columns = new ArrayList<Column>();
    columns.add(column("Name", "name", ".metadata.name"));
    for (var column : version.array("additionalPrinterColumns").objects()) {
      columns.add(column(column.string("name"), "", column.string("jsonPath")));
    }
    return TableSpec.of(columns.toArray(Column[]::new));
  }

  private static Column column(String name, String format, String path) {
    var steps = path.substring(1).split("\\.");
    return new Column(
        name,
        "string",
        format,
        0,
        "",
        (object, now) -> object.at(steps) instanceof JsonString text ? text : Json.of(""));
  }
}
