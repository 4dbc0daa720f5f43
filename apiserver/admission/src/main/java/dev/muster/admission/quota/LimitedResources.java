package dev.muster.admission.quota;

import dev.muster.admission.config.AdmissionConfiguration;
import dev.muster.model.GroupResource;
import dev.muster.model.json.JsonObject;
import dev.muster.model.quota.Measure;
import dev.muster.model.quota.ResourceList;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.wire.ConfigurationKind;
import dev.muster.wire.DecodeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The {@code limitedResources} of the configuration: resources that may only be used if a quota
 * covers them. Immutable.
 *
 * @param all in the file's order
 */
public record LimitedResources(List<Limit> all) {
  /** No resource needs a quota. */
  public static final LimitedResources NONE = new LimitedResources(List.of());

  private static final String PLUGIN = "ResourceQuota";
  private static final String FORMER_GROUP = "resourcequota.admission.k8s.io/";
  private static final ConfigurationKind KIND =
      new ConfigurationKind("ResourceQuotaConfiguration", Set.of("apiserver.config.k8s.io/v1"));
  private static final ConfigurationKind FORMER_KIND =
      new ConfigurationKind(
          "Configuration", Set.of(FORMER_GROUP + "v1beta1", FORMER_GROUP + "v1alpha1"));

  /**
   * @param resource the limited resource
   * @param contained parts of usage names that need a quota, such as {@code
   *     .storageclass.storage.k8s.io/requests.storage}
   * @param scopes objects that meet one of these requirements need a quota with that scope
   */
  record Limit(GroupResource resource, List<String> contained, List<JsonObject> scopes) {
    Limit {
      contained = List.copyOf(contained);
      scopes = List.copyOf(scopes);
    }

    private boolean names(String taken) {
      return contained.stream().anyMatch(taken::contains);
    }
  }

  public LimitedResources {
    all = List.copyOf(all);
  }

  /**
   * @throws IllegalArgumentException when the configuration is invalid
   */
  public static LimitedResources read(JsonObject configuration) {
    if (configuration.isEmpty()) {
      return NONE;
    }
    var kind = configuration.string("kind").equals(FORMER_KIND.kind()) ? FORMER_KIND : KIND;
    try {
      kind.check(configuration, ConfigurationKind.shown(configuration));
    } catch (DecodeException e) {
      throw AdmissionConfiguration.wrong(PLUGIN + ": " + e.text());
    }
    var known = Set.of("apiVersion", "kind", "limitedResources");
    AdmissionConfiguration.only(configuration, known, PLUGIN);
    var limits = new ArrayList<Limit>();
    var given = configuration.array("limitedResources").objects();
    for (int i = 0; i < given.size(); i++) {
      limits.add(limit(given.get(i), FieldPath.of("limitedResources").index(i)));
    }
    return new LimitedResources(limits);
  }

  private static Limit limit(JsonObject given, FieldPath path) {
    AdmissionConfiguration.only(
        given, Set.of("apiGroup", "resource", "matchContains", "matchScopes"), PLUGIN + "." + path);
    if (given.string("resource").isEmpty()) {
      throw AdmissionConfiguration.wrong(
          PLUGIN
              + ": "
              + FieldError.join(List.of(FieldError.required(path.child("resource"), ""))));
    }
    return new Limit(
        new GroupResource(given.string("apiGroup"), given.string("resource")),
        given.array("matchContains").strings(),
        given.array("matchScopes").objects());
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  /** The usage names of an object that need a quota and are not among the given ones. */
  Set<String> uncoveredNames(GroupResource resource, ResourceList usage, Set<String> given) {
    var uncovered = new TreeSet<String>();
    for (var limit : all) {
      if (limit.resource().equals(resource)) {
        usage.amounts().entrySet().stream()
            .filter(taken -> taken.getValue().signum() > 0 && limit.names(taken.getKey()))
            .forEach(taken -> uncovered.add(taken.getKey()));
      }
    }
    uncovered.removeAll(given);
    return uncovered;
  }

  /** The scopes of an object that need a quota and are not among the covered ones. */
  List<JsonObject> uncoveredScopes(Measure measure, JsonObject object, Set<String> covered) {
    return all.stream()
        .flatMap(limit -> limit.scopes().stream())
        .filter(scope -> !covered.contains(scope.string("scopeName")))
        .filter(scope -> measure.matchesScope(scope, object))
        .toList();
  }
}
