package dev.muster.multicluster.services;

import dev.muster.controllers.Controller;
import dev.muster.controllers.client.ApiRequests;
import dev.muster.controllers.client.RequestFailure;
import dev.muster.controllers.loop.Reflector;
import dev.muster.controllers.loop.WorkQueue;
import dev.muster.multicluster.membership.RefusedByHub;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Exports the services of one ClusterSet member to the hub and imports the services of the others.
 * Thread-safe.
 */
public final class MemberServices implements Controller {
  private static final Logger log = LoggerFactory.getLogger(MemberServices.class);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
  private static final int PARALLEL = 4;

  private final KubernetesClient hub;
  private final String clusterSet;
  private final String cluster;
  private final List<AddressRange> ranges;

  /**
   * @param cluster the member's ID
   * @param ranges of service addresses, if no member has chosen them yet
   */
  public MemberServices(
      KubernetesClient hub, String clusterSet, String cluster, List<AddressRange> ranges) {
    this.hub = hub;
    this.clusterSet = clusterSet;
    this.cluster = cluster;
    this.ranges = List.copyOf(ranges);
  }

  @Override
  public String name() {
    return "multicluster-services";
  }

  @Override
  public AutoCloseable start(KubernetesClient member) {
    return new Loop(member);
  }

  /**
   * Withdraws all exports and deletes all imports, after the cluster has left its set and its
   * controller has ended.
   *
   * @throws RuntimeException if something remains; another call continues
   */
  public void leave(KubernetesClient member) {
    var objects = new HttpApiObjects(hub);
    var shared = new ServiceHub(objects, ServiceHub.namespaceOf(clusterSet), ranges);
    new ServiceSync(new HttpApiObjects(member), shared, cluster, Clock.systemUTC()).leave();
  }

  /** Which changes of an object require to process its service. */
  private enum Matters {
    ALWAYS,
    IS_EXPORT,
    IF_EXPORTED
  }

  /** The remembered state of an object. */
  private record Seen(ServiceName service, Matters matters) {
    static Seen always(ServiceName service) {
      return new Seen(service, Matters.ALWAYS);
    }
  }

  /** Any thread may close it; the rest runs on threads of the queue and of the reflectors. */
  private final class Loop implements AutoCloseable {
    /** Stands for the setup that must precede all services. */
    private static final ServiceName SET_UP = new ServiceName("", "");

    private final KubernetesClient member;
    private final Set<ServiceName> exported = ConcurrentHashMap.newKeySet();
    private final Deque<Reflector<?>> reflectors = new ArrayDeque<>();
    private final WorkQueue<ServiceName> queue;
    private volatile @Nullable ServiceSync sync;
    private volatile @Nullable ServiceHub shared;
    private boolean closed;

    Loop(KubernetesClient member) {
      this.member = member;
      queue = new WorkQueue<>(MemberServices.this.name(), PARALLEL, LONGEST_PAUSE, this::work);
      queue.add(SET_UP);
    }

    private boolean work(ServiceName service) {
      if (service.equals(SET_UP)) {
        try {
          return setUp();
        } catch (RefusedByHub e) {
          log.warn("{}", e.getMessage());
          return false;
        }
      }
      var ready = sync;
      var common = shared;
      if (ready == null || common == null) {
        return false;
      }
      if (service.name().isEmpty()) {
        common
            .list(
                ServicesResource.EXPORTED_SERVICE,
                Map.of(McsApi.SERVICE_NAMESPACE, service.namespace()))
            .forEach(object -> ofHub(object).ifPresent(queue::add));
      } else {
        ready.sync(service);
      }
      return true;
    }

    private boolean setUp() {
      var objects = new HttpApiObjects(member);
      ServiceDefinitions.inMember(objects);
      var prepared =
          RequestFailure.naming(
              "the hub",
              hub,
              () -> ServiceHub.prepare(new HttpApiObjects(hub), clusterSet, ranges));
      shared = prepared;
      sync = new ServiceSync(objects, prepared, cluster, Clock.systemUTC());
      followAll(new ApiRequests(member), new ApiRequests(hub), prepared.namespace());
      return true;
    }

