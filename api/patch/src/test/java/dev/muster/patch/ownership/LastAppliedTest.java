package dev.muster.patch.ownership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import org.junit.jupiter.api.Test;

/** The way from client-side to server-side apply. */
class LastAppliedTest {
  private static final String ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration";

  private final Endpoint maps = Endpoint.configMaps();

  /** What kubectl's own apply leaves behind. */
  private void clientSideApply(String data) {
    var applied = maps.object("{'data':" + data + "}");
    maps.write(
        "kubectl-client-side-apply",
        applied.withAt(JsonObject.of(ANNOTATION, applied + "\n"), "metadata", "annotations"));
  }

  private String annotation() {
    return maps.live().object("metadata").object("annotations").string(ANNOTATION);
  }

  @Test
  void kubectlTakesOverWhatItAppliedByItself() {
    clientSideApply("{'k':'1'}");
    maps.apply("kubectl", "{'data':{'k':'2 < 3'}}");
    assertThat(maps.live().at("data", "k")).isEqualTo(Json.of("2 < 3"));
    assertThat(annotation())
        .isEqualTo(
            """
            {"apiVersion":"v1","data":{"k":"2 \\u003c 3"},"kind":"ConfigMap","metadata":{"name":"a"}}
            """);
    assertThat(maps.owners())
        .isEqualTo(
            "kubectl Apply 1 {'f:data':{'f:k':{}}}\n"
                + "kubectl-client-side-apply Update 0 {'f:data':{},"
                + "'f:metadata':{'f:annotations':{'.':{},'f:"
                + ANNOTATION
                + "':{}}}}\n");
  }

  @Test
  void othersConflict() {
    clientSideApply("{'k':'1'}");
    assertThatThrownBy(() -> maps.apply("other", "{'data':{'k':'2'}}"))
        .hasMessageContaining("conflict with \"kubectl-client-side-apply\" using v1: .data.k");
  }

  @Test
  void whatSomebodyElseChangedSinceConflicts() {
    clientSideApply("{'k':'1','l':'1'}");
    var live = maps.live();
    maps.write("editor", live.withAt(Json.of("9"), "data", "l"));
    assertThatThrownBy(() -> maps.apply("kubectl", "{'data':{'k':'2','l':'2'}}"))
        .hasMessage("Apply failed with 1 conflict: conflict with \"editor\" using v1: .data.l");
  }

  @Test
  void anAnnotationThatCannotBeReadHelpsNobody() {
    for (var text : new String[] {"x", "[]", "{}", "{\"apiVersion\":\"v1\",\"data\":1}"}) {
      var fresh = Endpoint.configMaps();
      fresh.write(
          "kubectl-client-side-apply",
          fresh
              .object("{'data':{'k':'1'}}")
              .withAt(JsonObject.of(ANNOTATION, text), "metadata", "annotations"));
      assertThatThrownBy(() -> fresh.apply("kubectl", "{'data':{'k':'2'}}"))
          .hasMessageContaining("1 conflict");
    }
  }

  @Test
  void anObjectWithoutTheAnnotationGetsNone() {
    maps.apply("kubectl", "{'data':{'k':'2'}}");
    assertThat(annotation()).isEmpty();
  }

  @Test
  void theAnnotationGoesWhenItWouldBeTooLong() {
    clientSideApply("{'k':'1'}");
    maps.apply("kubectl", "{'data':{'k':'" + "x".repeat(300_000) + "'}}");
    assertThat(annotation()).isEmpty();
  }
}
