package dev.muster.types.options;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonObject;
import org.junit.jupiter.api.Test;

class DeleteOptionsTest {
  @Test
  void admissionSeesOneKindOfOptions() {
    var sent = JsonObject.of("kind", "DeleteOptions", "apiVersion", "v1", "gracePeriodSeconds", 3);

    var seen = DeleteOptions.of(sent, Query.parse("")).asObject();

    assertThat(seen).isEqualTo(sent.with("apiVersion", "meta.k8s.io/v1"));
  }

  @Test
  void admissionSeesThatTheQueryAsksForADryRun() {
    var seen = DeleteOptions.of(null, Query.parse("dryRun=All")).asObject();

    assertThat(seen.array("dryRun").strings()).containsExactly("All");
    assertThat(seen.string("apiVersion")).isEqualTo("meta.k8s.io/v1");
  }
}
