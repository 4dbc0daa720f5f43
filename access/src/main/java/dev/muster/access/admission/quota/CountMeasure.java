package dev.muster.access.admission.quota;

import dev.muster.model.GroupResource;
import dev.muster.model.Quantity;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.AdmissionRequest;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** Counts objects: {@code count/deployments.apps}, and the older names of some. */
record CountMeasure(List<String> names) implements Measure {
  private static final Set<String> ALIASED =
      Set.of("configmaps", "resourcequotas", "replicationcontrollers", "secrets");

  static CountMeasure of(GroupResource resource) {
    var count = "count/" + resource;
    return new CountMeasure(
        resource.group().isEmpty() && ALIASED.contains(resource.resource())
            ? List.of(count, resource.resource())
            : List.of(count));
  }

  @Override
  public boolean handles(AdmissionRequest request) {
    return request.operation() == AdmissionOperation.CREATE && request.subresource().isEmpty();
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
