package dev.muster.cli;

import dev.muster.cli.flags.FlagDefinition;
import dev.muster.cli.flags.FlagException;
import dev.muster.cli.flags.KnownNames;
import dev.muster.cli.flags.RecordFlags;
import dev.muster.cli.flags.UpstreamFlags;
import dev.muster.cli.identity.ClusterIdentityFlags;
import dev.muster.fleet.FleetOptions;
import dev.muster.fleet.peers.PeerOptions;
import dev.muster.server.options.ApiServerOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The flags of one API server, read: what it does and where it keeps its state. */
record ApiServerFlags(
    ApiServerOptions server,
    FleetOptions fleet,
    ClusterIdentityFlags identity,
    EtcdFlags etcd,
    List<String> remarks) {

  /** All flags that an API server takes, those without effect included. */
  static List<FlagDefinition> definitions() {
    var definitions = new ArrayList<FlagDefinition>();
    definitions.addAll(RecordFlags.of(EtcdFlags.defaults()).definitions());
    definitions.addAll(RecordFlags.of(ApiServerOptions.defaults()).definitions());
    definitions.addAll(RecordFlags.of(FleetOptions.defaults()).definitions());
    definitions.addAll(RecordFlags.of(ClusterIdentityFlags.defaults()).definitions());
    definitions.addAll(UpstreamFlags.accepted());
    return definitions;
  }

  /**
   * Reads the given flags over the defaults.
   *
   * @throws FlagException naming the first flag with a bad value
   */
  static ApiServerFlags read(Map<String, List<String>> given, ApiServerOptions defaults) {
    var server = RecordFlags.of(defaults).read(given);
    var fleet = RecordFlags.of(FleetOptions.defaults()).read(given);
    var identity = RecordFlags.of(ClusterIdentityFlags.defaults()).read(given);
    var etcd = RecordFlags.of(EtcdFlags.defaults()).read(given);
    UpstreamFlags.check(given);
    var remarks = new ArrayList<>(UpstreamFlags.remarks(given.keySet()));
    checkPlugins("enable-admission-plugins", server.admission().enabled());
    checkPlugins("disable-admission-plugins", server.admission().disabled());
    AuthenticationFlags.check(given, server);
    FeatureGates.check(server.api().featureGates());
    remarks.addAll(FeatureGates.remarks(server.api().featureGates()));
    checkAuthorization(given);
    checkPeers(server, fleet.peers());
    return new ApiServerFlags(server, fleet, identity, etcd, List.copyOf(remarks));
  }

  /** A file that says everything about authorization leaves nothing for the flags to say. */
  private static void checkAuthorization(Map<String, List<String>> given) {
    boolean others =
        given.keySet().stream()
            .anyMatch(
                flag ->
                    flag.equals("authorization-mode") || flag.startsWith("authorization-webhook-"));
    if (others && !given.getOrDefault("authorization-config", List.of("")).getLast().isEmpty()) {
      throw new FlagException(
          "--authorization-config can not be specified when --authorization-mode or"
              + " --authorization-webhook-* flags are defined");
    }
  }

  private static void checkPeers(ApiServerOptions server, PeerOptions peers) {
    var flag = peers.firstSet();
    if (flag != null && !server.api().enabled(PeerOptions.GATE, true)) {
      throw new FlagException(
          "--" + flag + " requires " + PeerOptions.GATE + " feature to be turned on");
    }
    if (peers.authorities() != null && server.api().aggregator().clientCertificateFile() == null) {
      throw new FlagException("--peer-ca-file: needs --proxy-client-cert-file");
    }
  }

  private static void checkPlugins(String flag, List<String> plugins) {
    if (plugins.isEmpty()) {
      return;
    }
    var known = KnownNames.admissionPlugins();
    for (var plugin : plugins) {
      if (!known.contains(plugin)) {
        throw new FlagException("--" + flag + ": unknown admission plugin \"" + plugin + "\"");
      }
    }
  }
}
