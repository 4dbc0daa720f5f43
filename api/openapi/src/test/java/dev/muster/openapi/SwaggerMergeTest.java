package dev.muster.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonObject;
import dev.muster.wire.JsonReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class SwaggerMergeTest {
  private static JsonObject object(String json) {
    return (JsonObject) JsonReader.read(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void onlyWhatIsBelowThePathAndWhatThatNeedsIsTaken() {
    var some =
        SwaggerMerge.below(
            object(
                """
                {'paths':{'/apis/g/v1/a':{'get':{'schema':{'$ref':'#/definitions/A'},
                                                 'parameters':[{'$ref':'#/parameters/p'}]}},
                          '/apis/g/v1':{}, '/apis/g/v1beta1/a':{}, '/apis/apps/v1/x':{}},
                 'definitions':{'A':{'p':{'$ref':'#/definitions/B'}},
                                'B':{'p':{'$ref':'#/definitions/A'}},'C':{}},
                 'parameters':{'p':{},'q':{}}}
                """),
            "/apis/g/v1/");
    assertThat(some.object("paths").keys()).containsExactlyInAnyOrder("/apis/g/v1/a", "/apis/g/v1");
    assertThat(some.object("definitions").keys()).containsExactlyInAnyOrder("A", "B");
    assertThat(some.object("parameters").keys()).containsExactly("p");
  }

  @Test
  void aNameThatMeansSomethingElseIsChanged() {
    var own = object("{'paths':{'/a':{}},'definitions':{'A':{'type':'string'},'S':{'x':1}}}");
    var other =
        object(
            """
            {'paths':{'/a':{'not':'taken'},'/b':{'$ref':'#/definitions/A'},
                      '/c':{'$ref':'#/definitions/S'}},
             'definitions':{'A':{'self':{'$ref':'#/definitions/A'}},'S':{'x':1}}}
            """);
    var merged = SwaggerMerge.of(own, List.of(other));
    assertThat(merged.object("definitions"))
        .isEqualTo(
            object(
                """
                {'A':{'type':'string'},'S':{'x':1},
                 'A_v2':{'self':{'$ref':'#/definitions/A_v2'}}}
                """));
    assertThat(merged.object("paths"))
        .isEqualTo(
            object(
                """
                {'/a':{},'/b':{'$ref':'#/definitions/A_v2'},'/c':{'$ref':'#/definitions/S'}}
                """));
  }
}
