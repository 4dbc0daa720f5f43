package dev.muster.registry;

import static dev.muster.registry.Workbench.body;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.json.JsonObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ScaleTest {
  private static final String DEPLOYMENTS = "apps/v1/deployments";

  private final Workbench bench = new Workbench();

  @BeforeEach
  void aDeployment() {
    bench.create(
        DEPLOYMENTS,
        "{'metadata':{'name':'d'},'spec':{'replicas':1,'selector':{'matchLabels':{'a':'b'}},"
            + "'template':{'metadata':{'labels':{'a':'b'}},"
            + "'spec':{'containers':[{'name':'c','image':'i'}]}}}}");
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private void patch(String query, String contentType, String patch) {
    bench
        .handlers
        .scales()
        .patch(bench.call(DEPLOYMENTS, "d", "scale", query), contentType, body(patch).bytes());
  }

  private void apply(String query, int replicas) {
    patch(
        query,
        "application/apply-patch+yaml",
        "{'apiVersion':'autoscaling/v1','kind':'Scale','metadata':{'name':'d'},"
            + "'spec':{'replicas':"
            + replicas
            + "}}");
  }

  private JsonObject stored() {
    return bench.stored(DEPLOYMENTS, "d");
  }

  private JsonObject owner(String manager) {
    return stored().object("metadata").array("managedFields").objects().stream()
        .filter(entry -> entry.string("manager").equals(manager))
        .findFirst()
        .orElse(JsonObject.EMPTY);
  }

  @Test
  void whoeverPatchesTheScaleOwnsTheReplicas() {
    patch("fieldManager=scaler", "application/merge-patch+json", "{'spec':{'replicas':3}}");
    assertThat(stored().object("spec").integer("replicas", 0)).isEqualTo(3);
    assertThat(owner("scaler").string("subresource")).isEqualTo("scale");
    assertThat(owner("scaler").object("fieldsV1"))
        .isEqualTo(Workbench.json("{'f:spec':{'f:replicas':{}}}"));
    assertThat(owner("test").object("fieldsV1", "f:spec").has("f:replicas")).isFalse();
  }

  @Test
  void theMetadataOfAScaleIsCheckedLikeAnyOther() {
    assertThatThrownBy(
            () ->
                patch(
                    "",
                    "application/merge-patch+json",
                    "{'metadata':{'labels':{'a':'-'}},'spec':{'replicas':-1}}"))
        .hasMessageStartingWith(
            "Scale.autoscaling \"d\" is invalid: [metadata.labels: Invalid value: \"-\"")
        .hasMessageEndingWith(
            "spec.replicas: Invalid value: -1: must be greater than or equal to 0]");
  }

  @Test
  void anAppliedScaleTakesReplicasOnlyByForce() {
    assertThatThrownBy(() -> apply("fieldManager=one", 4))
        .hasMessage(
            "Apply failed with 1 conflict: conflict with \"test\" using autoscaling/v1:"
                + " .spec.replicas");
    apply("fieldManager=one&force=true", 4);
    assertThat(stored().object("spec").integer("replicas", 0)).isEqualTo(4);
    assertThat(owner("one").string("operation")).isEqualTo("Apply");
    assertThat(owner("one").string("apiVersion")).isEqualTo("apps/v1");
  }

  @Test
  void aScaleIsThatOfOneObject() {
    assertThatThrownBy(
            () -> patch("", "application/merge-patch+json", "{'metadata':{'uid':'other'}}"))
        .hasMessageStartingWith(
            "Operation cannot be fulfilled on deployments/scale.apps \"d\": Precondition failed:"
                + " UID in precondition: other, UID in object meta: ");
    assertThatThrownBy(
            () ->
                patch(
                    "fieldManager=m&force=true",
                    "application/apply-patch+yaml",
                    "{'apiVersion':'autoscaling/v1','kind':'Scale','metadata':{'name':'d',"
                        + "'uid':'other'},'spec':{'replicas':2}}"))
        .hasMessageContaining("UID in precondition: other, UID in object meta: ");
  }

  @Test
  void thereAreNoFewerThanNoPods() {
    assertThatThrownBy(() -> patch("", "application/merge-patch+json", "{'spec':{'replicas':-1}}"))
        .hasMessageEndingWith(
            "spec.replicas: Invalid value: -1: must be greater than or equal to 0");
  }
}
