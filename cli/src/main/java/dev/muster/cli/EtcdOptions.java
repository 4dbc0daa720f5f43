package dev.muster.cli;

import dev.muster.server.options.Flag;
import dev.muster.server.options.FlagGroup;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How to reach etcd. */
@FlagGroup("Etcd")
record EtcdOptions(
    @Flag(name = "etcd-servers", help = "URLs of the etcd members, separated by commas.")
        List<String> servers,
    @Flag(name = "etcd-prefix", help = "Prefix of all keys.") String prefix,
    @Flag(name = "etcd-cafile", help = "PEM bundle that etcd's certificates are checked against.")
        @Nullable Path caFile,
    @Flag(name = "etcd-certfile", help = "PEM file with the client certificate for etcd.")
        @Nullable Path certificateFile,
    @Flag(name = "etcd-keyfile", help = "PEM file with the key of --etcd-certfile.")
        @Nullable Path keyFile) {

  EtcdOptions {
    servers = List.copyOf(servers);
    if ((certificateFile == null) != (keyFile == null)) {
      throw new IllegalArgumentException("--etcd-certfile and --etcd-keyfile: give both or none");
    }
    for (var server : servers) {
      checkUrl(server);
    }
    if (prefix == null || !prefix.startsWith("/")) {
      prefix = "/" + (prefix == null ? "" : prefix);
    }
  }

  static EtcdOptions defaults() {
    return new EtcdOptions(List.of(), "/registry", null, null, null);
  }

  EtcdOptions withServers(List<String> servers) {
    return new EtcdOptions(servers, prefix, caFile, certificateFile, keyFile);
  }

  private static void checkUrl(String server) {
    try {
      var url = URI.create(server);
      boolean web = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
      if (web && url.getHost() != null) {
        return;
      }
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "--etcd-servers: \"" + server + "\" is not an http or https URL", e);
    }
    throw new IllegalArgumentException(
        "--etcd-servers: \"" + server + "\" is not an http or https URL");
  }
}
