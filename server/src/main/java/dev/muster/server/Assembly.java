package dev.muster.server;

import dev.muster.access.admission.webhook.AdmissionWebhooks;
import dev.muster.cel.ExpressionChecker;
import dev.muster.openapi.RemoteSpecs;
import dev.muster.registry.Handlers;
import dev.muster.registry.body.Bodies;
import dev.muster.registry.commit.Commits;
import dev.muster.registry.commit.Deadline;
import dev.muster.registry.commit.WriteAttempts;
import dev.muster.registry.connect.KubeletAddresses;
import dev.muster.registry.custom.WebhookConversion;
import dev.muster.registry.read.Reads;
import dev.muster.registry.scheduling.FairScheduler;
import dev.muster.registry.services.ServiceAllocations;
import dev.muster.registry.stored.StoredValues;
import dev.muster.registry.types.Types;
import dev.muster.registry.write.WriteContext;
import dev.muster.replica.KeySpaceDefinitions;
import dev.muster.replica.Replica;
import dev.muster.replica.ReplicaOptions;
import dev.muster.schema.JsonStorageCodec;
import dev.muster.schema.ProtobufStorageCodec;
import dev.muster.schema.StorageCodec;
import dev.muster.schema.YamlStorageCodec;
import dev.muster.server.aggregation.AggregatedApis;
import dev.muster.server.aggregation.AggregatedBackends;
import dev.muster.server.aggregation.AggregationMetrics;
import dev.muster.server.aggregation.AggregationRoutes;
import dev.muster.server.aggregation.AvailabilityController;
import dev.muster.server.aggregation.RemoteDiscovery;
import dev.muster.server.aggregation.RemoteOpenApi;
import dev.muster.server.answer.Encoders;
import dev.muster.server.answer.Representations;
import dev.muster.server.audit.AuditLog;
import dev.muster.server.chain.AccessControl;
import dev.muster.server.chain.Authentication;
import dev.muster.server.chain.FlowControl;
import dev.muster.server.chain.InFlightLimits;
import dev.muster.server.chain.PriorityAndFairness;
import dev.muster.server.chain.ProtocolErrors;
import dev.muster.server.chain.RequestChain;
import dev.muster.server.chain.RequestLimits;
import dev.muster.server.definitions.DefinitionController;
import dev.muster.server.discovery.DiscoveryDocuments;
import dev.muster.server.discovery.DiscoveryRoutes;
import dev.muster.server.discovery.VersionInfo;
import dev.muster.server.egress.EgressConfiguration;
import dev.muster.server.egress.EgressSelector;
import dev.muster.server.egress.EgressType;
import dev.muster.server.health.HealthCheck;
import dev.muster.server.health.HealthChecks;
import dev.muster.server.health.HealthMetrics;
import dev.muster.server.health.HealthRoutes;
import dev.muster.server.http.HttpHandler;
import dev.muster.server.http.HttpLimits;
import dev.muster.server.http.HttpServer;
import dev.muster.server.http.HttpServerOptions;
import dev.muster.server.http.TlsOptions;
import dev.muster.server.metrics.AdmissionMetrics;
import dev.muster.server.metrics.AuthenticationMetrics;
import dev.muster.server.metrics.AuthorizationMetrics;
import dev.muster.server.metrics.EncryptionMetrics;
import dev.muster.server.metrics.FlowMetrics;
import dev.muster.server.metrics.ManifestMetrics;
import dev.muster.server.metrics.ObjectMetrics;
import dev.muster.server.metrics.OutgoingMetrics;
import dev.muster.server.metrics.ProcessMetrics;
import dev.muster.server.metrics.RequestMetrics;
import dev.muster.server.metrics.SchedulerMetrics;
import dev.muster.server.nodes.ConnectRoutes;
import dev.muster.server.nodes.Forwarding;
import dev.muster.server.nodes.NodeStreams;
import dev.muster.server.options.Advertised;
import dev.muster.server.options.ApiServerOptions;
import dev.muster.server.options.StorageOptions.MediaType;
import dev.muster.server.peers.PeerMetrics;
import dev.muster.server.peers.PeerRoutes;
import dev.muster.server.proxy.ApiServerClient;
import dev.muster.server.proxy.Backends;
import dev.muster.server.proxy.Network;
import dev.muster.server.proxy.ProxyPlaces;
import dev.muster.server.proxy.ProxyTimeouts;
import dev.muster.server.request.Permission;
import dev.muster.server.request.Request;
import dev.muster.server.request.SnapshotWaits;
import dev.muster.server.routes.ComponentProbes;
import dev.muster.server.routes.ComponentRoutes;
import dev.muster.server.routes.MetricsRoute;
import dev.muster.server.routes.OpenApiRoutes;
import dev.muster.server.routes.OpenIdRoutes;
import dev.muster.server.routes.PathRoutes;
import dev.muster.server.routes.ProfileRoute;
import dev.muster.server.routes.ReadRoutes;
import dev.muster.server.routes.ResourceRoutes;
import dev.muster.server.routes.SubresourceRoutes;
import dev.muster.server.routes.WriteRoutes;
import dev.muster.server.start.AccessParts;
import dev.muster.server.start.Bootstrap;
import dev.muster.server.start.ClusterTrust;
import dev.muster.server.start.Exposure;
import dev.muster.server.start.FlowStatuses;
import dev.muster.server.start.KeyResources;
import dev.muster.server.start.LegacyTokenUses;
import dev.muster.server.start.LocalApiServices;
import dev.muster.server.start.ProvisionedNamespaces;
import dev.muster.server.start.RegistryObjects;
import dev.muster.server.start.RuntimeConfig;
import dev.muster.server.start.ServingCertificate;
import dev.muster.server.start.SniCertificates;
import dev.muster.server.start.StartHooks;
import dev.muster.server.watch.WatchHub;
import dev.muster.server.webhook.ConversionCalls;
import dev.muster.server.webhook.Webhooks;
import dev.muster.store.Store;
import dev.muster.store.encrypted.EncryptedStore;
import dev.muster.store.encrypted.Encryption;
import dev.muster.wire.Offer;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Wires a server by hand, in the order in which a request meets the parts. */
final class Assembly {
  private static final ProxyTimeouts PROXY_TIMEOUTS = ProxyTimeouts.standard();

