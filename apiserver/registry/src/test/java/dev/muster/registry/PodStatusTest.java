package dev.muster.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PodStatusTest {
  private static final String PODS = "v1/pods";

  private final Workbench bench = new Workbench();

  @BeforeEach
  void aPod() {
    bench.create(
        PODS,
        "{'metadata':{'name':'p'},'spec':{'restartPolicy':'Never',"
            + "'containers':[{'name':'c','image':'i'}]}}");
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private void status(String status) {
    bench.patch(PODS, "p", "status", "{'status':" + status + "}");
  }

  private AbstractThrowableAssert<?, ? extends Throwable> refused(String status) {
    return assertThatThrownBy(() -> status(status));
  }

  @Test
  void theQualityOfServiceStays() {
    refused("{'qosClass':'Guaranteed'}")
        .hasMessageEndingWith("status.qosClass: Invalid value: \"Guaranteed\": field is immutable");
  }

  @Test
  void oneAddressIsTheFirstOfSeveral() {
    status("{'podIP':'10.1.1.1'}");
    assertThat(bench.stored(PODS, "p").object("status").array("podIPs").object(0).string("ip"))
        .isEqualTo("10.1.1.1");
    status("{'podIP':null,'podIPs':[{'ip':'10.1.1.2'}]}");
    assertThat(bench.stored(PODS, "p").object("status").string("podIP")).isEqualTo("10.1.1.2");
  }

  @Test
  void addressesAreOneOfEachFamily() {
    refused("{'podIPs':[{'ip':'10.1.1.1'},{'ip':'10.1.1.2'}]}")
        .hasMessageContaining("may specify no more than one IP for each IP family");
    refused("{'hostIPs':[{'ip':'10.1.1.1'}]}")
        .hasMessageEndingWith(
            "status.hostIPs[0].ip: Invalid value: \"10.1.1.1\": must be equal to `hostIP`");
  }

  @Test
  void whatHasEndedForGoodDoesNotRunAgain() {
    status("{'containerStatuses':[{'name':'c','state':{'terminated':{'exitCode':1}}}]}");
    refused("{'containerStatuses':[{'name':'c','state':{'running':{}}}]}")
        .hasMessageEndingWith(
            "status.containerStatuses[0].state: Forbidden: may not be transitioned to"
                + " non-terminated state");
  }

  @Test
  void typesOfConditionsAreNames() {
    status("{'conditions':[{'type':'example.com/ok','status':'True'}]}");
    refused("{'conditions':[{'type':'not ok','status':'True'}]}")
        .hasMessageContaining("status.conditions[0].Type: Invalid value: \"not ok\"");
  }

  @Test
  void mirrorAnnotationsAreForLife() {
    assertThatThrownBy(
            () ->
                bench.patch(
                    PODS,
                    "p",
                    "",
                    "{'metadata':{'annotations':{'kubernetes.io/config.mirror':'x'}}}"))
        .hasMessageContaining(
            "metadata.annotations[kubernetes.io/config.mirror]: Forbidden: may not add mirror pod"
                + " annotation");
  }
}
