package dev.muster.types.select;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.JsonObject;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/** The selectable fields of built-in resources that have more than name and namespace. */
public final class BuiltInFields {
  private static final String NAME = SelectableFields.NAME;
  private static final String NAMESPACE = SelectableFields.NAMESPACE;

  private BuiltInFields() {}

  /**
   * The fields of a cluster-scoped resource: the name and the given paths. A path with a value,
   * such as {@code spec.flag=false}, sets the value of an absent field.
   */
  public static SelectableFields named(String... paths) {
    return fields(Stream.concat(Stream.of(NAME), Stream.of(paths)).toArray(String[]::new));
  }

  /** The fields of a namespaced resource: name, namespace and the given paths. */
  public static SelectableFields namespaced(String... paths) {
    return fields(
        Stream.concat(Stream.of(NAME, NAMESPACE), Stream.of(paths)).toArray(String[]::new));
  }

  public static SelectableFields resourceSlices() {
    return new SelectableFields(
        readers(NAME, "spec.nodeName", "spec.driver"),
        label -> "field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: " + label);
  }

  private static SelectableFields fields(String... specifications) {
    return new SelectableFields(readers(specifications), BuiltInFields::refusal);
  }

  private static String refusal(String label) {
    return "field label not supported: " + label;
  }

  /** Parses paths, or paths with the value of an absent field, such as {@code spec.flag=false}. */
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

  public static SelectableFields pods() {
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

  public static SelectableFields jobs() {
    var readers = readers(NAME, NAMESPACE);
    readers.put("status.successful", orElse("status.succeeded", "0"));
    return new SelectableFields(
        readers, label -> "field label " + GoText.quote(label) + " not supported for Job");
  }

  private static final String[] REFERENCE = {
    "kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"
  };

  public static SelectableFields coreEvents() {
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

  public static SelectableFields events() {
    var readers = readers(NAME, NAMESPACE, "reason", "type");
    for (var part : REFERENCE) {
      readers.put("regarding." + part, subject(part));
    }
    readers.put("reportingController", either("reportingComponent", "reportingController"));
    return new SelectableFields(readers, BuiltInFields::refusal);
  }

  /** A part of the object that an event refers to, in an event of either group. */
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
