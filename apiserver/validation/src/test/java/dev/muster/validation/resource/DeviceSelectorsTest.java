package dev.muster.validation.resource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.validation.core.Verdicts;
import org.junit.jupiter.api.Test;

class DeviceSelectorsTest {
  private static final Verdicts CLASS = new Verdicts(DeviceClassRules.STRATEGY, false);

  @Test
  void selectorsCostNoMoreThanAllowed() {
    var each = "device.attributes.all(a, device.attributes.all(b, device.attributes.all(c, %s)))";
    var few = "device.attributes['a'].name.matches('^[a-z]+$') && device.driver != ''";
    assertThat(CLASS.create(selector(few))).isEmpty();
    assertThat(CLASS.create(selector(each.formatted("a != b && b != c")))).isEmpty();
    assertThat(CLASS.create(selector(each.formatted("(a + b + c).matches(a + b + c)"))))
        .containsExactly(
            "spec.selectors[0].cel.expression: Forbidden: too complex, exceeds cost limit");
  }

  private static String selector(String expression) {
    return "{'spec':{'selectors':[{'cel':{'expression':\""
        + expression.replace("'", "\\u0027")
        + "\"}}]}}";
  }
}
