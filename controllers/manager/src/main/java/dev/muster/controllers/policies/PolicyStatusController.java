package dev.muster.controllers.policies;

import dev.muster.controllers.client.ApiResource;
import dev.muster.controllers.loop.CachedLoop;
import dev.muster.controllers.loop.LoopController;
import dev.muster.controllers.loop.Loops;
import dev.muster.controllers.loop.ObjectCache;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Type-checks the expressions of each generation of a ValidatingAdmissionPolicy against the schemas
 * of the matched kinds, and writes warnings to its status. Nothing else depends on the result.
 * Works on virtual threads, one policy on one of them at a time.
 *
 * <p>The controller writes the checked generation together with the result. An interrupted check is
 * therefore repeated, and a completed one is not.
 */
public final class PolicyStatusController implements LoopController {
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
  private static final String PREFIX = "/apis/admissionregistration.k8s.io/v1";
  private static final String MANAGER = "validatingadmissionpolicy-status";

  private final int parallel;

  /**
   * @param parallel the number of policies checked concurrently
   */
  public PolicyStatusController(int parallel) {
    this.parallel = parallel;
  }

  @Override
  public String name() {
    return "validatingadmissionpolicy-status-controller";
  }

  @Override
  public AutoCloseable start(Loops loops) {
    var requests = loops.requests();
    var policies = new ApiResource(requests, PREFIX, "validatingadmissionpolicies");
    var schemas = new OpenApiSchemas(requests);
    var loop = new CachedLoop<String>(name(), loops);
    loop.cache(
        policies.path(""), PolicyStatusController::progress, (old, now) -> enqueue(loop, now));
    return loop.start(parallel, LONGEST_PAUSE, name -> check(policies, schemas, name));
  }

  /** The fields that decide whether a check is due. */
  private static JsonObject progress(JsonObject policy) {
    return JsonObject.of(
        "metadata",
        ObjectCache.whole(policy).object("metadata"),
        "status",
        JsonObject.of("observedGeneration", Json.of(observed(policy))));
  }

  private static void enqueue(CachedLoop<String> loop, @Nullable JsonObject policy) {
    if (policy != null && !isChecked(policy)) {
      loop.add(policy.object("metadata").string("name"));
    }
  }

  private static boolean check(ApiResource policies, OpenApiSchemas schemas, String name) {
    var policy = policies.get("", name).orElse(JsonObject.EMPTY);
    if (policy.isEmpty() || isChecked(policy)) {
      return true;
    }
    var found = new TypeCheck(schemas).check(policy.object("spec"));
    var metadata = policy.object("metadata");
    policies.applyStatus(
        JsonObject.of(
            "apiVersion",
            "admissionregistration.k8s.io/v1",
            "kind",
            "ValidatingAdmissionPolicy",
            "metadata",
            JsonObject.of("name", name, "uid", metadata.string("uid")),
            "status",
            JsonObject.of(
                "observedGeneration",
                Json.of(metadata.integer("generation", 0)),
                "typeChecking",
                found.isEmpty()
                    ? JsonObject.EMPTY
                    : JsonObject.of(
                        "expressionWarnings",
                        JsonArray.of(found.stream().map(ExpressionWarning::tree).toList())))),
        MANAGER);
    return true;
  }

  private static boolean isChecked(JsonObject policy) {
    return policy.object("metadata").integer("generation", 0) <= observed(policy);
  }

  private static long observed(JsonObject policy) {
    return policy.object("status").integer("observedGeneration", 0);
  }
}
