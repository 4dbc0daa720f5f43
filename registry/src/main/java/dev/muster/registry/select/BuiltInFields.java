package dev.muster.registry.select;

import dev.muster.model.GoText;
import dev.muster.model.GroupKind;
import dev.muster.model.JsonObject;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/** The fields of built-in resources that have more than name and namespace. */
final class BuiltInFields {
  private static final String NAME = "metadata.name";
  private static final String NAMESPACE = "metadata.namespace";

  private BuiltInFields() {}

  static Map<GroupKind, SelectableFields> all() {
    return Map.ofEntries(
        Map.entry(core("Pod"), pods()),
        Map.entry(core("Node"), fields(NAME, "spec.unschedulable=false")),
        Map.entry(core("ReplicationController"), fields(NAME, NAMESPACE, "status.replicas=0")),
        Map.entry(core("Event"), coreEvents()),
        Map.entry(new GroupKind("events.k8s.io", "Event"), events().besideOthers()),
        Map.entry(core("Namespace"), fields(NAME, "status.phase")),
        Map.entry(core("Secret"), fields(NAME, NAMESPACE, "type")),
        Map.entry(core("Service"), fields(NAME, NAMESPACE, "spec.clusterIP", "spec.type")),
        Map.entry(new GroupKind("batch", "Job"), jobs()),
        Map.entry(
            new GroupKind("certificates.k8s.io", "CertificateSigningRequest"),
            fields(NAME, "spec.signerName")),
        Map.entry(
            new GroupKind("resource.k8s.io", "ResourceSlice"),
            new SelectableFields(
                readers(NAME, "spec.nodeName", "spec.driver"),
                label ->
                    "field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: "
                        + label)));
  }

  private static GroupKind core(String kind) {
    return new GroupKind("", kind);
  }

  private static SelectableFields fields(String... specifications) {
    return new SelectableFields(readers(specifications), BuiltInFields::refusal);
  }

  private static String refusal(String label) {
    return "field label not supported: " + label;
  }

  /** A path, or a path and what an absent value counts as, such as {@code spec.flag=false}. */
  private static Map<String, Function<JsonObject, String>> readers(String... specifications) {
    var readers = new HashMap<String, Function<JsonObject, String>>();
    for (var specification : specifications) {
      int equals = specification.indexOf('=');
      if (equals < 0) {
        readers.put(specification, SelectableFields.path(specification));
      } else {
        var label = specification.substring(0, equals);
        readers.put(label, orElse(label, specification.substring(equals + 1)));
      }
    }
    return readers;
  }

  private static Function<JsonObject, String> orElse(String path, String absent) {
    var reader = SelectableFields.path(path);
    return object -> {
      var value = reader.apply(object);
      return value.isEmpty() ? absent : value;
    };
  }

  private static SelectableFields pods() {
    var readers =
        readers(
            NAME,
            NAMESPACE,
            "spec.nodeName",
            "spec.restartPolicy",
            "spec.schedulerName",
            "spec.serviceAccountName",
            "spec.hostNetwork=false",
            "status.phase",
            "status.nominatedNodeName");
    readers.put(
        "status.podIP",
        pod -> {
          var ips = pod.object("status").array("podIPs");
          return ips.isEmpty() ? "" : ips.object(0).string("ip");
        });
    readers.put("status.podIPs", pod -> "");
    readers.put("spec.host", SelectableFields.path("spec.nodeName"));
    return new SelectableFields(readers, BuiltInFields::refusal);
  }

  private static SelectableFields jobs() {
    var readers = readers(NAME, NAMESPACE);
    readers.put("status.successful", orElse("status.succeeded", "0"));
    return new SelectableFields(
        readers, label -> "field label " + GoText.quote(label) + " not supported for Job");
  }

  private static final String[] REFERENCE = {
    "kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"
  };

  private static SelectableFields coreEvents() {
    var readers = readers(NAME, NAMESPACE, "reason", "type");
    for (var part : REFERENCE) {
      readers.put("involvedObject." + part, subject(part));
    }
    readers.put("reportingComponent", either("reportingComponent", "reportingController"));
    var source = either("source.component", "deprecatedSource.component");
    var reporter = either("reportingComponent", "reportingController");
    readers.put(
        "source",
        event -> {
          var component = source.apply(event);
          return component.isEmpty() ? reporter.apply(event) : component;
        });
    return new SelectableFields(readers, BuiltInFields::refusal);
  }

  private static SelectableFields events() {
    var readers = readers(NAME, NAMESPACE, "reason", "type");
    for (var part : REFERENCE) {
      readers.put("regarding." + part, subject(part));
    }
    readers.put("reportingController", either("reportingComponent", "reportingController"));
    return new SelectableFields(readers, BuiltInFields::refusal);
  }

  /** A part of what an event is about, in an object of either group. */
  private static Function<JsonObject, String> subject(String part) {
    return either("involvedObject." + part, "regarding." + part);
  }

  private static Function<JsonObject, String> either(String path, String other) {
    var first = SelectableFields.path(path);
    var second = SelectableFields.path(other);
    return object -> {
      var value = first.apply(object);
      return value.isEmpty() ? second.apply(object) : value;
    };
  }
}
