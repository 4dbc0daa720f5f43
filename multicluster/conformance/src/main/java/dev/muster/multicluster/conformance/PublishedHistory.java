package dev.muster.multicluster.conformance;

import io.fabric8.kubernetes.api.model.Endpoints;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Records changes of the published endpoints. An endpoint flaps when it returns after removal, or
 * is removed after it was added; a server that joins or leaves does neither. Thread-safe.
 */
final class PublishedHistory {
  /** The endpoints in each object; empty for deleted objects. */
  private final Map<String, SortedSet<String>> shown = new LinkedHashMap<>();

  /** How often each endpoint was added or removed. */
  private final Map<String, Integer> turns = new TreeMap<>();

  private int idleWrites;
  private String broken = "";

  /** Records an object at the start of the watch. */
  synchronized void begin(HasMetadata object) {
    shown.put(key(object), contents(object));
  }

  synchronized void written(HasMetadata object) {
    change(object, contents(object));
  }

  synchronized void deleted(HasMetadata object) {
    change(object, new TreeSet<>());
  }

  /** Records that changes may have been missed. */
  synchronized void broken(String why) {
    broken = why;
  }

  private void change(HasMetadata object, SortedSet<String> after) {
    var key = key(object);
    var kind = kind(object);
    var before = all(kind);
    var old = shown.put(key, after);
    if (old != null && old.equals(after)) {
      idleWrites++;
    }
    var now = all(kind);
    var differing = new TreeSet<>(before);
    differing.removeAll(now);
    var come = new TreeSet<>(now);
    come.removeAll(before);
    differing.addAll(come);
    differing.forEach(thing -> turns.merge(kind + " " + thing, 1, Integer::sum));
  }

  private SortedSet<String> all(String kind) {
    var all = new TreeSet<String>();
    shown.forEach(
        (key, contents) -> {
          if (key.startsWith(kind + "/")) {
            all.addAll(contents);
          }
        });
    return all;
  }

  /** The endpoints that were both added and removed. */
  synchronized SortedSet<String> flapping() {
    var found = new TreeSet<String>();
    turns.forEach(
        (thing, times) -> {
          if (times > 1) {
            found.add(thing + " changed " + times + " times");
          }
        });
    return found;
  }

  /** The number of writes that changed no endpoint. */
  synchronized int idleWrites() {
    return idleWrites;
  }

  /** Why changes may have been missed; empty when none were. */
  synchronized Optional<String> gap() {
    return broken.isEmpty() ? Optional.empty() : Optional.of(broken);
  }

  private static String key(HasMetadata object) {
    return kind(object) + "/" + object.getMetadata().getName();
  }

  private static String kind(HasMetadata object) {
    return switch (object) {
      case Service service -> "Service";
      case Endpoints endpoints -> "Endpoints";
      default -> "EndpointSlice";
    };
  }

  private static SortedSet<String> contents(HasMetadata object) {
    return switch (object) {
      case Endpoints endpoints -> PublishedFleet.sockets(endpoints);
      case EndpointSlice slice -> PublishedFleet.sockets(slice);
      case Service service -> {
        var all = new TreeSet<>(PublishedFleet.list(service.getSpec().getClusterIPs()));
        all.add("policy " + service.getSpec().getIpFamilyPolicy());
        PublishedFleet.list(service.getSpec().getPorts())
            .forEach(
                port ->
                    all.add(
                        "port "
                            + port.getPort()
                            + " to "
                            + Optional.ofNullable(port.getTargetPort())
                                .map(target -> String.valueOf(target.getValue()))
                                .orElse("itself")));
        yield all;
      }
      default -> throw new IllegalArgumentException(object.getKind() + " publishes no servers");
    };
  }
}
