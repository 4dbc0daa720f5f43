package dev.muster.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.registry.builtin.BuiltInTypes;
import dev.muster.schema.ResourceType;
import dev.muster.schema.Schemas;
import dev.muster.schema.StructShape;
import dev.muster.types.ServedType;
import dev.muster.wire.JsonReader;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class OpenApiTest {
  private static final List<ResourceType> TYPES =
      BuiltInTypes.all().stream()
          .map(ServedType::resource)
          .filter(type -> !type.kind().group().equals("apiservercoordination.k8s.io"))
          .toList();
  private static final OpenApi OPEN_API = new OpenApi(TYPES, "1.36");

  private static JsonObject v2() {
    return (JsonObject) JsonReader.read(OPEN_API.v2().bytes());
  }

  private static JsonObject v3(String path) {
    return (JsonObject) JsonReader.read(Objects.requireNonNull(OPEN_API.v3(path)).bytes());
  }

  @Test
  void everyFieldIsDescribedByItselfAndNotByItsType() {
    var definitions = v2().object("definitions");
    var spec = definitions.object("io.k8s.api.core.v1.Pod", "properties", "spec");
    assertThat(spec.string("description"))
        .isNotEmpty()
        .isNotEqualTo(definitions.object("io.k8s.api.core.v1.PodSpec").string("description"));
    var port = definitions.object("io.k8s.api.core.v1.HTTPGetAction", "properties", "port");
    assertThat(port.string("description")).contains("1 to 65535");
  }

  @Test
  void whatTheModelLeavesWithoutAWordIsDescribed() {
    var definitions = v2().object("definitions");
    for (var name : definitions.keys()) {
      var properties = definitions.object(name).object("properties");
      if (name.contains("apiregistration")) {
        for (var property : properties.keys()) {
          assertThat(properties.object(property).string("description"))
              .describedAs(name + "." + property)
              .isNotEmpty();
        }
      }
    }
  }

  @Test
  void paragraphsOfDescriptionsStayApart() {
    var uid =
        v2().object("definitions", Schemas.META + "ObjectMeta", "properties", "uid")
            .string("description");
    assertThat(uid).contains(".\n\nPopulated by the system.");
  }

  @Test
  void saysWhichFieldsExcludeOneAnother() {
    var profile = v2().object("definitions", "io.k8s.api.core.v1.SeccompProfile");
    assertThat(profile.array("x-kubernetes-unions"))
        .hasToString(
            "[{\"discriminator\":\"type\",\"fields-to-discriminateBy\":"
                + "{\"localhostProfile\":\"LocalhostProfile\"}}]");
  }

  @Test
  void operationsSayWhatTheyDo() {
    var paths = v2().object("paths");
    var status = "/apis/networking.k8s.io/v1/namespaces/{namespace}/ingresses/{name}/status";
    assertThat(paths.object(status, "get").string("description"))
        .isEqualTo("read status of the specified Ingress");
    assertThat(
            paths
                .object("/apis/networking.k8s.io/v1/namespaces/{namespace}/ingresses", "post")
                .string("description"))
        .isEqualTo("create an Ingress");
    assertThat(
            paths
                .object("/api/v1/namespaces/{namespace}/services/{name}", "delete", "responses")
                .object("200", "schema")
                .string("$ref"))
        .endsWith("v1.Service");
  }

  @Test
  void definesTypesWithMarkersAndDescriptions() {
    var definitions = v2().object("definitions");
    var pod = definitions.object("io.k8s.api.core.v1.Pod");
    assertThat(pod.array("x-kubernetes-group-version-kind"))
        .hasToString("[{\"group\":\"\",\"kind\":\"Pod\",\"version\":\"v1\"}]");
    assertThat(pod.string("description")).isNotEmpty();
    var ports = definitions.object("io.k8s.api.core.v1.Container", "properties", "ports");
    assertThat(ports.string("description")).isNotEmpty();
    assertThat(ports.without("description"))
        .hasToString(
            "{\"items\":{\"$ref\":\"#/definitions/io.k8s.api.core.v1.ContainerPort\"},"
                + "\"type\":\"array\","
                + "\"x-kubernetes-list-map-keys\":[\"containerPort\",\"protocol\"],"
                + "\"x-kubernetes-list-type\":\"map\","
                + "\"x-kubernetes-patch-merge-key\":\"containerPort\","
                + "\"x-kubernetes-patch-strategy\":\"merge\"}");
    assertThat(definitions.object("io.k8s.api.core.v1.PodSpec").array("required").strings())
        .containsExactly("containers");
    assertThat(definitions.object("io.k8s.api.core.v1.ObjectReference"))
        .satisfies(ref -> assertThat(ref.string("x-kubernetes-map-type")).isEqualTo("atomic"));
    assertThat(
            definitions
                .object("io.k8s.api.core.v1.PersistentVolumeSpec", "properties", "claimRef")
                .string("x-kubernetes-map-type"))
        .isEqualTo("granular");
    assertThat(
            definitions.object(
                "io.k8s.api.core.v1.SecretVolumeSource", "properties", "defaultMode"))
        .satisfies(mode -> assertThat(mode.string("format")).isEqualTo("int32"));
  }

  @Test
  void version3HasDefaultsAndReferencesItMayHave() {
    var schemas = v3("api/v1").object("components", "schemas");
    var protocol = schemas.object("io.k8s.api.core.v1.ContainerPort", "properties", "protocol");
    assertThat(protocol.get("default")).hasToString("\"TCP\"");
    var spec = schemas.object("io.k8s.api.core.v1.Pod", "properties", "spec");
    assertThat(spec.get("allOf"))
        .hasToString("[{\"$ref\":\"#/components/schemas/io.k8s.api.core.v1.PodSpec\"}]");
  }

  @Test
  void aReferenceThatStandsAloneIsNotWrapped() {
    var schemas = v3("apis/node.k8s.io/v1").object("components", "schemas");
    assertThat(
            schemas
                .object("io.k8s.api.node.v1.Overhead", "properties", "podFixed")
                .get("additionalProperties"))
        .hasToString(
            "{\"$ref\":\"#/components/schemas/io.k8s.apimachinery.pkg.api.resource.Quantity\"}");
  }

  @Test
  void saysWhichTextsAFieldTakes() {
    for (var schemas :
        List.of(v2().object("definitions"), v3("api/v1").object("components").object("schemas"))) {
      var core = "io.k8s.api.core.v1.";
      assertThat(values(schemas.object(core + "Container", "properties", "imagePullPolicy")))
          .containsExactly("Always", "IfNotPresent", "Never");
      assertThat(values(schemas.object(core + "HostPathVolumeSource", "properties", "type")))
          .startsWith("", "BlockDevice");
      var modes = schemas.object(core + "PersistentVolumeClaimSpec", "properties", "accessModes");
      assertThat(modes.has("enum")).isFalse();
      assertThat(values(modes.object("items"))).contains("ReadWriteOncePod").hasSize(4);
      var resizes =
          schemas.object(
              core + "PersistentVolumeClaimStatus", "properties", "allocatedResourceStatuses");
      assertThat(values(resizes.object("additionalProperties"))).contains("NodeResizePending");
    }
    assertThat(
            values(
                v2().object(
                        "definitions",
                        "io.k8s.api.certificates.v1.CertificateSigningRequestSpec",
                        "properties",
                        "usages",
                        "items")))
        .contains("client auth", "s/mime");
  }

  private static List<String> values(JsonObject schema) {
    return schema.array("enum").strings();
  }

  @Test
  void requiredFieldsStandInTheOrderOfTheirStruct() {
    var definitions = v2().object("definitions");
    assertThat(definitions.object("io.k8s.api.core.v1.AttachedVolume").array("required").strings())
        .containsExactly("name", "devicePath");
    assertThat(
            definitions.object("io.k8s.api.core.v1.ISCSIVolumeSource").array("required").strings())
        .containsExactly("targetPortal", "iqn", "lun");
  }

  @Test
  void everyFieldOfAFewTextsExists() {
    var definitions = v2().object("definitions");
    for (var name : Enums.remembered().fields()) {
      int dot = name.lastIndexOf('.');
      assertThat(
              definitions
                  .object(name.substring(0, dot), "properties", name.substring(dot + 1))
                  .isEmpty())
          .as(name)
          .isFalse();
    }
  }

  @Test
  void aDocumentOfVersion3HoldsWhatItNeedsAndNoMore() {
    assertThat(v3("version").object("components", "schemas").keys())
        .containsExactly("io.k8s.apimachinery.pkg.version.Info");
    assertThat(v3("openid/v1/jwks").object("components").has("schemas")).isFalse();
    assertThat(
            v3("apis/authentication.k8s.io/v1")
                .object("components", "schemas")
                .has(Schemas.META + "WatchEvent"))
        .isFalse();
    assertThat(
            v3("apis/batch/v1")
                .object("components", "schemas", Schemas.META + "DeleteOptions")
                .array("x-kubernetes-group-version-kind")
                .objects())
        .extracting(kind -> kind.string("group") + "/" + kind.string("version"))
        .containsExactly("/v1", "batch/v1");
  }

  @Test
  void whatEveryOperationOfAPathTakesIsSaidOfThePath() {
    var paths = v3("api/v1").object("paths");
    var everywhere = paths.object("/api/v1/pods");
    assertThat(names(everywhere)).contains("pretty", "limit", "watch");
    assertThat(everywhere.object("get").has("parameters")).isFalse();
    var collection = paths.object("/api/v1/namespaces/{namespace}/pods");
    assertThat(names(collection)).containsExactlyInAnyOrder("namespace", "pretty");
    assertThat(collection.object("post", "requestBody").isTrue("required")).isTrue();
    assertThat(collection.object("delete", "requestBody").has("required")).isFalse();
  }

  @Test
  void everyReferenceLeadsSomewhere() {
    var wanted = new HashSet<String>();
    references(v2(), wanted);
    for (var reference : wanted) {
      assertThat(v2Has(reference)).as(reference).isTrue();
    }
    for (var path :
        ((JsonObject) JsonReader.read(OPEN_API.index().bytes())).object("paths").keys()) {
      var document = v3(path);
      var here = new HashSet<String>();
      references(document, here);
      for (var reference : here) {
        var name = reference.substring("#/components/schemas/".length());
        assertThat(document.object("components", "schemas").has(name)).as(reference).isTrue();
      }
    }
  }

  private static final JsonObject V2 = v2();

  private static boolean v2Has(String reference) {
    var parts = reference.substring(2).split("/", 2);
    return V2.object(parts[0]).has(parts[1]);
  }

  private static void references(Json value, Set<String> found) {
    if (value instanceof JsonObject object) {
      if (object.get("$ref") instanceof JsonString reference) {
        found.add(reference.value());
      }
      for (int i = 0; i < object.size(); i++) {
        references(object.value(i), found);
      }
    } else if (value instanceof JsonArray array) {
      array.forEach(item -> references(item, found));
    }
  }

  @Test
  void everyResourceHasItsPathsAndVerbs() {
    var paths = v2().object("paths");
    for (var type : TYPES) {
      var root = Paths.root(type.groupVersion());
      var collection =
          root + (type.namespaced() ? "/namespaces/{namespace}/" : "/") + type.plural();
      assertThat(paths.object(collection).has("post"))
          .as(collection)
          .isEqualTo(type.verbs().contains("create"));
      assertThat(paths.object(collection + "/{name}").has("patch"))
          .as(collection)
          .isEqualTo(type.verbs().contains("patch"));
      for (var subresource : type.subresources()) {
        assertThat(paths.has(collection + "/{name}/" + subresource.name())).isTrue();
      }
    }
    var patch = paths.object("/apis/apps/v1/namespaces/{namespace}/deployments/{name}", "patch");
    assertThat(patch.string("operationId")).isEqualTo("patchAppsV1NamespacedDeployment");
    assertThat(patch.array("parameters").toString()).contains("#/parameters/dryRun");
    var patch3 =
        v3("apis/apps/v1")
            .object("paths", "/apis/apps/v1/namespaces/{namespace}/deployments/{name}", "patch");
    assertThat(patch3.array("parameters").objects())
        .extracting(parameter -> parameter.string("name"))
        .contains("dryRun", "fieldValidation");
  }

  @Test
  void requestsToWhatIsBehindTheServerHaveTheirOwnParameters() {
    var paths = v3("api/v1").object("paths");
    var pod = "/api/v1/namespaces/{namespace}/pods/{name}/";
    assertThat(names(paths.object(pod + "exec")))
        .containsExactlyInAnyOrder(
            "name", "namespace", "command", "container", "stderr", "stdin", "stdout", "tty");
    assertThat(names(paths.object(pod + "log"))).contains("pretty", "tailLines", "follow");
    assertThat(names(paths.object(pod + "proxy/{path}")))
        .containsExactlyInAnyOrder("name", "namespace", "path", "path");
    assertThat(v2().object("paths").object(pod + "log", "get").array("produces").strings())
        .contains("text/plain");
    var parameters = v2().object("parameters");
    assertThat(parameters.object("path").string("in")).isEqualTo("query");
    assertThat(parameters.object("path-behind").string("in")).isEqualTo("path");
  }

  private static List<String> names(JsonObject path) {
    return path.array("parameters").objects().stream()
        .map(parameter -> parameter.string("name"))
        .toList();
  }

  @Test
  void theIndexNamesEveryDocumentByItsContent() {
    var index = ((JsonObject) JsonReader.read(OPEN_API.index().bytes())).object("paths");
    assertThat(index.keys()).contains("api", "api/v1", "apis", "apis/apps", "apis/apps/v1");
    var apps = Objects.requireNonNull(OPEN_API.v3("apis/apps/v1"));
    assertThat(index.object("apis/apps/v1").string("serverRelativeURL"))
        .isEqualTo("/openapi/v3/apis/apps/v1?hash=" + apps.hash());
    assertThat(apps.etag()).isEqualTo("\"" + apps.hash() + "\"");
    assertThat(OPEN_API.v3("apis/nonsense")).isNull();
    var again = new OpenApi(TYPES, "1.36");
    assertThat(Objects.requireNonNull(again.v3("apis/apps/v1")).hash()).isEqualTo(apps.hash());
  }

  @Test
  void protobufHoldsTheSameDefinitions() throws InvalidProtocolBufferException {
    var document = UnknownFieldSet.parseFrom(OPEN_API.v2Protobuf().bytes());
    assertThat(document.getField(1).getLengthDelimitedList().getFirst().toStringUtf8())
        .isEqualTo("2.0");
    var definitions =
        UnknownFieldSet.parseFrom(document.getField(9).getLengthDelimitedList().getFirst());
    var names = new HashSet<String>();
    for (var named : definitions.getField(1).getLengthDelimitedList()) {
      var definition = UnknownFieldSet.parseFrom(named);
      names.add(definition.getField(1).getLengthDelimitedList().getFirst().toStringUtf8());
    }
    assertThat(names).isEqualTo(new HashSet<>(v2().object("definitions").keys()));
    assertThat(new String(OPEN_API.v2Protobuf().bytes(), StandardCharsets.UTF_8))
        .contains("- group: \"\"\n  kind: Pod\n  version: v1\n")
        .contains("IfNotPresent\n")
        .contains("connectCoreV1HeadNamespacedPodProxy");
  }

  @Test
  void additionsToTheCatalogAreDocumented() {
    var struct = new StructShape("io.example.v1.Widget", false);
    struct.define(Schemas.struct("io.k8s.api.core.v1.ConfigMap").fields());
    var kind = new GroupVersionKind("example.com", "v1", "Widget");
    var type =
        new ResourceType(
            kind,
            "widgets",
            "widget",
            false,
            List.of(),
            List.of(),
            Set.of("get"),
            List.of(),
            "/example.com/widgets",
            kind,
            "WidgetList",
            struct);
    var more = new OpenApi(Stream.concat(TYPES.stream(), Stream.of(type)).toList(), "1.36");
    var document =
        (JsonObject)
            JsonReader.read(Objects.requireNonNull(more.v3("apis/example.com/v1")).bytes());
    assertThat(
            document
                .object("components", "schemas", "io.example.v1.Widget")
                .array("x-kubernetes-group-version-kind")
                .toString())
        .contains("\"kind\":\"Widget\"");
  }
}
