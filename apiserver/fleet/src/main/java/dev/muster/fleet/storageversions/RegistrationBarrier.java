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
 * Delays clients' writes of built-in resources until this server has published the version in which
 * it stores them. Otherwise it could write objects in an old version that a storage migration,
 * which does not know this server yet, considers migrated. Custom resources pass: all servers store
 * them in the version of their definition. Thread-safe.
 */
final class RegistrationBarrier implements Admission {
  /** The namespace of the Leases of kube-apiservers and of leader election. */
  private static final String SYSTEM = "kube-system";

  private final String leaseNamespace;
  private final Set<String> registered = ConcurrentHashMap.newKeySet();
  private volatile boolean up;
  private volatile String failure = "<nil>";

  RegistrationBarrier(String leaseNamespace) {
    this.leaseNamespace = leaseNamespace;
  }

  /** Makes writes wait for their resource from now on. */
  void raise() {
    up = true;
  }

  /** Lets all writes pass, because all resources are published or never will be. */
  void lower() {
    up = false;
    registered.clear();
  }

  /**
   * @param storage the prefix of the resource in the store
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
