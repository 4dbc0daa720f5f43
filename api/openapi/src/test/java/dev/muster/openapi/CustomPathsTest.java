package dev.muster.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.JsonObject;
import dev.muster.schema.ResourceType;
import dev.muster.schema.ResourceType.Subresource;
import dev.muster.schema.StructShape;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What documents say of operations on custom resources, as those of kube-apiserver do. */
class CustomPathsTest {
  private static final GroupVersionKind LAMP = new GroupVersionKind("example.com", "v1", "Lamp");
  private static final Set<String> READ_AND_WRITE = Set.of("get", "patch", "update");
  private static final String OBJECTS = "/apis/example.com/v1/lamps";
  private static final String OBJECT = OBJECTS + "/{name}";

  private static JsonObject paths(Dialect dialect) {
    var type =
        new ResourceType(
            LAMP,
            "lamps",
            "lamp",
            false,
            List.of(),
            List.of(),
            Set.of(
                "get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"),
            List.of(
                new Subresource("status", LAMP, READ_AND_WRITE),
                new Subresource(
                    "scale", new GroupVersionKind("autoscaling", "v1", "Scale"), READ_AND_WRITE)),
            "/example.com/lamps",
            LAMP,
            "LampList",
            StructShape.defined(
                "com.example.v1.Lamp", null, () -> new byte[] {'{', '}'}, List::of));
    var paths = new Paths(dialect, Definitions.ofCustom(dialect, Fragment.Form.JSON, type));
    paths.resource(type);
    return paths.all();
  }

  @Test
  void bodiesAreJsonOrYaml() {
    var paths = paths(Dialect.V2);
    for (var operation : List.of("get", "post", "delete")) {
      assertThat(paths.object(OBJECTS, operation).array("consumes").strings())
          .isEqualTo(paths.object(OBJECTS, operation).array("produces").strings())
          .containsExactly("application/json", "application/yaml");
    }
    assertThat(paths.object(OBJECT, "patch").array("consumes").strings())
        .containsExactly(
            "application/json-patch+json",
            "application/merge-patch+json",
            "application/apply-patch+yaml");
  }

  @Test
  void theStatusIsReadAndWrittenAsTheObjectIs() {
    var paths = paths(Dialect.V3);
    var status = paths.object(OBJECT + "/status");
    assertThat(status.object("get").string("operationId")).isEqualTo("readExampleComV1LampStatus");
    assertThat(status.object("put").string("x-kubernetes-action")).isEqualTo("put");
    assertThat(status.object("put", "requestBody"))
        .isEqualTo(paths.object(OBJECT, "put", "requestBody"));
    assertThat(status.object("patch", "responses"))
        .isEqualTo(paths.object(OBJECT, "patch", "responses"));
  }

  @Test
  void theScaleIsAnOperationOnTheObject() {
    var scale = paths(Dialect.V3).object(OBJECT + "/scale", "get");
    assertThat(scale.object("x-kubernetes-group-version-kind").string("kind")).isEqualTo("Lamp");
    assertThat(scale.object("responses", "200").toString()).contains("autoscaling.v1.Scale");
  }

  @Test
  void aReadCanAskForARevisionAndAPatchMakesNothing() {
    var object = paths(Dialect.V3).object(OBJECT);
    assertThat(object.object("get").array("parameters").object(0).string("name"))
        .isEqualTo("resourceVersion");
    assertThat(object.object("patch", "responses").keys()).containsExactly("200", "401");
  }

  @Test
  void manyAreDeletedByWhatFindsThem() {
    var objects = paths(Dialect.V2).object(OBJECTS);
    assertThat(objects.object("delete").array("parameters"))
        .isEqualTo(objects.object("get").array("parameters"));
  }
}
