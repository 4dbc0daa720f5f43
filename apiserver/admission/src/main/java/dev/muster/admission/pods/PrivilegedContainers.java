package dev.muster.admission.pods;

import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.RelatedStatusUpdate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Refuses privileged containers in pods and pod templates, for servers that do not allow them. Runs
 * on otherwise valid objects. Updates that leave the pod spec unchanged pass, so that existing
 * privileged pods can be labelled and deleted.
 */
public final class PrivilegedContainers implements Admission {
  private static final Set<String> WITH_THE_SPEC = Set.of("", "ephemeralcontainers", "resize");

  /** In upstream's checking order. */
  private static final List<String> CONTAINERS =
      List.of("containers", "initContainers", "ephemeralContainers");

  @Override
  public List<RelatedStatusUpdate> validate(AdmissionRequest request) {
    var object = request.object();
    if (object == null
        || !request.createsOrUpdates()
        || !WITH_THE_SPEC.contains(request.subresource())) {
      return List.of();
    }
    var path = pathOfSpec(request);
    if (path.isEmpty()) {
      return List.of();
    }
    var spec = at(object, path);
    var old = request.oldObject();
    if (old != null && spec.equals(at(old, path))) {
      return List.of();
    }
    var errors = problems(spec, FieldPath.of(path.getFirst(), rest(path)));
    if (!errors.isEmpty()) {
      throw ApiException.invalid(
          request.type().stored().groupKind(), object.object("metadata").string("name"), errors);
    }
    return List.of();
  }

  /** The path of the pod spec, or empty when the resource has none. */
  private static List<String> pathOfSpec(AdmissionRequest request) {
    return switch (request.resource().toString()) {
      case "pods" -> List.of("spec");
      case "podtemplates" -> List.of("template", "spec");
      case "replicationcontrollers",
          "replicasets.apps",
          "deployments.apps",
          "statefulsets.apps",
          "daemonsets.apps",
          "jobs.batch" ->
          List.of("spec", "template", "spec");
      case "cronjobs.batch" -> List.of("spec", "jobTemplate", "spec", "template", "spec");
      default -> List.of();
    };
  }

  private static JsonObject at(JsonObject object, List<String> path) {
    return object.object(path.getFirst(), rest(path));
  }

  private static String[] rest(List<String> path) {
    return path.subList(1, path.size()).toArray(String[]::new);
  }

  private static List<FieldError> problems(JsonObject spec, FieldPath path) {
    var errors = new ArrayList<FieldError>();
    var hostProcess = hostProcess(spec);
    boolean onHost = Boolean.TRUE.equals(hostProcess);
    for (var list : CONTAINERS) {
      var containers = spec.array(list).objects();
      for (int i = 0; i < containers.size(); i++) {
        var context = containers.get(i).object("securityContext");
        if (context.isTrue("privileged")) {
          errors.add(
              FieldError.forbidden(
                  path.child(list).index(i).child("securityContext").child("privileged"),
                  "disallowed by cluster policy"));
        }
        var own = hostProcess(containers.get(i));
        onHost |= own == null ? Boolean.TRUE.equals(hostProcess) : own;
      }
    }
    if (onHost) {
      errors.add(
          FieldError.forbidden(path, "hostProcess containers are disallowed by cluster policy"));
    }
    return errors;
  }

  /** The {@code hostProcess} field of a pod or container, or null. */
  private static @Nullable Boolean hostProcess(JsonObject owner) {
    var options = owner.object("securityContext", "windowsOptions");
    return options.has("hostProcess") ? options.isTrue("hostProcess") : null;
  }
}
