package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.server.answers.RunningServer.Answer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bodies and patches that are refused, in kube-apiserver's words. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ChangeAnswersTest {
  private RunningServer server;
  private String namespace;
  private String maps;
  private String templates;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    server = RunningServer.start(directory);
    namespace = server.namespace();
    maps = "/api/v1/namespaces/" + namespace + "/configmaps";
    templates = "/api/v1/namespaces/" + namespace + "/podtemplates";
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private String map(String name) {
    server.post(maps, "{\"metadata\":{\"name\":\"" + name + "\"},\"data\":{\"a\":\"1\"}}");
    return maps + "/" + name;
  }

  private Answer strategic(String path, String patch) {
    return server.patch(path, RunningServer.STRATEGIC, patch);
  }

  @Test
  void aStrategicPatchIsQuotedWhenItsResultHasTheWrongTypes() {
    server.post(
        templates,
        "{\"metadata\":{\"name\":\"t\"},\"template\":{\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i:1\"}]}}}");
    var path = templates + "/t";
    assertThat(strategic(path, "{\"template\":{\"spec\":{\"containers\":\"text\"}}}").message())
        .isEqualTo(
            " \"\" is invalid: patch: Invalid value:"
                + " \"map[template:map[spec:map[containers:text]]]\": cannot restore slice from"
                + " string");
    assertThat(strategic(path, "{\"template\":{\"spec\":1}}").message())
        .endsWith("cannot restore struct from: int64");
    assertThat(strategic(path, "{\"template\":{\"spec\":{\"nodeName\":1}}}").message())
        .endsWith("cannot convert int64 to string");
    assertThat(strategic(path, "{\"template\":{\"spec\":{\"hostPID\":1}}}").message())
        .endsWith("unrecognized type: bool");
    assertThat(strategic(path, "{\"template\":{\"spec\":{\"nodeSelector\":[]}}}").message())
        .endsWith("cannot restore map from slice");
  }

  @Test
  void repeatedKeysOfEveryPatchAreFound() {
    var path = map("repeats") + "?fieldValidation=Strict";
    assertThat(strategic(path, "{\"data\":{\"c\":\"1\",\"c\":\"2\"}}").message())
        .isEqualTo(
            " \"\" is invalid: patch: Invalid value: \"map[data:map[c:2]]\": strict decoding error:"
                + " duplicate field \"data.c\"");
    assertThat(
            server
                .patch(path, RunningServer.MERGE, "{\"data\":{\"c\":\"1\",\"c\":\"2\"}}")
                .message())
        .endsWith("strict decoding error: duplicate field \"data.c\"");
    assertThat(
            server
                .patch(
                    path,
                    RunningServer.JSON_PATCH,
                    "[{\"op\":\"add\",\"op\":\"add\",\"path\":\"/data/c\",\"value\":\"1\"}]")
                .message())
        .endsWith("strict decoding error: json patch duplicate field \"[0].op\"");
    assertThat(
            server
                .patch(
                    path,
                    RunningServer.JSON_PATCH,
                    "[{\"op\":\"add\",\"path\":\"/data/c\",\"value\":\"1\",\"note\":1},"
                        + "{\"op\":\"add\",\"path\":\"/data/d\",\"path\":\"/data/e\","
                        + "\"value\":\"1\"}]")
                .message())
        .endsWith(
            "strict decoding error: json patch unknown field \"[0].note\","
                + " json patch duplicate field \"[1].path\"");
  }

  @Test
  void anEmptyListOfManagedFieldsForgetsThem() {
    var path = map("forgets");
    var patched =
        server.patch(path, RunningServer.MERGE, "{\"metadata\":{\"managedFields\":[]}}").object();
    assertThat(patched.object("metadata").has("managedFields")).isFalse();
  }

  @Test
  void aNullInAnAppliedListChangesNothing() {
    var path = templates + "/applied?fieldManager=one";
    var body =
        """
        {"apiVersion":"v1","kind":"PodTemplate","metadata":{"name":"applied"},"template":{"spec":{
          "containers":[{"name":"a","image":"img:1"}],"volumes":%s}}}
        """;
    server.patch(path, RunningServer.APPLY, body.formatted("[]"));
    var again = server.patch(path, RunningServer.APPLY, body.formatted("null")).object();
    assertThat(again.object("metadata").integer("generation", 0)).isEqualTo(1);
  }

  @Test
  void anAppliedQuantityThatIsNoneIsTheClientsMistake() {
    var body =
        """
        {"apiVersion":"v1","kind":"PodTemplate","metadata":{"name":"q"},"template":{"spec":{
          "containers":[{"name":"a","image":"i","resources":{"limits":{"cpu":"1x"}}}]}}}
        """;
    var answer = server.patch(templates + "/q?fieldManager=one", RunningServer.APPLY, body);
    assertThat(answer.code()).isEqualTo(400);
    assertThat(answer.message())
        .startsWith("failed to convert new object (/q; /v1, Kind=PodTemplate) to proper version: ")
        .contains("error decoding from json: quantities must match the regular expression");
  }

  @Test
  void anAppliedUidNeedsAnObject() {
    var body =
        "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"none\",\"uid\":\"u\"}}";
    assertThat(server.patch(maps + "/none?fieldManager=m", RunningServer.APPLY, body).message())
        .isEqualTo(
            "Operation cannot be fulfilled on configmaps \"none\": uid mismatch: the provided"
                + " object specified uid u, and no existing object was found");
  }

  @Test
  void whatIsAppliedWithoutAnObjectMayBeSaidToBeDeletedSoon() {
    var body =
        "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"soon\","
            + "\"deletionGracePeriodSeconds\":5}}";
    var made = server.patch(maps + "/soon?fieldManager=m", RunningServer.APPLY, body).object();
    assertThat(made.object("metadata").integer("deletionGracePeriodSeconds", 0)).isEqualTo(5);
  }

  @Test
  void theResultOfAPatchIsPrintedSortedWhereThePatchTouchedIt() {
    var path = map("sorted");
    assertThat(
            server
                .patch(path, RunningServer.MERGE, "{\"data\":{\"b\":{\"z\":1,\"y\":2}}}")
                .message())
        .contains("\"{\\\"apiVersion\\\":\\\"v1\\\",\\\"data\\\":{\\\"a\\\":\\\"1\\\",")
        .contains("\\\"b\\\":{\\\"y\\\":2,\\\"z\\\":1}},\\\"kind\\\":\\\"ConfigMap\\\",")
        .contains("\\\"metadata\\\":{\\\"name\\\":\\\"sorted\\\",\\\"namespace\\\":");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'kind':'Foo'} | no kind \"Foo\" is registered for version \"v1\" in scheme",
        "{'apiVersion':'v2'} | no kind \"ConfigMap\" is registered for version \"v2\" in scheme",
        "{'apiVersion':'a/b/c'} | unexpected GroupVersion string: a/b/c",
        "{'kind':1} | couldn't get version/kind; json parse error: json: cannot unmarshal number",
        "{'kind':'Secret'} | illegal base64 data at input byte 0",
        "{'kind':'Secret','data':null} | converting (v1.Secret) to (core.ConfigMap): unknown",
        "{'kind':'Secret','apiVersion':null} | converting (core.Secret) to (core.ConfigMap): unk",
        "{'kind':'Pod','apiVersion':'apps/v1'} | no kind \"Pod\" is registered for version",
        "{'kind':'Foo','apiVersion':null} | for the internal version of group \"\" in scheme",
        "{'kind':'Status','status':{}} | cannot unmarshal object into Go struct field"
            + " Status.status",
        "{'apiVersion':null} | was undeterminable: name must be provided"
      })
  void aPatchCannotMakeAnObjectAnother(String patch, String message) {
    var answer = server.patch(map("kinds"), RunningServer.MERGE, patch.replace('\'', '"'));
    assertThat(answer.message()).contains(message);
  }

  @Test
  void theFirstMistakeInTheResultOfAPatchIsTheFirstOneByName() {
    var patch = "{\"metadata\":{\"labels\":1},\"data\":{\"b\":1},\"binaryData\":{\"a\":1}}";
    assertThat(server.patch(map("first"), RunningServer.MERGE, patch).message())
        .endsWith(
            "json: cannot unmarshal number into Go struct field ConfigMap.binaryData of type"
                + " []uint8");
  }

  @Test
  void aStrategicPatchIsQuotedWithoutTheDirectivesThatWereFollowed() {
    var path = map("spent");
    var patch =
        "{\"data\":{\"$retainKeys\":[\"b\"],\"b\":{\"c\":null}},"
            + "\"metadata\":{\"$setElementOrder/finalizers\":[]}}";
    assertThat(strategic(path, patch).message())
        .contains("Invalid value: \"map[data:map[b:map[]] metadata:map[]]\"");
  }

  @Test
  void aPatchMayWriteTheObjectInAnotherVersion() {
    var scalers = "/apis/autoscaling/v2/namespaces/" + namespace + "/horizontalpodautoscalers";
    var spec =
        "{\"maxReplicas\":2,\"scaleTargetRef\":{\"apiVersion\":\"apps/v1\",\"kind\":\"K\",\"name\":\"n\"}}";
    server.post(scalers, "{\"metadata\":{\"name\":\"s\"},\"spec\":" + spec + "}");
    var patch =
        "{\"apiVersion\":\"autoscaling/v1\",\"spec\":{\"targetCPUUtilizationPercentage\":42,"
            + "\"metrics\":null}}";
    var answer = server.patch(scalers + "/s", RunningServer.MERGE, patch);
    assertThat(answer.object().object("spec").toString()).contains("42");
  }

  @Test
  void aDeletionTimeCannotBeWritten() {
    var path = map("lives");
    var answer =
        server.put(
            path,
            "{\"metadata\":{\"name\":\"lives\",\"deletionTimestamp\":\"2001-01-01T00:00:00Z\"}}");
    assertThat(answer.message())
        .isEqualTo(
            "ConfigMap \"lives\" is invalid: metadata.deletionTimestamp: Invalid value:"
                + " \"2001-01-01T00:00:00Z\": field is immutable");
  }

  @Test
  void aFormerVersionIsToldWhichOneIsExpected() {
    assertThat(
            server
                .post(
                    "/apis/apps/v1/namespaces/" + namespace + "/deployments",
                    "{\"apiVersion\":\"extensions/v1beta1\",\"kind\":\"Deployment\"}")
                .message())
        .isEqualTo(
            "the API version in the data (extensions/v1beta1) does not match the expected API"
                + " version (apps/v1)");
  }

  @Test
  void kindAndVersionAreTexts() {
    assertThat(server.post(maps, "{\"apiVersion\":1,\"kind\":\"ConfigMap\"}").message())
        .isEqualTo(
            "the object provided is unrecognized (must be of type ConfigMap): couldn't get"
                + " version/kind; json parse error: json: cannot unmarshal number into Go struct"
                + " field .apiVersion of type string ({\"apiVersion\":1,\"kind\":\"Config ...)");
  }

  @Test
  void anErrorHasNoOtherFormThanItsOwn() {
    var answer =
        server.send(
            "GET",
            maps + "/missing",
            "",
            "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1",
            new byte[0]);
    assertThat(answer.message()).isEqualTo("configmaps \"missing\" not found");
  }

  @Test
  void anEncodedSlashDividesThePath() {
    assertThat(server.get(maps + "/a%2Fb").message())
        .isEqualTo("the server could not find the requested resource");
  }
}
