package dev.muster.fleet.storageversions;

import dev.muster.model.User;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionRequest;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Safe for any thread. Holds back clients' writes of built-in resources until this server has told
 * the fleet in which version it stores them: otherwise it could write what a migration, which does
 * not know of it yet, takes for migrated. Objects of definitions pass, because all servers store
 * them as the definition says.
 */
final class RegistrationBarrier implements Admission {
  /** Where upstream's servers and leaders have their Leases. */
  private static final String SYSTEM = "kube-system";

  private final String leaseNamespace;
  private final Set<String> registered = ConcurrentHashMap.newKeySet();
  private volatile boolean up;
  private volatile String failure = "<nil>";

  RegistrationBarrier(String leaseNamespace) {
    this.leaseNamespace = leaseNamespace;
  }

  /** From now on writes wait for their resource. */
  void raise() {
    up = true;
  }

  /** All resources are told of, or none ever will be. */
  void lower() {
    up = false;
    registered.clear();
  }

  /**
   * @param storage where the resource lies in the store
   */
  void pass(String storage) {
    registered.add(storage);
  }

  void failed(String why) {
    failure = why;
  }

  @Override
  public JsonObject admit(AdmissionRequest request) {
    if (up && isHeld(request)) {
      throw new ApiException(
          Reason.SERVICE_UNAVAILABLE,
          "wait for storage version registration to complete for resource: %s, last seen error: %s"
              .formatted(request.type().groupResource(), failure));
    }
    return Admission.super.admit(request);
  }

  private boolean isHeld(AdmissionRequest request) {
    var type = request.type();
    if (type.isCustom() || !type.isStored() || registered.contains(type.storage())) {
      return false;
    }
    return !request.user().equals(User.SERVER)
        && !type.storage().equals(StorageVersionObjects.STORAGE)
        && !isFleetLease(request);
  }

  private boolean isFleetLease(AdmissionRequest request) {
    return request.type().storage().equals("/leases")
        && (request.namespace().equals(SYSTEM) || request.namespace().equals(leaseNamespace));
  }
}
