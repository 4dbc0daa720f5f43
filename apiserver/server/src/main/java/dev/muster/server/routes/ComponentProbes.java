package dev.muster.server.routes;

import dev.muster.server.nodes.TrustingTls;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import javax.net.ssl.HttpsURLConnection;

/** Checks the health of the components that ComponentStatus reports. */
public final class ComponentProbes {
  private static final int PATIENCE_MILLIS = 20_000;
  private static final int MOST_BYTES = 10 * 1024;
  private static final int CONTROLLER_MANAGER_PORT = 10257;
  private static final int SCHEDULER_PORT = 10259;

  private ComponentProbes() {}

  /**
   * The health of a component.
   *
   * @param error why the component could not be asked, or ""
   */
  record Health(boolean healthy, String message, String error) {}

  /** Checks a component, and blocks until it answers. */
  @FunctionalInterface
  interface Probe {
    Health ask();
  }

  /**
   * The components that kube-apiserver reports: controller manager and scheduler on this machine,
   * and the store.
   *
   * @param neighbours components in this process, which listen on no port
   * @param store fails when the store cannot be reached
   */
  public static Map<String, Probe> standard(Neighbours neighbours, Runnable store) {
    return Map.of(
        "controller-manager",
        () -> ask(neighbours, "controller-manager", CONTROLLER_MANAGER_PORT),
        "scheduler",
        () -> ask(neighbours, "scheduler", SCHEDULER_PORT),
        "etcd-0",
        () -> {
          try {
            store.run();
            return new Health(true, "ok", "");
          } catch (RuntimeException | Error e) {
            return new Health(false, "", String.valueOf(e.getMessage()));
          }
        });
  }

  private static Health ask(Neighbours neighbours, String component, int port) {
    return neighbours.runs(component) ? new Health(true, "ok", "") : overHttps(port);
  }

  /** Requests {@code /healthz} from that port of this machine, and accepts any certificate. */
  static Health overHttps(int port) {
    var url = "https://127.0.0.1:" + port + "/healthz";
    try {
      var connection = (HttpsURLConnection) URI.create(url).toURL().openConnection();
      connection.setSSLSocketFactory(TrustingTls.context().getSocketFactory());
      connection.setHostnameVerifier((host, session) -> true);
      connection.setInstanceFollowRedirects(false);
      connection.setConnectTimeout(PATIENCE_MILLIS);
      connection.setReadTimeout(PATIENCE_MILLIS);
      int code = connection.getResponseCode();
      if (code < 200 || code >= 400) {
        return new Health(false, "HTTP probe failed with statuscode: " + code, "");
      }
      try (var body = connection.getInputStream()) {
        return new Health(
            true, new String(body.readNBytes(MOST_BYTES), StandardCharsets.UTF_8), "");
      }
    } catch (ConnectException e) {
      var refused = ": dial tcp 127.0.0.1:" + port + ": connect: connection refused";
      return new Health(false, "Get \"" + url + "\"" + refused, "");
    } catch (IOException e) {
      return new Health(false, "Get \"" + url + "\": " + e.getMessage(), "");
    }
  }
}
