package dev.muster.fleet.endpoints;

import dev.muster.fleet.endpoints.form.PlannedWrite;
import dev.muster.model.json.JsonObject;
import dev.muster.store.Operation;
import java.util.List;

/**
 * The cluster as one server sees and changes it. All methods may block for a moment and throw
 * {@link dev.muster.store.StoreException} or {@link dev.muster.model.status.ApiException}; a change
 * that somebody else was faster with is {@code Conflict}, {@code AlreadyExists} or {@code
 * NotFound}.
 */
interface EndpointsCluster {
  /** The latest that this server knows. */
  EndpointsView view();

  /** Changes records of servers in the store, all or none; what holds afterwards. */
  EndpointsView commit(List<Operation> operations);

  void write(PlannedWrite write);

  void createConfigMap(JsonObject configMap);

  /** Applies a merge patch; a resource version in it must be the present one. */
  void patchConfigMap(JsonObject patch);
}
