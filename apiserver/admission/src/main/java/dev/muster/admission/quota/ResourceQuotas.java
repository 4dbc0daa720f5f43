package dev.muster.admission.quota;

import dev.muster.model.GroupResource;
import dev.muster.model.GroupVersionResource;
import dev.muster.model.json.JsonObject;
import dev.muster.model.quota.ClaimMeasure;
import dev.muster.model.quota.CountMeasure;
import dev.muster.model.quota.DeviceMeasure;
import dev.muster.model.quota.Measure;
import dev.muster.model.quota.PodMeasure;
import dev.muster.model.quota.ResourceList;
import dev.muster.model.quota.Scopes;
import dev.muster.model.quota.ServiceMeasure;
import dev.muster.model.status.ApiException;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.RelatedStatusUpdate;
import dev.muster.types.TypeTrait;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The plugin {@code ResourceQuota}: limits the usage of a namespace to its quotas. The commit that
 * stores an object also charges the quotas' status, so that two concurrent writes cannot both use
 * the last of a quota.
 */
public final class ResourceQuotas implements Admission {
  private static final GroupVersionResource QUOTAS =
      new GroupVersionResource("", "v1", "resourcequotas");
  private static final GroupResource DEVICE_CLAIMS =
      new GroupResource("resource.k8s.io", "resourceclaims");

  private final LimitedResources limited;
  private final PodMeasure pods;
  private final Map<GroupResource, Measure> measures;

  public ResourceQuotas(LimitedResources limited, InstantSource clock) {
    this.limited = limited;
    pods = new PodMeasure(clock);
    measures =
        Map.of(
            new GroupResource("", "pods"), pods,
            new GroupResource("", "services"), new ServiceMeasure(),
            new GroupResource("", "persistentvolumeclaims"), new ClaimMeasure());
  }

  /** The measure for the request's resource. */
  private Measure measure(AdmissionRequest request) {
    var resource = request.resource();
    if (resource.equals(DEVICE_CLAIMS)) {
      return new DeviceMeasure(new ClusterLookup(request.cluster()), request.namespace(), pods);
    }
    var known = measures.get(resource);
    return known == null ? CountMeasure.of(resource) : known;
  }

  @Override
  public List<RelatedStatusUpdate> validate(AdmissionRequest request) {
    if (request.namespace().isEmpty()
        || request.object() == null
        || request.type().is(TypeTrait.NOT_COUNTED)) {
      return List.of();
    }
    var quotas = request.cluster().list("/resourcequotas", request.namespace());
    if (quotas.isEmpty() && limited.isEmpty()) {
      return List.of();
    }
    var measure = measure(request);
    return ChargedRequests.isCharged(request, measure)
        ? charge(request, measure, quotas)
        : List.of();
  }

  private List<RelatedStatusUpdate> charge(
      AdmissionRequest request, Measure measure, List<JsonObject> quotas) {
    var object = request.mustObject();
    var interesting = new ArrayList<JsonObject>();
    for (var quota : quotas) {
      if (matches(quota, measure, object)) {
        checkStated(request, measure, quota, object);
        interesting.add(quota);
      }
    }
    if (interesting.isEmpty() && limited.isEmpty()) {
      return List.of();
    }
    var usage = measure.usage(object);
    var negative =
        usage.amounts().entrySet().stream()
            .filter(entry -> entry.getValue().signum() < 0)
            .map(Map.Entry::getKey)
            .toList();
    if (!negative.isEmpty()) {
      throw refuse(
          request, "quota usage is negative for resource(s): " + String.join(",", negative));
    }
    if (!limited.isEmpty()) {
      checkCovered(request, measure, quotas, interesting, usage);
    }
    var changed = new ArrayList<RelatedStatusUpdate>();
    for (var quota : interesting) {
      var charged = charge(request, quota, delta(request, measure, quota, usage));
      if (charged != quota && !request.dryRun()) {
        changed.add(new RelatedStatusUpdate(QUOTAS, quota, charged));
      }
    }
    return changed;
  }

