package dev.muster.registry.connect;

import dev.muster.model.GroupResource;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.registry.request.ResourceRequest;
import dev.muster.types.ClusterView;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the destinations of connecting subresources in one snapshot, with kube-apiserver's error
 * messages. A NotFound error names the resource of the request, whichever object is missing.
 */
public final class ResourceLocator {
  /** The kubelet's names of the streams that clients request, sorted. */
  private static final SortedMap<String, String> STREAMS =
      new TreeMap<>(Map.of("error", "stderr", "input", "stdin", "output", "stdout", "tty", "tty"));

  private final ClusterView cluster;
  private final ResourceRequest resourceRequest;
  private final KubeletAddresses kubelets;

  public ResourceLocator(
      ClusterView cluster, ResourceRequest resourceRequest, KubeletAddresses kubelets) {
    this.cluster = cluster;
    this.resourceRequest = resourceRequest;
    this.kubelets = kubelets;
  }

  /** The destination for a container's log, or null when its pod is not scheduled yet. */
  public @Nullable Destination log() {
    var options = PodLogOptions.of(resourceRequest.query(), resourceRequest.name());
    var pod = pod(resourceRequest.name());
    var container = container(pod, options.container());
    var node = pod.object("spec").string("nodeName");
    return node.isEmpty()
        ? null
        : kubelet(node)
            .to(options.backend())
            .withPath(path("containerLogs", pod, container), options.forKubelet());
  }

  /** The destination for exec and attach. */
  public Destination stream() {
    var pod = pod(resourceRequest.name());
    var container = container(pod, resourceRequest.query().first("container"));
    return assigned(pod).withPath(path(resourceRequest.subresource(), pod, container), streams());
  }

  /** The command and the streams as the kubelet's query parameters. */
  private String streams() {
    var parameters = new ArrayList<String>();
    for (var word : resourceRequest.query().all("command")) {
      parameters.add("command=" + URLEncoder.encode(word, StandardCharsets.UTF_8));
    }
    STREAMS.forEach(
        (kubelet, client) -> {
          if (resourceRequest.query().isTrue(client)) {
            parameters.add(kubelet + "=1");
          }
        });
    return String.join("&", parameters);
  }

  public Destination portForward() {
    var wanted = new ArrayList<String>();
    for (var ports : resourceRequest.query().all("ports")) {
      for (var port : ports.split(",", -1)) {
        checkPort(port);
        wanted.add("port=" + Integer.parseInt(port));
      }
    }
    var pod = pod(resourceRequest.name());
    return assigned(pod).withPath(path("portForward", pod), String.join("&", wanted));
  }

  private static void checkPort(String port) {
    var quoted = GoText.quote(port);
    if (!port.matches("[0-9]+")) {
      throw ApiException.badRequest(
          "cannot convert to []int32: strconv.ParseUint: parsing " + quoted + ": invalid syntax");
    }
    if (port.length() > 9 || Integer.parseInt(port) > 65535) {
      throw ApiException.badRequest(
          "cannot convert to []int32: strconv.ParseUint: parsing "
              + quoted
              + ": value out of range");
    }
  }

  /** The destination of a pod proxy request. */
  public Destination podProxy() {
    var proxyReference = ProxyReference.of(resourceRequest.name(), "pod");
    var pod = pod(proxyReference.name());
    var addresses = pod.object("status").array("podIPs");
    var ip = addresses.isEmpty() ? "" : addresses.object(0).string("ip");
    if (!ProxyableAddress.isLiteral(ip)) {
      throw ProxyableAddress.notAllowed();
    }
    int port = proxyReference.numericPort();
    return workload(proxyReference, ip, port == 0 ? firstPort(pod) : port);
  }

  private static int firstPort(JsonObject pod) {
    for (var container : pod.object("spec").array("containers").objects()) {
      if (!container.array("ports").isEmpty()) {
        return (int) container.array("ports").object(0).integer("containerPort", 0);
      }
    }
    return 0;
  }

  private static Destination workload(ProxyReference proxyReference, String host, int port) {
    return new Destination(
        Destination.Backend.WORKLOAD, proxyReference.encrypted(), host, port, "", "");
  }

  /** The destination of a node proxy request: the node's kubelet or another port of the node. */
  public Destination nodeProxy() {
    var proxyReference = ProxyReference.of(resourceRequest.name(), "node");
    var kubelet = kubelet(proxyReference.name());
    int port = proxyReference.numericPort();
    return port == 0 || port == kubelet.portNumber()
        ? kubelet
        : workload(proxyReference, kubelet.host(), port);
  }

