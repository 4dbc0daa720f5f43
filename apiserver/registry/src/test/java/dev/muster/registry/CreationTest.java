package dev.muster.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.GroupResource;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.RelatedStatusUpdate;
import dev.muster.registry.write.UnstoredHandler;
import dev.muster.registry.write.WriteResult;
import dev.muster.types.ObjectMeta;
import dev.muster.types.options.DeleteOptions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CreationTest {
  private static final String PODS = "v1/pods";

  /** Refuses everything called {@code refused}, and remembers in which namespace it saw objects. */
  private static final class Gate implements Admission {
    final List<String> namespaces = new ArrayList<>();

    @Override
    public JsonObject admit(AdmissionRequest request) {
      namespaces.add(ObjectMeta.namespace(request.mustObject()));
      return request.mustObject();
    }

    @Override
    public List<RelatedStatusUpdate> validate(AdmissionRequest request) {
      if (request.name().equals("refused")) {
        throw ApiException.forbidden(new GroupResource("", "things"), "refused", "no");
      }
      return List.of();
    }
  }

  private final Gate gate = new Gate();
  private final Workbench bench = new Workbench(gate);

  @AfterEach
  void close() {
    bench.close();
  }

  private void pod(String metadata) {
    bench.create(
        PODS,
        "{'metadata':%s,'spec':{'containers':[{'name':'c','image':'i','env':[{'name':'E'},"
                .formatted(metadata)
            + "{'name':'E'}]}]}}");
  }

  @Test
  void warningsGoWithARefusalToo() {
    assertThatThrownBy(() -> pod("{'name':'refused'}")).hasMessageEndingWith("forbidden: no");
    assertThat(bench.warnings).hasSize(1);
  }

  @Test
  void admissionSeesObjectsInTheirNamespace() {
    pod("{'name':'p'}");
    assertThat(gate.namespaces).containsOnly("a");
    assertThatThrownBy(() -> pod("{'name':'q','namespace':'b'}"))
        .hasMessageStartingWith("the namespace of the provided object does not match");
    assertThat(gate.namespaces).hasSize(1);
  }

  @Test
  void aVersionIsRefusedAfterEverythingElse() {
    assertThatThrownBy(() -> pod("{'name':'p','resourceVersion':'5'}"))
        .hasMessage("resourceVersion should not be set on objects to be created");
    assertThatThrownBy(() -> pod("{'name':'refused','resourceVersion':'5'}"))
        .hasMessageEndingWith("forbidden: no");
    pod("{'name':'zero','resourceVersion':'0'}");
    pod("{'name':'text','resourceVersion':'abc'}");
    assertThat(ObjectMeta.resourceVersion(bench.stored(PODS, "text"))).isNotEqualTo("abc");
  }

  @Test
  void systemPriorityClassesAreNotDeleted() {
    var resourceRequest =
        bench.call("scheduling.k8s.io/v1/priorityclasses", "system-node-critical", "");
    assertThatThrownBy(
            () ->
                bench
                    .handlers
                    .deletes()
                    .delete(
                        resourceRequest,
                        DeleteOptions.of(JsonObject.EMPTY, resourceRequest.query())))
        .hasMessage(
            "priorityclasses.scheduling.k8s.io \"system-node-critical\" is forbidden: this is a"
                + " system priority class and cannot be deleted");
  }

  @Test
  void whatIsNotStoredIsAdmittedToo() {
    var resourceRequest = bench.call("v1/configmaps", "", "");
    var type = resourceRequest.type();
    var writeResult =
        bench
            .handlers
            .unstored()
            .create(
                resourceRequest,
                type.kind(),
                type.shape(),
                Workbench.json("{'metadata':{'name':'m'},'data':{'k':'v'}}"),
                Workbench.options(resourceRequest, "CreateOptions"),
                (object, cluster) -> new UnstoredHandler.Made(object.without("data"), true));
    assertThat(writeResult).isInstanceOf(WriteResult.Made.class);
    var made = ((WriteResult.Made) writeResult).body();
    assertThat(made.has("data")).isFalse();
    assertThat(made.object("metadata").array("managedFields").object(0).string("manager"))
        .isEqualTo("test");
    assertThat(bench.stored("v1/configmaps", "m")).isEqualTo(JsonObject.EMPTY);
    assertThatThrownBy(
            () ->
                bench
                    .handlers
                    .unstored()
                    .create(
                        resourceRequest,
                        type.kind(),
                        type.shape(),
                        Workbench.json("{'metadata':{'name':'refused'}}"),
                        Workbench.options(resourceRequest, "CreateOptions"),
                        (object, cluster) -> new UnstoredHandler.Made(object, true)))
        .hasMessageEndingWith("forbidden: no");
  }
}
