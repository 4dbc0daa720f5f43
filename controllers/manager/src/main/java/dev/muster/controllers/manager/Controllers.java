package dev.muster.controllers.manager;

import dev.muster.controllers.Controller;
import dev.muster.controllers.bootstrap.BootstrapSigner;
import dev.muster.controllers.bootstrap.BootstrapTokenCleaner;
import dev.muster.controllers.certificates.RequestApprover;
import dev.muster.controllers.certificates.RequestCleaner;
import dev.muster.controllers.certificates.RequestSigner;
import dev.muster.controllers.certificates.SigningAuthority;
import dev.muster.controllers.disruption.DisruptionController;
import dev.muster.controllers.endpoints.EndpointSliceController;
import dev.muster.controllers.endpoints.EndpointsController;
import dev.muster.controllers.endpoints.MirroringController;
import dev.muster.controllers.garbagecollector.GarbageCollector;
import dev.muster.controllers.jobs.TtlAfterFinishedController;
import dev.muster.controllers.namespaces.NamespaceController;
import dev.muster.controllers.namespaces.ObjectInEveryNamespace;
import dev.muster.controllers.pods.PodCollector;
import dev.muster.controllers.policies.PolicyStatusController;
import dev.muster.controllers.quota.ResourceQuotaController;
import dev.muster.controllers.roles.ClusterRoleAggregation;
import dev.muster.controllers.services.ServiceRangeController;
import dev.muster.controllers.storageversions.StorageVersionCollector;
import dev.muster.controllers.storageversions.StorageVersionMigrator;
import dev.muster.controllers.tokens.LegacyTokenCleaner;
import dev.muster.controllers.volumes.AttributesClassProtection;
import dev.muster.controllers.volumes.ClaimProtection;
import dev.muster.controllers.volumes.VolumeProtection;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Creates all controllers. */
public final class Controllers {
  private Controllers() {}

  /** The controllers for the client's cluster, with the cluster's certificate authorities. */
  public static List<Controller> of(KubernetesClient client, ControllerSettings settings) {
    return of(authorities(client), settings, Clock.systemUTC());
  }

  /**
   * The controllers with another clock, as far as time affects what they do.
   *
   * @param authorities the cluster's certificate authorities in PEM; "" when unknown
   */
  public static List<Controller> of(String authorities, ControllerSettings settings, Clock clock) {
    var syncs = settings.syncs();
    var controllers = new ArrayList<Controller>();
    controllers.add(settings.leases());
    controllers.add(new NamespaceController(syncs.namespaces(), clock));
    controllers.add(new GarbageCollector(syncs.garbage(), clock));
    controllers.add(new TtlAfterFinishedController(syncs.finishedJobs(), clock));
    controllers.add(
        new ResourceQuotaController(syncs.quotas(), settings.quotas().syncPeriod(), clock));
    controllers.add(new EndpointsController(syncs.endpoints()));
    controllers.add(
        new EndpointSliceController(
            syncs.serviceEndpoints(), settings.endpoints().maxPerSlice(), clock));
    controllers.add(
        new MirroringController(
            syncs.mirroring(), settings.endpoints().maxMirroredPerSubset(), clock));
    controllers.add(new ClusterRoleAggregation());
    controllers.add(new DisruptionController(clock));
    controllers.add(new PodCollector(settings.pods().terminatedThreshold(), clock));
    controllers.add(new ClaimProtection());
    controllers.add(new VolumeProtection());
    controllers.add(new AttributesClassProtection());
    controllers.add(new ServiceRangeController(clock));
    controllers.add(new LegacyTokenCleaner(settings.pods().unusedTokens(), clock));
    controllers.add(new BootstrapSigner(clock));
    controllers.add(new BootstrapTokenCleaner(clock));
    controllers.add(new RequestApprover(clock));
    controllers.add(new RequestCleaner(clock));
    controllers.add(new PolicyStatusController(syncs.policyStatus()));
    controllers.add(new StorageVersionMigrator(clock));
    controllers.add(new StorageVersionCollector(settings.leases().namespace(), clock));
    var signing = settings.signing();
    if (signing.certificate() != null && signing.key() != null) {
      controllers.add(
          new RequestSigner(
              SigningAuthority.read(signing.certificate(), signing.key()),
              signing.duration(),
              clock));
    }
    controllers.add(ObjectInEveryNamespace.serviceAccounts());
    if (!authorities.isEmpty()) {
      controllers.add(ObjectInEveryNamespace.rootCertificates(authorities));
    }
    return controllers;
  }

  /** The certificate authorities of the client's cluster in PEM; "" when unknown. */
  public static String authorities(KubernetesClient client) {
    var config = client.getConfiguration();
    if (config.getCaCertData() != null) {
      return new String(
          Base64.getMimeDecoder().decode(config.getCaCertData()), StandardCharsets.US_ASCII);
    }
    if (config.getCaCertFile() == null) {
      return "";
    }
    try {
      return Files.readString(Path.of(config.getCaCertFile()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
