package dev.muster.schema.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.GroupVersion;
import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.JsonObject;
import dev.muster.schema.Schemas;
import dev.muster.wire.DecodeException;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TypedReaderTest {
  private static TypedReader.Typed read(String text) {
    var document = JsonReader.document(text.getBytes(StandardCharsets.UTF_8));
    var root = (JsonObject) document.value();
    var kind = GroupVersion.parse(root.string("apiVersion")).kind(root.string("kind"));
    return TypedReader.read(Objects.requireNonNull(Schemas.of(kind)), document);
  }

  private static String normal(String text) {
    return new String(JsonWriter.bytes(read(text).object()), StandardCharsets.UTF_8);
  }

  private static String object(String apiVersion, String kind, String rest) {
    return "{\"kind\":\"" + kind + "\",\"apiVersion\":\"" + apiVersion + "\"," + rest + "}";
  }

  @Test
  void anEmptyListIsAValueWhereAnyJsonIs() {
    var shape =
        Objects.requireNonNull(
            Schemas.of(
                new GroupVersionKind("apiextensions.k8s.io", "v1", "CustomResourceDefinition")));
    var definition =
        (JsonObject)
            JsonReader.read(
                """
                {"spec":{"versions":[{"name":"v1","schema":{"openAPIV3Schema":{
                  "type":"array","default":[],"example":[],"required":[]}}}]}}
                """
                    .getBytes(StandardCharsets.UTF_8));
    var version =
        TypedReader.normal(shape, definition).object("spec").array("versions").objects().getFirst();
    assertThat(version.object("schema", "openAPIV3Schema"))
        .hasToString("{\"type\":\"array\",\"default\":[],\"example\":[]}");
  }

  @Test
  void putsFieldsInOrderAndSortsMaps() {
    assertThat(
            normal(
                "{\"data\":{\"b\":\"1\",\"a\":\"2\"},\"metadata\":{\"namespace\":\"n\",\"name\":\"x\"},"
                    + "\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\"}"))
        .isEqualTo(
            object(
                "v1",
                "ConfigMap",
                "\"metadata\":{\"name\":\"x\",\"namespace\":\"n\"},"
                    + "\"data\":{\"a\":\"2\",\"b\":\"1\"}"));
  }

  @Test
  void losesNothingOfWhatIsNestedDeeply() {
    var schema = "{\"type\":\"string\"}";
    for (int i = 0; i < 50; i++) {
      schema = "{\"type\":\"array\",\"items\":" + schema + "}";
    }
    var read =
        read(
            object(
                "apiextensions.k8s.io/v1",
                "CustomResourceDefinition",
                "\"spec\":{\"group\":\"g\",\"versions\":[{\"name\":\"v1\",\"schema\":"
                    + "{\"openAPIV3Schema\":"
                    + schema
                    + "}}]}"));
    var spec = read.object().object("spec");
    assertThat(spec.string("group")).isEqualTo("g");
    assertThat(spec.array("versions").object(0).object("schema").get("openAPIV3Schema"))
        .hasToString(schema);
  }

  @Test
  void fillsInAndLeavesOutWhatGoDoes() {
    assertThat(
            normal(
                object(
                    "v1",
                    "Pod",
                    "\"metadata\":{\"name\":\"\",\"labels\":{},\"creationTimestamp\":null},"
                        + "\"spec\":{\"hostPID\":false,\"nodeName\":\"\",\"terminationGracePeriodSeconds\":0,"
                        + "\"securityContext\":{},\"volumes\":[],\"containers\":[{\"name\":\"a\","
                        + "\"args\":null}]}")))
        .isEqualTo(
            object(
                "v1",
                "Pod",
                "\"metadata\":{},\"spec\":{\"containers\":[{\"name\":\"a\",\"resources\":{}}],"
                    + "\"terminationGracePeriodSeconds\":0,\"securityContext\":{}},\"status\":{}"));
    assertThat(normal(object("rbac.authorization.k8s.io/v1", "Role", "\"metadata\":{}")))
        .isEqualTo(
            object("rbac.authorization.k8s.io/v1", "Role", "\"metadata\":{},\"rules\":null"));
    assertThat(normal(object("rbac.authorization.k8s.io/v1", "Role", "\"rules\":[]")))
        .isEqualTo(object("rbac.authorization.k8s.io/v1", "Role", "\"metadata\":{},\"rules\":[]"));
    assertThat(normal(object("apps/v1", "Deployment", "\"spec\":{}")))
        .isEqualTo(
            object(
                "apps/v1",
                "Deployment",
                "\"metadata\":{},\"spec\":{\"selector\":null,\"template\":{\"metadata\":{},"
                    + "\"spec\":{\"containers\":null}},\"strategy\":{}},\"status\":{}"));
  }

  @Test
  void aNullMemberIsAZeroValue() {
    assertThat(normal(object("v1", "ConfigMap", "\"metadata\":{},\"data\":{\"a\":null}")))
        .contains("\"data\":{\"a\":\"\"}");
    assertThat(normal(object("v1", "Secret", "\"metadata\":{},\"data\":{\"a\":null}")))
        .contains("\"data\":{\"a\":\"\"}");
    assertThat(normal(object("v1", "Pod", "\"metadata\":{\"finalizers\":[null]}")))
        .contains("\"finalizers\":[\"\"]");
  }

  @Test
  void givesScalarsTheirNormalForm() {
    assertThat(
            normal(
                object(
                    "v1",
                    "PersistentVolume",
                    "\"metadata\":{\"creationTimestamp\":\"2024-01-02T03:04:05.9+01:00\"},"
                        + "\"spec\":{\"capacity\":{\"storage\":\"1024Mi\"}}")))
        .contains("\"creationTimestamp\":\"2024-01-02T02:04:05Z\"", "\"storage\":\"1Gi\"");
    assertThat(
            normal(
                object(
                    "v1", "Secret", "\"data\":{\"a\":\"YQ==\",\"b\":\"Y\\nQ==\",\"c\":\"YR==\"}")))
        .contains("\"data\":{\"a\":\"YQ==\",\"b\":\"YQ==\",\"c\":\"YQ==\"}");
    assertThat(
            normal(
                object(
                    "v1",
                    "LimitRange",
                    "\"spec\":{\"limits\":[{\"type\":\"Pod\",\"max\":{\"cpu\":0.5}}]}")))
        .contains("\"cpu\":\"500m\"");
  }

  @Test
  void returnsTheSameInstanceWhenNothingChanges() {
    var pod =
        (JsonObject)
            JsonReader.read(
                object(
                        "v1",
                        "Pod",
                        "\"metadata\":{\"name\":\"a\",\"creationTimestamp\":\"2024-01-02T03:04:05Z\","
                            + "\"labels\":{\"a\":\"b\",\"c\":\"d\"}},\"spec\":{\"containers\":[{"
                            + "\"name\":\"c\",\"resources\":{\"limits\":{\"cpu\":\"100m\"}}}]},"
                            + "\"status\":{}")
                    .getBytes(StandardCharsets.UTF_8));
    var shape = Objects.requireNonNull(Schemas.of(new GroupVersionKind("", "v1", "Pod")));
    assertThat(TypedReader.normal(shape, pod)).isSameAs(pod);
  }

  @Test
  void readingTwiceChangesNothingMore() {
    for (var struct : Schemas.all()) {
      var once = TypedReader.normal(struct, JsonObject.EMPTY);
      assertThat(TypedReader.normal(struct, once)).as(struct.name()).isSameAs(once);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "v1|ConfigMap|\"metadata\":{\"labels\":{\"a\":1}}|number into Go struct field"
            + " ObjectMeta.metadata.labels of type string",
        "v1|ConfigMap|\"metadata\":{\"labels\":[\"a\"]}|array into Go struct field"
            + " ObjectMeta.metadata.labels of type map[string]string",
        "v1|ConfigMap|\"data\":\"x\"|string into Go struct field ConfigMap.data of type"
            + " map[string]string",
        "v1|ConfigMap|\"metadata\":5|number into Go struct field ConfigMap.metadata of type"
            + " v1.ObjectMeta",
        "apps/v1|Deployment|\"spec\":{\"replicas\":2.0}|number 2.0 into Go struct field"
            + " DeploymentSpec.spec.replicas of type int32",
        "scheduling.k8s.io/v1|PriorityClass|\"value\":3000000000|number 3000000000 into Go struct"
            + " field PriorityClass.value of type int32",
        "v1|Pod|\"spec\":{\"containers\":[\"a\"]}|string into Go struct field"
            + " PodSpec.spec.containers of type v1.Container",
        "v1|Pod|\"spec\":{\"containers\":[{\"imagePullPolicy\":1}]}|number into Go struct field"
            + " Container.spec.containers.imagePullPolicy of type v1.PullPolicy",
        "v1|Pod|\"spec\":{\"volumes\":[{\"emptyDir\":[]}]}|array into Go struct field"
            + " Volume.spec.volumes.VolumeSource.emptyDir of type v1.EmptyDirVolumeSource",
        "v1|Pod|\"spec\":{\"containers\":[{\"livenessProbe\":{\"exec\":5}}]}|number into Go struct"
            + " field Probe.spec.containers.livenessProbe.ProbeHandler.exec of type v1.ExecAction",
        "v1|Pod|\"metadata\":{\"creationTimestamp\":5}|number into Go struct field"
            + " ObjectMeta.metadata.creationTimestamp of type string",
        "v1|Service|\"spec\":{\"ports\":[{\"targetPort\":1.5}]}|number 1.5 into Go struct field"
            + " ServicePort.spec.ports.targetPort of type int32",
        "v1|PersistentVolume|\"spec\":{\"accessModes\":[1]}|number into Go struct field"
            + " PersistentVolumeSpec.spec.accessModes of type v1.PersistentVolumeAccessMode",
        "v1|PersistentVolume|\"spec\":{\"capacity\":[]}|array into Go struct field"
            + " PersistentVolumeSpec.spec.capacity of type v1.ResourceList",
      })
  void refusesWrongTypesInTheWordsOfGo(String version, String kind, String rest, String message) {
    assertThatThrownBy(() -> read(object(version, kind, rest)))
        .isInstanceOf(DecodeException.class)
        .hasMessage("json: cannot unmarshal " + message);
  }

  @Test
  void refusesWhatGoCannotParse() {
    assertThatThrownBy(() -> read(object("v1", "Secret", "\"data\":{\"a\":\"YQ=\"}")))
        .hasMessage("illegal base64 data at input byte 3");
    assertThatThrownBy(() -> read(object("v1", "Secret", "\"data\":{\"a\":\"Y!==\"}")))
        .hasMessage("illegal base64 data at input byte 1");
    assertThatThrownBy(
            () ->
                read(
                    object("coordination.k8s.io/v1", "Lease", "\"spec\":{\"renewTime\":\"soon\"}")))
        .hasMessage(
            "parsing time \"soon\" as \"2006-01-02T15:04:05.000000Z07:00\": cannot parse \"soon\""
                + " as \"2006\"");
  }

  @Test
  void aFaultThatStopsGoHidesOneThatDoesNot() {
    assertThatThrownBy(
            () ->
                read(
                    object(
                        "v1",
                        "Pod",
                        "\"spec\":5,\"metadata\":{\"labels\":5,\"creationTimestamp\":\"x\"}")))
        .hasMessageStartingWith("parsing time \"x\"");
  }

  @Test
  void dropsUnknownFieldsAndReportsThemWithDuplicatesInTheOrderOfTheText() {
    var typed =
        read(
            object(
                "apps/v1",
                "Deployment",
                "\"spec\":{\"replicas\":1,\"replicas\":2,\"colour\":\"red\",\"template\":{\"spec\":{"
                    + "\"containers\":[{\"name\":\"c\",\"imagee\":\"x\",\"name\":\"d\"}]}}}"));
    assertThat(typed.complaints())
        .containsExactly(
            "duplicate field \"spec.replicas\"",
            "unknown field \"spec.colour\"",
            "unknown field \"spec.template.spec.containers[0].imagee\"",
            "duplicate field \"spec.template.spec.containers[0].name\"");
    assertThat(typed.object().at("spec", "replicas")).hasToString("2");
    assertThat(typed.object().at("spec", "colour")).isNull();
  }

  @Test
  void mergesObjectsThatStandTwice() {
    var typed =
        read(
            object(
                "v1",
                "ConfigMap",
                "\"metadata\":{\"name\":\"a\",\"labels\":{\"x\":\"1\"}},\"metadata\":{\"labels\":{\"y\":\"2\"}},"
                    + "\"data\":{\"k\":\"1\",\"k\":\"3\"},\"data\":{\"l\":\"2\"}"));
    assertThat(typed.object().object("data")).hasToString("{\"k\":\"3\",\"l\":\"2\"}");
    assertThat(typed.object().object("metadata"))
        .hasToString("{\"name\":\"a\",\"labels\":{\"x\":\"1\",\"y\":\"2\"}}");
    assertThat(typed.complaints())
        .containsExactly(
            "duplicate field \"metadata\"",
            "duplicate field \"data.k\"",
            "duplicate field \"data\"");
  }

  @Test
  void stopsComplainingAfterAHundredTimes() {
    var fields = new StringBuilder("\"metadata\":{}");
    for (int i = 0; i < 200; i++) {
      fields.append(",\"x").append(i).append("\":1");
    }
    assertThat(read(object("v1", "ConfigMap", fields.toString())).complaints()).hasSize(100);
  }

  @Test
  void readsSchemasOfCustomResources() {
    var head =
        "\"metadata\":{},\"spec\":{\"group\":\"g\",\"names\":{\"plural\":\"p\",\"kind\":\"K\"},"
            + "\"scope\":\"Cluster\",\"versions\":[{\"name\":\"v1\",\"served\":true,\"storage\":true,"
            + "\"schema\":{\"openAPIV3Schema\":{\"type\":\"object\",";
    var typed =
        read(
            object(
                "apiextensions.k8s.io/v1",
                "CustomResourceDefinition",
                head
                    + "\"propertys\":1,\"maximum\":5.0,\"items\":{\"zzz\":1,\"type\":\"string\"},"
                    + "\"additionalProperties\":false}}}]}"));
    assertThat(typed.complaints())
        .containsExactly("unknown field \"spec.versions[0].schema.openAPIV3Schema.propertys\"");
    var schema =
        typed
            .object()
            .object("spec")
            .array("versions")
            .object(0)
            .object("schema", "openAPIV3Schema");
    assertThat(schema.get("items")).hasToString("{\"type\":\"string\"}");
    assertThat(schema.get("maximum")).hasToString("5");
    assertThat(schema.get("additionalProperties")).hasToString("false");
  }

  @Test
  void whatIsKnownToBeNormalIsNotReadAgain() {
    var shape = Objects.requireNonNull(Schemas.of(new GroupVersionKind("", "v1", "ConfigMap")));
    var origin =
        read(object("v1", "ConfigMap", "\"metadata\":{\"name\":\"x\"},\"data\":{\"a\":\"1\"}"))
            .object();
    var odd = JsonObject.of("z", "1", "a", 2);
    // The data would be refused if anybody looked at it.
    var trusted = origin.with("data", odd);
    var changed = trusted.with("metadata", JsonObject.of("namespace", "n", "name", "y"));
    var normal = TypedReader.normal(shape, changed, trusted);
    assertThat(normal.get("data")).isSameAs(odd);
    assertThat(normal.object("metadata").keys()).containsExactly("name", "namespace");
    assertThatThrownBy(() -> TypedReader.normal(shape, changed, origin))
        .isInstanceOf(DecodeException.class);
  }
}
