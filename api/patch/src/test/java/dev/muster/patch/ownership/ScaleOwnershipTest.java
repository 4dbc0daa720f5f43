package dev.muster.patch.ownership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.patch.edit.Tree;
import dev.muster.patch.ownership.fields.FieldFilter;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScaleOwnershipTest {
  private static final ScaleOwnership SCALE =
      new ScaleOwnership(
          "apps/v1",
          Map.of("apps/v1", "spec.replicas", "apps/v2", "spec.size", "apps/v3", "")::get);

  private final Endpoint deployments = new Endpoint("apps/v1", "Deployment", "status");
  private final Endpoint scales =
      new Endpoint("autoscaling/v1", "Scale", "scale", FieldFilter.NONE);

  private void open() {
    var parent = deployments.live();
    var scale =
        scales
            .object("{'metadata':{'uid':'u'}}")
            .with("spec", JsonObject.of("replicas", parent.object("spec").integer("replicas", 0)));
    var managed = SCALE.toScale(parent);
    scales.live = managed == null ? scale : scale.withAt(managed, "metadata", "managedFields");
  }

  private void close() {
    var replicas = scales.live().object("spec").integer("replicas", 0);
    var scaled = deployments.live().withAt(Json.of(replicas), "spec", "replicas");
    deployments.live = SCALE.toParent(scaled, scales.live());
  }

  @Test
  void whoeverScalesOwnsTheReplicas() {
    deployments.write("maker", "{'spec':{'replicas':1,'paused':true}}");
    open();
    assertThat(scales.owners()).isEqualTo("maker Update 0 {'f:spec':{'f:replicas':{}}}\n");
    scales.write("scaler", scales.live().with("spec", JsonObject.of("replicas", 2)));
    close();
    assertThat(deployments.owners())
        .isEqualTo(
            """
            scaler Update/scale - {'f:spec':{'f:replicas':{}}}
            maker Update 0 {'f:spec':{'f:paused':{}}}
            """);
  }

  @Test
  void whoUsedAnotherVersionKeepsTheOtherFields() {
    deployments.live =
        deployments.object(
            "{'metadata':{'managedFields':["
                + "{'manager':'a','operation':'Update','apiVersion':'apps/v2','fieldsType':'FieldsV1','fieldsV1':{'f:spec':{'f:size':{},'f:x':{}}}},"
                + "{'manager':'b','operation':'Update','apiVersion':'apps/v3','fieldsType':'FieldsV1','fieldsV1':{'f:spec':{'f:y':{}}}},"
                + "{'manager':'c','operation':'Update','apiVersion':'apps/v4','fieldsType':'FieldsV1','fieldsV1':{'f:spec':{'f:z':{}}}}]},"
                + "'spec':{'replicas':1}}");
    open();
    assertThat(scales.owners()).isEqualTo("a Update - {'f:spec':{'f:replicas':{}}}\n");
    scales.write("scaler", scales.live().with("spec", JsonObject.of("replicas", 2)));
    close();
    assertThat(deployments.owners())
        .isEqualTo(
            """
            a Update - {'f:spec':{'f:x':{}}}
            b Update - {'f:spec':{'f:y':{}}}
            scaler Update/scale - {'f:spec':{'f:replicas':{}}}
            """);
  }

  @Test
  void scalingToTheSameNumberChangesNobodysEntry() {
    deployments.write("maker", "{'spec':{'replicas':1,'paused':true}}");
    var before = deployments.live();
    open();
    scales.write("scaler", scales.live());
    close();
    assertThat(deployments.live()).isEqualTo(before);
  }

  @Test
  void scalingAgainKeepsTheEntry() {
    deployments.write("maker", "{'spec':{'replicas':1}}");
    for (int i = 2; i < 4; i++) {
      open();
      scales.write("scaler", scales.live().with("spec", JsonObject.of("replicas", i)));
      close();
    }
    assertThat(deployments.owners())
        .isEqualTo("scaler Update/scale - {'f:spec':{'f:replicas':{}}}\n");
  }

  @Test
  void applyingAScaleConflictsAndCanBeForced() {
    deployments.write("maker", "{'spec':{'replicas':1,'paused':true}}");
    open();
    scales.force("one", "{'spec':{'replicas':4}}");
    close();
    assertThat(deployments.owners())
        .isEqualTo(
            """
            one Apply/scale - {'f:spec':{'f:replicas':{}}}
            maker Update 0 {'f:spec':{'f:paused':{}}}
            """);
  }

  @Test
  void dropsEntriesOfUnknownVersions() {
    var parent =
        Tree.object(
            "{'metadata':{'managedFields':[{'manager':'x','operation':'Update','apiVersion':'apps/v0',"
                + "'fieldsType':'FieldsV1','fieldsV1':{'f:spec':{'f:replicas':{}}}}]}}");
    assertThat(SCALE.toScale(parent)).isNull();
    assertThat(SCALE.toParent(parent, JsonObject.EMPTY).object("metadata").has("managedFields"))
        .isFalse();
    assertThat(JsonArray.EMPTY.isEmpty()).isTrue();
  }
}
