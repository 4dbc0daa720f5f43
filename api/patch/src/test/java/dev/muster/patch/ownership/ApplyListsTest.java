package dev.muster.patch.ownership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.json.JsonObject;
import dev.muster.patch.edit.Tree;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lists under server-side apply. */
class ApplyListsTest {
  private final Endpoint templates = new Endpoint("v1", "PodTemplate");
  private final Endpoint services = new Endpoint("v1", "Service", "status");
  private final Endpoint maps = Endpoint.configMaps();

  private static String containers(String names) {
    var items =
        names.isBlank()
            ? ""
            : names
                .lines()
                .flatMap(line -> Arrays.stream(line.split(" ")))
                .map(name -> "{'name':'" + name + "'}")
                .collect(Collectors.joining(","));
    return "{'template':{'spec':{'containers':[" + items + "]}}}";
  }

  private static String names(JsonObject template) {
    return template.object("template", "spec").array("containers").objects().stream()
        .map(container -> container.string("name"))
        .collect(Collectors.joining(" "));
  }

  @ParameterizedTest
  @CsvSource({
    "a b,     c,       a b c",
    "a b,     b,       a b",
    "a b c,   c x a,   b c x a",
    "b a,     a c b,   a c b",
    "a b c d, d b,     a c d b",
    "a b,     x b y,   a x b y",
    "a b c,   x a y c, x a b y c"
  })
  void ordersItemsAsTheyWereApplied(String before, String applied, String after) {
    templates.apply("one", containers(before));
    assertThat(names(templates.apply("two", containers(applied)))).isEqualTo(after);
  }

  @Test
  void ownsItemsByTheirKeys() {
    templates.apply(
        "one", "{'template':{'spec':{'containers':[{'name':'a','image':'1','args':['x']}]}}}");
    assertThat(templates.owners())
        .isEqualTo(
            "one Apply 0 {'f:template':{'f:spec':{'f:containers':{'k:{`name`:`a`}':{'.':{},"
                + "'f:args':{},'f:image':{},'f:name':{}}}}}}\n");
    assertThatThrownBy(
            () ->
                templates.apply(
                    "two",
                    "{'template':{'spec':{'containers':[{'name':'a','image':'2','args':['y']}]}}}"))
        .hasMessage(
            """
            Apply failed with 2 conflicts: conflicts with "one":
            - .template.spec.containers[name="a"].args
            - .template.spec.containers[name="a"].image\
            """);
  }

  @Test
  void removesItemsThatOnlyItApplied() {
    templates.apply("one", containers("a b c"));
    templates.apply("two", containers("b"));
    assertThat(names(templates.apply("one", containers("c")))).isEqualTo("b c");
    assertThat(names(templates.apply("one", containers("")))).isEqualTo("b");
    assertThat(templates.owners())
        .isEqualTo(
            "two Apply - {'f:template':{'f:spec':{'f:containers':{'k:{`name`:`b`}':{'.':{},"
                + "'f:name':{}}}}}}\n");
  }

  @Test
  void keepsAnItemInWhichSomebodyElseOwnsSomething() {
    templates.apply("one", "{'template':{'spec':{'containers':[{'name':'a','image':'1'}]}}}");
    templates.apply("two", "{'template':{'spec':{'containers':[{'name':'a','tty':true}]}}}");
    var after = templates.apply("one", "{'template':{'spec':{'containers':[]}}}");
    assertThat(after.object("template", "spec").array("containers").object(0))
        .isEqualTo(Tree.object("{'name':'a','tty':true,'resources':{}}"));
  }

  @Test
  void treatsSetsByValue() {
    maps.apply("one", "{'metadata':{'finalizers':['f/a']}}");
    maps.apply("two", "{'metadata':{'finalizers':['f/b','f/a']}}");
    assertThat(maps.live().object("metadata").array("finalizers").strings())
        .containsExactly("f/b", "f/a");
    assertThat(maps.owners())
        .isEqualTo(
            """
            one Apply 0 {'f:metadata':{'f:finalizers':{'v:`f/a`':{}}}}
            two Apply 1 {'f:metadata':{'f:finalizers':{'v:`f/a`':{},'v:`f/b`':{}}}}
            """);
    maps.apply("two", "{}");
    assertThat(maps.live().object("metadata").array("finalizers").strings()).containsExactly("f/a");
    maps.apply("one", "{}");
    assertThat(maps.live().object("metadata").has("finalizers")).isFalse();
  }

