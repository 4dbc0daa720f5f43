package dev.muster.model.quota;

import dev.muster.model.GroupResource;
import dev.muster.model.Quantity;
import dev.muster.model.json.JsonObject;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** Counts objects: {@code count/deployments.apps}, and the older names of some resources. */
public record CountMeasure(List<String> names) implements Measure {
  private static final Set<String> ALIASED =
      Set.of("configmaps", "resourcequotas", "replicationcontrollers", "secrets");

  public static CountMeasure of(GroupResource resource) {
    var count = "count/" + resource;
    return new CountMeasure(
        resource.group().isEmpty() && ALIASED.contains(resource.resource())
            ? List.of(count, resource.resource())
            : List.of(count));
  }

  @Override
  public List<String> matching(Collection<String> wanted) {
    return wanted.stream().filter(names::contains).sorted().toList();
  }

  @Override
  public ResourceList usage(JsonObject object) {
    var usage = new ResourceList();
    names.forEach(name -> usage.put(name, Quantity.of(1)));
    return usage;
  }
}
