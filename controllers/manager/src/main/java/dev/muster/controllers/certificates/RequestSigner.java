package dev.muster.controllers.certificates;

import dev.muster.controllers.StatusConditions;
import dev.muster.controllers.client.ApiResource;
import dev.muster.controllers.loop.LoopController;
import dev.muster.controllers.loop.Loops;
import dev.muster.model.Timestamps;
import dev.muster.model.json.JsonObject;
import dev.muster.pki.Pem;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.Set;

/**
 * Signs approved requests for the built-in Kubernetes signers. Works on virtual threads, one
 * request on one of them at a time.
 */
public final class RequestSigner implements LoopController {
  private static final Set<String> SIGNERS =
      Set.of(
          CertificateRequest.CLIENT,
          CertificateRequest.KUBELET_CLIENT,
          CertificateRequest.KUBELET_SERVING,
          CertificateRequest.LEGACY);
  private static final Duration SHORTEST = Duration.ofMinutes(10);

  private final SigningAuthority authority;
  private final Duration longest;
  private final Clock clock;

  /**
   * @param longest the validity of certificates whose request asks for no shorter one
   */
  public RequestSigner(SigningAuthority authority, Duration longest, Clock clock) {
    this.authority = authority;
    this.longest = longest;
    this.clock = clock;
  }

  @Override
  public String name() {
    return "certificatesigningrequest-signing-controller";
  }

  @Override
  public AutoCloseable start(Loops loops) {
    var resource = Requests.resource(loops.requests());
    return Requests.follow("certificate", loops, this::isMine, object -> sign(resource, object));
  }

  private boolean isMine(JsonObject request) {
    return SIGNERS.contains(request.object("spec").string("signerName"))
        && CertificateRequest.isApproved(request)
        && !CertificateRequest.isFailed(request)
        && !CertificateRequest.isIssued(request);
  }

  private void sign(ApiResource resource, JsonObject object) {
    try {
      var request = CertificateRequest.of(object);
      var objection = request.objection();
      if (!objection.isEmpty()) {
        throw new IllegalArgumentException(objection);
      }
      var signed = authority.sign(request, lifetime(object), clock.instant());
      var pem = Pem.of(signed);
      var encoded = Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII));
      var status = object.object("status").with("certificate", encoded);
      resource.updateStatus(object.with("status", status));
    } catch (IllegalArgumentException e) {
      fail(resource, object, String.valueOf(e.getMessage()));
    }
  }

  /**
   * Old requests for the legacy unknown signer are left unchanged, so that another signer can take
   * them.
   */
  private void fail(ApiResource resource, JsonObject object, String why) {
    if (object.object("spec").string("signerName").equals(CertificateRequest.LEGACY)) {
      return;
    }
    var now = Timestamps.format(clock.instant());
    var condition =
        JsonObject.of(
            "type", "Failed",
            "status", "True",
            "reason", "SignerValidationFailure",
            "message", why,
            "lastUpdateTime", now);
    var status = object.object("status");
    resource.updateStatus(
        object.with(
            "status",
            status.with(
                "conditions",
                StatusConditions.with(status.array("conditions"), condition, clock.instant()))));
  }

  private Duration lifetime(JsonObject object) {
    long asked = object.object("spec").integer("expirationSeconds", 0);
    if (asked <= 0 || longest.compareTo(Duration.ofSeconds(asked)) < 0) {
      return longest;
    }
    var shorter = Duration.ofSeconds(asked);
    return shorter.compareTo(SHORTEST) < 0 ? SHORTEST : shorter;
  }
}
