package dev.muster.server;

import dev.muster.authorization.Attributes;
import dev.muster.authorization.WouldBlockException;
import dev.muster.http.HttpHandler;
import dev.muster.model.User;
import dev.muster.openapi.RemoteSpecs;
import dev.muster.registry.Handlers;
import dev.muster.registry.commit.Deadline;
import dev.muster.registry.connect.KubeletAddresses;
import dev.muster.registry.read.SnapshotSelector;
import dev.muster.replica.Replica;
import dev.muster.replica.snapshot.ReplicaException;
import dev.muster.server.aggregation.AggregatedApis;
import dev.muster.server.aggregation.AggregationRoutes;
import dev.muster.server.answer.ResponseEncoders;
import dev.muster.server.chain.AccessControl;
import dev.muster.server.chain.Authentication;
import dev.muster.server.chain.FlowControl;
import dev.muster.server.chain.InFlightLimits;
import dev.muster.server.chain.PriorityAndFairness;
import dev.muster.server.chain.RequestChain;
import dev.muster.server.chain.RequestLimits;
import dev.muster.server.chain.TransportPolicy;
import dev.muster.server.discovery.DiscoveryRoutes;
import dev.muster.server.discovery.VersionInfo;
import dev.muster.server.flags.FlagDefinition;
import dev.muster.server.flags.RecordFlags;
import dev.muster.server.health.HealthMetrics;
import dev.muster.server.health.HealthRoutes;
import dev.muster.server.metrics.AuthenticationMetrics;
import dev.muster.server.metrics.FilterMetrics;
import dev.muster.server.metrics.FlowMetrics;
import dev.muster.server.metrics.PermissionMetrics;
import dev.muster.server.metrics.RequestMetrics;
import dev.muster.server.nodes.ConnectRoutes;
import dev.muster.server.nodes.Forwarding;
import dev.muster.server.nodes.NodeStreams;
import dev.muster.server.options.Advertised;
import dev.muster.server.options.ApiServerOptions;
import dev.muster.server.peers.PeerRoutes;
import dev.muster.server.proxy.ProxyConcurrencyLimit;
import dev.muster.server.request.Request;
import dev.muster.server.request.SnapshotWaiter;
import dev.muster.server.routes.ComponentProbes;
import dev.muster.server.routes.ComponentRoutes;
import dev.muster.server.routes.MetricsRoute;
import dev.muster.server.routes.Neighbours;
import dev.muster.server.routes.OpenApiRoutes;
import dev.muster.server.routes.OpenIdRoutes;
import dev.muster.server.routes.PathRoutes;
import dev.muster.server.routes.ProfileRoute;
import dev.muster.server.routes.ReadContext;
import dev.muster.server.routes.ReadRoutes;
import dev.muster.server.routes.ResourceRoutes;
import dev.muster.server.routes.StatusPages;
import dev.muster.server.routes.SubresourceRoutes;
import dev.muster.server.routes.UnsafeDeletes;
import dev.muster.server.routes.WatchRoutes;
import dev.muster.server.routes.WriteRoutes;
import dev.muster.server.routes.WriteRunner;
import dev.muster.server.start.AccessWiring;
import dev.muster.server.watch.WatchHub;
import dev.muster.types.Types;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Wires the components between the socket and the registry, in the order in which a request passes
 * them.
 */
final class RequestPath {
  private final ServerCore core;
  private final ApiServerOptions options;
  private final OutboundWiring outbound;
  private final Supplier<Types> types;
  private final Types builtIn;
  private final Replica replica;
  private final Handlers handlers;
  private final AccessWiring access;

  RequestPath(
      ServerCore core,
      OutboundWiring outbound,
      Types builtIn,
      Replica replica,
      Handlers handlers,
      AccessWiring access) {
    this.core = core;
    this.options = core.options();
    this.outbound = outbound;
    this.types = () -> Types.in(replica);
    this.builtIn = builtIn;
    this.replica = replica;
    this.handlers = handlers;
    this.access = access;
  }

