package dev.muster.cli;

import dev.muster.cli.command.CommandFailure;
import dev.muster.model.FileProblems;
import dev.muster.server.options.flag.FileKind;
import dev.muster.server.options.flag.Flag;
import dev.muster.server.options.flag.FlagGroup;
import dev.muster.store.Store;
import dev.muster.store.etcd.EtcdConnector;
import dev.muster.store.etcd.EtcdOptions;
import dev.muster.store.etcd.EtcdStore;
import dev.muster.store.etcd.EtcdTls;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The flags of the connection to etcd. */
@FlagGroup("Etcd")
record EtcdFlags(
    @Flag(
            name = "etcd-servers",
            help =
                "URLs of the etcd members, separated by commas. One without a scheme is spoken to"
                    + " with TLS when a file for it is given.")
        List<String> servers,
    @Flag(name = "etcd-prefix", help = "Prefix of all keys.") String prefix,
    @Flag(
            name = "etcd-cafile",
            file = FileKind.CERTIFICATES,
            help = "PEM bundle that etcd's certificates are checked against.")
        @Nullable Path caFile,
    @Flag(
            name = "etcd-certfile",
            file = FileKind.CERTIFICATES,
            help = "PEM file with the client certificate for etcd.")
        @Nullable Path certificateFile,
    @Flag(
            name = "etcd-keyfile",
            file = FileKind.PRIVATE_KEY,
            keyOf = "etcd-certfile",
            help = "PEM file with the key of --etcd-certfile.")
        @Nullable Path keyFile,
    @Flag(name = "etcd-username", help = "User of an etcd with password authentication.")
        @Nullable String userName,
    @Flag(
            name = "etcd-password-file",
            file = FileKind.TEXT,
            help = "File with the password of --etcd-username.")
        @Nullable Path passwordFile) {

  EtcdFlags {
    if ((certificateFile == null) != (keyFile == null)) {
      throw new IllegalArgumentException("--etcd-certfile and --etcd-keyfile: give both or none");
    }
    if ((userName == null) != (passwordFile == null)) {
      throw new IllegalArgumentException(
          "--etcd-username and --etcd-password-file: give both or none");
    }
    var scheme = caFile == null && certificateFile == null ? "http://" : "https://";
    for (var server : servers) {
      checkUrl(server, server.contains("://") ? server : scheme + server);
    }
    servers =
        servers.stream().map(server -> server.contains("://") ? server : scheme + server).toList();
    if (servers.stream().map(server -> URI.create(server).getScheme()).distinct().count() > 1) {
      throw new IllegalArgumentException("--etcd-servers: must be all http or all https");
    }
    prefix = normalPrefix(prefix);
  }

  static EtcdFlags defaults() {
    return new EtcdFlags(List.of(), "/registry", null, null, null, null, null);
  }

  EtcdFlags withServers(List<String> servers) {
    return new EtcdFlags(servers, prefix, caFile, certificateFile, keyFile, userName, passwordFile);
  }

  /**
   * Opens the store without sending a request to etcd yet.
   *
   * @param connector for the connection; empty for a direct one
   * @throws CommandFailure when a file cannot be read
   */
  Store open(Duration compactionInterval, Optional<EtcdConnector> connector) {
    var options =
        EtcdOptions.at(servers.toArray(String[]::new))
            .withPrefix(prefix)
            .withTls(new EtcdTls(caFile, certificateFile, keyFile))
            .withCompactionInterval(compactionInterval);
    if (userName != null && passwordFile != null) {
      options = options.withLogin(userName, password(passwordFile));
    }
    return EtcdStore.open(connector.map(options::withConnector).orElse(options));
  }

  private static String password(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new CommandFailure("--etcd-password-file: " + FileProblems.text(file, e), e);
    }
  }

  private static String normalPrefix(@Nullable String prefix) {
    var bare = prefix == null ? "" : prefix.replaceAll("^/+|/+$", "");
    if (bare.isEmpty()) {
      throw new IllegalArgumentException("--etcd-prefix: must not be empty");
    }
    return "/" + bare;
  }

  /**
   * @param server as the user typed it
   * @param whole with a scheme
   */
  private static void checkUrl(String server, String whole) {
    try {
      var url = URI.create(whole);
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
