package dev.muster.admission.podsecurity;

import dev.muster.admission.podsecurity.Policy.Level;
import dev.muster.admission.podsecurity.Policy.Standard;
import dev.muster.model.GroupResource;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.validation.FieldError;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.PodSecurityObserver;
import dev.muster.registry.admission.RelatedStatusUpdate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The plugin PodSecurity: enforces the pod security standard of the namespace, and warns about
 * objects whose pod templates violate it.
 */
public final class PodSecurity implements Admission {
  private static final String ANNOTATION = "pod-security.kubernetes.io/";
  private static final Set<String> IGNORED =
      Set.of("exec", "attach", "binding", "eviction", "log", "portforward", "proxy", "status");

  private final PodSecuritySettings settings;
  private final PodSecurityObserver observer;

  public PodSecurity(PodSecuritySettings settings, PodSecurityObserver observer) {
    this.settings = settings;
    this.observer = observer;
  }

  @Override
  public List<RelatedStatusUpdate> validate(AdmissionRequest request) {
    if (request.createsOrUpdates() && request.object() != null) {
      if (request.isFor("", "namespaces")) {
        checkNamespace(request);
      } else if (request.isFor("", "pods")) {
        checkPod(request);
      } else if (request.subresource().isEmpty()) {
        checkTemplate(request);
      }
    }
    return List.of();
  }

  private void checkNamespace(AdmissionRequest request) {
    if (!request.subresource().isEmpty()) {
      return;
    }
    var name = request.mustObject().object("metadata").string("name");
    var errors = new ArrayList<FieldError>();
    var policy = Policy.of(labels(request.mustObject()), settings.defaults(), errors);
    var old = request.oldObject();
    var oldErrors = new ArrayList<FieldError>();
    var oldPolicy =
        Policy.of(old == null ? JsonObject.EMPTY : labels(old), settings.defaults(), oldErrors);
    if (!errors.isEmpty() && (old == null || !errors.equals(oldErrors))) {
      throw ApiException.invalid(request.type().groupKind(), name, errors);
    }
    if (old == null) {
      if (settings.namespaces().contains(name)) {
        warnOfExemption(request, name, policy);
      }
      return;
    }
    var enforce = policy.enforce();
    var before = oldPolicy.enforce();
    boolean looser =
        enforce.minor() == before.minor() && enforce.level().compareTo(before.level()) <= 0;
    if (enforce.level() == Level.PRIVILEGED || enforce.equals(before) || looser) {
      return;
    }
    if (settings.namespaces().contains(name)) {
      warnOfExemption(request, name, policy);
    } else {
      var pods = request.cluster().list("/pods", name);
      ExistingPods.warnings(name, enforce, pods, settings).forEach(request.warnings());
    }
  }

  /** Warns that the labels have no effect because the namespace is exempt. */
  private void warnOfExemption(AdmissionRequest request, String name, Policy policy) {
    if (policy.isPrivileged() || policy.isLike(settings.defaults())) {
      return;
    }
    var set = new ArrayList<String>();
    var labels = labels(request.mustObject());
    addIfSet(set, labels, "enforce", policy.enforce());
    addIfSet(set, labels, "audit", policy.audit());
    addIfSet(set, labels, "warn", policy.warn());
    request
        .warnings()
        .accept(
            "namespace "
                + GoText.quote(name)
                + " is exempt from Pod Security, and the policy ("
                + String.join(", ", set)
                + ") will be ignored");
  }

  private static void addIfSet(
      List<String> set, JsonObject labels, String mode, Standard standard) {
    if (standard.level() != Level.PRIVILEGED
        && (labels.has(ANNOTATION + mode) || labels.has(ANNOTATION + mode + "-version"))) {
      set.add(mode + "=" + standard);
    }
  }

  /** Whether the namespace or the user is exempt; the reason goes to the audit log. */
  private boolean isExempt(AdmissionRequest request) {
    if (settings.namespaces().contains(request.namespace())) {
      exempted(request, "namespace");
      return true;
    }
    if (settings.users().contains(request.user().name())) {
      exempted(request, "user");
      return true;
    }
    return false;
  }

  private boolean isExempt(AdmissionRequest request, PodView pod) {
    if (settings.isExempt(pod)) {
      exempted(request, "runtimeClass");
      return true;
    }
    return false;
  }

  private void exempted(AdmissionRequest request, String why) {
    observer.exempted(subject(request));
    request.annotations().add(ANNOTATION + "exempt", why);
  }

  private static JsonObject labels(JsonObject namespace) {
    return namespace.object("metadata", "labels");
  }