  /**
   * @param specs the OpenAPI documents of aggregated API servers
   */
  HttpHandler chain(
      WatchHub watches,
      AggregatedApis apis,
      Supplier<RemoteSpecs> specs,
      DiscoveryRoutes discovery,
      PeerRoutes peers,
      Advertised advertised) {
    Map<String, Consumer<Request>> debug = new HashMap<>();
    var filters = new FilterMetrics(core.metrics());
    var flow = flow(debug, filters);
    var responseEncoders = new ResponseEncoders(core.clock(), core.offer());
    var requests = options.requests();
    var requestMetrics = new RequestMetrics(types, core.metrics());
    var waits = new SnapshotWaiter(replica);
    var context = new ReadContext(new SnapshotSelector(replica), waits, responseEncoders);
    var components =
        ComponentProbes.standard(
            core.neighbours(), () -> handlers.latest(Deadline.after(requests.timeout())));
    var reads = new ReadRoutes(context, new ComponentRoutes(core.threads(), components));
    var runner =
        new WriteRunner(responseEncoders, core.threads(), core.scheduler(), replica, handlers);
    var unsafeDeletes =
        new UnsafeDeletes(access.authorizer(), options.api().enabled(UnsafeDeletes.GATE, false));
    var writes = new WriteRoutes(runner, handlers, access.reviews(), unsafeDeletes);
    var limits =
        new RequestLimits(
            flow,
            requests.timeout(),
            () -> options.shutdown().sendRetryAfter() && core.stopping().get(),
            core.scheduler());
    var chain =
        new RequestChain(
            new AccessControl(
                new Authentication(
                    access.authenticator(),
                    access.clients(),
                    access.frontProxy(),
                    verification(),
                    new AuthenticationMetrics(core.metrics())),
                access.impersonation(),
                access.authorizer(),
                new PermissionMetrics(core.metrics()),
                filters),
            limits,
            new RequestChain.Routes(
                aggregation(apis),
                peers,
                new ResourceRoutes(types, builtIn),
                reads,
                watches(context, watches, requestMetrics),
                writes,
                new SubresourceRoutes(
                    reads, writes, runner, handlers, access.tokenRequests(), connects()),
                paths(specs, advertised, discovery, debug)),
            waits,
            core.offer(),
            requestMetrics,
            core.audit());
    return new TransportPolicy(requests.browsers(), RandomGenerator.getDefault(), chain);
  }

  private WatchRoutes watches(ReadContext context, WatchHub hub, RequestMetrics metrics) {
    var policy =
        new WatchRoutes.Policy(
            options.requests().minWatchSeconds(),
            options.api().featureGates().getOrDefault("WatchReauthorization", true));
    return new WatchRoutes(context, hub, metrics, policy);
  }

