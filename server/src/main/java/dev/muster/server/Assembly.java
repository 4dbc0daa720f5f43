package dev.muster.server;

import dev.muster.access.ClientCertificates;
import dev.muster.model.ApiException;
import dev.muster.model.Reason;
import dev.muster.registry.Bodies;
import dev.muster.registry.Commits;
import dev.muster.registry.Handlers;
import dev.muster.registry.Reads;
import dev.muster.registry.Surroundings;
import dev.muster.registry.scheduling.FairScheduler;
import dev.muster.registry.services.ServiceAllocations;
import dev.muster.replica.IndexedField;
import dev.muster.replica.ObjectDecoder;
import dev.muster.replica.Replica;
import dev.muster.replica.ReplicaOptions;
import dev.muster.schema.JsonStorageCodec;
import dev.muster.schema.ProtobufStorageCodec;
import dev.muster.schema.ResourceCatalog;
import dev.muster.schema.StorageCodec;
import dev.muster.schema.cel.ExpressionChecker;
import dev.muster.schema.openapi.OpenApi;
import dev.muster.server.answer.Encoders;
import dev.muster.server.answer.Representations;
import dev.muster.server.discovery.DiscoveryDocuments;
import dev.muster.server.discovery.DiscoveryRoutes;
import dev.muster.server.health.HealthChecks;
import dev.muster.server.health.HealthMetrics;
import dev.muster.server.health.HealthRoutes;
import dev.muster.server.http.HttpAnswer;
import dev.muster.server.http.HttpHandler;
import dev.muster.server.http.HttpLimits;
import dev.muster.server.http.HttpServer;
import dev.muster.server.http.HttpServerOptions;
import dev.muster.server.http.TlsOptions;
import dev.muster.server.options.StorageOptions.MediaType;
import dev.muster.server.options.TlsOptions.Version;
import dev.muster.server.watch.WatchHub;
import dev.muster.store.Store;
import dev.muster.wire.JsonWriter;
import dev.muster.wire.Offer;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Wires a server by hand, in the order in which a request meets the parts. */
final class Assembly {
  /** Requests that wait for a place, with priority and fairness; without it, none does. */
  private static final int LONGEST_LINE = 10_000;

  /** What clients of large clusters select by: a kubelet asks for the pods of its node. */
  private static final List<IndexedField> INDEXES =
      List.of(IndexedField.at("/pods", "spec.nodeName"));

