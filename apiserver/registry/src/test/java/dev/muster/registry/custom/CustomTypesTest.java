package dev.muster.registry.custom;

import static dev.muster.registry.custom.DefinedWidgets.definition;
import static dev.muster.registry.custom.DefinedWidgets.version;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.types.ServedType;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which types there are follows from the definitions alone. */
class CustomTypesTest {
  private static final String OBJECT = "{'type':'object'}";
  private static final String V1 = "'versions':[" + version("v1", true, OBJECT) + "]";
  private static final String EARLY = "2026-01-01T00:00:00Z";
  private static final String LATE = "2026-01-02T00:00:00Z";

  private final DefinedWidgets defined = new DefinedWidgets(WebhookConversion.UNAVAILABLE);

  @AfterEach
  void close() {
    defined.close();
  }

  private boolean isServed(String plural) {
    var type = defined.find("v1", plural);
    return type != null && type.isServed();
  }

  @Test
  void aDefinitionMakesATypeOfEachVersionAndTakesThemWithIt() {
    defined.define(version("v1", true, OBJECT), version("v2", false, OBJECT));
    var first = Objects.requireNonNull(defined.find("v1", "widgets"));
    assertThat(defined.find("v2", "widgets")).isNotNull();
    assertThat(first.kind().kind()).isEqualTo("Widget");
    assertThat(first.isStoredVersion()).isTrue();
    defined.delete("widgets");
    assertThat(defined.types().groups()).doesNotContain("example.com");
  }

  @Test
  void whatDefinesTheSameStaysTheSameType() {
    defined.define(version("v1", true, OBJECT));
    var before = defined.find("v1", "widgets");
    var labelled =
        definition("widgets", "Widget", EARLY, V1)
            .replace("'uid':'u-widgets'", "'uid':'u-widgets','labels':{'a':'b'}");
    defined.write("widgets", labelled);
    assertThat(defined.find("v1", "widgets")).isSameAs(before);
    defined.define(version("v1", true, "{'type':'object','description':'other'}"));
    assertThat(defined.find("v1", "widgets")).isNotSameAs(before);
  }

  /** A watch that begins between a definition and the acceptance of its names goes on. */
  @Test
  void whoseNamesAreAcceptedStaysTheSameType() {
    var open = definition("widgets", "Widget", EARLY, V1);
    defined.write("widgets", open);
    var before = defined.types();
    defined.write("widgets", accepted(open));
    assertThat(defined.types()).isSameAs(before);
    var after = Objects.requireNonNull(defined.find("v1", "widgets"));
    defined.write("widgets", open);
    var refused = Objects.requireNonNull(defined.find("v1", "widgets"));
    assertThat(shows(refused, after)).as("nobody has accepted it any more").isFalse();
  }

  private static boolean shows(ServedType now, ServedType before) {
    return Objects.requireNonNull(now.definition())
        .showsTheSameAs(Objects.requireNonNull(before.definition()));
  }

  private static String accepted(String definition) {
    return definition.replaceFirst(
        "\\}$",
        ",'status':{'acceptedNames':{'plural':'widgets','kind':'Widget'},"
            + "'conditions':[{'type':'NamesAccepted','status':'True'}]}}");
  }

  @Test
  void theOlderOfTwoDefinitionsHasTheNameWhicheverComesFirst() {
    var gadgets = definition("gadgets", "Widget", EARLY, V1);
    var widgets = definition("widgets", "Widget", LATE, V1);
    defined.write("widgets", widgets);
    assertThat(isServed("widgets")).isTrue();
    defined.write("gadgets", gadgets);
    assertThat(isServed("gadgets")).isTrue();
    assertThat(isServed("widgets")).isFalse();
    defined.delete("gadgets");
    assertThat(isServed("widgets")).isTrue();
  }

  @Test
  void whatWasAcceptedOnceKeepsItsName() {
    defined.write("widgets", accepted(definition("widgets", "Widget", LATE, V1)));
    defined.write("gadgets", definition("gadgets", "Widget", EARLY, V1));
    assertThat(isServed("widgets")).isTrue();
    assertThat(isServed("gadgets")).isFalse();
  }

  @Test
  void whatIsAcceptedLaterThanItsTypesWereMadeKeepsItsName() {
    var widgets = definition("widgets", "Widget", LATE, V1);
    defined.write("widgets", widgets);
    defined.write("widgets", accepted(widgets));
    defined.write("gadgets", definition("gadgets", "Widget", EARLY, V1));
    assertThat(isServed("widgets")).isTrue();
    assertThat(isServed("gadgets")).isFalse();
  }

  @Test
  void whatIsAcceptedTakesTheNameFromThoseThatWaitForIt() {
    var widgets = definition("widgets", "Widget", LATE, V1);
    defined.write("gadgets", definition("gadgets", "Widget", EARLY, V1));
    defined.write("widgets", widgets);
    assertThat(isServed("gadgets")).isTrue();
    defined.write("widgets", accepted(widgets));
    assertThat(isServed("widgets")).isTrue();
    assertThat(isServed("gadgets")).isFalse();
  }

  @Test
  void aDefinitionThatCannotBeFollowedServesNothingAndHarmsNobody() {
    defined.define(version("v1", true, OBJECT));
    defined.write("gadgets", definition("gadgets", "Gadget", EARLY, "'versions':[]"));
    assertThat(isServed("gadgets")).isFalse();
    assertThat(isServed("widgets")).isTrue();
  }
}