    private synchronized void followAll(ApiRequests here, ApiRequests there, String shared) {
      if (closed || !reflectors.isEmpty()) {
        return;
      }
      follow(here, ServicesResource.SERVICE_EXPORT.path(""), Loop::ofExport);
      follow(here, ServicesResource.SERVICE_IMPORT.path(""), Loop::ofImport);
      follow(here, ServicesResource.SERVICE.path(""), Loop::ofService);
      follow(here, ServicesResource.ENDPOINT_SLICE.path(""), Loop::ofSlice);
      follow(here, ServicesResource.NAMESPACE.path(""), Loop::ofNamespace);
      for (var resource :
          List.of(
              ServicesResource.EXPORTED_SERVICE,
              ServicesResource.ENDPOINT_SLICE,
              ServicesResource.CLUSTERSET_IP)) {
        follow(there, resource.path(shared), object -> ofHub(object).map(Seen::always));
      }
    }

    private void follow(
        ApiRequests requests, String path, Function<Map<String, Object>, Optional<Seen>> reader) {
      reflectors.push(
          Reflector.startMetadataOnly(
              requests,
              path,
              reader,
              new Reflector.Handler<Optional<Seen>>() {
                @Override
                public void seen(Optional<Seen> object) {
                  object
                      .filter(each -> each.matters() == Matters.IS_EXPORT)
                      .ifPresent(Loop.this::put);
                  object.ifPresent(Loop.this::check);
                }

                @Override
                public void gone(Optional<Seen> object) {
                  object.ifPresent(Loop.this::check);
                }
              }));
    }

    private void put(Seen export) {
      exported.add(export.service());
    }

    /** Also processes services that were exported before; an unneeded run does no harm. */
    private void check(Seen object) {
      if (object.matters() != Matters.IF_EXPORTED || exported.contains(object.service())) {
        queue.add(object.service());
      }
    }

    private static Optional<Seen> ofExport(Map<String, Object> export) {
      return Optional.of(new Seen(named(export), Matters.IS_EXPORT));
    }

    private static Optional<Seen> ofImport(Map<String, Object> object) {
      return Optional.of(Seen.always(named(object)));
    }

    private static Optional<Seen> ofService(Map<String, Object> service) {
      return Optional.of(new Seen(named(service), Matters.IF_EXPORTED));
    }

    private static Optional<Seen> ofSlice(Map<String, Object> slice) {
      var labels = Fields.labels(slice);
      var imported = labels.get(McsApi.SERVICE_NAME);
      if (imported != null) {
        return Optional.of(Seen.always(new ServiceName(Fields.namespace(slice), imported)));
      }
      return Optional.ofNullable(labels.get("kubernetes.io/service-name"))
          .map(name -> new ServiceName(Fields.namespace(slice), name))
          .map(service -> new Seen(service, Matters.IF_EXPORTED));
    }

    private static Optional<Seen> ofNamespace(Map<String, Object> namespace) {
      return Optional.of(Seen.always(new ServiceName(Fields.name(namespace), "")));
    }

    private static ServiceName named(Map<String, Object> object) {
      return new ServiceName(Fields.namespace(object), Fields.name(object));
    }

    private static Optional<ServiceName> ofHub(Map<String, Object> object) {
      var labels = Fields.labels(object);
      var namespace = labels.get(McsApi.SERVICE_NAMESPACE);
      var name = labels.get(McsApi.SERVICE_NAME);
      return namespace == null || name == null
          ? Optional.empty()
          : Optional.of(new ServiceName(namespace, name));
    }

    @Override
    public void close() {
      synchronized (this) {
        closed = true;
        while (!reflectors.isEmpty()) {
          reflectors.pop().close();
        }
      }
      queue.close();
    }
  }
}
