package dev.muster.patch.edit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.GroupVersion;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonDecimal;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.patch.JsonPatch;
import dev.muster.patch.MergePatch;
import dev.muster.patch.StrategicMerge;
import dev.muster.patch.ownership.FieldOwnership;
import dev.muster.patch.ownership.Versions;
import dev.muster.patch.ownership.fields.FieldFilter;
import dev.muster.patch.ownership.fields.FieldSet;
import dev.muster.schema.ListShape;
import dev.muster.schema.MapShape;
import dev.muster.schema.Scalar;
import dev.muster.schema.Schemas;
import dev.muster.schema.Shape;
import dev.muster.schema.StructShape;
import dev.muster.testing.CpuTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whatever clients send, they get an answer, and soon. */
class FuzzTest {
  private static final int ROUNDS = 500;
  private static final String[] KINDS = {"Pod", "Service", "ConfigMap", "Node", "PodTemplate"};
  private static final String[] DIRECTIVES = {
    "$patch", "$retainKeys", "$setElementOrder/", "$deleteFromPrimitiveList/", "$setElementOrder"
  };

  private final Random random = new Random(20_260_101);

  private static StructShape shape(String kind) {
    return Objects.requireNonNull(Schemas.of(new GroupVersion("", "v1").kind(kind)));
  }

  private String kind() {
    return KINDS[random.nextInt(KINDS.length)];
  }

  /** Runs something that may refuse; anything but a refusal is a fault. */
  private static void attempt(Runnable request) {
    try {
      request.run();
    } catch (ApiException refusal) {
      assertThat(refusal.code()).isBetween(400, 499);
    }
  }

  /** A value that nearly has that shape. */
  private Json value(Shape shape, int depth, boolean directives) {
    if (depth == 0 || random.nextInt(25) == 0) {
      return scalar();
    }
    return switch (shape) {
      case Scalar ignored -> scalar();
      case ListShape list -> {
        var items = new ArrayList<Json>();
        for (int i = random.nextInt(4); i > 0; i--) {
          items.add(value(list.items(), depth - 1, directives));
        }
        yield JsonArray.of(items);
      }
      case MapShape map -> {
        var members = JsonObject.builder();
        for (int i = random.nextInt(4); i > 0; i--) {
          members.put("k" + random.nextInt(3), value(map.values(), depth - 1, directives));
        }
        yield directed(members, "k0", directives);
      }
      case StructShape struct -> {
        var members = JsonObject.builder();
        for (int i = Math.min(6, struct.size()); i > 0; i--) {
          var field = struct.field(random.nextInt(struct.size()));
          members.put(field.name(), value(field.shape(), depth - 1, directives));
        }
        var any = struct.size() == 0 ? "x" : struct.field(random.nextInt(struct.size())).name();
        yield directed(members, any, directives);
      }
    };
  }

  private JsonObject directed(JsonObject.Builder members, String field, boolean directives) {
    if (directives && random.nextInt(4) == 0) {
      var directive = DIRECTIVES[random.nextInt(DIRECTIVES.length)];
      var key = directive.endsWith("/") ? directive + field : directive;
      var texts = new String[] {"replace", "delete", "merge", "x"};
      members.put(
          key,
          random.nextBoolean()
              ? Json.of(texts[random.nextInt(texts.length)])
              : value(Shapes.atomic(Scalar.STRING), 2, false));
    }
    return members.build();
  }

  private Json scalar() {
    return switch (random.nextInt(9)) {
      case 0 -> JsonNull.NULL;
      case 1 -> Json.of(random.nextBoolean());
      case 2 -> Json.of(random.nextInt(3));
      case 3 -> new JsonDecimal("1.5");
      case 4 -> JsonObject.EMPTY;
      case 5 -> JsonArray.EMPTY;
      default -> Json.of("" + (char) ('a' + random.nextInt(3)));
    };
  }

  private JsonObject object(String kind, boolean directives) {
    var value = value(shape(kind), 7, directives);
    var object = value instanceof JsonObject given ? given : JsonObject.EMPTY;
    return object.with("apiVersion", "v1").with("kind", kind);
  }

  @Test
  void strategicMergeAnswersWhateverItGets() {
    for (int i = 0; i < ROUNDS; i++) {
      var kind = kind();
      var document = object(kind, false);
      var patch = object(kind, true);
      attempt(() -> StrategicMerge.apply(shape(kind), document, patch));
    }
  }

  @Test
  void mergePatchAndJsonPatchAnswerWhateverTheyGet() {
    for (int i = 0; i < ROUNDS; i++) {
      var document = object("Pod", false);
      var patch = object("Pod", false);
      MergePatch.apply(document, patch);
      var operations = new ArrayList<Json>();
      for (int j = random.nextInt(5); j > 0; j--) {
        operations.add(operation(document));
      }
      attempt(() -> JsonPatch.parse(JsonArray.of(operations)).apply(document));
    }
  }

  private Json operation(JsonObject document) {
    var kinds = new String[] {"add", "remove", "replace", "move", "copy", "test", "x"};
    return JsonObject.of(
        "op",
        kinds[random.nextInt(kinds.length)],
        "path",
        path(document),
        "from",
        path(document),
        "value",
        scalar());
  }

  private String path(Json value) {
    return switch (value) {
      case JsonObject object when !object.isEmpty() && random.nextInt(6) > 0 -> {
        int i = random.nextInt(object.size());
        yield "/" + object.key(i) + path(object.value(i));
      }
      case JsonArray array when !array.isEmpty() && random.nextInt(6) > 0 -> {
        int i = random.nextInt(array.size());
        yield "/" + i + path(array.get(i));
      }
      default -> random.nextInt(4) == 0 ? "/-" : "";
    };
  }

  @Test
  void ownershipAnswersWhateverItGets() {
    for (int i = 0; i < ROUNDS; i++) {
      var kind = kind();
      var ownership =
          new FieldOwnership(
              shape(kind),
              new GroupVersion("", "v1").kind(kind),
              "",
              FieldFilter.without(FieldSet.of("status")),
              Versions.ONE);
      var first = ownership.afterWrite(null, object(kind, false), "a", Instant.EPOCH);
      var second = ownership.afterWrite(first, object(kind, false), "b", Instant.EPOCH);
      var applied = object(kind, false);
      attempt(() -> ownership.apply(second, applied, "c", true, Instant.EPOCH));
      attempt(() -> ownership.apply(null, applied, "kubectl", false, Instant.EPOCH));
    }
  }

  @Test
  void timeGrowsWithTheLengthOfManagedFields() {
    CpuTime.assertAtMost(24, managedFields(6_000), managedFields(48_000));
  }

  private static Runnable managedFields(int count) {
    var trie = JsonObject.builder();
    for (int i = count; i > 0; i--) {
      trie.put("k:{\"n\":\"\\\"" + i + "\"}", JsonObject.EMPTY);
    }
    var entry =
        JsonObject.of(
            "manager", "x", "operation", "Apply", "apiVersion", "v1", "fieldsType", "FieldsV1");
    var sent =
        JsonObject.of(
            "metadata",
            JsonObject.of(
                "uid", "u", "managedFields", JsonArray.of(entry.with("fieldsV1", trie.build()))));
    var ownership =
        new FieldOwnership(
            shape("ConfigMap"),
            new GroupVersion("", "v1").kind("ConfigMap"),
            "",
            FieldFilter.NONE,
            Versions.ONE);
    return () -> ownership.afterWrite(JsonObject.EMPTY, sent, "a", Instant.EPOCH);
  }
}