  /** Refuses usage of limited resources that no quota covers. */
  private void checkCovered(
      AdmissionRequest request,
      Measure measure,
      List<JsonObject> quotas,
      List<JsonObject> interesting,
      ResourceList usage) {
    boolean takesMore =
        interesting.isEmpty()
            ? !isNothing(more(request, measure, usage))
            : interesting.stream()
                .anyMatch(quota -> !isNothing(delta(request, measure, quota, usage)));
    if (!takesMore) {
      return;
    }
    var given = new HashSet<String>();
    interesting.forEach(
        quota -> given.addAll(measure.matching(quota.object("status", "hard").keys())));
    var names = limited.uncoveredNames(request.resource(), usage, given);
    if (!names.isEmpty()) {
      throw refuse(request, "insufficient quota to consume: " + String.join(",", names));
    }
    var object = request.mustObject();
    var covered = new HashSet<String>();
    for (var quota : quotas) {
      Scopes.of(quota).stream()
          .filter(scope -> measure.matchesScope(scope, object))
          .forEach(scope -> covered.add(scope.string("scopeName")));
    }
    var scopes = limited.uncoveredScopes(measure, object, covered);
    if (!scopes.isEmpty()) {
      throw refuse(
          request,
          "insufficient quota to match these scopes: ["
              + String.join(" ", scopes.stream().map(ResourceQuotas::print).toList())
              + "]");
    }
  }

  private static boolean isNothing(ResourceList list) {
    return list.amounts().values().stream().allMatch(amount -> amount.isZero());
  }

  private static String print(JsonObject scope) {
    return "{%s %s [%s]}"
        .formatted(
            scope.string("scopeName"),
            scope.string("operator"),
            String.join(" ", scope.array("values").strings()));
  }

  private static boolean matches(JsonObject quota, Measure measure, JsonObject object) {
    return !measure.matching(quota.object("status", "hard").keys()).isEmpty()
        && Scopes.of(quota).stream().allMatch(scope -> measure.matchesScope(scope, object));
  }

  private static void checkStated(
      AdmissionRequest request, Measure measure, JsonObject quota, JsonObject object) {
    var name = quota.object("metadata").string("name");
    var restricted = measure.matching(quota.object("status", "hard").keys());
    var lacking = measure.lacks(restricted, object);
    if (!lacking.isEmpty()) {
      throw refuse(request, "failed quota: " + name + ": " + lacking);
    }
    var used = quota.object("status", "used");
    if (!restricted.stream().allMatch(used::has)) {
      throw refuse(
          request,
          "status unknown for quota: "
              + name
              + ", resources: "
              + String.join(",", new TreeSet<>(restricted)));
    }
  }

  /** The usage that the write adds; on an update only the increase. */
  private static ResourceList delta(
      AdmissionRequest request, Measure measure, JsonObject quota, ResourceList usage) {
    var old = request.oldObject();
    return old == null || !matches(quota, measure, old) ? usage : more(request, measure, usage);
  }

  private static ResourceList more(AdmissionRequest request, Measure measure, ResourceList usage) {
    var old = request.oldObject();
    if (request.operation() != AdmissionOperation.UPDATE || old == null) {
      return usage;
    }
    var before = measure.usage(old);
    var delta = new ResourceList();
    usage
        .amounts()
        .forEach(
            (name, amount) -> {
              var more = amount.minus(before.get(name));
              if (more.signum() > 0) {
                delta.put(name, more);
              }
            });
    return delta;
  }

  /** The quota with the usage added; the same instance when nothing changes. */
  private static JsonObject charge(AdmissionRequest request, JsonObject quota, ResourceList delta) {
    var hard = ResourceList.of(quota.object("status", "hard"));
    var used = ResourceList.of(quota.object("status", "used"));
    var asked = new ResourceList();
    delta
        .amounts()
        .forEach(
            (name, amount) -> {
              if (hard.has(name) && !amount.isZero()) {
                asked.put(name, amount);
              }
            });
    if (asked.isEmpty()) {
      return quota;
    }
    var total = new ResourceList();
    total.add(used);
    total.add(asked);
    var exceeded = new TreeSet<String>();
    for (var name : asked.amounts().keySet()) {
      if (total.get(name).compareTo(hard.get(name)) > 0) {
        exceeded.add(name);
      }
    }
    if (!exceeded.isEmpty() && !request.subresource().equals("status")) {
      throw refuse(
          request,
          "exceeded quota: %s, requested: %s, used: %s, limited: %s"
              .formatted(
                  quota.object("metadata").string("name"),
                  print(asked, exceeded),
                  print(used, exceeded),
                  print(hard, exceeded)));
    }
    return quota.withAt(total.toJson(), "status", "used");
  }

  private static String print(ResourceList list, Collection<String> names) {
    return String.join(
        ",", names.stream().filter(list::has).map(n -> n + "=" + list.get(n)).toList());
  }

  private static ApiException refuse(AdmissionRequest request, String why) {
    var metadata = request.mustObject().object("metadata");
    var name = request.name().isEmpty() ? metadata.string("name") : request.name();
    var shown = name.isEmpty() ? metadata.string("generateName") : name;
    return ApiException.forbidden(request.resource(), shown, why);
  }
}
