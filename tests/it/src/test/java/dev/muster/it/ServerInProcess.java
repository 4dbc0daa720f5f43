package dev.muster.it;

import dev.muster.authorization.modes.AuthorizerType;
import dev.muster.server.ApiServer;
import dev.muster.server.ServerExtension;
import dev.muster.server.options.AdmissionOptions;
import dev.muster.server.options.ApiServerOptions;
import dev.muster.server.options.AuthenticationOptions;
import dev.muster.server.options.AuthorizationOptions;
import dev.muster.server.options.ListenOptions;
import dev.muster.server.options.ServingOptions;
import dev.muster.store.MemoryStore;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;

/**
 * A server in this process, and the kubeconfig of its administrator. No controllers run, so that
 * nothing changes but by the test, and Pods need no service account.
 */
public final class ServerInProcess implements AutoCloseable {
  private final ApiServer server;
  private final Path kubeconfig;

  private ServerInProcess(ApiServer server, Path kubeconfig) {
    this.server = server;
    this.kubeconfig = kubeconfig;
  }

  public static ServerInProcess start(Path folder) throws IOException {
    return start(folder, List.of());
  }

  /** The same with extensions of its own. */
  public static ServerInProcess start(Path folder, List<ServerExtension> extensions)
      throws IOException {
    return start(folder, extensions, UnaryOperator.identity());
  }

  /** Of a server on the loopback with its certificates and its users in that folder. */
  public static ApiServerOptions options(Path folder) {
    var defaults = ApiServerOptions.defaults();
    return defaults.with(
        new ListenOptions(
            List.of(InetAddress.ofLiteral("127.0.0.1")),
            0,
            List.of(InetAddress.ofLiteral("192.0.2.10")),
            null,
            250),
        new ServingOptions(
            null, null, folder.resolve("pki"), defaults.tls().minimumVersion(), List.of()),
        new AuthenticationOptions(null, folder.resolve("tokens.csv"), true, List.of()));
  }

  /** With what the test changes in the options. */
  public static ServerInProcess start(
      Path folder, List<ServerExtension> extensions, UnaryOperator<ApiServerOptions> change)
      throws IOException {
    Files.writeString(
        folder.resolve("tokens.csv"),
        "of-the-test,admin,1,\"system:masters\"\nof-a-user,somebody,2,\n");
    var options = options(folder);
    options =
        options.with(
            new AuthorizationOptions(List.of(AuthorizerType.RBAC)),
            new AdmissionOptions(List.of(), List.of("ServiceAccount")),
            options.nodes().withPrivileged(true));
    var server =
        ApiServer.start(change.apply(options), new MemoryStore(), extensions, Clock.systemUTC());
    Awaitility.await().atMost(Duration.ofSeconds(60)).until(server::ready);
    var kubeconfig = folder.resolve("kubeconfig");
    Files.writeString(
        kubeconfig,
        """
        apiVersion: v1
        kind: Config
        clusters:
        - name: test
          cluster: {server: "https://127.0.0.1:%d", certificate-authority: "%s"}
        users:
        - name: admin
          user: {token: of-the-test}
        contexts:
        - name: test
          context: {cluster: test, user: admin}
        current-context: test
        """
            .formatted(server.addresses().getFirst().getPort(), folder.resolve("pki/ca.crt")));
    return new ServerInProcess(server, kubeconfig);
  }

  public Path kubeconfig() {
    return kubeconfig;
  }

  public int port() {
    return server.addresses().getFirst().getPort();
  }

  @Override
  public void close() {
    server.close();
  }
}
