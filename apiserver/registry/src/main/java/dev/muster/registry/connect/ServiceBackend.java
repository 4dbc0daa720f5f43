package dev.muster.registry.connect;

import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.types.ClusterView;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A backend of a Service: a ready endpoint, or the external name of an ExternalName Service. The
 * server may run outside the service network, so it never dials cluster IPs; like kube-apiserver it
 * still refuses Services without one.
 *
 * @param host an address, or the name of an ExternalName Service
 */
public record ServiceBackend(String host, int port) {
  private static final String SERVICES = "/services/specs";
  private static final String SLICES = "/endpointslices";
  private static final String OWNER = "kubernetes.io/service-name";

  /** The Service has no backend; the message is kube-apiserver's. */
  public static final class Missing extends Exception {
    private static final long serialVersionUID = 1L;

    private final String text;

    Missing(String text) {
      super(text, null, false, false);
      this.text = text;
    }

    public String text() {
      return text;
    }
  }

  /**
   * Chooses a backend.
   *
   * @param port the number of the Service port
   */
  public static ServiceBackend choose(
      ClusterView cluster, String namespace, String name, int port, RandomGenerator random)
      throws Missing {
    var service = cluster.get(SERVICES, namespace, name);
    if (service == null) {
      throw new Missing("service \"" + name + "\" not found");
    }
    var spec = service.object("spec");
    return switch (spec.string("type")) {
      case "ExternalName" -> new ServiceBackend(spec.string("externalName"), port);
      case "ClusterIP", "NodePort", "LoadBalancer" -> {
        if (spec.string("clusterIP").equals("None")) {
          throw new Missing("cannot route to service with ClusterIP \"None\"");
        }
        yield endpoint(cluster, service, portName(service, port), random);
      }
      default -> throw new Missing("unsupported service type \"" + spec.string("type") + "\"");
    };
  }

  /**
   * Chooses an endpoint, also of a headless Service, but never an external name.
   *
   * @param port the number of the Service port
   */
  public static ServiceBackend chooseEndpoint(
      ClusterView cluster, String namespace, String name, int port, RandomGenerator random)
      throws Missing {
    var service = cluster.get(SERVICES, namespace, name);
    if (service == null) {
      throw new Missing("service \"" + name + "\" not found");
    }
    var type = service.object("spec").string("type");
    return switch (type) {
      case "ClusterIP", "NodePort", "LoadBalancer" ->
          endpoint(cluster, service, portName(service, port), random);
      default -> throw new Missing("unsupported service type \"" + type + "\"");
    };
  }

  private static String portName(JsonObject service, int port) throws Missing {
    for (var candidate : service.object("spec").array("ports").objects()) {
      if (candidate.integer("port", 0) == port) {
        return candidate.string("name");
      }
    }
    throw new Missing("no service port %d found for service \"%s\"".formatted(port, name(service)));
  }

  private static String name(JsonObject service) {
    return service.object("metadata").string("name");
  }

  /** Chooses a random ready endpoint, preferring the Service's first address family. */
  private static ServiceBackend endpoint(
      ClusterView cluster, JsonObject service, String portName, RandomGenerator random)
      throws Missing {
    var preferred = new ArrayList<ServiceBackend>();
    var others = new ArrayList<ServiceBackend>();
    var families = service.object("spec").array("ipFamilies").strings();
    for (var slice : cluster.list(SLICES, service.object("metadata").string("namespace"))) {
      var owner = slice.object("metadata").object("labels").string(OWNER);
      if (owner.equals(name(service))) {
        boolean first =
            families.isEmpty() || families.getFirst().equals(slice.string("addressType"));
        collect(slice, portName, first ? preferred : others);
      }
    }
    var found = preferred.isEmpty() ? others : preferred;
    if (found.isEmpty()) {
      throw new Missing("no endpoints available for service \"" + name(service) + "\"");
    }
    return found.get(random.nextInt(found.size()));
  }

  private static void collect(JsonObject slice, String portName, List<ServiceBackend> found) {
    for (var port : slice.array("ports").objects()) {
      int number = (int) port.integer("port", 0);
      if (!port.string("name").equals(portName) || number == 0) {
        continue;
      }
      for (var endpoint : slice.array("endpoints").objects()) {
        boolean ready = endpoint.object("conditions").get("ready") != JsonBool.FALSE;
        if (ready && !endpoint.array("addresses").isEmpty()) {
          var address = endpoint.array("addresses").get(0);
          found.add(
              new ServiceBackend(address instanceof JsonString(var text) ? text : "", number));
        }
      }
    }
  }
}
