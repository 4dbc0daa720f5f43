package dev.muster.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.status.ApiException;
import dev.muster.wire.NegotiatedMediaType.Target;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NegotiatedMediaTypeTest {
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
    var negotiatedMediaType = NegotiatedMediaType.of(accept, false);
    assertThat(negotiatedMediaType.encoding()).isEqualTo(encoding);
    assertThat(negotiatedMediaType.target()).isEqualTo(target);
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/html", "application/xml", "application/*", "application/cbor", "x"})
  void refusesOtherTypesAsTheRouterDoes(String accept) {
    assertThatThrownBy(() -> NegotiatedMediaType.of(accept, false))
        .isInstanceOf(ApiException.class)
        .hasMessage("406: Not Acceptable\n\nAvailable representations: " + TYPES);
    assertThatThrownBy(() -> NegotiatedMediaType.of(accept, true))
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
    assertThatThrownBy(() -> NegotiatedMediaType.of(accept, false))
        .hasMessage("only the following media types are accepted: " + TYPES);
  }

  @Test
  void aTableIsPassedOverWhereThereIsNone() {
    var table = "application/json;as=Table;v=v1;g=meta.k8s.io";
    assertThat(
            NegotiatedMediaType.of(
                SupportedMediaTypes.STANDARD, table + ",application/json", false, false))
        .isEqualTo(NegotiatedMediaType.JSON);
    assertThatThrownBy(
            () -> NegotiatedMediaType.of(SupportedMediaTypes.STANDARD, table, false, false))
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
    assertThat(NegotiatedMediaType.ofDocument(accept, true)).isEqualTo(encoding);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/json;as=Table;v=v1;g=meta.k8s.io",
        "application/json;as=X;v=v2;g=apidiscovery.k8s.io",
        "application/json;sv=v1",
      })
  void aDocumentIsRefusedInAnotherForm(String accept) {
    assertThatThrownBy(() -> NegotiatedMediaType.ofDocument(accept, true))
        .hasMessage("only the following media types are accepted: " + TYPES);
  }

  @Test
  void aDocumentIsRefusedByTheRouterWhereThereIsOne() {
    assertThatThrownBy(() -> NegotiatedMediaType.ofDocument("text/html", true))
        .hasMessage("406: Not Acceptable\n\nAvailable representations: " + TYPES);
    assertThatThrownBy(() -> NegotiatedMediaType.ofDocument("text/html", false))
        .hasMessage("only the following media types are accepted: " + TYPES);
    NegotiatedMediaType.requireRouted("text/html,application/json;q=0.1", "application/json");
    NegotiatedMediaType.requireLog("application/json;as=Table;v=v1;g=meta.k8s.io, */*");
    assertThatThrownBy(() -> NegotiatedMediaType.requireLog("image/png"))
        .hasMessageContaining("Available representations: text/plain, application/json");
    assertThatThrownBy(() -> NegotiatedMediaType.requireLog("text/plain"))
        .hasMessageStartingWith("only the following media types are accepted: application/json");
    assertThatThrownBy(
            () -> NegotiatedMediaType.requireRouted("application/yaml", "application/json"))
        .hasMessage("406: Not Acceptable\n\nAvailable representations: application/json");
  }

  @Test
  void aKindOfItsOwnIsFoundInAnyClause() {
    var kind = Map.of("as", "X", "g", "a.example", "v", "v2");
    assertThat(
            NegotiatedMediaType.ofKind(
                "application/json,application/yaml;as=X;g=a.example;v=v2", kind))
        .isEqualTo(Encoding.YAML);
    assertThat(NegotiatedMediaType.ofKind("text/html;as=X;g=a.example;v=v2", kind)).isNull();
    assertThat(NegotiatedMediaType.ofKind("application/json;as=X;g=a.example;v=v1", kind)).isNull();
  }

  @Test
  void aWatchIsNeverYaml() {
    assertThat(NegotiatedMediaType.ofWatch("application/json").encoding()).isEqualTo(Encoding.JSON);
    assertThatThrownBy(() -> NegotiatedMediaType.ofWatch("application/yaml"))
        .hasMessage("only the following media types are accepted: " + STREAMS);
  }

  @Test
  void cborIsOfferedOnlyWhenItIsSwitchedOn() {
    assertThat(
            NegotiatedMediaType.of(SupportedMediaTypes.WITH_CBOR, "application/cbor", false)
                .encoding())
        .isEqualTo(Encoding.CBOR);
    assertThat(
            NegotiatedMediaType.ofWatch(SupportedMediaTypes.WITH_CBOR, "application/cbor-seq")
                .encoding())
        .isEqualTo(Encoding.CBOR);
    assertThat(NegotiatedMediaType.ofBody(SupportedMediaTypes.WITH_CBOR, "application/cbor"))
        .isEqualTo(Encoding.CBOR);
    assertThatThrownBy(() -> NegotiatedMediaType.ofBody("application/cbor"))
        .hasMessageEndingWith("accepted media types include: " + TYPES);
  }

  @Test
  void readsTheTypeOfABody() {
    assertThat(NegotiatedMediaType.ofBody("")).isEqualTo(Encoding.JSON);
    assertThat(NegotiatedMediaType.ofBody("application/json; charset=utf-8"))
        .isEqualTo(Encoding.JSON);
    assertThat(NegotiatedMediaType.ofBody("application/json;")).isEqualTo(Encoding.JSON);
    assertThat(NegotiatedMediaType.ofBody("Application/YAML")).isEqualTo(Encoding.YAML);
    for (var wrong : new String[] {"nonsense", "application/json;;", "text/plain", "*/*"}) {
      assertThatThrownBy(() -> NegotiatedMediaType.ofBody(wrong))
          .isInstanceOf(ApiException.class)
          .hasMessageStartingWith("the body of the request was in an unknown format");
    }
  }

  @Test
  void isPrettyForThoseWhoLookAtIt() {
    assertThat(NegotiatedMediaType.isPretty("true", "")).isTrue();
    assertThat(NegotiatedMediaType.isPretty("0", "curl/8.0")).isFalse();
    assertThat(NegotiatedMediaType.isPretty("", "curl/8.0")).isTrue();
    assertThat(NegotiatedMediaType.isPretty("", "kubectl/v1.33")).isFalse();
  }

  @Test
  void nobodyMeansMoreThanSomeHundredTypes() {
    assertThat(NegotiatedMediaType.of("a/b,".repeat(255) + "application/yaml", false).encoding())
        .isEqualTo(Encoding.YAML);
    assertThatThrownBy(() -> NegotiatedMediaType.of("a/b,".repeat(256) + "application/yaml", false))
        .hasMessageStartingWith("406: Not Acceptable");
    assertThat(MediaType.parse("a/b" + ";c=d".repeat(64) + ";")).isNull();
    assertThat(MediaType.parse("a/b" + ";c=d".repeat(64))).isNotNull();
  }

  @Test
  void looksAtHeadersForCustomResourcesWithoutARouter() {
    assertThat(
            NegotiatedMediaType.of(SupportedMediaTypes.STANDARD, "application/*", false, true, true)
                .encoding())
        .isEqualTo(Encoding.JSON);
    assertThatThrownBy(
            () ->
                NegotiatedMediaType.of(
                    SupportedMediaTypes.STANDARD, "text/html", false, true, true))
        .hasMessage(
            "only the following media types are accepted: application/json, application/yaml,"
                + " application/vnd.kubernetes.protobuf");
  }
}
