package dev.muster.openapi;

import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What can be done on one path. Parameters that every operation takes are said once, of the path.
 * One thread's.
 */
final class PathItem {
  private final List<OperationParameters> shared;
  private final Map<String, PathOperation> operations = new LinkedHashMap<>();

  /**
   * @param shared parameters of the path itself
   */
  PathItem(List<OperationParameters> shared) {
    this.shared = List.copyOf(shared);
  }

  void put(String method, PathOperation operation) {
    operations.put(method, operation);
  }

  JsonObject render(Dialect dialect) {
    var common = new ArrayList<OperationParameters>();
    var first = operations.values().iterator().next();
    for (var parameter : first.parameters()) {
      if (operations.values().stream().allMatch(it -> it.parameters().contains(parameter))) {
        common.add(parameter);
      }
    }
    var item = JsonObject.builder();
    operations.forEach(
        (method, operation) -> item.put(method, operation.without(common).render(dialect)));
    common.addAll(shared);
    if (!common.isEmpty()) {
      item.put("parameters", OperationParameters.of(dialect, common));
    }
    return item.build();
  }
}
