package dev.muster.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.GroupVersion;
import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.builtin.BuiltInTypes;
import dev.muster.schema.ResourceType;
import dev.muster.schema.StructShape;
import dev.muster.types.ServedType;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonWriter;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What is made anew when one custom resource of many changes. */
class FragmentTest {
  private static final Pattern REFERENCE =
      Pattern.compile("\"#/(?:definitions|components/schemas)/([^\"]+)\"");
  private static final List<ResourceType> BUILT_IN =
      BuiltInTypes.all().stream().map(ServedType::resource).toList();

  private final IdentityHashMap<ResourceType, Map<String, Fragment>> ofTypes =
      new IdentityHashMap<>();
  private final Map<String, Fragment> ofBuiltIn = new ConcurrentHashMap<>();

  /** A kind whose schema is counted each time that somebody reads it. */
  private static ResourceType custom(String kind, String description, AtomicInteger reads) {
    var gvk = new GroupVersionKind("example.com", "v1", kind);
    var shape =
        StructShape.defined(
            "com.example.v1." + kind,
            null,
            () -> {
              reads.incrementAndGet();
              return JsonWriter.bytes(JsonObject.of("type", "object", "description", description));
            },
            List::of);
    var plural = kind.toLowerCase(Locale.ROOT) + "s";
    return new ResourceType(
        gvk,
        plural,
        kind,
        true,
        List.of(),
        List.of(),
        Set.of("get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"),
        List.of(),
        "/example.com/" + plural,
        gvk,
        kind + "List",
        shape);
  }

  /** Documents of those types; what was made for a type before is still there. */
  private OpenApi documents(ResourceType... custom) {
    var all = new ArrayList<>(BUILT_IN);
    all.addAll(List.of(custom));
    return new OpenApi(
        all,
        "1.36",
        new OpenApi.Shelves() {
          private final Map<String, OpenApi.Rendered> documents = new ConcurrentHashMap<>();

          @Override
          public Map<String, OpenApi.Rendered> of(GroupVersion groupVersion) {
            return documents;
          }

          @Override
          public Map<String, OpenApi.Rendered> ofAll() {
            return documents;
          }

          @Override
          public Map<String, Fragment> of(ResourceType type) {
            return ofTypes.computeIfAbsent(type, ignored -> new ConcurrentHashMap<>());
          }

          @Override
          public Map<String, Fragment> ofBuiltIn() {
            return ofBuiltIn;
          }
        });
  }

  private static List<String> askForAll(OpenApi documents) {
    return List.of(
        documents.v2().hash(),
        documents.v2Protobuf().hash(),
        Objects.requireNonNull(documents.v3("apis/example.com/v1")).hash(),
        documents.index().hash());
  }

  @Test
  void aSchemaIsReadForDocumentsOnlyAndOnceForEachForm() {
    var reads = new AtomicInteger();
    var documents = documents(custom("Lamp", "A lamp.", reads));
    assertThat(reads).hasValue(0);
    askForAll(documents);
    assertThat(reads).hasValue(3);
    askForAll(documents);
    assertThat(reads).hasValue(3);
  }

  @Test
  void aChangedDefinitionDoesNotRenderOthersAnew() {
    var lampReads = new AtomicInteger();
    var chairReads = new AtomicInteger();
    var lamp = custom("Lamp", "A lamp.", lampReads);
    var before = askForAll(documents(lamp, custom("Chair", "A chair.", chairReads)));
    var builtIn = Map.copyOf(ofBuiltIn);
    var after = askForAll(documents(lamp, custom("Chair", "A soft chair.", chairReads)));
    assertThat(lampReads).hasValue(3);
    assertThat(chairReads).hasValue(6);
    assertThat(ofBuiltIn).isEqualTo(builtIn).hasSize(3);
    for (int i = 0; i < before.size(); i++) {
      assertThat(after.get(i)).isNotEqualTo(before.get(i));
    }
  }

  @Test
  void documentsOfFragmentsAreWholeAndHoldAllThatTheyReferTo() {
    var reads = new AtomicInteger();
    var documents = documents(custom("Lamp", "A lamp.", reads), custom("Chair", "A chair.", reads));
    var swagger = (JsonObject) JsonReader.read(documents.v2().bytes());
    assertThat(swagger.object("paths").keys())
        .contains("/apis/example.com/v1/lamps")
        .doesNotContain("/apis/example.com/v1/", "/apis/example.com/")
        .contains("/api/v1/namespaces/{namespace}/pods", "/version/")
        .doesNotHaveDuplicates();
    assertThat(swagger.object("definitions").keys())
        .contains("com.example.v1.Lamp", "com.example.v1.ChairList")
        .doesNotHaveDuplicates()
        .containsAll(references(swagger));
    var version =
        (JsonObject)
            JsonReader.read(Objects.requireNonNull(documents.v3("apis/example.com/v1")).bytes());
    assertThat(version.object("components", "schemas").keys())
        .contains("com.example.v1.Lamp", "com.example.v1.ChairList")
        .doesNotHaveDuplicates()
        .containsAll(references(version));
    assertThat(version.object("paths").keys())
        .allMatch(path -> path.contains("lamps") || path.contains("chairs"));
    assertThat(version.object("components").keys()).containsExactly("schemas");
    assertThat(version.object("info").string("title")).isEqualTo("Kubernetes CRD Swagger");
    assertThat(documents.v3("apis/example.com")).isNull();
  }

  private static List<String> references(JsonObject document) {
    return REFERENCE.matcher(document.toString()).results().map(found -> found.group(1)).toList();
  }
}
