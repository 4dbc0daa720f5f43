package dev.muster.server;

import dev.muster.admission.webhook.AdmissionWebhooks;
import dev.muster.http.HttpHandler;
import dev.muster.http.limits.HttpLimits;
import dev.muster.http.listen.HttpServer;
import dev.muster.http.listen.HttpServerOptions;
import dev.muster.http.tls.TlsOptions;
import dev.muster.registry.Handlers;
import dev.muster.registry.body.RequestDecoder;
import dev.muster.registry.builtin.BuiltInTypes;
import dev.muster.registry.commit.OptimisticWriter;
import dev.muster.registry.commit.StoreGateway;
import dev.muster.registry.custom.WebhookConversion;
import dev.muster.registry.services.ServiceAllocations;
import dev.muster.registry.stored.StoredValues;
import dev.muster.registry.write.WriteContext;
import dev.muster.replica.Replica;
import dev.muster.replica.ReplicaOptions;
import dev.muster.replica.keyspace.KeySpaceDefinitions;
import dev.muster.schema.storage.JsonStorageCodec;
import dev.muster.schema.storage.ProtobufStorageCodec;
import dev.muster.schema.storage.StorageCodec;
import dev.muster.schema.storage.YamlStorageCodec;
import dev.muster.server.aggregation.AggregatedApis;
import dev.muster.server.aggregation.AggregationMetrics;
import dev.muster.server.aggregation.AvailabilityController;
import dev.muster.server.aggregation.AvailabilityStatus;
import dev.muster.server.aggregation.RemoteDiscovery;
import dev.muster.server.aggregation.RemoteOpenApi;
import dev.muster.server.aggregation.RemoteServers;
import dev.muster.server.answer.Encoders;
import dev.muster.server.chain.ProtocolErrors;
import dev.muster.server.definitions.DefinitionController;
import dev.muster.server.discovery.DiscoveryDocuments;
import dev.muster.server.discovery.DiscoveryRoutes;
import dev.muster.server.health.HealthCheck;
import dev.muster.server.health.HealthMetrics;
import dev.muster.server.metrics.AdmissionMetrics;
import dev.muster.server.metrics.AuthorizationMetrics;
import dev.muster.server.metrics.EncryptionMetrics;
import dev.muster.server.metrics.FeatureMetrics;
import dev.muster.server.metrics.ManifestMetrics;
import dev.muster.server.metrics.ObjectMetrics;
import dev.muster.server.metrics.OutgoingMetrics;
import dev.muster.server.metrics.SchedulerMetrics;
import dev.muster.server.metrics.StorageMetrics;
import dev.muster.server.metrics.StoreMetrics;
import dev.muster.server.metrics.VersionMetrics;
import dev.muster.server.metrics.WatchMetrics;
import dev.muster.server.options.Advertised;
import dev.muster.server.options.ApiServerOptions;
import dev.muster.server.options.StorageOptions.MediaType;
import dev.muster.server.peers.PeerMetrics;
import dev.muster.server.peers.PeerRoutes;
import dev.muster.server.proxy.Network;
import dev.muster.server.request.Permission;
import dev.muster.server.start.AccessContext;
import dev.muster.server.start.AccessWiring;
import dev.muster.server.start.Bootstrap;
import dev.muster.server.start.ClusterIpRepair;
import dev.muster.server.start.ClusterTrust;
import dev.muster.server.start.FlowStatuses;
import dev.muster.server.start.KeyResources;
import dev.muster.server.start.LegacyTokenUses;
import dev.muster.server.start.LocalApiServices;
import dev.muster.server.start.OpenAccessWarning;
import dev.muster.server.start.ProvisionedNamespaces;
import dev.muster.server.start.RegistryObjects;
import dev.muster.server.start.RuntimeConfig;
import dev.muster.server.start.ServingCertificate;
import dev.muster.server.start.SniCertificates;
import dev.muster.server.start.StartHooks;
import dev.muster.server.watch.WatchHub;
import dev.muster.store.Store;
import dev.muster.store.encrypted.EncryptedStore;
import dev.muster.store.encrypted.Encryption;
import dev.muster.types.Types;
import io.prometheus.metrics.instrumentation.jvm.ProcessMetrics;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Wires all components of a server, in the order in which a request passes them. */
final class ApiServerWiring {
  private final ApiServerOptions options;
  private final Store plain;
  private final List<ServerExtension> extensions;
  private final Clock clock;
  private final KeySpaceDefinitions definitions;
  private final OutboundWiring outbound;
  private final ServerCore core;

