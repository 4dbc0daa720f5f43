package dev.muster.admission.pods;

import dev.muster.model.json.JsonObject;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionRequest;

/**
 * Adds tolerations for not-ready and unreachable nodes, five minutes by default, to pods without
 * their own.
 */
public final class DefaultTolerationSeconds implements Admission {
  private static final String NOT_READY = "node.kubernetes.io/not-ready";
  private static final String UNREACHABLE = "node.kubernetes.io/unreachable";

  private final long notReadySeconds;
  private final long unreachableSeconds;

  /**
   * @param notReadySeconds {@code --default-not-ready-toleration-seconds}
   * @param unreachableSeconds {@code --default-unreachable-toleration-seconds}
   */
  public DefaultTolerationSeconds(long notReadySeconds, long unreachableSeconds) {
    this.notReadySeconds = notReadySeconds;
    this.unreachableSeconds = unreachableSeconds;
  }

  @Override
  public JsonObject admit(AdmissionRequest request) {
    if (!request.createsOrUpdates() || !Pods.isPod(request)) {
      return Admission.super.admit(request);
    }
    var pod = request.mustObject();
    var spec = Pods.spec(pod);
    var changed =
        add(add(spec, spec, NOT_READY, notReadySeconds), spec, UNREACHABLE, unreachableSeconds);
    return changed == spec ? pod : Pods.withSpec(pod, changed);
  }

  private static JsonObject add(JsonObject changed, JsonObject spec, String key, long seconds) {
    for (var toleration : spec.array("tolerations").objects()) {
      var given = toleration.string("key");
      var effect = toleration.string("effect");
      if ((given.equals(key) || given.isEmpty())
          && (effect.equals("NoExecute") || effect.isEmpty())) {
        return changed;
      }
    }
    return Pods.plus(
        changed,
        "tolerations",
        JsonObject.of(
            "key", key, "operator", "Exists", "effect", "NoExecute", "tolerationSeconds", seconds));
  }
}