  private final ApiServerOptions options;
  private final Store plain;
  private final List<ServerExtension> extensions;
  private final Clock clock;
  private final KeySpaceDefinitions definitions;
  private final Webhooks webhooks;
  private final ConversionCalls conversions;
  private final Backends backends;
  private final ApiServerClient apiServers;
  private final AggregatedBackends aggregated;
  private final AtomicBoolean stopping = new AtomicBoolean();
  private final HealthChecks health = new HealthChecks();
  private final PrometheusRegistry metrics = new PrometheusRegistry();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Executor verification = verification();
  private final AuditLog audit;
  private final FairScheduler scheduler = new FairScheduler();
  private final ScheduledExecutorService background =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("background").factory());

  /**
   * @param definitions how types come and go at run time, when webhooks convert their objects
   * @param network where nodes, pods and services are reached
   */
  Assembly(
      ApiServerOptions options,
      Store store,
      List<ServerExtension> extensions,
      Clock clock,
      Function<WebhookConversion, KeySpaceDefinitions> definitions,
      Network network) {
    var egress = new EgressSelector(EgressConfiguration.read(options.nodes().egressFile()));
    var cluster = egress.of(EgressType.CLUSTER);
    if (options.audit().webhook().configFile() != null
        && !egress.of(EgressType.CONTROLPLANE).isDirect()) {
      throw new IllegalArgumentException(
          "--audit-webhook-config-file: audit events cannot be sent through the egress selection"
              + " controlplane");
    }
    this.backends = new Backends(options.nodes(), network, cluster, PROXY_TIMEOUTS);
    this.apiServers = new ApiServerClient(options.api().aggregator(), network, cluster);
    this.aggregated =
        new AggregatedBackends(
            apiServers, options.api().aggregator(), RandomGenerator.getDefault());
    this.options = options;
    this.plain = store;
    this.extensions = List.copyOf(extensions);
    this.clock = clock;
    this.webhooks = new Webhooks(network, egress, RandomGenerator.getDefault());
    this.conversions = new ConversionCalls(webhooks);
    this.definitions = definitions.apply(conversions);
    this.audit = AuditLog.of(options.audit(), metrics, clock, threads);
  }

  /** Few threads, so that clients with costly certificates wait for one another and nobody else. */
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

  ApiServer start() throws IOException {
    var values =
        new StoredValues(
            codec(options.storage().mediaType()),
            options.services().clusterIpRanges(),
            readers -> RuntimeConfig.types(options.api(), options.storage().eventTtl(), readers));
    var encryption = encryption();
    var store = new EncryptedStore(plain, encryption, new KeyResources(values.types()));
    var replica = replica(store, values.types());
    encryption.onReadable(replica::reload);
    conversions.lookIn(replica);
    Supplier<Types> types = () -> Types.in(replica);
    var legacyUses = new LegacyTokenUses(threads);
    var namespaces = new ProvisionedNamespaces();
    var access =
        AccessParts.of(
            options,
            replica,
            clock,
            webhooks,
            new AccessParts.AdmissionContext(
                new AdmissionMetrics(metrics),
                namespaces,
                values.types(),
                new ManifestMetrics(metrics, clock),
                authorizer ->
                    extensions.stream()
                        .flatMap(extension -> extension.admission(authorizer).stream())
                        .toList()),
            legacyUses,
            metrics,
            threads,
            new AuthorizationMetrics(metrics, clock));
    var watches = new WatchHub(replica, access.authorizer());
    var handlers =
        Handlers.of(
            writeContext(types, store, replica, values, access),
            new Bodies(types, Encoders::decode, offer()));
    var advertised = Advertised.of(options);
    var certificate = ServingCertificate.of(options.tls(), advertised.names(options), clock);
    var named = new SniCertificates(options.tls().sniCertKeys(), clock);
    var hooks = new StartHooks(health, replica, store, stopping);
    if (encryption.hasHealth()) {
      health.add(kmsHealth(encryption));
    }
    var apis = new AggregatedApis(replica);
    var remote = new RemoteDiscovery(apis, aggregated, replica, threads, stopping::get);
    var specs = new RemoteOpenApi(apis, aggregated, replica, threads, stopping::get);
    var discovery = new DiscoveryRoutes(types, remote::versions, advertised.hostAndPort());
    Map<String, Consumer<Request>> debug = new HashMap<>();
    var flow = flow(replica, debug);
    var peers =
        new PeerRoutes(
            apiServers.withoutProxy(),
            threads,
            RandomGenerator.getDefault(),
            options.authentication().requestHeaders()::namesUser,
            new PeerMetrics(metrics));
    var chain =
        chain(
            types,
            values.types(),
            replica,
            watches,
            handlers,
            access,
            aggregation(apis, replica),
            flow,
            peers,
            paths(types, specs::now, access, advertised, discovery, debug));
    var objects = new RegistryObjects(handlers, replica, options.requests().timeout());
    legacyUses.writeTo(objects);
    namespaces.writeTo(objects);
    var port = new AtomicInteger(options.listen().securePort());
    var host =
        new ServerHost(
            options,
            advertised,
            port::get,
            objects,
            replica,
            store,
            new DiscoveryDocuments(values.types()),
            discovery,
            peers,
            certificate,
            health,
            metrics,
            audit,
            background,
            threads,
            clock);
    extensions.forEach(extension -> extension.attach(host));
    SchedulerMetrics.register(scheduler, metrics);
    HealthMetrics.register(health, metrics);
    ObjectMetrics.register(replica, metrics);
    ProcessMetrics.register(metrics);
    var http = listen(certificate, named, access, chain);
    OutgoingMetrics.register(http.outgoing(), metrics);
    port.set(http.addresses().getFirst().getPort());
    background.scheduleWithFixedDelay(certificate::refresh, 10, 10, TimeUnit.SECONDS);
    background.scheduleWithFixedDelay(named::refresh, 10, 10, TimeUnit.SECONDS);
    background.scheduleWithFixedDelay(access::refresh, 10, 10, TimeUnit.SECONDS);
    background.scheduleWithFixedDelay(
        () -> threads.execute(access::refreshIssuers), 0, 5, TimeUnit.SECONDS);
    background.schedule(Assembly::rehearse, 2, TimeUnit.SECONDS);
    var bootstrap =
        new Bootstrap(
            objects,
            options.services().clusterIpRanges().stream().map(Object::toString).toList(),
            LocalApiServices.of(values.types()),
            options.api()::enabled,
            hooks,
            clock,
            stopping::get);
    threads.execute(
        () -> {
          bootstrap.run();
          Exposure.warnOfRights(access.authenticator(), access.authorizer());
          bootstrap.keepFlows();
        });
    threads.execute(new FlowStatuses(objects, replica, clock, stopping::get));
    threads.execute(new DefinitionController(objects, replica, clock, stopping::get));
    threads.execute(remote.upkeep());
    threads.execute(specs.upkeep());
    threads.execute(
        new AvailabilityController(
            apis,
            aggregated,
            (name, change) -> objects.changeStatus(LocalApiServices.RESOURCE, "", name, change),
            replica,
            threads,
            new AggregationMetrics(apis, metrics),
            clock,
            stopping::get));
    threads.execute(
        new ClusterTrust(objects, replica, options.authentication(), clock, stopping::get));
    extensions.forEach(extension -> threads.execute(() -> start(extension)));
    return new ApiServer(
        options,
        replica,
        encryption,
        watches,
        http,
        backends,
        apiServers,
        webhooks,
        health,
        threads,
        scheduler,
        background,
        stopping,
        extensions,
        audit);
  }

  /** Loads what few requests need and none should wait for. */
  private static void rehearse() {
    Thread.ofPlatform().name("rehearsal").daemon().start(ExpressionChecker::rehearse);
  }

  private static void start(ServerExtension extension) {
    try {
      extension.start();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Offer offer() {
    return options.api().enabled("CBORServingAndStorage", false) ? Offer.WITH_CBOR : Offer.STANDARD;
  }

  private static StorageCodec codec(MediaType mediaType) {
    return switch (mediaType) {
      case JSON -> new JsonStorageCodec();
      case YAML -> new YamlStorageCodec();
      case PROTOBUF -> new ProtobufStorageCodec();
    };
  }

  private Encryption encryption() {
    var file = options.storage().encryptionConfig();
    return file == null
        ? Encryption.none()
        : Encryption.start(
            Encryption.Settings.of(
                file, options.storage().encryptionReload(), options.api().enabled("KMSv1", false)),
            clock,
            new EncryptionMetrics(metrics, clock));
  }

  /** A server starts without its plug-ins: what needs none is served, and it is not ready. */
  private static HealthCheck kmsHealth(Encryption encryption) {
    return new HealthCheck(
        "kms-providers",
        true,
        true,
        false,
        () -> encryption.trouble().isEmpty(),
        () -> "a KMS plug-in is not well, see the log");
  }

  private Replica replica(Store store, Types builtIn) {
    return Replica.start(store, builtIn, definitions, ReplicaOptions.defaults().withClock(clock));
  }

  private WriteContext writeContext(
      Supplier<Types> types, Store store, Replica replica, StorageCodec codec, AccessParts access) {
    var random = RandomGenerator.getDefault();
    var services = options.services();
    return new WriteContext(
        new WriteAttempts(new Commits(store, replica), random, AdmissionWebhooks::areConfiguredIn),
        codec,
        access.admission(),
        call -> Permission.toCreate(access.authorizer(), call),
        new ServiceAllocations(
            services.clusterIpRanges(),
            services.nodePorts().first(),
            services.nodePorts().last(),
            codec,
            random,
            clock),
        clock,
        random,
        () -> UUID.randomUUID().toString(),
        types,
        "/registry");
  }

  private HttpHandler chain(
      Supplier<Types> types,
      Types builtIn,
      Replica replica,
      WatchHub watches,
      Handlers handlers,
      AccessParts access,
      AggregationRoutes aggregation,
      FlowControl flow,
      PeerRoutes peers,
      PathRoutes paths) {
    var representations = new Representations(clock, offer());
    var requests = options.requests();
    var requestMetrics = new RequestMetrics(types, metrics);
    var waits = new SnapshotWaits(replica);
    var reads =
        new ReadRoutes(
            new Reads(replica),
            waits,
            representations,
            watches,
            new ComponentRoutes(
                threads,
                ComponentProbes.standard(
                    () -> handlers.latest(Deadline.after(requests.timeout())))),
            requestMetrics,
            requests.minWatchSeconds(),
            options.api().featureGates().getOrDefault("WatchReauthorization", true));
    var writes =
        new WriteRoutes(
            representations, threads, scheduler, replica::current, handlers, access.reviews());
    var limits =
        new RequestLimits(
            flow,
            requests.timeout(),
            () -> options.shutdown().sendRetryAfter() && stopping.get(),
            scheduler);
    return new RequestChain(
        new AccessControl(
            new Authentication(
                access.authenticator(),
                access.clients(),
                access.frontProxy(),
                verification,
                new AuthenticationMetrics(metrics)),
            access.impersonation(),
            access.authorizer()),
        limits,
        new RequestChain.Routes(
            aggregation,
            peers,
            new ResourceRoutes(types, builtIn),
            reads,
            writes,
            new SubresourceRoutes(
                reads, writes, handlers, access.tokenRequests(), connects(handlers, access)),
            paths),
        waits,
        offer(),
        requestMetrics,
        audit,
        requests.browsers());
  }

  /**
   * @param debug gets the paths that show what it does
   */
  private FlowControl flow(Replica replica, Map<String, Consumer<Request>> debug) {
    var requests = options.requests();
    if (!requests.priorityAndFairness()) {
      return new InFlightLimits(requests.maxInFlight(), requests.maxMutatingInFlight());
    }
    var fairness =
        new PriorityAndFairness(
            replica, requests.maxInFlight() + requests.maxMutatingInFlight(), requests.timeout());
    background.scheduleWithFixedDelay(fairness::adjust, 10, 10, TimeUnit.SECONDS);
    background.scheduleWithFixedDelay(fairness::passOverdue, 100, 100, TimeUnit.MILLISECONDS);
    debug.putAll(fairness.dumps(clock));
    FlowMetrics.register(fairness.levels(), fairness::usage, metrics);
    return fairness;
  }

  private AggregationRoutes aggregation(AggregatedApis apis, Replica replica) {
    return new AggregationRoutes(
        apis,
        aggregated,
        replica,
        threads,
        options.api().aggregator(),
        options.authentication().requestHeaders()::namesUser);
  }

  private ConnectRoutes connects(Handlers handlers, AccessParts access) {
    var forwarding = new Forwarding(backends, PROXY_TIMEOUTS);
    return new ConnectRoutes(
        handlers,
        threads,
        forwarding,
        new NodeStreams(forwarding, threads, PROXY_TIMEOUTS),
        ProxyPlaces.standard("nodes, pods and services"),
        new KubeletAddresses(options.nodes().kubeletAddressTypes(), options.nodes().kubeletPort()),
        access.authorizer());
  }

  private PathRoutes paths(
      Supplier<Types> types,
      Supplier<RemoteSpecs> specs,
      AccessParts access,
      Advertised advertised,
      DiscoveryRoutes discovery,
      Map<String, Consumer<Request>> debug) {
    var others = new HashMap<>(debug);
    if (options.api().profiling()) {
      others.put(ProfileRoute.PATH, new ProfileRoute()::answer);
    }
    others.put("/version", request -> PathRoutes.indented(request, VersionInfo.document()));
    var scraped = new MetricsRoute(metrics);
    others.put("/metrics", scraped::answer);
    var openApi = new OpenApiRoutes(types, specs, clock);
    others.put("/openapi/v2", openApi::v2);
    others.put("/openapi/v3", openApi::index);
    others.put("/openapi/v3/", openApi::v3);
    var jwksUri = options.serviceAccounts().jwksUri();
    others.putAll(
        OpenIdRoutes.of(access.tokens(), jwksUri == null ? "" : jwksUri, external(advertised)));
    return new PathRoutes(discovery, new HealthRoutes(health), others);
  }

  /** The host and port that stand in URLs. */
  private String external(Advertised advertised) {
    var name = options.listen().externalHostname();
    return name == null ? advertised.hostAndPort() : name + ":" + advertised.port();
  }

  private HttpServer listen(
      ServingCertificate certificate, SniCertificates named, AccessParts access, HttpHandler chain)
      throws IOException {
    var tls =
        new TlsOptions(
            certificate::material,
            named::materials,
            access::authorities,
            options.tls().minimumVersion().protocolsFromHere(),
            options.tls().cipherSuites(),
            options.tls().groups(),
            !options.listen().http2Disabled());
    return HttpServer.start(
        new HttpServerOptions(
            options.listen().sockets(),
            tls,
            HttpLimits.standard().withStreams(options.listen().http2MaxStreams()),
            Runtime.getRuntime().availableProcessors(),
            ProtocolErrors::answer),
        chain);
  }
}
