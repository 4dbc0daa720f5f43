package dev.muster.server.answer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.registry.builtin.BuiltInTypes;
import dev.muster.server.answer.ResponseEncoders.Kind;
import dev.muster.types.ServedType;
import dev.muster.types.Types;
import dev.muster.types.options.Query;
import dev.muster.wire.CborReader;
import dev.muster.wire.JsonReader;
import dev.muster.wire.SupportedMediaTypes;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which representation a client gets, and what an object, an event and an error are in it. */
class ResponseEncodersTest {
  private static final Types TYPES = Types.of(BuiltInTypes.all());
  private static final ServedType MAPS = Objects.requireNonNull(TYPES.find("", "v1", "configmaps"));
  private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";
  private static final String METADATA =
      "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";

  private static final JsonObject MAP =
      JsonObject.of("kind", "ConfigMap", "apiVersion", "v1")
          .with("metadata", JsonObject.of("name", "a", "namespace", "default"))
          .with("data", JsonObject.of("k", "v"));

  private final ResponseEncoders responseEncoders =
      new ResponseEncoders(
          Clock.fixed(Instant.parse("2026-02-01T00:00:00Z"), ZoneOffset.UTC),
          SupportedMediaTypes.WITH_CBOR);

  private ResponseEncoder of(String accept, Kind kind) {
    return of(accept, "", kind);
  }

  private ResponseEncoder of(String accept, String query, Kind kind) {
    return responseEncoders.of(accept, "test", Query.parse(query), MAPS, "", kind);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource({
    "'', application/json",
    "*/*, application/json",
    "application/json, application/json",
    "application/yaml, application/yaml",
    "application/vnd.kubernetes.protobuf, application/vnd.kubernetes.protobuf",
    "application/cbor, application/cbor"
  })
  void theContentTypeIsTheOneAskedFor(String accept, String expected) {
    assertThat(of(accept, Kind.OBJECT).contentType()).isEqualTo(expected);
  }

  @Test
  void requestsForStoredObjectsShareTheirRepresentation() {
    assertThat(of("application/json", Kind.OBJECT)).isSameAs(of("*/*", Kind.LIST));
    assertThat(of("application/json", Kind.OBJECT).sharesJson()).isTrue();
    assertThat(of("application/json", "pretty=true", Kind.OBJECT))
        .isInstanceOf(TreeResponseEncoder.class);
  }

  @Test
  void jsonIsALineUnlessItIsPretty() {
    assertThat(text(of("", Kind.OBJECT).object(MAP)))
        .isEqualTo(
            "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\","
                + "\"namespace\":\"default\"},\"data\":{\"k\":\"v\"}}\n");
    assertThat(text(of("", "pretty=true", Kind.OBJECT).object(MAP)))
        .startsWith("{\n  \"kind\": \"ConfigMap\",\n")
        .endsWith("}");
  }

  @Test
  void everyEncodingSaysTheSame() {
    assertThat(text(of("application/yaml", Kind.OBJECT).object(MAP))).contains("kind: ConfigMap");
    assertThat(CborReader.read(of("application/cbor", Kind.OBJECT).object(MAP))).isEqualTo(MAP);
    assertThat(
            text(of("application/vnd.kubernetes.protobuf", Kind.OBJECT).object(MAP))
                .substring(0, 3))
        .isEqualTo("k8s");
  }

  @Test
  void aTableHasARowForAnObjectAndMetadataNothingElse() {
    var table = (JsonObject) JsonReader.read(of(TABLE, Kind.OBJECT).object(MAP));
    assertThat(table.string("kind")).isEqualTo("Table");
    assertThat(table.array("rows").size()).isEqualTo(1);
    var metadata = (JsonObject) JsonReader.read(of(METADATA, Kind.OBJECT).object(MAP));
    assertThat(metadata.string("kind")).isEqualTo("PartialObjectMetadata");
    assertThat(metadata.get("data")).isNull();
    assertThat(metadata.object("metadata").string("name")).isEqualTo("a");
  }

  @Test
  void whatNobodyCanGiveIsNotAcceptable() {
    assertThatThrownBy(() -> of("text/html", Kind.OBJECT)).isInstanceOf(ApiException.class);
  }

  @Test
  void bookmarksAndErrorsAreFramesOfTheWatchsEncoding() {
    var watch = of("application/json", Kind.WATCH).watch();
    var bookmark = (JsonObject) JsonReader.read(watch.bookmark(7, true));
    assertThat(bookmark.string("type")).isEqualTo("BOOKMARK");
    assertThat(bookmark.object("object", "metadata").string("resourceVersion")).isEqualTo("7");
    assertThat(
            bookmark
                .object("object", "metadata", "annotations")
                .string("k8s.io/initial-events-end"))
        .isEqualTo("true");
    assertThat(text(watch.bookmark(8, false))).doesNotContain("initial-events-end").endsWith("}\n");
    var error = (JsonObject) JsonReader.read(watch.error(JsonObject.of("kind", "Status")));
    assertThat(error.string("type")).isEqualTo("ERROR");
    assertThat(error.object("object").string("kind")).isEqualTo("Status");
  }
}
