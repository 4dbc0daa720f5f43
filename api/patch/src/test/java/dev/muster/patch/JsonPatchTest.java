package dev.muster.patch;

import static dev.muster.patch.edit.Tree.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.model.status.StatusDetails;
import dev.muster.patch.edit.Tree;
import dev.muster.testing.CpuTime;
import java.util.ArrayList;
import java.util.Collections;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonPatchTest {

  private static Json apply(String document, String patch) {
    return JsonPatch.parse(json(patch)).apply(json(document));
  }

  @Test
  void whoAsksHearsWhichOperationFails() {
    var patch = "[{'op':'add','path':'/b','value':1},{'op':'test','path':'/a','value':2}]";
    var operations = JsonPatch.parse(json(patch));
    assertThat(operations.tryApply(json("{'a':1}")))
        .isEqualTo(new JsonPatch.Result.Failed("test", "/a", json("{'a':1,'b':1}")));
    assertThat(operations.tryApply(json("{'a':2}")))
        .isEqualTo(new JsonPatch.Result.Applied(json("{'a':2,'b':1}")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      textBlock =
          """
          {'a':1}              | []                                                       | {'a':1}
          {'a':1}              | null                                                     | {'a':1}
          {'a':1}              | [{'op':'add','path':'/b','value':2}]                     | {'a':1,'b':2}
          {'a':1}              | [{'op':'add','path':'/a','value':[1]}]                   | {'a':[1]}
          {'a':1}              | [{'op':'add','path':'/b'}]                               | {'a':1,'b':null}
          {'a':1}              | [{'op':'add','path':'x/b','value':2}]                    | {'a':1,'b':2}
          {'a':1}              | [{'op':'add','path':'/','value':2}]                      | {'a':1,'':2}
          {'a':{}}             | [{'op':'add','path':'/a/x~1y~0z~01','value':2}]          | {'a':{'x/y~z~1':2}}
          {'a':1,'b':2}        | [{'op':'remove','path':'/a'}]                            | {'b':2}
          {'a':null}           | [{'op':'remove','path':'/a'}]                            | {}
          {'a':1}              | [{'op':'replace','path':'/a','value':2}]                 | {'a':2}
          {'a':1}              | [{'op':'replace','path':'/b','value':2}]                 | {'a':1,'b':2}
          {'a':1}              | [{'op':'replace','path':'','value':{'b':1}}]             | {'b':1}
          {'a':1}              | [{'op':'replace','path':'','value':[1]}]                 | [1]
          {'a':1,'b':{}}       | [{'op':'move','from':'/a','path':'/b/c'}]                | {'b':{'c':1}}
          {'a':{'x':1},'b':{}} | [{'op':'copy','from':'/a','path':'/b/c'}]                | {'a':{'x':1},'b':{'c':{'x':1}}}
          {'b':{}}             | [{'op':'copy','from':'/a','path':'/b/c'}]                | {'b':{'c':null}}
          {'a':[1,2]}          | [{'op':'add','path':'/a/-','value':3}]                   | {'a':[1,2,3]}
          {'a':[1,2]}          | [{'op':'add','path':'/a/0','value':3}]                   | {'a':[3,1,2]}
          {'a':[1,2]}          | [{'op':'add','path':'/a/2','value':3}]                   | {'a':[1,2,3]}
          {'a':[1,2]}          | [{'op':'add','path':'/a/+1','value':3}]                  | {'a':[1,3,2]}
          {'a':[1,2]}          | [{'op':'add','path':'/a/-1','value':3}]                  | {'a':[1,2,3]}
          {'a':[1,2]}          | [{'op':'remove','path':'/a/-1'}]                         | {'a':[1]}
          {'a':[1,2]}          | [{'op':'replace','path':'/a/01','value':3}]              | {'a':[1,3]}
          {'a':[{'b':1}]}      | [{'op':'replace','path':'/a/0/b','value':3}]             | {'a':[{'b':3}]}
          {'a':[1,2,3]}        | [{'op':'move','from':'/a/0','path':'/a/2'}]              | {'a':[2,3,1]}
          {'a':{'x':[1]}}      | [{'op':'test','path':'/a','value':{'x':[1]}}]            | {'a':{'x':[1]}}
          {'a':1}              | [{'op':'test','path':'/b','value':null}]                 | {'a':1}
          {'a':1}              | [{'op':'test','path':'/b'}]                              | {'a':1}
          {'a':1,'b':2}        | [{'op':'test','path':'','value':{'b':2,'a':1}}]          | {'a':1,'b':2}
          {'a':{'b':1}}        | [{'op':'add','path':'/a/c','value':2},{'op':'test','path':'/a','value':{'c':2,'b':1}}] | {'a':{'b':1,'c':2}}
          {'a':[]}             | [{'op':'add','path':'/a/-','value':2},{'op':'test','path':'/a','value':[2]}] | {'a':[2]}
          """)
  void appliesAsKubeApiserverDoes(String document, String patch, String result) {
    assertThat(apply(document, patch)).isEqualTo(json(result));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      textBlock =
          """
          {'a':1}     | [{'op':'add','path':'/b/c','value':2}]
          {'a':1}     | [{'op':'add','path':'/a/c','value':2}]
          {'a':null}  | [{'op':'add','path':'/a/c','value':2}]
          {'a':1}     | [{'op':'add','path':'','value':2}]
          {'a':1}     | [{'op':'add','value':2}]
          {'a':1}     | [{'op':'remove'}]
          {'a':1}     | [{'op':'remove','path':'/b'}]
          {'a':1}     | [{'op':'remove','path':''}]
          {'a':1}     | [{'op':'replace','path':'','value':1}]
          {'a':1}     | [{'op':'replace','path':''}]
          {'a':1}     | [{'op':'move','path':'/b'}]
          {'a':1}     | [{'op':'move','from':'/b','path':'/c'}]
          {'a':{}}    | [{'op':'move','from':'/a','path':'/a/b'}]
          {'a':1}     | [{'op':'copy','from':'/b/c','path':'/c'}]
          {'a':1}     | [{'op':'test','path':'/a','value':2}]
          {'a':1}     | [{'op':'test','path':'/a','value':1.0}]
          {'a':1}     | [{'op':'test','path':'/a'}]
          {'a':1}     | [{'op':'test','path':'/b','value':''}]
          {'a':1}     | [{'op':'test','path':'/b/c','value':null}]
          {'a':[1]}   | [{'op':'test','path':'/a/1','value':null}]
          {'a':[1]}   | [{'op':'add','path':'/a/2','value':2}]
          {'a':[1]}   | [{'op':'add','path':'/a/x','value':2}]
          {'a':[1]}   | [{'op':'add','path':'/a/-3','value':2}]
          {'a':[1]}   | [{'op':'replace','path':'/a/1','value':2}]
          {'a':[1]}   | [{'op':'remove','path':'/a/-'}]
          {'a':[1]}   | [{'op':'remove','path':'/a/99999999999999999999'}]
          {'a':1}     | [{'op':'frob','path':'/a'}]
          {'a':1}     | [{'path':'/a','value':1}]
          {'a':1}     | [{}]
          {'a':1}     | [null]
          """)
  void answersABareInvalidWhenAnOperationFails(String document, String patch) {
    var refusal = catchThrowableOfType(ApiException.class, () -> apply(document, patch));
    assertThat(refusal.reason()).isEqualTo(Reason.INVALID);
    assertThat(refusal.text())
        .isEqualTo("the server rejected our request due to an error in our request");
    assertThat(refusal.details()).isSameAs(StatusDetails.EMPTY);
  }

  @Test
  void refusesWhatIsNoListOfOperations() {
    assertThat(parseFailure("{}"))
        .isEqualTo(
            "error decoding patch: json: cannot unmarshal object into Go value of type"
                + " []handlers.jsonPatchOp");
    assertThat(parseFailure("['a']"))
        .isEqualTo(
            "error decoding patch: json: cannot unmarshal string into Go value of type"
                + " handlers.jsonPatchOp");
    assertThat(parseFailure("[{'op':5}]"))
        .isEqualTo(
            "error decoding patch: json: cannot unmarshal number into Go struct field"
                + " jsonPatchOp.op of type string");
  }

  private static String parseFailure(String patch) {
    var failure = catchThrowableOfType(ApiException.class, () -> JsonPatch.parse(json(patch)));
    assertThat(failure.reason()).isEqualTo(Reason.BAD_REQUEST);
    return failure.text();
  }

  @Test
  void refusesMoreThanTenThousandOperations() {
    var patch = JsonArray.of(Collections.nCopies(10_001, JsonObject.EMPTY));
    var failure = catchThrowableOfType(ApiException.class, () -> JsonPatch.parse(patch));
    assertThat(failure.reason()).isEqualTo(Reason.REQUEST_ENTITY_TOO_LARGE);
    assertThat(failure.text())
        .isEqualTo(
            "Request entity too large: The allowed maximum operations in a JSON patch is 10000,"
                + " got 10001");
  }

  @Test
  void keepsInstancesThatNoOperationTouches() {
    var document = Tree.object("{'a':{'x':1},'b':{'y':2}}");
    var result = (JsonObject) apply("{}", "[]");
    assertThat(result.isEmpty()).isTrue();
    result =
        (JsonObject)
            JsonPatch.parse(json("[{'op':'add','path':'/a/z','value':1}]")).apply(document);
    assertThat(result.get("b")).isSameAs(document.get("b"));
  }

  @Test
  void limitsWhatCopiesAddUp() {
    var text = Json.of("x".repeat(1_000_000));
    var document = JsonObject.of("a", text);
    var three = "{'op':'copy','from':'/a','path':'/b'},".repeat(3);
    var patch = JsonPatch.parse(json("[" + three + "{'op':'test','path':'/c'}]"));
    assertThat(patch.apply(document)).isEqualTo(document.with("b", text));
    var four = JsonPatch.parse(json("[" + three + "{'op':'copy','from':'/a','path':'/b'}]"));
    Assertions.assertThrows(ApiException.class, () -> four.apply(document));
  }

  @Test
  void limitsTheDepthThatCopiesBuild() {
    var patch = new StringBuilder("[{'op':'add','path':'/a','value':{}}");
    var path = "/a";
    for (int i = 0; i < 14; i++) {
      patch.append(",{'op':'copy','from':'/a','path':'").append(path).append("/a'}");
      path = path + path;
    }
    var bomb = JsonPatch.parse(json(patch.append("]").toString()));
    Assertions.assertThrows(ApiException.class, () -> bomb.apply(JsonObject.EMPTY));
  }

  @Test
  void insertionsAtTheFrontOfALongListCostLittleMoreThanTheFirst() {
    CpuTime.assertAtMost(4, insertions(100), insertions(2_000));
  }

  private static Runnable insertions(int count) {
    var items = JsonArray.of(Collections.nCopies(500_000, Json.of(1)));
    var operations = new ArrayList<Json>();
    for (int i = 0; i < count; i++) {
      operations.add(json("{'op':'add','path':'/a/0','value':2}"));
      operations.add(json("{'op':'remove','path':'/a/1'}"));
    }
    var patch = JsonPatch.parse(JsonArray.of(operations));
    return () -> patch.apply(JsonObject.of("a", items));
  }

  @Test
  void isPrintedSortedWhereAnOperationLooks() {
    var document = json("{'c':{'z':{'q':1,'p':2},'y':{'n':1,'m':2}},'b':{'v':1,'u':2}}");
    var patch =
        JsonPatch.parse(
            json(
                "[{'op':'add','path':'/c/a','value':{'k':1,'j':2}},"
                    + "{'op':'test','path':'/c/y','value':{'m':2,'n':1}}]"));
    assertThat(patch.applyInPrintedOrder(document).toString())
        .isEqualTo(
            json("{'b':{'v':1,'u':2},'c':{'a':{'k':1,'j':2},'y':{'m':2,'n':1},'z':{'q':1,'p':2}}}")
                .toString());
  }
}