  /**
   * @param definitions derive the served types from CustomResourceDefinitions, with webhooks for
   *     conversion
   * @param network connects to nodes, pods and services
   */
  ApiServerWiring(
      ApiServerOptions options,
      Store store,
      List<ServerExtension> extensions,
      Clock clock,
      Function<WebhookConversion, KeySpaceDefinitions> definitions,
      Network network) {
    this.options = options;
    this.plain = store;
    this.extensions = List.copyOf(extensions);
    this.clock = clock;
    this.outbound = OutboundWiring.of(options, network);
    this.definitions = definitions.apply(outbound.conversions());
    this.core = ServerCore.of(options, clock, outbound.webhooks());
  }

  ApiServer start() throws IOException {
    var values =
        new StoredValues(
            codec(options.storage().mediaType()),
            options.services().clusterIpRanges(),
            readers -> RuntimeConfig.types(options.api(), options.storage().eventTtl(), readers));
    var encryption = encryption();
    var resources = new KeyResources(values.types());
    var store = new EncryptedStore(plain, encryption, resources);
    var replica = replica(store, values.types());
    encryption.onReadable(replica::reload);
    outbound.conversions().lookIn(replica);
    Supplier<Types> types = () -> Types.in(replica);
    var legacyUses = new LegacyTokenUses(core.threads());
    var namespaces = new ProvisionedNamespaces();
    var access =
        AccessWiring.of(
            options,
            new AccessContext(
                replica,
                clock,
                outbound.webhooks(),
                outbound.issuers(),
                legacyUses,
                core.metrics(),
                core.threads()),
            new AccessWiring.AdmissionContext(
                new AdmissionMetrics(core.metrics()),
                namespaces,
                values.types(),
                new ManifestMetrics(core.metrics(), clock),
                authorizer ->
                    extensions.stream()
                        .flatMap(extension -> extension.admission(authorizer).stream())
                        .toList()),
            new AuthorizationMetrics(core.metrics(), clock));
    var times = new StoreMetrics(resources, core.metrics());
    var watches =
        new WatchHub(
            replica, access.authorizer(), WatchMetrics.deliveryTimes(clock, core.metrics()));
    core.health().add(WatchMetrics.check(watches));
    var _ = replica.replaced().thenRun(watches::expireAll);
    var handlers =
        Handlers.of(
            writeContext(types, new StoreGateway(store, replica, times), values, access),
            new RequestDecoder(types, Encoders::decode, core.offer()));
    var advertised = Advertised.of(options);
    var certificate = ServingCertificate.of(options.tls(), advertised.names(options), clock);
    var named = new SniCertificates(options.tls().sniCertKeys(), clock);
    var hooks = new StartHooks(core.health(), replica, store, core.stopping());
    if (encryption.hasHealth()) {
      core.health().add(HealthCheck.ofPlugins("kms-providers", encryption::degradedReason));
    }
    var apis = new AggregatedApis(replica);
    var servers =
        new RemoteServers(
            apis, outbound.aggregated(), replica, core.threads(), core.stopping()::get);
    var remote = new RemoteDiscovery(servers);
    var specs = new RemoteOpenApi(servers);
    var discovery = new DiscoveryRoutes(types, remote::versions, advertised.hostAndPort());
    var peers =
        new PeerRoutes(
            outbound.apiServers().withoutProxy(),
            core.threads(),
            RandomGenerator.getDefault(),
            options.authentication().requestHeaders()::namesUser,
            new PeerMetrics(core.metrics()));
    var chain =
        new RequestPath(core, outbound, values.types(), replica, handlers, access)
            .chain(watches, apis, specs::now, discovery, peers, advertised);
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
            core.health(),
            core.metrics(),
            core.audit(),
            core.background(),
            core.threads(),
            clock);
    extensions.forEach(extension -> extension.attach(host));
    SchedulerMetrics.register(core.scheduler(), core.metrics());
    HealthMetrics.register(core.health(), core.metrics());
    ObjectMetrics.register(replica, core.metrics());
    StorageMetrics.register(plain, replica, options.services().clusterIpRanges(), core.metrics());
    WatchMetrics.register(watches, core.metrics());
    ProcessMetrics.builder().register(core.metrics());
    VersionMetrics.register(core.metrics());
    FeatureMetrics.register(options.api(), core.metrics());
    var http = listen(certificate, named, access, chain);
    OutgoingMetrics.register(http.outgoing(), http.counters(), core.metrics());
    port.set(http.addresses().getFirst().getPort());
    core.every(10, certificate::refresh);
    core.every(10, named::refresh);
    core.every(10, access::refresh);
    core.background()
        .scheduleWithFixedDelay(
            () -> core.threads().execute(access::refreshIssuers), 0, 5, TimeUnit.SECONDS);
    var bootstrap =
        new Bootstrap(
            objects,
            options.services().clusterIpRanges().stream().map(Object::toString).toList(),
            LocalApiServices.of(values.types()),
            options.api()::enabled,
            hooks,
            clock,
            core.stopping()::get);
    core.threads()
        .execute(
            () -> {
              bootstrap.run();
              OpenAccessWarning.warnOfRights(access.authenticator(), access.authorizer());
              bootstrap.keepFlows();
            });
    core.threads().execute(new FlowStatuses(objects, replica, clock, core.stopping()::get));
    core.threads().execute(new ClusterIpRepair(objects, replica, clock, core.stopping()::get));
    core.threads().execute(new DefinitionController(objects, replica, clock, core.stopping()::get));
    core.threads().execute(remote.upkeep());
    core.threads().execute(specs.upkeep());
    core.threads()
        .execute(
            new AvailabilityController(
                apis,
                outbound.aggregated(),
                new AvailabilityStatus(
                    (name, change) ->
                        objects.changeStatus(LocalApiServices.RESOURCE, "", name, change),
                    replica,
                    new AggregationMetrics(apis, core.metrics()),
                    clock),
                replica,
                core.threads(),
                core.stopping()::get));
    core.threads()
        .execute(
            new ClusterTrust(
                objects, replica, options.authentication(), clock, core.stopping()::get));
    extensions.forEach(extension -> core.threads().execute(() -> start(extension)));
    return new ApiServer(core, outbound, replica, encryption, watches, http, extensions);
  }

  private static void start(ServerExtension extension) {
    try {
      extension.start();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static StorageCodec codec(MediaType mediaType) {
    return switch (mediaType) {
      case JSON -> new JsonStorageCodec();
      case YAML -> new YamlStorageCodec();
      case PROTOBUF -> new ProtobufStorageCodec(BuiltInTypes.keptAsProtobuf());
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
            new EncryptionMetrics(core.metrics(), clock));
  }

  private Replica replica(Store store, Types builtIn) {
    return Replica.start(store, builtIn, definitions, ReplicaOptions.defaults().withClock(clock));
  }

  private WriteContext writeContext(
      Supplier<Types> types, StoreGateway storeGateway, StorageCodec codec, AccessWiring access) {
    var random = RandomGenerator.getDefault();
    var services = options.services();
    return new WriteContext(
        new OptimisticWriter(storeGateway, random, AdmissionWebhooks::areConfiguredIn),
        codec,
        access.admission(),
        resourceRequest -> Permission.toCreate(access.authorizer(), resourceRequest),
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

  private HttpServer listen(
      ServingCertificate certificate, SniCertificates named, AccessWiring access, HttpHandler chain)
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