  private final ApiServerOptions options;
  private final Store store;
  private final List<ServerExtension> extensions;
  private final Clock clock;
  private final AtomicBoolean stopping = new AtomicBoolean();
  private final HealthChecks health = new HealthChecks();
  private final PrometheusRegistry metrics = new PrometheusRegistry();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final FairScheduler scheduler = new FairScheduler();
  private final ScheduledExecutorService background =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("background").factory());

  Assembly(ApiServerOptions options, Store store, List<ServerExtension> extensions, Clock clock) {
    this.options = options;
    this.store = store;
    this.extensions = List.copyOf(extensions);
    this.clock = clock;
  }

  ApiServer start() throws IOException {
    var known = ResourceCatalog.all();
    var catalog = ServedTypes.of(known, options.api());
    var codec = codec(options.storage().mediaType());
    var replica = replica(known, codec);
    var watches = new WatchHub(replica);
    var access = AccessParts.of(options, catalog, replica, clock);
    var handlers =
        new Handlers(
            surroundings(replica, codec, access), new Bodies(catalog, Encoders::decode, offer()));
    var advertised = Advertised.of(options);
    var certificate = ServingCertificate.of(options.tls(), advertised.names(options), clock);
    var hooks = new StartHooks(health, replica, stopping);
    var documents = new DiscoveryDocuments(catalog.types());
    var discovery = new DiscoveryRoutes(documents, advertised.hostAndPort());
    var chain =
        chain(
            catalog,
            replica,
            watches,
            handlers,
            access,
            paths(catalog, access, advertised, discovery));
    var objects = new RegistryObjects(known, handlers, replica);
    var port = new AtomicInteger(options.listen().securePort());
    var host =
        new ServerHost(
            options,
            advertised,
            port::get,
            objects,
            replica,
            store,
            documents,
            discovery,
            certificate,
            health,
            metrics,
            background,
            threads,
            clock);
    extensions.forEach(extension -> extension.attach(host));
    SchedulerMetrics.register(scheduler, metrics);
    HealthMetrics.register(health, metrics);
    ObjectMetrics.register(known, replica, metrics);
    ProcessMetrics.register(metrics);
    var http = listen(certificate, access.clients(), chain);
    OutgoingMetrics.register(http.outgoing(), metrics);
    port.set(http.addresses().getFirst().getPort());
    background.scheduleWithFixedDelay(certificate::refresh, 10, 10, TimeUnit.SECONDS);
    background.schedule(Assembly::rehearse, 2, TimeUnit.SECONDS);
    threads.execute(
        new Bootstrap(
            objects,
            replica,
            options.services().clusterIpRanges().stream().map(Object::toString).toList(),
            LocalApiServices.of(catalog),
            hooks,
            clock));
    threads.execute(new FlowStatuses(objects, replica, clock, stopping::get));
    extensions.forEach(extension -> threads.execute(() -> start(extension)));
    return new ApiServer(
        options,
        replica,
        watches,
        http,
        health,
        threads,
        scheduler,
        background,
        stopping,
        extensions);
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
      case PROTOBUF -> new ProtobufStorageCodec();
    };
  }

  private Replica replica(ResourceCatalog known, StorageCodec codec) {
    ObjectDecoder decoder = (storage, value, revision) -> codec.decode(value, revision);
    return Replica.start(
        store,
        new KeyLayout(known),
        decoder,
        ReplicaOptions.defaults().withClock(clock).withIndexes(INDEXES));
  }

  private Surroundings surroundings(Replica replica, StorageCodec codec, AccessParts access) {
    var random = RandomGenerator.getDefault();
    var services = options.services();
    return new Surroundings(
        new Commits(store, replica, options.requests().timeout()),
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
        options.storage().eventTtl(),
        "/registry");
  }

  private HttpHandler chain(
      ResourceCatalog catalog,
      Replica replica,
      WatchHub watches,
      Handlers handlers,
      AccessParts access,
      PathRoutes paths) {
    var representations = new Representations(clock, offer());
    var requests = options.requests();
    var requestMetrics = new RequestMetrics(catalog, metrics);
    var reads =
        new ReadRoutes(
            new Reads(replica),
            representations,
            watches,
            new ComponentRoutes(threads, ComponentProbes.standard(handlers::latest)),
            requestMetrics,
            requests.minWatchSeconds(),
            requests.timeout());
    var writes = new WriteRoutes(representations, threads, scheduler, handlers, access.reviews());
    var reading =
        requests.priorityAndFairness()
            ? new InFlight(requests.maxInFlight() + requests.maxMutatingInFlight(), LONGEST_LINE)
            : new InFlight(requests.maxInFlight(), 0);
    return new RequestChain(
        new Authentication(access.authenticator()),
        reading,
        requests.priorityAndFairness() ? reading : new InFlight(requests.maxMutatingInFlight(), 0),
        access.impersonation(),
        access.authorizer(),
        new ResourceRoutes(catalog),
        reads,
        writes,
        new SubresourceRoutes(
            reads,
            writes,
            handlers,
            access.tokenRequests(),
            new ConnectRoutes(handlers, threads, new Forwarding(), access.authorizer())),
        paths,
        offer(),
        requestMetrics,
        scheduler,
        () -> options.shutdown().sendRetryAfter() && stopping.get());
  }

  private PathRoutes paths(
      ResourceCatalog catalog,
      AccessParts access,
      Advertised advertised,
      DiscoveryRoutes discovery) {
    Map<String, Consumer<Request>> others = new HashMap<>();
    others.put("/version", request -> PathRoutes.indented(request, VersionInfo.document()));
    var scraped = new MetricsRoute(metrics);
    others.put("/metrics", scraped::answer);
    var openApi = new OpenApiRoutes(new OpenApi(catalog, VersionInfo.SERVED), clock);
    others.put("/openapi/v2", openApi::v2);
    others.put("/openapi/v3", openApi::index);
    others.put("/openapi/v3/", openApi::v3);
    var keys = access.tokens().keys();
    var jwksUri = options.serviceAccounts().jwksUri();
    others.put(
        "/openid/v1/jwks",
        request -> PathRoutes.published(request, "application/jwk-set+json", keys.jwks()));
    others.put(
        "/.well-known/openid-configuration",
        request ->
            PathRoutes.published(
                request,
                "application/json",
                keys.openIdConfiguration(
                    access.tokens().issuer(),
                    jwksUri == null
                        ? "https://" + external(advertised) + "/openid/v1/jwks"
                        : jwksUri)));
    return new PathRoutes(discovery, new HealthRoutes(health), others);
  }

  /** The host and port that stand in URLs. */
  private String external(Advertised advertised) {
    var name = options.listen().externalHostname();
    return name == null ? advertised.hostAndPort() : name + ":" + advertised.port();
  }

  private HttpServer listen(
      ServingCertificate certificate, @Nullable ClientCertificates clients, HttpHandler chain)
      throws IOException {
    var version = options.tls().minimumVersion();
    var tls =
        new TlsOptions(
            certificate::material,
            () -> clients == null ? List.of() : List.copyOf(clients.roots()),
            version == Version.TLS_1_3
                ? List.of(version.protocol())
                : List.of(Version.TLS_1_3.protocol(), version.protocol()),
            options.tls().cipherSuites());
    return HttpServer.start(
        new HttpServerOptions(
            options.listen().sockets(),
            tls,
            HttpLimits.standard().withStreams(options.listen().http2MaxStreams()),
            Runtime.getRuntime().availableProcessors(),
            Assembly::protocolError),
        chain);
  }

  /** What the connection itself finds wrong, as a Status. */
  private static HttpAnswer protocolError(int status, String message) {
    var reason =
        switch (status) {
          case 413 -> Reason.REQUEST_ENTITY_TOO_LARGE;
          case 429 -> Reason.TOO_MANY_REQUESTS;
          case 500 -> Reason.INTERNAL_ERROR;
          default -> Reason.BAD_REQUEST;
        };
    var error = new ApiException(reason, status, message, dev.muster.model.StatusDetails.NONE);
    return HttpAnswer.of(status, "application/json", JsonWriter.line(StatusBody.of(error)));
  }
}
