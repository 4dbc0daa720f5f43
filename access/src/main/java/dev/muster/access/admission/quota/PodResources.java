package dev.muster.access.admission.quota;

import dev.muster.model.JsonObject;
import java.util.Set;

/** What a pod as a whole asks for: its containers together, or its greediest init container. */
public final class PodResources {
  private static final Set<String> POD_LEVEL = Set.of("cpu", "memory");

  private PodResources() {}

  /**
   * @param field {@code requests} or {@code limits}
   */
  public static ResourceList of(JsonObject spec, String field) {
    var total = new ResourceList();
    for (var container : spec.array("containers").objects()) {
      total.add(of(container.object("resources", field)));
    }
    var sidecars = new ResourceList();
    var initial = new ResourceList();
    for (var container : spec.array("initContainers").objects()) {
      var own = of(container.object("resources", field));
      if (container.string("restartPolicy").equals("Always")) {
        total.add(own);
        sidecars.add(own);
        initial.raise(sidecars);
      } else {
        own.add(sidecars);
        initial.raise(own);
      }
    }
    total.raise(initial);
    of(spec.object("resources", field))
        .amounts()
        .forEach(
            (name, amount) -> {
              if (POD_LEVEL.contains(name) || name.startsWith("hugepages-")) {
                total.put(name, amount);
              }
            });
    return total;
  }

  private static ResourceList of(JsonObject json) {
    return ResourceList.of(json);
  }
}
