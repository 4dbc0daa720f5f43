package dev.muster.validation.pods.containers;

import dev.muster.model.Quantity;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.Names;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.Resources;
import dev.muster.validation.Rule;
import dev.muster.validation.Rules;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/** Validates requests and limits of containers and pods. */
public final class ResourceRequirements {
  private static final Set<String> COMPUTE = Set.of("cpu", "memory");
  private static final Rule HUGE_PAGES = Rules.unlessBroken(ResourceRequirements::hugePages);
  private static final List<String> POD_LEVEL = List.of("cpu", "hugepages-", "memory");

  private ResourceRequirements() {}

  static void ofContainer(FieldCursor resources, FieldCursor spec) {
    check(resources, Resources::containerName);
    claims(resources.at("claims"), spec);
  }

  private static void podName(FieldCursor entry) {
    var errors = new ArrayList<FieldError>();
    Resources.name(entry.collectingInto(errors));
    errors.forEach(entry::report);
    if (errors.isEmpty() && !PodResources.isForPods(entry.name())) {
      entry.with(Json.of(entry.name())).notSupported(POD_LEVEL);
    }
  }

  private static void check(FieldCursor resources, Rule name) {
    var limits = resources.at("limits");
    var requests = resources.at("requests");
    boolean compute = false;
    boolean huge = false;
    for (var limit : limits.entries()) {
      name.check(limit);
      Resources.amountOf(limit);
      HUGE_PAGES.check(limit);
      huge |= Resources.isHugePages(limit.name());
      compute |= COMPUTE.contains(limit.name());
    }
    for (var request : requests.entries()) {
      name.check(request);
      Resources.amountOf(request);
      limited(requests, request, limits);
      HUGE_PAGES.check(request);
      huge |= Resources.isHugePages(request.name());
      compute |= COMPUTE.contains(request.name());
    }
    if (huge && !compute) {
      resources.forbidden("HugePages require cpu or memory");
    }
  }

  private static void limited(FieldCursor requests, FieldCursor request, FieldCursor limits) {
    var limit = limits.entry(request.name());
    boolean overcommit = Resources.allowsOvercommit(request.name());
    if (limit.isAbsent()) {
      if (!overcommit) {
        limits.required("Limit must be set for non overcommitable resources");
      }
      return;
    }
    var wanted = Resources.amount(request);
    var most = Resources.amount(limit);
    var shown = Json.of(wanted.toString());
    if (!overcommit && !wanted.equals(most)) {
      requests.invalid(shown, "must be equal to " + request.name() + " limit of " + most);
    } else if (wanted.compareTo(most) > 0) {
      requests.invalid(
          shown, "must be less than or equal to " + request.name() + " limit of " + most);
    }
  }

  private static void hugePages(FieldCursor entry) {
    if (!Resources.isHugePages(entry.name())) {
      return;
    }
    var amount = Resources.amount(entry);
    var size = Resources.parse(Json.of(entry.name().substring("hugepages-".length())));
    boolean divisible =
        size != null
            && size.signum() > 0
            && isWhole(size)
            && size.value() != 0
            && amount.value() % size.value() == 0;
    if (!divisible) {
      entry.invalid(
          Json.of(amount.toString()),
          amount + " is not positive integer multiple of " + entry.name());
    }
  }

  private static boolean isWhole(Quantity size) {
    return size.milliValue() % 1000 == 0;
  }

  private static void claims(FieldCursor claims, FieldCursor spec) {
    var known = new TreeSet<String>();
    for (var claim : spec.at("resourceClaims").array().objects()) {
      if (!claim.string("name").isEmpty()) {
        known.add(claim.string("name"));
      }
    }
    var seen = new TreeSet<String>();
    for (var claim : claims.items()) {
      var name = claim.at("name").text();
      if (name.isEmpty()) {
        claim.required("");
        continue;
      }
      unique(claim, name, seen);
      if (!known.contains(name)) {
        claim.report(
            new FieldError(
                FieldError.Type.NOT_FOUND,
                claim.path().text(),
                FieldError.notFound(claim.path(), Json.of(name)).body()
                    + ": must be one of the names in pod.spec.resourceClaims"
                    + (known.isEmpty() ? " which is empty" : ": " + String.join(", ", known))));
      }
    }
  }

  private static void unique(FieldCursor claim, String name, NavigableSet<String> seen) {
    if (seen.contains(name)) {
      claim.with(Json.of(name)).duplicate();
      return;
    }
    var request = claim.at("request");
    var key = name;
    if (!request.isEmpty()) {
      request.invalidEach(Names.dnsLabel(request.text()));
      key = name + "/" + request.text();
    }
    if (seen.contains(key)) {
      claim.with(Json.of(key)).duplicate();
    } else if (request.isEmpty()) {
      for (var one : seen.tailSet(name + "/")) {
        if (!one.startsWith(name + "/")) {
          break;
        }
        claim.with(Json.of(name)).duplicate();
      }
    }
    seen.add(key);
  }

  /** Validates the pod overhead; like upstream's, the errors mention limits. */
  public static void overhead(FieldCursor overhead, JsonObject amounts) {
    check(overhead.with(JsonObject.of("limits", amounts)), Resources::containerName);
  }

  /** Requires that pod-level resources suffice for the pod's containers. */
  public static void ofPod(FieldCursor spec) {
    var resources = spec.at("resources");
    if (resources.isAbsent()) {
      return;
    }
    if (spec.at("os", "name").isText("windows")) {
      resources.forbidden("may not be set for a windows pod");
      return;
    }
    if (resources.has("claims")) {
      resources.at("claims").forbidden("claims may not be set for Resources at pod-level");
    }
    check(resources, ResourceRequirements::podName);
    claims(resources.at("claims"), spec);
    enough(resources, spec, "requests", "requests");
    enough(resources, spec, "limits", "limits");
    var limits = resources.at("limits");
    var containers = spec.at("containers").items();
    for (int i = 0; i < containers.size(); i++) {
      var container = containers.get(i);
      for (var limit : container.at("resources", "limits").entries()) {
        var most = limits.entry(limit.name());
        var amount = Resources.amount(limit);
        if (most.isPresent() && amount.compareTo(Resources.amount(most)) > 0) {
          var path =
              resources.path().child("containers").index(i).key(limit.name()).child("limits");
          limit.report(
              FieldError.invalid(
                  path,
                  Json.of(amount.toString()),
                  "must be less than or equal to pod limits of " + Resources.amount(most)));
        }
      }
    }
  }

  private static void enough(FieldCursor resources, FieldCursor spec, String kind, String word) {
    var own = resources.at(kind);
    PodResources.ofContainers(spec.object(), kind)
        .forEach(
            (name, amount) -> {
              var entry = own.entry(name);
              boolean asked = kind.equals("requests") || Resources.isHugePages(name);
              if (asked && entry.isPresent() && amount.compareTo(Resources.amount(entry)) > 0) {
                entry.invalid(
                    Json.of(Resources.amount(entry).toString()),
                    "must be greater than or equal to aggregate container "
                        + word
                        + " of "
                        + amount);
              }
            });
  }
}
