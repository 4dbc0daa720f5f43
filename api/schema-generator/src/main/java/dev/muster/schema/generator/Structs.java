package dev.muster.schema.generator;

import com.google.protobuf.Descriptors.Descriptor;
import dev.muster.schema.generator.FoundTypes.Embedded;
import dev.muster.schema.generator.FoundTypes.Field;
import dev.muster.schema.generator.FoundTypes.Shape;
import dev.muster.schema.generator.FoundTypes.Struct;
import dev.muster.schema.generator.FoundTypes.WhenEmpty;
import dev.muster.schema.generator.ModelTypes.Model;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Puts together what the messages, the model and the table say about each struct. Whatever does not
 * fit together fails the build with its name.
 */
final class Structs {
  private final FieldTable table;
  private final Map<String, Descriptor> messages;
  private final ProtoComments comments;
  private final Set<String> asked = new LinkedHashSet<>();

  Structs(FieldTable table) {
    this.table = table;
    this.messages = ProtoTypes.load(table.packages());
    this.comments = ProtoComments.load(ProtoTypes.FILES);
  }

  List<Struct> all() {
    var structs = new ArrayList<Struct>();
    messages.forEach(
        (name, message) -> {
          if (!Shapes.isSpecial(message)) {
            structs.add(struct(name, message));
          }
        });
    table.whole().forEach(name -> structs.add(whole(name)));
    var unknown = new ArrayList<>(table.allEntries());
    unknown.removeAll(asked);
    if (!unknown.isEmpty()) {
      throw new IllegalStateException("fields.txt names fields that do not exist: " + unknown);
    }
    return structs;
  }

  private Struct struct(String name, Descriptor message) {
    var facts = table.struct(name);
    var model = facts.marks().contains("unpublished") ? null : ModelTypes.find(name);
    var fields = new ArrayList<Field>();
    boolean kind = isKind(facts, model, message);
    if (kind) {
      addTypeMeta(model, fields);
    }
    collect(name, message, model, jsonNames(model), List.of(), fields);
    if (model != null && fields.size() != model.properties().size()) {
      var missing = new LinkedHashSet<>(model.properties().keySet());
      fields.forEach(field -> missing.remove(field.name()));
      throw new IllegalStateException(name + ": model and message differ: " + missing);
    }
    return new Struct(
        name,
        facts.marks().contains("atomic"),
        kind,
        model == null ? "" : comments.of(message.getFullName(), model.description()),
        fields);
  }

  private static boolean isKind(
      FieldTable.Struct facts, @Nullable Model model, Descriptor message) {
    return facts.marks().contains("kind")
        || (model != null
            && model.properties().containsKey("kind")
            && model.properties().containsKey("apiVersion")
            && message.findFieldByName("kind") == null);
  }

  private static void addTypeMeta(@Nullable Model model, List<Field> fields) {
    for (var name : List.of("kind", "apiVersion")) {
      var property = model == null ? null : model.properties().get(name);
      fields.add(
          new Field(
              name,
              0,
              new Shape.Scalar("STRING"),
              false,
              WhenEmpty.OMIT,
              null,
              Marks.NO_PATCH,
              List.of(new Embedded(0, "TypeMeta")),
              "",
              property == null ? "" : property.description()));
    }
  }

  private void collect(
      String owner,
      Descriptor message,
      @Nullable Model model,
      Map<String, String> jsonNames,
      List<Embedded> within,
      List<Field> fields) {
    var definition = ProtoTypes.definition(message);
    var facts = table.struct(definition);
    boolean hasMetadata = message.findFieldByName("metadata") != null;
    for (var field : message.getFields()) {
      var name = jsonNames.getOrDefault(plain(field.getName()), field.getName());
      if (facts.fields().getOrDefault(field.getName(), Set.of()).contains("inline")) {
        asked.add(definition + " " + field.getName());
        var deeper = new ArrayList<>(within);
        // Go names an embedded struct after its type; protobuf may not: a probe's is "handler".
        deeper.add(new Embedded(field.getNumber(), field.getMessageType().getName()));
        collect(owner, field.getMessageType(), model, jsonNames, deeper, fields);
        continue;
      }
      if (facts.fields().getOrDefault(name, Set.of()).contains("newer")) {
        asked.add(definition + " " + name);
        continue;
      }
      var property = model == null ? null : model.properties().get(name);
      if (model != null && property == null) {
        throw new IllegalStateException(owner + ": no property for " + field.getName());
      }
      // An inlined struct keeps its own facts, but what is required is the owner's to say.
      boolean required = property != null && property.required();
      asked.add(definition + " " + name);
      var marks = new Marks(facts.fields().getOrDefault(name, Set.of()));
      var shape = Shapes.of(field, marks);
      fields.add(
          new Field(
              name,
              field.getNumber(),
              shape,
              required,
              marks.whenEmpty(shape, required, isValue(shape, name, hasMetadata)),
              marks.defaultValue(),
              marks.patch(),
              within,
              marks.goType(),
              property == null
                  ? ""
                  : comments.of(message.getFullName(), field.getNumber(), property.description())));
    }
  }

  /** Whether a struct in this place is a value in Go as a rule: metadata, spec and status are. */
  static boolean isValue(Shape shape, String name, boolean hasMetadata) {
    return shape instanceof Shape.Ref ref
        && (ref.definition().endsWith(".meta.v1.ObjectMeta")
            || ref.definition().endsWith(".meta.v1.ListMeta")
            || (hasMetadata && (name.equals("spec") || name.equals("status"))));
  }

  /** A struct of which the jars have no message: the table lists all of its fields, in order. */
  private Struct whole(String name) {
    var facts = table.struct(name);
    var model = ModelTypes.find(name);
    if (model == null) {
      throw new IllegalStateException("no model of " + name);
    }
    var fields = new ArrayList<Field>();
    boolean kind = facts.marks().contains("kind");
    if (kind) {
      addTypeMeta(model, fields);
    }
    facts
        .fields()
        .forEach(
            (field, words) -> {
              asked.add(name + " " + field);
              var property = model.properties().get(field);
              if (property == null) {
                throw new IllegalStateException(name + " has no " + field);
              }
              var marks = new Marks(words);
              var shape = Shapes.of(name, property.type(), marks);
              boolean hasMetadata = facts.fields().containsKey("metadata");
              fields.add(
                  new Field(
                      field,
                      marks.number(),
                      shape,
                      property.required(),
                      marks.whenEmpty(
                          shape, property.required(), isValue(shape, field, hasMetadata)),
                      marks.defaultValue(),
                      marks.patch(),
                      List.of(),
                      marks.goType(),
                      property.description()));
            });
    if (fields.size() != model.properties().size()) {
      throw new IllegalStateException(name + ": the table does not list all fields");
    }
    return new Struct(name, facts.marks().contains("atomic"), kind, model.description(), fields);
  }

  private static Map<String, String> jsonNames(@Nullable Model model) {
    var names = new HashMap<String, String>();
    if (model != null) {
      model.properties().keySet().forEach(name -> names.put(plain(name), name));
    }
    return names;
  }

  /** Protobuf spells some names in its own way: uID, aPIGroup, Webhooks, xKubernetesListType. */
  private static String plain(String name) {
    return name.replace("-", "").replace("$", "").toLowerCase(Locale.ROOT);
  }
}
