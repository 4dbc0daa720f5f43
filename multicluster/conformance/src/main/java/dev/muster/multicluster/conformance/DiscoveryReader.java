package dev.muster.multicluster.conformance;

import dev.muster.model.address.Cidr;
import dev.muster.multicluster.conformance.FleetObservation.Discovery;
import dev.muster.multicluster.conformance.FleetObservation.Row;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** Reads from one API server what it and others serve. Not thread-safe. Blocks the caller. */
record DiscoveryReader(KubernetesClient client) {
  private static final String HASHES =
      "/apis/apiservercoordination.k8s.io/v1alpha1/discoverydochashes";
  private static final List<String> DOCUMENTS =
      List.of("/api", "/apis", "/api/v1", "/apis/apps/v1", "/apis/coordination.k8s.io/v1");

  Discovery read() {
    var consistent = new TreeMap<String, Optional<Boolean>>();
    for (var path : DOCUMENTS) {
      consistent.put(
          path,
          get(path)
              .map(found -> found.getAdditionalProperties().get("consistent"))
              .filter(Boolean.class::isInstance)
              .map(Boolean.class::cast));
    }
    var resources = new TreeMap<String, String>();
    resources.put("v1", resources("/api/v1"));
    var custom = customGroups();
    for (var group : objects(get("/apis"), "groups")) {
      var name = String.valueOf(group.get("name"));
      boolean builtIn = !name.contains(".") || name.endsWith(".k8s.io");
      if (builtIn && !custom.contains(name) && group.get("versions") instanceof List<?> versions) {
        for (var version : versions) {
          var groupVersion =
              version instanceof Map<?, ?> its ? String.valueOf(its.get("groupVersion")) : "";
          resources.put(groupVersion, resources("/apis/" + groupVersion));
        }
      }
    }
    return new Discovery(consistent, resources, rows());
  }

  /** The entries of all servers; empty when the API does not exist. */
  private Optional<List<Row>> rows() {
    var list = get(HASHES);
    if (list.isEmpty()) {
      return Optional.empty();
    }
    var rows = new ArrayList<Row>();
    for (var object : objects(list, "items")) {
      if (object.get("hashes") instanceof List<?> hashes) {
        for (var hash : hashes) {
          if (hash instanceof Map<?, ?> fields) {
            rows.add(
                new Row(
                    text(fields, "apiServerID"),
                    text(fields, "builtInAPIHash"),
                    time(text(fields, "lastHeartbeatTime"))));
          }
        }
      }
    }
    return Optional.of(rows);
  }

  /** The API groups of custom resources, which are not built in. */
  private TreeSet<String> customGroups() {
    var groups = new TreeSet<String>();
    for (var definition :
        objects(get("/apis/apiextensions.k8s.io/v1/customresourcedefinitions"), "items")) {
      if (definition.get("spec") instanceof Map<?, ?> spec) {
        groups.add(text(spec, "group"));
      }
    }
    return groups;
  }

  private String resources(String path) {
    var lines = new TreeSet<String>();
    for (var resource : objects(get(path), "resources")) {
      lines.add(resource.get("name") + " " + resource.get("kind") + " " + resource.get("verbs"));
    }
    return String.join("\n", lines);
  }

  private static String text(Map<?, ?> fields, String name) {
    return Objects.toString(fields.get(name), "");
  }

  private static Optional<Instant> time(String text) {
    try {
      return Optional.of(Instant.parse(text));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static List<Map<?, ?>> objects(
      Optional<GenericKubernetesResource> document, String field) {
    var found = new ArrayList<Map<?, ?>>();
    document
        .map(read -> read.getAdditionalProperties().get(field))
        .ifPresent(
            list -> {
              if (list instanceof List<?> items) {
                for (var item : items) {
                  if (item instanceof Map<?, ?> fields) {
                    found.add(fields);
                  }
                }
              }
            });
    return found;
  }

  /** The object, if it exists and may be read. */
  Optional<GenericKubernetesResource> get(String path) {
    try {
      var text = client.raw(path);
      return text == null
          ? Optional.empty()
          : Optional.of(Serialization.unmarshal(text, GenericKubernetesResource.class));
    } catch (KubernetesClientException e) {
      if (e.getCode() == 403 || e.getCode() == 404) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** The address after the range's own, such as 10.96.0.1 of 10.96.0.0/12. */
  private static String firstAddress(String range) {
    return Cidr.parse(range).at(BigInteger.ONE).toString();
  }

  /** The first address of each published service range. */
  List<String> ranges() {
    var found = new ArrayList<String>();
    for (var range : objects(get("/apis/networking.k8s.io/v1/servicecidrs"), "items")) {
      if (range.get("spec") instanceof Map<?, ?> spec
          && spec.get("cidrs") instanceof List<?> cidrs) {
        cidrs.forEach(cidr -> found.add(firstAddress(String.valueOf(cidr))));
      }
    }
    return found;
  }
}
