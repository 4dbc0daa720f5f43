package dev.muster.cli;

import dev.muster.cli.identity.ClusterIdentityFlags;
import dev.muster.fleet.FleetOptions;
import dev.muster.fleet.peers.PeerOptions;
import dev.muster.server.flags.FlagDefinition;
import dev.muster.server.flags.FlagException;
import dev.muster.server.flags.RecordFlags;
import dev.muster.server.flags.ServerFlags;
import dev.muster.server.flags.UpstreamFlags;
import dev.muster.server.options.ApiServerOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The parsed flags of one API server: its options and its store. */
record ApiServerFlags(
    ApiServerOptions server,
    FleetOptions fleet,
    ClusterIdentityFlags identity,
    EtcdFlags etcd,
    List<String> remarks) {

  /** All flags of an API server, including those without effect. */
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
   * Parses the given flags over the defaults.
   *
   * @throws FlagException naming the first flag with a bad value
   */
  static ApiServerFlags read(Map<String, List<String>> given, ApiServerOptions defaults) {
    var server = ServerFlags.read(given, defaults);
    var fleet = RecordFlags.of(FleetOptions.defaults()).read(given);
    var identity = RecordFlags.of(ClusterIdentityFlags.defaults()).read(given);
    var etcd = RecordFlags.of(EtcdFlags.defaults()).read(given);
    checkPeers(server.options(), fleet.peers());
    return new ApiServerFlags(server.options(), fleet, identity, etcd, server.remarks());
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
}
