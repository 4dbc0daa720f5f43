package dev.muster.validation.apps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.validation.core.Verdicts;
import org.junit.jupiter.api.Test;

class ControllerRulesTest {
  private static final Verdicts CONTROLLER = new Verdicts(ControllerRules.STRATEGY, true);

  private static String controller(String annotation, String selector, String spec) {
    return "{'metadata':{'annotations':{'a':'b'"
        + annotation
        + "}},'spec':{'selector':{'app':'"
        + selector
        + "'},'template':{'metadata':{'labels':{'app':'pear','tier':'x'}},"
        + "'spec':{'containers':[{'name':'c','image':'i'}]"
        + spec
        + "}}}}";
  }

  @Test
  void whatCouldNotBeConvertedStandsInTheWayOfChanges() {
    var broken = ",'non-convertible.kubernetes.io/fruit':'plum'";
    assertThat(CONTROLLER.update(controller(broken, "pear", ""), controller("", "pear", "")))
        .containsExactly("fruit: Not found: \"plum\": unknown non-convertible field");
    var selector = ",'non-convertible.kubernetes.io/selector':'x'";
    assertThat(CONTROLLER.update(controller(selector, "pear", ""), controller("", "pear", "")))
        .isEmpty();
  }

  @Test
  void aChangeWarnsAboutTheTemplateAsItWas() {
    var fine = controller("", "pear", "");
    var odd = controller("", "pear", ",'nodeSelector':{'beta.kubernetes.io/os':'x'}");
    var warning =
        "spec.template.spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use"
            + " \"kubernetes.io/os\" instead";
    assertThat(CONTROLLER.warnings(odd)).containsExactly(warning);
    assertThat(CONTROLLER.warnings(fine, odd)).isEmpty();
    assertThat(CONTROLLER.warnings(odd, fine)).containsExactly(warning);
  }
}