  /** The destination of a service proxy request: one of the service's pods. */
  public Destination serviceProxy() {
    var proxyReference = ProxyReference.of(resourceRequest.name(), "service");
    var port = proxyReference.servicePort() >= 0 ? portName(proxyReference) : proxyReference.port();
    var endpoints =
        cluster.get("/services/endpoints", resourceRequest.namespace(), proxyReference.name());
    if (endpoints == null) {
      throw notFound(proxyReference.name());
    }
    var subsets = endpoints.array("subsets");
    if (subsets.isEmpty()) {
      throw unavailable("no endpoints available for service \"" + proxyReference.name() + "\"");
    }
    for (var subset : subsets.objects()) {
      for (var candidate : subset.array("ports").objects()) {
        if (candidate.string("name").equals(port)) {
          for (var address : subset.array("addresses").objects()) {
            if (isOfPod(address)) {
              return workload(
                  proxyReference, address.string("ip"), (int) candidate.integer("port", 0));
            }
          }
        }
      }
    }
    throw unavailable("no endpoints available for service \"" + resourceRequest.name() + "\"");
  }

  private String portName(ProxyReference proxyReference) {
    var service =
        cluster.get("/services/specs", resourceRequest.namespace(), proxyReference.name());
    if (service == null) {
      throw notFound(proxyReference.name());
    }
    for (var port : service.object("spec").array("ports").objects()) {
      if (port.integer("port", 0) == proxyReference.servicePort()) {
        return port.string("name");
      }
    }
    throw unavailable(
        "no service port "
            + proxyReference.servicePort()
            + " found for service \""
            + proxyReference.name()
            + "\"");
  }

  /** Whether the endpoint address belongs to a pod. The service proxy reaches only pods. */
  private boolean isOfPod(JsonObject address) {
    var target = address.object("targetRef");
    if (!target.string("namespace").equals(resourceRequest.namespace())) {
      return false;
    }
    var pod = cluster.get("/pods", resourceRequest.namespace(), target.string("name"));
    return pod != null
        && ProxyableAddress.isLiteral(address.string("ip"))
        && pod.object("status").array("podIPs").objects().stream()
            .anyMatch(ip -> ip.string("ip").equals(address.string("ip")));
  }

  private JsonObject pod(String name) {
    var pod = cluster.get("/pods", resourceRequest.namespace(), name);
    if (pod == null) {
      throw notFound(name);
    }
    return pod;
  }

  private ApiException notFound(String name) {
    GroupResource resource = resourceRequest.type().groupResource();
    return ApiException.notFound(resource, name);
  }

  private static ApiException unavailable(String why) {
    return new ApiException(Reason.SERVICE_UNAVAILABLE, why);
  }

  private static String path(String door, JsonObject pod, String... more) {
    var metadata = pod.object("metadata");
    var path = new StringBuilder("/").append(door);
    path.append('/').append(UrlText.part(metadata.string("namespace")));
    path.append('/').append(UrlText.part(metadata.string("name")));
    for (var part : more) {
      path.append('/').append(UrlText.part(part));
    }
    return path.toString();
  }

  /** The named container, or the only one of the pod. */
  private static String container(JsonObject pod, String named) {
    var spec = pod.object("spec");
    var name = pod.object("metadata").string("name");
    var names = new ArrayList<String>();
    for (var list : List.of("initContainers", "containers", "ephemeralContainers")) {
      spec.array(list).objects().forEach(container -> names.add(container.string("name")));
    }
    if (!named.isEmpty()) {
      if (!names.contains(named)) {
        throw ApiException.badRequest("container " + named + " is not valid for pod " + name);
      }
      return named;
    }
    JsonArray containers = spec.array("containers");
    if (containers.size() != 1) {
      throw ApiException.badRequest(
          "a container name must be specified for pod "
              + name
              + (containers.isEmpty() ? "" : ", choose one of: [" + String.join(" ", names) + "]"));
    }
    return containers.object(0).string("name");
  }

  private Destination assigned(JsonObject pod) {
    var node = pod.object("spec").string("nodeName");
    if (node.isEmpty()) {
      throw ApiException.badRequest(
          "pod " + resourceRequest.name() + " does not have a host assigned");
    }
    return kubelet(node);
  }

  private Destination kubelet(String name) {
    var node = cluster.get("/minions", "", name);
    if (node == null) {
      throw notFound(name);
    }
    return kubelets.of(node);
  }
}
