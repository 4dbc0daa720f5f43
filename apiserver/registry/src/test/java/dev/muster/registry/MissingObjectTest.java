package dev.muster.registry;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.status.ApiException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is applied to an object that is not there. */
class MissingObjectTest {
  private final Workbench bench = new Workbench();

  @AfterEach
  void close() {
    bench.close();
  }

  private void apply(String resource, String subresource, String configuration) {
    bench
        .handlers
        .patches()
        .patch(
            bench.call(resource, "gone", subresource, "fieldManager=m"),
            "application/apply-patch+yaml",
            configuration.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{{{",
        "[]",
        "{}",
        "{apiVersion: v1, kind: Pod, metadata: {name: gone}}",
        "{apiVersion: apps/v1, kind: Deployment, metadata: {name: other}}",
        "{apiVersion: apps/v1, kind: Deployment, metadata: {name: gone}, status: {replicas: x}}",
      })
  void itsStatusIsNotFoundWhateverIsApplied(String configuration) {
    assertThatThrownBy(() -> apply("apps/v1/deployments", "status", configuration))
        .isInstanceOf(ApiException.class)
        .hasMessage("deployments.apps \"gone\" not found");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{{{", "[]", "{}", "{apiVersion: v1, kind: Pod}"})
  void whatWouldCreateItMustBeRight(String configuration) {
    assertThatThrownBy(() -> apply("apps/v1/deployments", "", configuration))
        .isInstanceOf(ApiException.class)
        .hasMessageNotContaining("not found");
  }
}
