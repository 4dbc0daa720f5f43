package dev.muster.controllers.certificates;

import dev.muster.controllers.StatusConditions;
import dev.muster.controllers.client.ApiRequests;
import dev.muster.controllers.client.ApiResource;
import dev.muster.controllers.loop.LoopController;
import dev.muster.controllers.loop.Loops;
import dev.muster.model.Timestamps;
import dev.muster.model.json.JsonObject;
import java.time.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Approves client certificate requests of kubelets whose user is allowed to create such requests.
 * Works on virtual threads, one request on one of them at a time.
 */
public final class RequestApprover implements LoopController {
  private static final Logger log = LoggerFactory.getLogger(RequestApprover.class);

  private final Clock clock;

  public RequestApprover(Clock clock) {
    this.clock = clock;
  }

  @Override
  public String name() {
    return "certificatesigningrequest-approving-controller";
  }

  @Override
  public AutoCloseable start(Loops loops) {
    var requests = loops.requests();
    return Requests.follow(
        "certificate_approving",
        loops,
        RequestApprover::isOpen,
        object -> approve(requests, object));
  }

  private static boolean isOpen(JsonObject request) {
    return request.object("spec").string("signerName").equals(CertificateRequest.KUBELET_CLIENT)
        && !CertificateRequest.isIssued(request)
        && !CertificateRequest.isApproved(request)
        && !CertificateRequest.isDenied(request);
  }

  private void approve(ApiRequests requests, JsonObject object) {
    CertificateRequest request;
    try {
      request = CertificateRequest.of(object);
    } catch (IllegalArgumentException e) {
      log.info("{}", e.getMessage());
      return;
    }
    if (!request.isOfKubeletClient()) {
      return;
    }
    boolean self = object.object("spec").string("username").equals(request.commonName());
    if (self && isAllowed(requests, object, "selfnodeclient")) {
      approve(
          requests,
          object,
          "Auto approving self kubelet client certificate after SubjectAccessReview.");
    } else if (isAllowed(requests, object, "nodeclient")) {
      approve(
          requests, object, "Auto approving kubelet client certificate after SubjectAccessReview.");
    }
  }

  private static boolean isAllowed(ApiRequests requests, JsonObject object, String subresource) {
    var spec = object.object("spec");
    var review =
        JsonObject.of(
            "apiVersion",
            "authorization.k8s.io/v1",
            "kind",
            "SubjectAccessReview",
            "spec",
            JsonObject.builder()
                .put("user", spec.string("username"))
                .putIf("uid", spec.string("uid"))
                .put("groups", spec.array("groups"))
                .put("extra", spec.object("extra"))
                .put(
                    "resourceAttributes",
                    JsonObject.of(
                        "group", "certificates.k8s.io",
                        "version", "*",
                        "resource", "certificatesigningrequests",
                        "verb", "create",
                        "subresource", subresource))
                .build());
    return new ApiResource(requests, "/apis/authorization.k8s.io/v1", "subjectaccessreviews")
        .create(review)
        .object("status")
        .isTrue("allowed");
  }

  private void approve(ApiRequests requests, JsonObject object, String message) {
    var now = clock.instant();
    var condition =
        JsonObject.of(
            "type", "Approved",
            "status", "True",
            "reason", "AutoApproved",
            "message", message,
            "lastUpdateTime", Timestamps.format(now));
    var status = object.object("status");
    Requests.resource(requests)
        .update(
            object.with(
                "status",
                status.with(
                    "conditions",
                    StatusConditions.with(status.array("conditions"), condition, now))),
            "approval");
  }
}
