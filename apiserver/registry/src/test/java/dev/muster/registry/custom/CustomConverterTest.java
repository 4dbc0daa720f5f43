package dev.muster.registry.custom;

import static dev.muster.registry.custom.DefinedWidgets.json;
import static dev.muster.registry.custom.DefinedWidgets.version;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Objects of several versions, shown in one of them. */
class CustomConverterTest {
  private static final GroupVersionKind V2 = new GroupVersionKind("example.com", "v2", "Widget");

  private final DefinedWidgets defined =
      new DefinedWidgets(WebhookConversion.UNAVAILABLE)
          .define(version("v1", true, spec("a")), version("v2", false, spec("b")));
  private final Map<String, CustomForm> forms =
      Map.of("v1", defined.form("v1"), "v2", defined.form("v2"));
  private final List<List<String>> asked = new ArrayList<>();

  private static String spec(String field) {
    return ("{'type':'object','properties':{'spec':{'type':'object','properties':{'%s':"
            + "{'type':'string'}}}}}")
        .formatted(field);
  }

  @AfterEach
  void close() {
    defined.close();
  }

  private static JsonObject widget(String version, String name) {
    var field = version.equals("v1") ? "a" : "b";
    return json(
        "{'apiVersion':'example.com/%s','kind':'Widget','metadata':{'name':'%s'},'spec':{'%s':'x'}}"
            .formatted(version, name, field));
  }

  /** Moves the field, and leaves something behind that no version knows. */
  private List<JsonObject> webhook(List<JsonObject> objects, String apiVersion) {
    asked.add(objects.stream().map(one -> one.object("metadata").string("name")).toList());
    return objects.stream()
        .map(
            one ->
                one.with("apiVersion", apiVersion).with("spec", json("{'b':'x','unknown':true}")))
        .toList();
  }

  @Test
  void withoutAWebhookOnlyTheVersionChangesAndUnknownFieldsGo() {
    var converter = new CustomConverter(forms, null);
    assertThat(converter.isBlocking()).isFalse();
    assertThat(converter.convert(List.of(widget("v1", "one")), V2))
        .containsExactly(
            json(
                "{'apiVersion':'example.com/v2','kind':'Widget','metadata':{'name':'one'},"
                    + "'spec':{}}"));
  }

  @Test
  void theWebhookIsAskedOnceForWhatIsInOtherVersionsAndTheOrderStays() {
    var converter = new CustomConverter(forms, this::webhook);
    assertThat(converter.isBlocking()).isTrue();
    var same = widget("v2", "two");
    var result = converter.convert(List.of(widget("v1", "one"), same, widget("v1", "three")), V2);
    assertThat(asked).containsExactly(List.of("one", "three"));
    assertThat(result)
        .extracting(one -> one.object("metadata").string("name"))
        .containsExactly("one", "two", "three");
    assertThat(result.get(1)).isSameAs(same);
    assertThat(result.getFirst().object("spec")).isEqualTo(json("{'b':'x'}"));
  }

  @Test
  void nobodyIsAskedForWhatIsInTheVersion() {
    var objects = List.of(widget("v2", "one"), widget("v2", "two"));
    assertThat(new CustomConverter(forms, this::webhook).convert(objects, V2)).isSameAs(objects);
    assertThat(asked).isEmpty();
  }

  @Test
  void metadataThatCannotBeReadIsTheWebhooksFault() {
    var converter =
        new CustomConverter(
            forms,
            (objects, apiVersion) ->
                List.of(
                    objects
                        .getFirst()
                        .with("apiVersion", apiVersion)
                        .with("metadata", json("{'name':5}"))));
    assertThatThrownBy(() -> converter.convert(List.of(widget("v1", "one")), V2))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.reason().name()).isEqualTo("INTERNAL_ERROR"));
  }
}
