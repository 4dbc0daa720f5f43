package dev.muster.cli.controllers;

import dev.muster.controllers.manager.ControllerSettings;
import dev.muster.controllers.servers.LeaseCollector;
import dev.muster.server.options.flag.FileKind;
import dev.muster.server.options.flag.Flag;
import dev.muster.server.options.flag.FlagGroup;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The flags of single controllers, with upstream's names. */
public record ControllerWorkFlags(Syncs syncs, Limits limits, Signing signing) {

  /** The number of objects that each controller processes concurrently. */
  @FlagGroup("Concurrency")
  record Syncs(
      @Flag(
              name = "concurrent-gc-syncs",
              help = "How many objects the garbage collector works on at a time.")
          int garbage,
      @Flag(
              name = "concurrent-namespace-syncs",
              help = "How many namespaces are emptied at a time.")
          int namespaces,
      @Flag(
              name = "concurrent-ttl-after-finished-syncs",
              help = "How many finished Jobs are looked at at a time.")
          int finishedJobs,
      @Flag(
              name = "concurrent-resource-quota-syncs",
              help = "How many ResourceQuotas are counted at a time.")
          int quotas,
      @Flag(
              name = "concurrent-endpoint-syncs",
              help = "Of how many Services the Endpoints are written at a time.")
          int endpoints,
      @Flag(
              name = "concurrent-service-endpoint-syncs",
              help = "Of how many Services the EndpointSlices are written at a time.")
          int serviceEndpoints,
      @Flag(
              name = "mirroring-concurrent-service-endpoint-syncs",
              help = "How many Endpoints are mirrored to EndpointSlices at a time.")
          int mirroring,
      @Flag(
              name = "concurrent-validating-admission-policy-status-syncs",
              help = "Of how many ValidatingAdmissionPolicies types are checked at a time.")
          int policyStatus) {
    Syncs {
      atLeastOne("concurrent-gc-syncs", garbage);
      atLeastOne("concurrent-namespace-syncs", namespaces);
      atLeastOne("concurrent-ttl-after-finished-syncs", finishedJobs);
      atLeastOne("concurrent-resource-quota-syncs", quotas);
      atLeastOne("concurrent-endpoint-syncs", endpoints);
      atLeastOne("concurrent-service-endpoint-syncs", serviceEndpoints);
      atLeastOne("mirroring-concurrent-service-endpoint-syncs", mirroring);
      atLeastOne("concurrent-validating-admission-policy-status-syncs", policyStatus);
    }
  }

  /** Periods and limits. */
  @FlagGroup("Single controllers")
  record Limits(
      @Flag(
              name = "resource-quota-sync-period",
              help = "How often every ResourceQuota is counted again in any case.")
          Duration quotaSyncPeriod,
      @Flag(
              name = "max-endpoints-per-slice",
              help = "How many endpoints an EndpointSlice holds at the most.")
          int maxPerSlice,
      @Flag(
              name = "mirroring-max-endpoints-per-subset",
              help = "How many addresses of one subset of Endpoints are mirrored at the most.")
          int maxMirroredPerSubset,
      @Flag(
              name = "terminated-pod-gc-threshold",
              help =
                  "How many finished pods there may be before the oldest are deleted; 0 for any"
                      + " number.")
          int terminatedPods,
      @Flag(
              name = "legacy-service-account-token-clean-up-period",
              help =
                  "After how long without use the Secret of a service account's token is marked"
                      + " invalid, and after as long again deleted.")
          Duration unusedTokens) {
    Limits {
      if (quotaSyncPeriod.isNegative() || quotaSyncPeriod.isZero()) {
        throw new IllegalArgumentException(
            "--resource-quota-sync-period: must be greater than zero");
      }
      between("max-endpoints-per-slice", maxPerSlice, 1000);
      between("mirroring-max-endpoints-per-subset", maxMirroredPerSubset, 1000);
      if (unusedTokens.isNegative() || unusedTokens.isZero()) {
        throw new IllegalArgumentException(
            "--legacy-service-account-token-clean-up-period: must be greater than zero");
      }
    }
  }

  /** The keys for certificates and tokens. */
  @FlagGroup("Certificates")
  record Signing(
      @Flag(
              name = "cluster-signing-cert-file",
              file = FileKind.CERTIFICATES,
              help =
                  "File with the certificate that signs those that clients ask for. Unset: nothing"
                      + " is signed.")
          @Nullable Path certificate,
      @Flag(
              name = "cluster-signing-key-file",
              file = FileKind.PRIVATE_KEY,
              keyOf = "cluster-signing-cert-file",
              help = "File with the private key of that certificate.")
          @Nullable Path key,
      @Flag(
              name = "cluster-signing-duration",
              help = "For how long certificates are valid that ask for nothing shorter.")
          Duration duration,
      @Flag(
              name = "service-account-private-key-file",
              file = FileKind.PRIVATE_KEY,
              help =
                  "File with the private key that signs tokens for Secrets of service accounts."
                      + " Unset: such Secrets stay empty.")
          @Nullable Path tokenKey) {
    Signing {
      if ((certificate == null) != (key == null)) {
        throw new IllegalArgumentException(
            "--cluster-signing-cert-file and --cluster-signing-key-file: one without the other");
      }
      if (duration.isNegative() || duration.isZero()) {
        throw new IllegalArgumentException("--cluster-signing-duration: must be greater than zero");
      }
    }
  }

  private static void atLeastOne(String flag, int value) {
    if (value < 1) {
      throw new IllegalArgumentException("--" + flag + ": must be at least 1");
    }
  }

  private static void between(String flag, int value, int most) {
    if (value < 1 || value > most) {
      throw new IllegalArgumentException("--" + flag + ": must be between 1 and " + most);
    }
  }

  public static ControllerWorkFlags defaults() {
    var syncs = ControllerSettings.Syncs.defaults();
    var endpoints = ControllerSettings.Endpoints.defaults();
    var pods = ControllerSettings.Pods.defaults();
    return new ControllerWorkFlags(
        new Syncs(
            syncs.garbage(),
            syncs.namespaces(),
            syncs.finishedJobs(),
            syncs.quotas(),
            syncs.endpoints(),
            syncs.serviceEndpoints(),
            syncs.mirroring(),
            syncs.policyStatus()),
        new Limits(
            ControllerSettings.Quotas.defaults().syncPeriod(),
            endpoints.maxPerSlice(),
            endpoints.maxMirroredPerSubset(),
            pods.terminatedThreshold(),
            pods.unusedTokens()),
        new Signing(null, null, ControllerSettings.Signing.defaults().duration(), null));
  }

  public ControllerWorkFlags signingWith(Path certificate, Path key, Path tokenKey) {
    return new ControllerWorkFlags(
        syncs, limits, new Signing(certificate, key, signing.duration(), tokenKey));
  }

  ControllerSettings settings(LeaseCollector leases) {
    return new ControllerSettings(
        leases,
        new ControllerSettings.Syncs(
            syncs.garbage(),
            syncs.namespaces(),
            syncs.finishedJobs(),
            syncs.quotas(),
            syncs.endpoints(),
            syncs.serviceEndpoints(),
            syncs.mirroring(),
            syncs.policyStatus()),
        new ControllerSettings.Quotas(limits.quotaSyncPeriod()),
        new ControllerSettings.Endpoints(limits.maxPerSlice(), limits.maxMirroredPerSubset()),
        new ControllerSettings.Pods(limits.terminatedPods(), limits.unusedTokens()),
        new ControllerSettings.Signing(signing.certificate(), signing.key(), signing.duration()));
  }
}
