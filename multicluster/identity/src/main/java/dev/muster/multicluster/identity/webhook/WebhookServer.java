package dev.muster.multicluster.identity.webhook;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import dev.muster.pki.Identity;
import dev.muster.pki.TlsSuites;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionReview;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves admission reviews over TLS, with a virtual thread per request. */
final class WebhookServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(WebhookServer.class);
  static final String PATH = "/clusterproperties";

  /**
   * An old and a new value of the largest size, each with six bytes per character, and the
   * envelope.
   */
  private static final int MOST_BYTES = 4 * 1024 * 1024;

  private final HttpsServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final KubernetesSerialization serialization = new KubernetesSerialization();
  private final ReviewHandler handler;

  private WebhookServer(HttpsServer server, ReviewHandler handler) {
    this.server = server;
    this.handler = handler;
  }

  /** Each new connection uses the current certificate. */
  static WebhookServer start(
      InetSocketAddress address, Supplier<Identity> certificate, ReviewHandler handler) {
    try {
      var https = HttpsServer.create(address, 0);
      var context = SSLContext.getInstance("TLS");
      context.init(new KeyManager[] {new Current(certificate)}, null, null);
      https.setHttpsConfigurator(
          new HttpsConfigurator(context) {
            @Override
            public void configure(HttpsParameters parameters) {
              parameters.setSSLParameters(TlsSuites.usual(context));
            }
          });
      var server = new WebhookServer(https, handler);
      https.createContext(PATH, server::answer);
      https.setExecutor(server.threads);
      https.start();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException("the webhook cannot listen on " + address, e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  int port() {
    return server.getAddress().getPort();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (!exchange.getRequestMethod().equals("POST")) {
        send(exchange, 405, "only POST");
        return;
      }
      var body = exchange.getRequestBody().readNBytes(MOST_BYTES + 1);
      if (body.length > MOST_BYTES) {
        send(exchange, 413, "more than " + MOST_BYTES + " bytes");
        return;
      }
      try {
        var review =
            serialization.unmarshal(
                new String(body, StandardCharsets.UTF_8), AdmissionReview.class);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        send(exchange, 200, serialization.asJson(handler.answer(review)));
      } catch (IllegalArgumentException e) {
        send(exchange, 400, String.valueOf(e.getMessage()));
      } catch (RuntimeException e) {
        log.warn("a review could not be answered", e);
        send(exchange, 500, "the review could not be answered");
      }
    }
  }

  private static void send(HttpExchange exchange, int code, String text) throws IOException {
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(code, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  /** Returns the current certificate. */
  private static final class Current extends X509ExtendedKeyManager {
    private static final String ALIAS = "webhook";
    private final Supplier<Identity> certificate;

    Current(Supplier<Identity> certificate) {
      this.certificate = certificate;
    }

    @Override
    public String chooseEngineServerAlias(
        String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
      return ALIAS;
    }

    @Override
    public String chooseServerAlias(String keyType, Principal @Nullable [] issuers, Socket socket) {
      return ALIAS;
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
      return certificate.get().chain().toArray(X509Certificate[]::new);
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
      return certificate.get().key();
    }

    @Override
    public String[] getServerAliases(String keyType, Principal @Nullable [] issuers) {
      return new String[] {ALIAS};
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
      return null;
    }

    @Override
    public @Nullable String chooseClientAlias(
        String[] keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
      return null;
    }
  }
}
