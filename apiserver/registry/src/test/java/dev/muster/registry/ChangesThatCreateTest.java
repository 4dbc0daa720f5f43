package dev.muster.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.address.Cidr;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.request.ResourceRequest;
import dev.muster.registry.services.ServiceAllocations;
import dev.muster.schema.storage.JsonStorageCodec;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Updates and applied configurations of objects that are not there. */
class ChangesThatCreateTest {
  private static final String LEASES = "coordination.k8s.io/v1/leases";
  private static final String MAPS = "v1/configmaps";
  private static final String MAP =
      "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'m'}}";

  private static ApiException no(ResourceRequest resourceRequest) {
    return ApiException.forbidden(
        resourceRequest.type().groupResource(), resourceRequest.name(), "no");
  }

  @Test
  void whoMayChangeMayNotCreateUnlessSomebodySaysSo() {
    try (var bench = new Workbench()) {
      bench.mayCreate =
          resourceRequest -> {
            throw no(resourceRequest);
          };
      assertThatThrownBy(() -> bench.put(LEASES, "l", "", "{'metadata':{'name':'l'}}"))
          .hasMessage("leases.coordination.k8s.io \"l\" is forbidden: no");
      assertThatThrownBy(() -> bench.apply(MAPS, "m", "", MAP))
          .hasMessage("configmaps \"m\" is forbidden: no");
      assertThatThrownBy(
              () ->
                  bench.put(
                      LEASES,
                      "l",
                      "",
                      "{'metadata':{'name':'l'},'spec':{'leaseDurationSeconds':-1}}"))
          .hasMessageContaining("must be greater than 0");
      bench.create(MAPS, MAP);
      bench.apply(MAPS, "m", "", MAP.replace("'m'", "'m','labels':{'a':'b'}"));
      assertThat(bench.stored(LEASES, "l")).isEqualTo(JsonObject.EMPTY);
      assertThat(bench.stored(MAPS, "m").object("metadata", "labels").string("a")).isEqualTo("b");
    }
  }

  @Test
  void admissionSeesACreate() {
    var options = new ArrayList<String>();
    Admission admission =
        new Admission() {
          @Override
          public JsonObject admit(AdmissionRequest request) {
            options.add(request.options().string("kind"));
            return request.mustObject();
          }
        };
    try (var bench = new Workbench(admission)) {
      bench.put(LEASES, "l", "", "{'metadata':{'name':'l'}}");
      bench.apply(MAPS, "m", "", MAP);
      bench.put(MAPS, "m", "", MAP);
    }
    assertThat(options).containsExactly("CreateOptions", "CreateOptions", "UpdateOptions");
  }

  @Test
  void whatIsNotCreatedIsNotFoundWhateverItsUid() {
    try (var bench = new Workbench()) {
      assertThatThrownBy(() -> bench.put(MAPS, "m", "", MAP.replace("'m'", "'m','uid':'u'")))
          .hasMessage("configmaps \"m\" not found");
      assertThatThrownBy(() -> bench.put(LEASES, "l", "", "{'metadata':{'name':'l','uid':'u'}}"))
          .hasMessageEndingWith("UID in precondition: u, UID in object meta: ");
    }
  }

  @Test
  void theStatusOfAServiceThatIsNotThereMakesOneWithoutAddresses() {
    var allocations =
        new ServiceAllocations(
            List.of(Cidr.parse("10.0.0.0/24")),
            30000,
            30009,
            new JsonStorageCodec(),
            new Random(1),
            InstantSource.system());
    try (var bench = new Workbench(allocations)) {
      var services = "v1/services";
      assertThatThrownBy(
              () -> bench.patch(services, "s", "status", "{'status':{'loadBalancer':{}}}"))
          .hasMessage("services \"s\" not found");
      bench.put(
          services,
          "s",
          "status",
          "{'metadata':{'name':'s'},'spec':{'type':'NodePort','ports':[{'port':80}]}}");
      var spec = bench.stored(services, "s").object("spec");
      assertThat(spec.has("clusterIP")).isFalse();
      assertThat(spec.array("ports").object(0).has("nodePort")).isFalse();
      assertThatThrownBy(
              () ->
                  bench.apply(
                      services,
                      "t",
                      "status",
                      "{'apiVersion':'v1','kind':'Service','metadata':{'name':'t'}}"))
          .hasMessage("Service \"t\" is invalid: spec.ports: Required value");
    }
  }

  @Test
  void whatAdmissionAddsGetsItsDefaultsToo() {
    Admission limits =
        new Admission() {
          @Override
          public JsonObject admit(AdmissionRequest request) {
            return request
                .mustObject()
                .withAt(
                    Workbench.json(
                            "{'l':[{'name':'c','image':'i','imagePullPolicy':'Always',"
                                + "'terminationMessagePath':'/t','terminationMessagePolicy':'File',"
                                + "'resources':{'limits':{'memory':'1Gi'},"
                                + "'requests':{'memory':'1Gi'}}}]}")
                        .array("l"),
                    "spec",
                    "containers");
          }
        };
    try (var bench = new Workbench(limits)) {
      bench.create(
          "v1/pods",
          "{'metadata':{'name':'p'},'spec':{'resources':{'limits':{'cpu':'2'}},"
              + "'containers':[{'name':'c','image':'i'}]}}");
      var requests = bench.stored("v1/pods", "p").object("spec", "resources", "requests");
      assertThat(requests).isEqualTo(JsonObject.of("cpu", "2", "memory", "1Gi"));
    }
  }
}
