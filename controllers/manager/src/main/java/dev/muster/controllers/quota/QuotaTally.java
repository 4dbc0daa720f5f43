package dev.muster.controllers.quota;

import dev.muster.model.Quantity;
import dev.muster.model.json.JsonObject;
import dev.muster.model.quota.Measure;
import dev.muster.model.quota.ResourceList;
import dev.muster.model.quota.Scopes;
import java.util.List;

/** Not for several threads. Adds up what objects of one resource take of one quota. */
final class QuotaTally {
  private final Measure measure;
  private final List<String> names;
  private final List<JsonObject> scopes;
  private final ResourceList sum = new ResourceList();

  /**
   * @param names those of the quota that the measure measures; of each, nothing is taken at first
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
