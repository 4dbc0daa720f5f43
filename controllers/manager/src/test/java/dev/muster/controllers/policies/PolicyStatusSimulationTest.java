package dev.muster.controllers.policies;

import static dev.muster.controllers.Yaml.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.controllers.simulation.Simulation;
import dev.muster.model.json.JsonObject;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Policies come, change and go. In the end each says of its present expressions what is wrong. */
class PolicyStatusSimulationTest {
  private static final String POLICIES =
      "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";

  @ParameterizedTest
  @MethodSource("dev.muster.controllers.simulation.Simulation#seeds")
  void everyGenerationIsChecked(long seed) {
    var world = new Simulation(seed, (loops, clock) -> new PolicyStatusController(2).start(loops));
    publish(world);
    world.run(250, () -> others(world));
    for (var policy : world.api().list(POLICIES)) {
      var status = policy.object("status");
      boolean wrong = policy.object("spec").toString().contains("nope");
      assertThat(status.integer("observedGeneration", 0))
          .isEqualTo(policy.object("metadata").integer("generation", 0));
      assertThat(status.object("typeChecking").array("expressionWarnings").isEmpty())
          .as("%s", policy)
          .isEqualTo(!wrong);
    }
  }

  private static void publish(Simulation world) {
    world.api().page("/apis/apps/v1", object("resources: [{name: deployments, kind: Deployment}]"));
    world
        .api()
        .page(
            "/openapi/v3", object("paths: {apis/apps/v1: {serverRelativeURL: /openapi/v3/apps}}"));
    world
        .api()
        .page(
            "/openapi/v3/apps",
            object(
                """
                components:
                  schemas:
                    Deployment:
                      type: object
                      x-kubernetes-group-version-kind: [{group: apps, version: v1, kind: Deployment}]
                      properties:
                        spec: {type: object, properties: {replicas: {type: integer}}}
                """));
  }

  private static void others(Simulation world) {
    var name = "p" + world.pick(3);
    switch (world.pick(4)) {
      case 0, 1 ->
          world
              .api()
              .create(
                  POLICIES,
                  JsonObject.of(
                      "metadata",
                      JsonObject.of("name", name),
                      "spec",
                      spec(world),
                      "status",
                      JsonObject.EMPTY));
      case 2 -> world.api().change(POLICIES, "", name, policy -> policy.with("spec", spec(world)));
      default -> world.api().delete(POLICIES, "", name);
    }
  }

  private static JsonObject spec(Simulation world) {
    return object(
        """
        matchConstraints:
          resourceRules: [{apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: ['*']}]
        validations: [{expression: 'object.spec.%s > %d'}]
        """
            .formatted(world.pick(List.of("replicas", "nope")), world.pick(3)));
  }
}
