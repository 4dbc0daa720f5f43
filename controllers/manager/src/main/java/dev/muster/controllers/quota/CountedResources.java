package dev.muster.controllers.quota;

import dev.muster.controllers.client.ApiRequests;
import dev.muster.controllers.client.ApiResource;
import dev.muster.controllers.client.Discovery;
import dev.muster.model.GroupResource;
import dev.muster.model.quota.ClaimMeasure;
import dev.muster.model.quota.CountMeasure;
import dev.muster.model.quota.DeviceMeasure;
import dev.muster.model.quota.Measure;
import dev.muster.model.quota.PodMeasure;
import dev.muster.model.quota.ServiceMeasure;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The countable resources of a server, from discovery. Immutable.
 *
 * @param served by the name in quotas, such as {@code deployments.apps}
 */
record CountedResources(
    ApiRequests requests, InstantSource clock, Map<GroupResource, ApiResource> served)
    implements QuotaCount.Sources {
  private static final GroupResource DEVICE_CLAIMS =
      new GroupResource("resource.k8s.io", "resourceclaims");
  private static final Set<String> IGNORED = Set.of("events", "bindings");

  static CountedResources of(ApiRequests requests, InstantSource clock, Discovery discovery) {
    var served = new LinkedHashMap<GroupResource, ApiResource>();
    for (var one : discovery.resources()) {
      var context = one.context();
      var countable =
          one.namespaced()
              && one.can("create")
              && one.can("delete")
              && one.can("list")
              && one.can("watch")
              && !IGNORED.contains(context.getPlural());
      if (countable) {
        var group = context.getGroup();
        var prefix =
            group.isEmpty()
                ? "/api/" + context.getVersion()
                : "/apis/" + group + "/" + context.getVersion();
        served.put(
            new GroupResource(group, context.getPlural()),
            new ApiResource(requests, prefix, context.getPlural()));
      }
    }
    return new CountedResources(requests, clock, served);
  }

  /** Keeps formerly served resources while the discovery of some groups fails. */
  CountedResources with(CountedResources before) {
    var all = new LinkedHashMap<>(before.served);
    all.putAll(served);
    return new CountedResources(requests, clock, all);
  }

  /** The resources that the names in a quota refer to, for one namespace. */
  @Override
  public List<CountedResource> about(Collection<String> names, String namespace) {
    var found = new ArrayList<CountedResource>();
    served.forEach(
        (name, resource) -> {
          var measure = measure(name, namespace);
          if (!measure.matching(names).isEmpty()) {
            found.add(new CountedResource(resource, measure));
          }
        });
    return found;
  }

  private Measure measure(GroupResource resource, String namespace) {
    if (resource.equals(DEVICE_CLAIMS)) {
      return new DeviceMeasure(new ApiLookup(requests), namespace, new PodMeasure(clock));
    }
    if (!resource.group().isEmpty()) {
      return CountMeasure.of(resource);
    }
    return switch (resource.resource()) {
      case "pods" -> new PodMeasure(clock);
      case "services" -> new ServiceMeasure();
      case "persistentvolumeclaims" -> new ClaimMeasure();
      default -> CountMeasure.of(resource);
    };
  }
}
