package dev.muster.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.status.ApiException;
import dev.muster.wire.Negotiated.Target;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NegotiatedTest {
  private static final String TYPES =
      "application/json, application/yaml, application/vnd.kubernetes.protobuf";
  private static final String STREAMS =
      "application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|JSON|OBJECT",
        "*/*|JSON|OBJECT",
        "application/json|JSON|OBJECT",
        "application/yaml|YAML|OBJECT",
        "application/vnd.kubernetes.protobuf|PROTOBUF|OBJECT",
        "application/vnd.kubernetes.protobuf,application/json|PROTOBUF|OBJECT",
        "text/html, application/json;q=0.5|JSON|OBJECT",
        "application/json;q=0.5, application/yaml|YAML|OBJECT",
        "*/*, application/yaml|YAML|OBJECT",
        "application/*, application/yaml;q=0.1|JSON|OBJECT",
        "application/json;stream=watch|JSON|OBJECT",
        "application/json;as=Table;v=v1;g=meta.k8s.io|JSON|TABLE",
        "application/json;as=Table;v=v1beta1;g=meta.k8s.io|JSON|TABLE",
        "application/yaml;as=Table;v=v1;g=meta.k8s.io|YAML|TABLE",
        "application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io,application/json|JSON|OBJECT",
        "application/json;as=Table;v=v2;g=meta.k8s.io,application/json|JSON|OBJECT",
        "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;v=v1;g=meta.k8s.io|PROTOBUF|PARTIAL_METADATA",
        "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io|JSON|PARTIAL_METADATA_LIST",
      })
  void choosesWhatIsWantedMost(String accept, Encoding encoding, Target target) {
    var negotiated = Negotiated.of(accept, false);
    assertThat(negotiated.encoding()).isEqualTo(encoding);
    assertThat(negotiated.target()).isEqualTo(target);
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/html", "application/xml", "application/*", "application/cbor", "x"})
  void refusesOtherTypesAsTheRouterDoes(String accept) {
    assertThatThrownBy(() -> Negotiated.of(accept, false))
        .isInstanceOf(ApiException.class)
        .hasMessage("406: Not Acceptable\n\nAvailable representations: " + TYPES);
    assertThatThrownBy(() -> Negotiated.of(accept, true))
        .hasMessage("406: Not Acceptable\n\nAvailable representations: " + TYPES + ", " + STREAMS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/json;as=Nonsense;v=v1;g=meta.k8s.io",
        "application/json;as=Table",
        "application/json;v=v1",
        "application/yaml;stream=watch",
        "application/json;stream=other",
        "application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io",
      })
  void refusesWhatATypeCannotBeTurnedInto(String accept) {
    assertThatThrownBy(() -> Negotiated.of(accept, false))
        .hasMessage("only the following media types are accepted: " + TYPES);
  }

  @Test
  void aTableIsPassedOverWhereThereIsNone() {
    var table = "application/json;as=Table;v=v1;g=meta.k8s.io";
    assertThat(Negotiated.of(Offer.STANDARD, table + ",application/json", false, false))
        .isEqualTo(Negotiated.JSON);
    assertThatThrownBy(() -> Negotiated.of(Offer.STANDARD, table, false, false))
        .hasMessage("only the following media types are accepted: " + TYPES);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|JSON",
        "application/yaml|YAML",
        "application/vnd.kubernetes.protobuf,*/*|PROTOBUF",
        "application/json;as=Table;v=v1;g=meta.k8s.io,application/yaml|YAML",
        "application/yaml;as=X;v=v2;g=apidiscovery.k8s.io,application/json|JSON",
        "application/json;stream=watch|JSON",
      })
  void aDocumentHasNoOtherFormThanItsOwn(String accept, Encoding encoding) {
    assertThat(Negotiated.ofDocument(accept, true)).isEqualTo(encoding);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/json;as=Table;v=v1;g=meta.k8s.io",
        "application/json;as=X;v=v2;g=apidiscovery.k8s.io",
        "application/json;sv=v1",
      })
  void aDocumentIsRefusedInAnotherForm(String accept) {
    assertThatThrownBy(() -> Negotiated.ofDocument(accept, true))
        .hasMessage("only the following media types are accepted: " + TYPES);
  }

  @Test
  void aDocumentIsRefusedByTheRouterWhereThereIsOne() {
    assertThatThrownBy(() -> Negotiated.ofDocument("text/html", true))
        .hasMessage("406: Not Acceptable\n\nAvailable representations: " + TYPES);
    assertThatThrownBy(() -> Negotiated.ofDocument("text/html", false))
        .hasMessage("only the following media types are accepted: " + TYPES);
    Negotiated.requireRouted("text/html,application/json;q=0.1", "application/json");
    Negotiated.requireLog("application/json;as=Table;v=v1;g=meta.k8s.io, */*");
    assertThatThrownBy(() -> Negotiated.requireLog("image/png"))
        .hasMessageContaining("Available representations: text/plain, application/json");
    assertThatThrownBy(() -> Negotiated.requireLog("text/plain"))
        .hasMessageStartingWith("only the following media types are accepted: application/json");
    assertThatThrownBy(() -> Negotiated.requireRouted("application/yaml", "application/json"))
        .hasMessage("406: Not Acceptable\n\nAvailable representations: application/json");
  }

  @Test
  void aKindOfItsOwnIsFoundInAnyClause() {
    var kind = Map.of("as", "X", "g", "a.example", "v", "v2");
    assertThat(Negotiated.ofKind("application/json,application/yaml;as=X;g=a.example;v=v2", kind))
        .isEqualTo(Encoding.YAML);
    assertThat(Negotiated.ofKind("text/html;as=X;g=a.example;v=v2", kind)).isNull();
    assertThat(Negotiated.ofKind("application/json;as=X;g=a.example;v=v1", kind)).isNull();
  }

  @Test
  void aWatchIsNeverYaml() {
    assertThat(Negotiated.ofWatch("application/json").encoding()).isEqualTo(Encoding.JSON);
    assertThatThrownBy(() -> Negotiated.ofWatch("application/yaml"))
        .hasMessage("only the following media types are accepted: " + STREAMS);
  }

  @Test
  void cborIsOfferedOnlyWhenItIsSwitchedOn() {
    assertThat(Negotiated.of(Offer.WITH_CBOR, "application/cbor", false).encoding())
        .isEqualTo(Encoding.CBOR);
    assertThat(Negotiated.ofWatch(Offer.WITH_CBOR, "application/cbor-seq").encoding())
        .isEqualTo(Encoding.CBOR);
    assertThat(Negotiated.ofBody(Offer.WITH_CBOR, "application/cbor")).isEqualTo(Encoding.CBOR);
    assertThatThrownBy(() -> Negotiated.ofBody("application/cbor"))
        .hasMessageEndingWith("accepted media types include: " + TYPES);
  }

  @Test
  void readsTheTypeOfABody() {
    assertThat(Negotiated.ofBody("")).isEqualTo(Encoding.JSON);
    assertThat(Negotiated.ofBody("application/json; charset=utf-8")).isEqualTo(Encoding.JSON);
    assertThat(Negotiated.ofBody("application/json;")).isEqualTo(Encoding.JSON);
    assertThat(Negotiated.ofBody("Application/YAML")).isEqualTo(Encoding.YAML);
    for (var wrong : new String[] {"nonsense", "application/json;;", "text/plain", "*/*"}) {
      assertThatThrownBy(() -> Negotiated.ofBody(wrong))
          .isInstanceOf(ApiException.class)
          .hasMessageStartingWith("the body of the request was in an unknown format");
    }
  }

  @Test
  void isPrettyForThoseWhoLookAtIt() {
    assertThat(Negotiated.isPretty("true", "")).isTrue();
    assertThat(Negotiated.isPretty("0", "curl/8.0")).isFalse();
    assertThat(Negotiated.isPretty("", "curl/8.0")).isTrue();
    assertThat(Negotiated.isPretty("", "kubectl/v1.33")).isFalse();
  }

  @Test
  void nobodyMeansMoreThanSomeHundredTypes() {
    assertThat(Negotiated.of("a/b,".repeat(255) + "application/yaml", false).encoding())
        .isEqualTo(Encoding.YAML);
    assertThatThrownBy(() -> Negotiated.of("a/b,".repeat(256) + "application/yaml", false))
        .hasMessageStartingWith("406: Not Acceptable");
    assertThat(MediaType.parse("a/b" + ";c=d".repeat(64) + ";")).isNull();
    assertThat(MediaType.parse("a/b" + ";c=d".repeat(64))).isNotNull();
  }

  @Test
  void looksAtHeadersForCustomResourcesWithoutARouter() {
    assertThat(Negotiated.of(Offer.STANDARD, "application/*", false, true, true).encoding())
        .isEqualTo(Encoding.JSON);
    assertThatThrownBy(() -> Negotiated.of(Offer.STANDARD, "text/html", false, true, true))
        .hasMessage(
            "only the following media types are accepted: application/json, application/yaml,"
                + " application/vnd.kubernetes.protobuf");
  }
}
