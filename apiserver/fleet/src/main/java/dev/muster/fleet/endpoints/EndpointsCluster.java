package dev.muster.fleet.endpoints;

import dev.muster.fleet.endpoints.form.PlannedWrite;
import dev.muster.model.json.JsonObject;
import dev.muster.store.Operation;
import java.util.List;

/**
 * The cluster as the reconciler of one server reads and changes it. All methods may block briefly
 * and throw {@link dev.muster.store.StoreException} or {@link
 * dev.muster.model.status.ApiException}. A change in which another server was faster fails with
 * {@code Conflict}, {@code AlreadyExists} or {@code NotFound}.
 */
interface EndpointsCluster {
  /** The newest state that this server knows. */
  EndpointsView view();

  /** Changes endpoint records in the store, all or none. Returns the state afterwards. */
  EndpointsView commit(List<Operation> operations);

  void write(PlannedWrite write);

  void createConfigMap(JsonObject configMap);

  /** Applies a merge patch; a resource version in it must be the current one. */
  void patchConfigMap(JsonObject patch);
}
