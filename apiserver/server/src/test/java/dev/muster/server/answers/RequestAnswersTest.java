package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options and bodies that a request cannot have, each with the code and the words for it. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RequestAnswersTest {
  private RunningServer server;
  private String maps;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    server = RunningServer.start(directory);
    maps = "/api/v1/namespaces/" + server.namespace() + "/configmaps";
    server.post(maps, "{\"metadata\":{\"name\":\"a\"},\"data\":{\"a\":\"1\"}}");
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private void check(String method, String path, String type, String body, int code, String end) {
    var answer =
        server.send(
            method,
            maps + (path == null ? "" : path),
            type,
            RunningServer.JSON,
            (body == null ? "" : body).getBytes(StandardCharsets.UTF_8));
    assertThat(answer.code()).isEqualTo(code);
    if (end != null) {
      assertThat(answer.message()).endsWith(end);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "?limit= | 400 | strconv.ParseInt: parsing \"\": invalid syntax",
        "?limit=x | 400 | strconv.ParseInt: parsing \"x\": invalid syntax",
        "?limit=99999999999999999999 | 400 | parsing \"99999999999999999999\": value out of range",
        "?labelSelector=a;b | 200 |",
        "?labelSelector=!!&resourceVersionMatch=x | 400 | found '!', expected: identifier",
        "?sendInitialEvents=1&resourceVersion=1&resourceVersionMatch=x | 422 | is invalid:"
            + " [resourceVersionMatch: Unsupported value: \"x\": supported values: \"Exact\","
            + " \"NotOlderThan\", \"\", sendInitialEvents: Forbidden: sendInitialEvents is"
            + " forbidden for list]",
        "?watch=1&continue=x | 422 | is invalid: resourceVersionMatch: Forbidden:"
            + " resourceVersionMatch is forbidden when continue is provided",
        "?watch=1&continue=x&resourceVersion=1&timeoutSeconds=-1 | 200 |",
        "?timeout=x | 400 | invalid timeout specified in the request URL - time: invalid duration"
            + " \"x\"",
        "?timeout=0s | 200 |",
        "?watch=1&timeout=x&timeoutSeconds=-1 | 200 |",
        "/a?export=true | 400 | the export parameter, deprecated since v1.14, is no longer"
            + " supported",
        "/a?export=0 | 200 |",
        "/a%25b | 400 | Name parameter invalid: \"a%b\": may not contain '%'",
        "/%2E%2E | 400 | Name parameter invalid: \"..\": may not be '..'",
      })
  void theQueryOfARead(String query, int code, String end) {
    check("GET", query, "", "", code, end);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "?fieldManager=a%0Ab%C2%A0 | 422 | [fieldManager: Invalid value: \"a\\nb\\u00a0\": invalid"
            + " character U+000A (at position 1), fieldManager: Invalid value: \"a\\nb\\u00a0\":"
            + " invalid character U+00A0 (at position 3)]",
        "?dryRun= | 422 | dryRun: Unsupported value: [\"\"]: supported values: \"All\"",
        "?fieldValidation=strict | 422 | supported values: \"\", \"Ignore\", \"Strict\", \"Warn\"",
      })
  void theQueryOfAWrite(String query, int code, String end) {
    check("POST", query, RunningServer.JSON, "{\"metadata\":{\"name\":\"b\"}}", code, end);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "?propagationPolicy= || 422 | Unsupported value: \"\": supported values: \"Foreground\","
            + " \"Background\", \"Orphan\", \"nil\"",
        "?gracePeriodSeconds= || 400 | strconv.ParseInt: parsing \"\": invalid syntax",
        "| {\"propagationPolicy\":\"x\",\"dryRun\":[\"y\"]} | 422 | \"nil\", dryRun: Unsupported"
            + " value: [\"y\"]: supported values: \"All\"]",
        "| {\"preconditions\":{\"uid\":\"\"}} | 409 | been deleted and then recreated",
        "| {\"preconditions\":{\"resourceVersion\":\"\"}} | 409 | might have been modified",
        "| {\"apiVersion\":\"a/b/c\"} | 400 | unexpected GroupVersion string: a/b/c",
        "| {\"kind\":5} | 400 | json: cannot unmarshal number into Go struct field .kind of type"
            + " string",
        "| {\"kind\":\"Foo\"} | 400 | no kind \"Foo\" is registered for version \"meta.k8s.io/v1\""
            + " in scheme"
            + " \"k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:27\"",
        "| {\"kind\":\"Status\",\"apiVersion\":\"v1\"} | 400 | converting (v1.Status) to"
            + " (v1.DeleteOptions): unknown conversion",
        "?dryRun=All | null | 200 |",
        "| {\"Kind\":\"Foo\"} | 400 | no kind \"Foo\" is registered for version \"meta.k8s.io/v1\""
            + " in scheme"
            + " \"k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:27\"",
      })
  void theOptionsOfADelete(String query, String body, int code, String end) {
    server.post(maps, "{\"metadata\":{\"name\":\"gone\"}}");
    check("DELETE", "/gone" + (query == null ? "" : query), RunningServer.JSON, body, code, end);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "strategic-merge | /a | {\"kind\":\"Secret\",\"apiVersion\":\"v2\"} | 200 |",
        "strategic-merge | /a | {\"metadata\":{\"generation\":2.0}} | 200 |",
        "merge | /a | {\"metadata\":{\"generation\":2.0}} | 422 | of type int64",
        "strategic-merge | /a | {\"kind\":5} | 422 | cannot convert int64 to string",
        "strategic-merge | /a | {\"metadata\":{\"deletionTimestamp\":5}} | 422 | json: cannot"
            + " unmarshal number into Go value of type string",
        "strategic-merge | /none | text | 404 | configmaps \"none\" not found",
        "merge | /none | text | 404 | configmaps \"none\" not found",
        "json | /none | text | 404 | configmaps \"none\" not found",
        "merge | /a?fieldValidation=Ignore | text | 400 | Invalid JSON Patch",
        "merge | /a?fieldValidation=Ignore | \"x\" | 400 | Invalid JSON Patch",
        "merge | /a?fieldValidation=Ignore | [null] | 422 | Kind string"
            + " \"json:\\\"kind,omitempty\\\"\" }",
        "json | /a?fieldValidation=Ignore | text | 400 | in literal true (expecting 'r')",
        "json | /a?fieldValidation=Ignore | {} | 400 | json: cannot unmarshal object into Go value"
            + " of type jsonpatch.Patch",
        "json | /a?fieldValidation=Ignore | [1] | 400 | json: cannot unmarshal number into Go"
            + " value of type jsonpatch.Operation",
        "json | /a?fieldValidation=Ignore | [{\"op\":1,\"path\":\"/data/b\"}] | 422 | due to an"
            + " error in our request",
        "json | /a | [{\"op\":\"replace\",\"path\":\"\",\"value\":[1]}] | 422 | Kind string"
            + " \"json:\\\"kind,omitempty\\\"\" }",
      })
  void thePatch(String type, String path, String body, int code, String end) {
    check("PATCH", path, "application/" + type + "-patch+json", body, code, end);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "/a | as=PartialObjectMetadataList;g=meta.k8s.io;v=v1 | 406 | you requested"
            + " PartialObjectMetadataList, but the requested object is not a list"
            + " (*core.ConfigMap)",
        "| as=PartialObjectMetadata;g=meta.k8s.io;v=v1 | 406 | you requested"
            + " PartialObjectMetadata, but the requested object is a list (*core.ConfigMapList)",
        "/a | sv=v2 | 406 | only the following media types are accepted: application/json,"
            + " application/yaml, application/vnd.kubernetes.protobuf",
        "/a | sv=v1 | 200 |",
      })
  void theFormOfAnAnswer(String path, String parameters, int code, String message) {
    var answer =
        server.send(
            "GET",
            maps + (path == null ? "" : path),
            "",
            RunningServer.JSON + ";" + parameters,
            new byte[0]);
    assertThat(answer.message()).isEqualTo(message == null ? "" : message);
    assertThat(answer.code()).isEqualTo(code);
  }

  @Test
  void metadataAloneComesInTheVersionThatWasAskedFor() {
    var accept = RunningServer.JSON + ";as=PartialObjectMetadataList;g=meta.k8s.io;v=v1beta1";
    var list = server.send("GET", maps, "", accept, new byte[0]).object();
    assertThat(list.string("apiVersion")).isEqualTo("meta.k8s.io/v1beta1");
    assertThat(list.array("items").object(0).string("apiVersion")).isEqualTo("meta.k8s.io/v1beta1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "/a | {\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\"} | 200 |",
        "/none | {\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\"} | 400 | was undeterminable: name"
            + " must be provided",
        "/a | {\"apiVersion\":\"a/b/c\",\"kind\":\"ConfigMap\"} | 400 | invalid object type: /,"
            + " Kind=",
        "/a | {\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"namespace\":\"x\","
            + "\"name\":\"y\"}} | 400 | does not match the namespace sent on the request",
      })
  void theAppliedConfiguration(String path, String body, int code, String end) {
    check("PATCH", path + "?fieldManager=one", RunningServer.APPLY, body, code, end);
  }

  @Test
  void anotherNamespaceIsSeenBeforeTheOneOfTheRequestIsLookedFor() {
    var answer =
        server.post(
            "/api/v1/namespaces/none/configmaps",
            "{\"metadata\":{\"name\":\"a\",\"namespace\":\"other\"}}");
    assertThat(answer.code()).isEqualTo(400);
  }

  @Test
  void ownersThatAPatchRepeatsAreSaidToBeSeenLater() {
    var owner = "{\"apiVersion\":\"v1\",\"kind\":\"A\",\"name\":\"a\",\"uid\":\"u\"}";
    var patch =
        "{\"metadata\":{\"ownerReferences\":[" + String.join(",", owner, owner, owner) + "]}}";
    server.post(maps, "{\"metadata\":{\"name\":\"owned\"}}");
    var warnings = server.patch(maps + "/owned", RunningServer.MERGE, patch).warnings();
    assertThat(warnings).singleElement().asString().contains("after mutating admission happens;");
    assertThat(warnings.getFirst()).contains("observed: u, u");
  }

  @Test
  void anUpdateThatInsistsOnAnObjectConflictsWithThereBeingNoneIfItCouldCreateOne() {
    var body = "{\"metadata\":{\"name\":\"none\",\"uid\":\"u\"}}";
    var answer =
        server.put(
            maps.replace("/api/v1", "/apis/coordination.k8s.io/v1").replace("configmaps", "leases")
                + "/none",
            body);
    assertThat(answer.code()).isEqualTo(409);
    assertThat(answer.message())
        .endsWith("Precondition failed: UID in precondition: u, UID in object meta: ");
    assertThat(server.put(maps + "/none", body).code()).isEqualTo(404);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "DELETE | {ns}/configmaps?resourceVersion=abc | invalid resource version: resourceVersion:"
            + " Invalid value: \"abc\": strconv.ParseUint: parsing \"abc\": invalid syntax",
        "GET | {ns}/configmaps?resourceVersion=+1 | invalid resource version: resourceVersion:"
            + " Invalid value: \" 1\": strconv.ParseUint: parsing \" 1\": invalid syntax",
        "GET | {ns}/configmaps?resourceVersion=99999999999999999999&limit=1 | invalid resource"
            + " version: resourceVersion: Invalid value: \"99999999999999999999\":"
            + " strconv.ParseUint: parsing \"99999999999999999999\": value out of range",
        "GET | {ns}/configmaps?resourceVersion=5&continue=e30 | 'invalid continue token: continue"
            + " key is not valid: server does not recognize this encoded version '",
        "GET | {ns}/pods/p/proxy?dryRun=All | dryRun is not supported",
        "POST | {ns}/pods/p/exec?dryRun=All | dryRun is not supported",
      })
  void whatIsRefusedBeforeAnythingHappens(String method, String path, String end) {
    var namespace = maps.substring(0, maps.lastIndexOf('/'));
    var answer =
        server.send(method, path.replace("{ns}", namespace), "", RunningServer.JSON, new byte[0]);
    assertThat(answer.code()).isEqualTo(400);
    assertThat(answer.message()).endsWith(end);
  }
}
