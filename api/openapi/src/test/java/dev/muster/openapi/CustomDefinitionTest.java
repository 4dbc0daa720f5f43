package dev.muster.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.wire.JsonReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class CustomDefinitionTest {
  private static final String EITHER = "[{'type':'integer'},{'type':'string'}]";

  private static JsonObject json(String json) {
    var bytes = json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    return (JsonObject) JsonReader.read(bytes);
  }

  /** A property as it is published. */
  private static JsonObject published(Dialect dialect, String property) {
    var schema = json("{'type':'object','properties':{'a':" + property + "}}");
    return new CustomDefinition(dialect, new Definitions(dialect, List.of()))
        .of(schema, JsonArray.EMPTY)
        .object("properties", "a");
  }

  @Test
  void version2HasNoDefaults() {
    assertThat(published(Dialect.V2, "{'type':'integer','default':3}"))
        .isEqualTo(json("{'type':'integer'}"));
    var list = "{'type':'array','items':{'type':'string'%s}%s}";
    assertThat(published(Dialect.V2, list.formatted(",'default':'x'", ",'default':[]")))
        .isEqualTo(json(list.formatted("", "")));
    assertThat(published(Dialect.V3, "{'type':'integer','default':3}"))
        .isEqualTo(json("{'type':'integer','default':3}"));
  }

  @Test
  void whatIsAnIntegerOrAStringIsSaidToReadersThatDoNotKnowTheMark() {
    var marked = "{'x-kubernetes-int-or-string':true%s}";
    assertThat(published(Dialect.V3, marked.formatted("")))
        .isEqualTo(json(marked.formatted(",'anyOf':" + EITHER)));
    assertThat(published(Dialect.V3, marked.formatted(",'anyOf':" + EITHER)))
        .isEqualTo(json(marked.formatted(",'anyOf':" + EITHER)));
    var others = ",'anyOf':[{'minimum':3}]";
    var both = others + ",'allOf':[{'anyOf':" + EITHER + "}]";
    assertThat(published(Dialect.V3, marked.formatted(others)))
        .isEqualTo(json(marked.formatted(both)));
    assertThat(published(Dialect.V3, marked.formatted(both)))
        .isEqualTo(json(marked.formatted(both)));
    assertThat(published(Dialect.V2, marked.formatted(both))).isEqualTo(json(marked.formatted("")));
  }

  @Test
  void metadataHasNoDefault() {
    var embedded = "{'type':'object','x-kubernetes-embedded-resource':true}";
    assertThat(published(Dialect.V3, embedded).object("properties", "metadata").keys())
        .containsExactlyInAnyOrder("allOf", "description");
  }
}