  private void checkPod(AdmissionRequest request) {
    if (IGNORED.contains(request.subresource()) || isExempt(request)) {
      return;
    }
    var errors = new ArrayList<FieldError>();
    var policy = policy(request, errors);
    var pod = request.mustObject();
    var old = request.oldObject();
    if (errors.isEmpty() && policy.isPrivileged()) {
      evaluated(request, true, policy.enforce(), "enforce");
      request.annotations().add(ANNOTATION + "enforce-policy", policy.enforce().toString());
      return;
    }
    if (request.operation() == AdmissionOperation.UPDATE && old != null && !matters(pod, old)) {
      return;
    }
    var view = new PodView(pod.object("metadata"), pod.object("spec"));
    if (isExempt(request, view)) {
      return;
    }
    request.annotations().add(ANNOTATION + "enforce-policy", policy.enforce().toString());
    annotate(request, policy, errors, view);
    var violations = PodSecurityChecks.violations(policy.enforce(), view);
    evaluated(request, violations.isEmpty(), policy.enforce(), "enforce");
    if (!violations.isEmpty()) {
      throw ApiException.forbidden(
          new GroupResource("", "pods"),
          request.name(),
          "violates PodSecurity "
              + GoText.quote(policy.enforce().toString())
              + ": "
              + Violation.details(violations));
    }
    warn(request, policy.warn(), view);
  }

  /** Adds audit annotations besides the enforced standard. */
  private void annotate(
      AdmissionRequest request, Policy policy, List<FieldError> errors, PodView view) {
    if (!errors.isEmpty()) {
      observer.unreadable(subject(request));
      request
          .annotations()
          .add(ANNOTATION + "error", "Failed to parse policy: " + FieldError.join(errors));
    }
    var violations = PodSecurityChecks.violations(policy.audit(), view);
    if (!violations.isEmpty()) {
      evaluated(request, false, policy.audit(), "audit");
      request
          .annotations()
          .add(ANNOTATION + "audit-violations", violated(policy.audit(), violations));
    }
  }

  private void evaluated(
      AdmissionRequest request, boolean allowed, Standard standard, String mode) {
    observer.evaluated(
        allowed, standard.level().toString(), standard.versionLabel(), mode, subject(request));
  }

  private static PodSecurityObserver.Subject subject(AdmissionRequest request) {
    return new PodSecurityObserver.Subject(
        request.operation(), request.isFor("", "pods"), request.subresource());
  }

  private Policy policy(AdmissionRequest request, List<FieldError> errors) {
    var namespace = request.cluster().get("/namespaces", "", request.namespace());
    return Policy.of(
        namespace == null ? JsonObject.EMPTY : labels(namespace), settings.defaults(), errors);
  }

  private static String violated(Standard standard, List<Violation> violations) {
    return "would violate PodSecurity "
        + GoText.quote(standard.toString())
        + ": "
        + Violation.details(violations);
  }

  private void warn(AdmissionRequest request, Standard standard, PodView view) {
    var violations = PodSecurityChecks.violations(standard, view);
    if (!violations.isEmpty()) {
      evaluated(request, false, standard, "warn");
      request.warnings().accept(violated(standard, violations));
    }
  }

  /** Whether an update changes images or adds containers. */
  private static boolean matters(JsonObject pod, JsonObject old) {
    for (var field : List.of("containers", "initContainers")) {
      var now = pod.object("spec").array(field).objects();
      var before = old.object("spec").array(field).objects();
      if (now.size() != before.size()) {
        return true;
      }
      for (int i = 0; i < now.size(); i++) {
        if (!now.get(i).string("image").equals(before.get(i).string("image"))) {
          return true;
        }
      }
    }
    var known = old.object("spec").array("ephemeralContainers").objects();
    for (var container : pod.object("spec").array("ephemeralContainers").objects()) {
      if (known.stream()
          .noneMatch(
              other ->
                  other.string("name").equals(container.string("name"))
                      && other.string("image").equals(container.string("image")))) {
        return true;
      }
    }
    return false;
  }

  private void checkTemplate(AdmissionRequest request) {
    var template = template(request);
    if (template == null || isExempt(request)) {
      return;
    }
    var errors = new ArrayList<FieldError>();
    var policy = policy(request, errors);
    if (!errors.isEmpty()
        || policy.warn().level() != Level.PRIVILEGED
        || policy.audit().level() != Level.PRIVILEGED) {
      var view = new PodView(template.object("metadata"), template.object("spec"));
      if (!isExempt(request, view)) {
        annotate(request, policy, errors, view);
        warn(request, policy.warn(), view);
      }
    }
  }

  /** The pod template of an object, or null when it has none. */
  private static @Nullable JsonObject template(AdmissionRequest request) {
    var object = request.mustObject();
    var spec = object.object("spec");
    var found =
        switch (request.resource().toString()) {
          case "podtemplates" -> object.get("template");
          case "replicationcontrollers",
              "replicasets.apps",
              "deployments.apps",
              "statefulsets.apps",
              "daemonsets.apps",
              "jobs.batch" ->
              spec.get("template");
          case "cronjobs.batch" -> spec.object("jobTemplate", "spec").get("template");
          default -> null;
        };
    return found instanceof JsonObject template ? template : null;
  }
}
