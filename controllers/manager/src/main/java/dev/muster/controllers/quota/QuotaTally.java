package dev.muster.controllers.quota;

import dev.muster.model.Quantity;
import dev.muster.model.json.JsonObject;
import dev.muster.model.quota.Measure;
import dev.muster.model.quota.ResourceList;
import dev.muster.model.quota.Scopes;
import java.util.List;

/** Sums up the usage of one quota by the objects of one resource. Not thread-safe. */
final class QuotaTally {
  private final Measure measure;
  private final List<String> names;
  private final List<JsonObject> scopes;
  private final ResourceList sum = new ResourceList();

  /**
   * @param names the quota's names that the measure computes; all start at zero
   */
  QuotaTally(JsonObject quota, Measure measure, List<String> names) {
    this.measure = measure;
    this.names = names;
    this.scopes = Scopes.of(quota);
    names.forEach(name -> sum.put(name, Quantity.ZERO));
  }

  void add(JsonObject object) {
    if (scopes.stream().allMatch(scope -> measure.matchesScope(scope, object))) {
      var usage = measure.usage(object);
      for (var name : names) {
        if (usage.has(name)) {
          sum.add(name, usage.get(name));
        }
      }
    }
  }

  ResourceList sum() {
    return sum;
  }
}
