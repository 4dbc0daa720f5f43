package dev.muster.controllers.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.controllers.Controller;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import org.junit.jupiter.api.Test;

class ControllerSelectionTest {
  private static final List<Controller> ALL =
      List.of(new Idle("namespace-controller"), new Idle("garbage-collector-controller"));

  @Test
  void theAsteriskIsAll() {
    assertThat(run("*")).containsExactly("namespace-controller", "garbage-collector-controller");
  }

  @Test
  void oneCanBeLeftOutAndOneCanBeAlone() {
    assertThat(run("*", "-garbage-collector-controller")).containsExactly("namespace-controller");
    assertThat(run("garbage-collector-controller")).containsExactly("garbage-collector-controller");
    assertThat(run("-namespace-controller")).isEmpty();
  }

  @Test
  void olderNamesMeanTheSame() {
    assertThat(run("*", "-garbagecollector")).containsExactly("namespace-controller");
    assertThat(run("namespace")).containsExactly("namespace-controller");
  }

  @Test
  void anUnknownNameIsRefused() {
    assertThatThrownBy(() -> run("*", "-nodes"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "--controllers: \"nodes\" is not in the list of known controllers:"
                + " garbage-collector-controller, namespace-controller");
  }

  private static List<String> run(String... entries) {
    return new ControllerSelection(List.of(entries))
        .of(ALL).stream().map(Controller::name).toList();
  }

  private record Idle(String name) implements Controller {
    @Override
    public AutoCloseable start(KubernetesClient client) {
      return () -> {};
    }
  }
}