  @Test
  void usesDefaultsOfKeys() {
    services.apply("one", "{'spec':{'ports':[{'port':80}]}}");
    assertThat(services.owners())
        .isEqualTo(
            "one Apply 0 {'f:spec':{'f:ports':{'k:{`port`:80,`protocol`:`TCP`}':{'.':{},"
                + "'f:port':{}}}}}\n");
    services.apply("two", "{'spec':{'ports':[{'port':80,'protocol':'UDP'}]}}");
    assertThat(services.live().object("spec").array("ports").size()).isEqualTo(2);
  }

  @Test
  void takesAKeyThatIsMissingForItsZeroValue() {
    templates.apply("one", "{'template':{'spec':{'containers':[{'image':'x'}]}}}");
    assertThat(templates.owners()).contains("'k:{`name`:``}'");
    services.apply("one", "{'spec':{'ports':[{'name':'x'}]}}");
    assertThat(services.owners()).contains("'k:{`port`:0,`protocol`:`TCP`}'");
  }

  @Test
  void refusesRepeatedKeys() {
    assertThatThrownBy(
            () -> services.apply("one", "{'spec':{'ports':[{'port':80},{'port':80,'name':'b'}]}}"))
        .hasMessage(
            "failed to create typed patch object (/a; /v1, Kind=Service): .spec.ports: duplicate"
                + " entries for key [port=80,protocol=\"TCP\"]");
    assertThatThrownBy(() -> maps.apply("one", "{'metadata':{'finalizers':['f/a','f/a']}}"))
        .hasMessage(
            "failed to create typed patch object (/a; /v1, Kind=ConfigMap): .metadata.finalizers:"
                + " duplicate entries for key [=\"f/a\"]");
  }

  @Test
  void namesTheItemThatIsWrong() {
    assertThatThrownBy(
            () ->
                templates.apply(
                    "one",
                    "{'template':{'spec':{'containers':[{'name':'a','ports':[{'containerPort':'80'}]}]}}}"))
        .hasMessage(
            "failed to create typed patch object (/a; /v1, Kind=PodTemplate):"
                + " .template.spec.containers[name=\"a\"].ports[containerPort=\"80\",protocol=\"TCP\"].containerPort:"
                + " expected numeric (int or float), got string");
    assertThatThrownBy(() -> templates.apply("one", "{'template':{'spec':{'containers':[null]}}}"))
        .hasMessageEndingWith(
            ".template.spec.containers: element 0: associative list with keys may not have a null"
                + " element");
  }

  @Test
  void anEmptyListIsOwnedByNobodyAndNullByWhoeverSaysSo() {
    templates.apply("one", "{'template':{'spec':{'containers':[{'name':'a'}],'volumes':[]}}}");
    assertThat(templates.owners()).doesNotContain("volumes");
    templates.apply("one", "{'template':{'spec':{'containers':[{'name':'a'}],'volumes':null}}}");
    assertThat(templates.owners()).contains("'f:volumes':{}");
  }

  @Test
  void duplicatesThatAreThereAlreadyStay() {
    templates.write(
        "one",
        "{'template':{'spec':{'containers':[{'name':'a','env':[{'name':'A','value':'1'},"
            + "{'name':'A','value':'2'},{'name':'B'}]}]}}}");
    var after =
        templates.apply(
            "two",
            "{'template':{'spec':{'containers':[{'name':'a','env':[{'name':'C','value':'3'}]}]}}}");
    assertThat(after.object("template", "spec").array("containers").object(0).array("env").size())
        .isEqualTo(4);
  }
}
