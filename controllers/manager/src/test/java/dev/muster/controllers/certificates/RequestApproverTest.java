package dev.muster.controllers.certificates;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.controllers.StatusConditions;
import dev.muster.controllers.simulation.Simulation;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestApproverTest {
  private final Simulation world =
      new Simulation(1, (loops, clock) -> new RequestApprover(clock).start(loops));

  private final List<JsonObject> asked = new ArrayList<>();

  private void allow(String subresource) {
    world
        .api()
        .reviews(
            review -> {
              var spec = review.object("spec");
              asked.add(spec);
              return spec.object("resourceAttributes").string("subresource").equals(subresource);
            });
  }

  private void request(String user, String signer, boolean ofKubelet) {
    world.api().create(TestRequests.REQUESTS, TestRequests.request("r", user, signer, ofKubelet));
  }

  /** The condition by which it was approved, or an empty object. */
  private JsonObject approval() {
    world.finish();
    var request = world.api().get(TestRequests.REQUESTS, "", "r").orElseThrow();
    return StatusConditions.find(request.object("status").array("conditions"), "Approved");
  }

  @Test
  void aNewKubeletIsApprovedByWhatItsUserMay() {
    allow("nodeclient");
    request("system:bootstrap:abcdef", CertificateRequest.KUBELET_CLIENT, true);
    var approval = approval();
    assertThat(approval.string("reason")).isEqualTo("AutoApproved");
    assertThat(approval.string("message"))
        .isEqualTo("Auto approving kubelet client certificate after SubjectAccessReview.");
    assertThat(approval.string("lastUpdateTime")).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(asked)
        .singleElement()
        .satisfies(
            spec -> {
              assertThat(spec.string("user")).isEqualTo("system:bootstrap:abcdef");
              var attributes = spec.object("resourceAttributes");
              assertThat(attributes.string("verb")).isEqualTo("create");
              assertThat(attributes.string("resource")).isEqualTo("certificatesigningrequests");
            });
  }

  @Test
  void aKubeletRenewsItsOwnCertificate() {
    allow("selfnodeclient");
    request(TestRequests.KUBELET, CertificateRequest.KUBELET_CLIENT, true);
    assertThat(approval().string("message"))
        .isEqualTo("Auto approving self kubelet client certificate after SubjectAccessReview.");
  }

  @Test
  void whoMayRenewHisOwnMayNotHaveThatOfAnother() {
    allow("selfnodeclient");
    request("system:node:n2", CertificateRequest.KUBELET_CLIENT, true);
    assertThat(approval().isEmpty()).isTrue();
    assertThat(asked)
        .noneMatch(
            spec ->
                spec.object("resourceAttributes").string("subresource").equals("selfnodeclient"));
  }

  @Test
  void whatIsNoRequestOfAKubeletIsLeftToPeople() {
    allow("nodeclient");
    request("system:bootstrap:abcdef", CertificateRequest.KUBELET_CLIENT, false);
    assertThat(approval().isEmpty()).isTrue();
    assertThat(asked).isEmpty();
  }

  @Test
  void otherSignersAreLeftToOthers() {
    allow("nodeclient");
    request("system:bootstrap:abcdef", CertificateRequest.CLIENT, true);
    assertThat(approval().isEmpty()).isTrue();
    assertThat(asked).isEmpty();
  }

  @Test
  void whatWasDeniedStaysDenied() {
    allow("nodeclient");
    request("system:bootstrap:abcdef", CertificateRequest.KUBELET_CLIENT, true);
    TestRequests.condition(world, "r", "Denied");
    assertThat(approval().isEmpty()).isTrue();
  }

  @Test
  void whatIsNoRequestAtAllIsTriedNoMoreThanOnce() {
    allow("nodeclient");
    request("system:bootstrap:abcdef", CertificateRequest.KUBELET_CLIENT, true);
    world
        .api()
        .change(
            TestRequests.REQUESTS,
            "",
            "r",
            request -> request.with("spec", request.object("spec").with("request", "bm9uZQ==")));
    assertThat(approval().isEmpty()).isTrue();
    assertThat(asked).isEmpty();
  }
}
