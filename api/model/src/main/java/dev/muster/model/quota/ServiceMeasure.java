package dev.muster.model.quota;

import dev.muster.model.Quantity;
import dev.muster.model.json.JsonObject;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** Measures Services, their node ports and their load balancers. */
public final class ServiceMeasure implements Measure {
  private static final Set<String> NAMES =
      Set.of("count/services", "services", "services.loadbalancers", "services.nodeports");

  @Override
  public List<String> matching(Collection<String> names) {
    return names.stream().filter(NAMES::contains).sorted().toList();
  }

  @Override
  public ResourceList usage(JsonObject service) {
    var spec = service.object("spec");
    var ports = spec.array("ports").objects();
    long nodePorts = 0;
    long balancers = 0;
    switch (spec.string("type")) {
      case "NodePort" -> nodePorts = ports.size();
      case "LoadBalancer" -> {
        balancers = 1;
        boolean allocates =
            !spec.has("allocateLoadBalancerNodePorts")
                || spec.isTrue("allocateLoadBalancerNodePorts");
        nodePorts =
            allocates
                ? ports.size()
                : ports.stream().filter(port -> port.integer("nodePort", 0) != 0).count();
      }
      default -> {
        // Other types use neither node ports nor load balancers.
      }
    }
    var usage = new ResourceList();
    usage.put("count/services", Quantity.of(1));
    usage.put("services", Quantity.of(1));
    usage.put("services.loadbalancers", Quantity.of(balancers));
    usage.put("services.nodeports", Quantity.of(nodePorts));
    return usage;
  }
}