  /** Few threads: clients with certificates that are costly to verify delay only one another. */
  private static Executor verification() {
    int count = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    var pool =
        new ThreadPoolExecutor(
            count,
            count,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon().name("certificates-", 0).factory());
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  /**
   * @param debug receives the debug paths of flow control
   */
  private FlowControl flow(Map<String, Consumer<Request>> debug, FilterMetrics filters) {
    var requests = options.requests();
    if (!requests.priorityAndFairness()) {
      return new InFlightLimits(requests.maxInFlight(), requests.maxMutatingInFlight());
    }
    var fairness =
        new PriorityAndFairness(
            replica,
            requests.maxInFlight() + requests.maxMutatingInFlight(),
            requests.timeout(),
            filters::seated);
    core.every(10, fairness::adjust);
    var _ =
        core.background()
            .scheduleWithFixedDelay(fairness::passOverdue, 100, 100, TimeUnit.MILLISECONDS);
    debug.putAll(fairness.dumps(core.clock()));
    FlowMetrics.register(fairness.levels(), fairness::usage, core.metrics());
    return fairness;
  }

  private AggregationRoutes aggregation(AggregatedApis apis) {
    return new AggregationRoutes(
        apis,
        outbound.aggregated(),
        replica,
        core.threads(),
        options.api().aggregator(),
        options.authentication().requestHeaders()::namesUser);
  }

  private ConnectRoutes connects() {
    var forwarding = new Forwarding(outbound.backends(), OutboundWiring.TIMEOUTS);
    return new ConnectRoutes(
        handlers,
        core.threads(),
        forwarding,
        new NodeStreams(forwarding, core.threads(), OutboundWiring.TIMEOUTS),
        ProxyConcurrencyLimit.standard("nodes, pods and services"),
        new KubeletAddresses(options.nodes().kubeletAddressTypes(), options.nodes().kubeletPort()),
        access.authorizer());
  }

  private PathRoutes paths(
      Supplier<RemoteSpecs> specs,
      Advertised advertised,
      DiscoveryRoutes discovery,
      Map<String, Consumer<Request>> debug) {
    var others = new HashMap<>(debug);
    if (options.api().profiling()) {
      others.put(ProfileRoute.PATH, new ProfileRoute()::answer);
    }
    others.put("/version", request -> PathRoutes.indented(request, VersionInfo.document()));
    var scraped = new MetricsRoute(core.metrics(), core.neighbours());
    others.put("/metrics", scraped::answer);
    others.put("/metrics/slis", new MetricsRoute(indicators(), new Neighbours())::answer);
    var openApi = new OpenApiRoutes(types, specs, core.clock());
    core.every(10, () -> openApi.prepare(core.threads()));
    others.put("/openapi/v2", openApi::v2);
    others.put("/openapi/v3", openApi::index);
    others.put("/openapi/v3/", openApi::v3);
    var jwksUri = options.serviceAccounts().jwksUri();
    others.putAll(
        OpenIdRoutes.of(access.tokens(), jwksUri == null ? "" : jwksUri, external(advertised)));
    var pages = new AtomicReference<@Nullable PathRoutes>();
    addStatusPages(
        others, () -> Objects.requireNonNull(pages.get(), "a request before the routes").index());
    var routes =
        new PathRoutes(
            discovery,
            options.api().strictDiscoveryUserAgents(),
            new HealthRoutes(core.health()),
            this::mayGet,
            others);
    pages.set(routes);
    return routes;
  }

  private void addStatusPages(Map<String, Consumer<Request>> others, Supplier<List<String>> paths) {
    var flags =
        RecordFlags.of(options).definitions().stream()
            .collect(Collectors.toMap(FlagDefinition::name, FlagDefinition::byDefault));
    var started =
        ProcessHandle.current().info().startInstant().orElseGet(() -> core.clock().instant());
    var pages = new StatusPages(core.offer(), core.clock(), started, flags);
    if (options.api().enabled("ComponentStatusz")) {
      others.put("/statusz", request -> pages.statusz(request, paths));
    }
    if (options.api().enabled("ComponentFlagz")) {
      others.put("/flagz", pages::flagz);
    }
  }

  /** Whether the authorizer can decide without blocking that the user may get the path. */
  private boolean mayGet(User user, String path) {
    try {
      return access.authorizer().authorize(Attributes.path(user, "get", path)).allowed();
    } catch (WouldBlockException | ReplicaException e) {
      return false;
    }
  }

  /** The registry of {@code /metrics/slis}, which contains the health metrics only. */
  private PrometheusRegistry indicators() {
    var registry = new PrometheusRegistry();
    HealthMetrics.register(core.health(), registry);
    return registry;
  }

  /** The host and port in URLs that the server publishes. */
  private String external(Advertised advertised) {
    var name = options.listen().externalHostname();
    return name == null ? advertised.hostAndPort() : name + ":" + advertised.port();
  }
}
