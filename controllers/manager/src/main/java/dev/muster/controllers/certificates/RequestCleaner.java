package dev.muster.controllers.certificates;

import dev.muster.controllers.client.ApiResource;
import dev.muster.controllers.loop.CachedLoop;
import dev.muster.controllers.loop.LoopController;
import dev.muster.controllers.loop.Loops;
import dev.muster.model.Timestamps;
import dev.muster.model.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * Deletes CertificateSigningRequests some time after they were answered, or if they stay
 * unanswered. Works on one virtual thread.
 */
public final class RequestCleaner implements LoopController {
  private static final Duration ANSWERED = Duration.ofHours(1);
  private static final Duration PENDING = Duration.ofHours(24);
  private static final Duration PERIOD = Duration.ofHours(1);
  private static final String ALL = "all";

  private final Clock clock;

  public RequestCleaner(Clock clock) {
    this.clock = clock;
  }

  @Override
  public String name() {
    return "certificatesigningrequest-cleaner-controller";
  }

  @Override
  public AutoCloseable start(Loops loops) {
    var resource = Requests.resource(loops.requests());
    var loop = new CachedLoop<String>("csrcleaner", loops);
    loop.add(ALL);
    return loop.start(
        1,
        PERIOD,
        key -> {
          clean(resource);
          loop.addAfter(ALL, PERIOD);
          return true;
        });
  }

  private void clean(ApiResource resource) {
    List<JsonObject> old = new ArrayList<>();
    resource.list(
        "",
        request -> {
          if (isOver(request, clock.instant())) {
            old.add(request);
          }
        });
    old.forEach(resource::delete);
  }

  static boolean isOver(JsonObject request, Instant now) {
    var conditions = request.object("status").array("conditions").objects();
    boolean issued = CertificateRequest.isIssued(request);
    if (conditions.isEmpty()
        && isOlder(request.object("metadata"), "creationTimestamp", PENDING, now)) {
      return true;
    }
    for (var condition : conditions) {
      var over =
          switch (condition.string("type")) {
            case "Denied", "Failed" -> isOlder(condition, "lastUpdateTime", ANSWERED, now);
            case "Approved" ->
                isOlder(condition, "lastUpdateTime", issued ? ANSWERED : PENDING, now);
            default -> false;
          };
      if (over) {
        return true;
      }
    }
    return issued && isExpired(request.object("status").string("certificate"), now);
  }

  private static boolean isOlder(JsonObject object, String field, Duration age, Instant now) {
    var time = Timestamps.read(object.get(field));
    return time != null && time.plus(age).isBefore(now);
  }

  private static boolean isExpired(String certificate, Instant now) {
    try {
      var bytes = Base64.getMimeDecoder().decode(certificate);
      var read =
          (X509Certificate)
              CertificateFactory.getInstance("X.509")
                  .generateCertificate(new ByteArrayInputStream(bytes));
      return read.getNotAfter().toInstant().isBefore(now);
    } catch (CertificateException e) {
      return false;
    }
  }
}
