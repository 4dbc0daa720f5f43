package dev.muster.embedded;

import dev.muster.authorization.Authorizer;
import dev.muster.model.User;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.server.ServerExtension;
import dev.muster.server.ServerHost;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** Passes the writes of clients to a test's rules once the cluster is ready. Thread-safe. */
final class TestAdmission implements ServerExtension, Admission {
  private final Map<String, AdmissionRule> rules;
  private final BooleanSupplier inForce;

  TestAdmission(Map<String, AdmissionRule> rules, BooleanSupplier inForce) {
    this.rules = rules;
    this.inForce = inForce;
  }

  @Override
  public List<Admission> admission(Authorizer authorizer) {
    return rules.isEmpty() ? List.of() : List.of(this);
  }

  @Override
  public JsonObject admit(AdmissionRequest request) {
    var current = request;
    if (inForce.getAsBoolean() && !request.user().equals(User.SERVER)) {
      for (var rule : rules.entrySet()) {
        var review = new WriteReview(rule.getKey(), current);
        rule.getValue().review(review);
        var refusal = review.refusal();
        if (refusal != null) {
          throw refusal;
        }
        var changed = review.changed();
        current = changed == null ? current : current.withObject(changed);
      }
    }
    return Admission.super.admit(current);
  }

  @Override
  public void attach(ServerHost host) {}

  @Override
  public void start() {}

  @Override
  public void leave() {}
}
