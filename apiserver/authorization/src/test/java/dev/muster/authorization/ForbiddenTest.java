package dev.muster.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.User;
import org.junit.jupiter.api.Test;

class ForbiddenTest {
  private final User jane = User.of("jane");

  @Test
  void namesTheNamespaceAndTheObject() {
    var list = Attributes.resource(jane, "list", "", "v1", "pods", "", "default", "");
    assertThat(Forbidden.of(list, Decision.NO_OPINION).text())
        .isEqualTo(
            "pods is forbidden: User \"jane\" cannot list resource \"pods\" in API group \"\" in"
                + " the namespace \"default\"");
    var scale = Attributes.resource(jane, "get", "apps", "v1", "deployments", "scale", "a", "web");
    var answer = Forbidden.of(scale, Decision.noOpinion("not today", ""));
    assertThat(answer.text())
        .isEqualTo(
            "deployments.apps \"web\" is forbidden: User \"jane\" cannot get resource"
                + " \"deployments/scale\" in API group \"apps\" in the namespace \"a\": not today");
    assertThat(answer.details().name()).isEqualTo("web");
    assertThat(answer.details().group()).isEqualTo("apps");
    assertThat(answer.details().kind()).isEqualTo("deployments");
  }

  @Test
  void saysSoAtTheClusterScope() {
    var nodes = Attributes.resource(jane, "list", "", "v1", "nodes", "", "", "");
    assertThat(Forbidden.of(nodes, Decision.NO_OPINION).text())
        .isEqualTo(
            "nodes is forbidden: User \"jane\" cannot list resource \"nodes\" in API group \"\" at"
                + " the cluster scope");
  }

  @Test
  void namesThePathAndKeepsHtmlOut() {
    var path = Attributes.path(jane, "get", "/<b>&");
    assertThat(Forbidden.of(path, Decision.NO_OPINION).text())
        .isEqualTo("forbidden: User \"jane\" cannot get path \"/&lt;b&gt;&amp;\"");
  }
}
