package dev.muster.it;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.muster.testing.TestTls;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;

/**
 * Each request on a virtual thread of its own. Stands between a client and an API server, as the
 * server's administrator: it can be cut, and it says when a write has been done and not yet been
 * answered, which is the worst moment for a client to die in.
 */
public final class ApiProxy implements AutoCloseable {
  private static final Pattern SERVER = Pattern.compile("server: \"?(https://[^\",}]+)");
  private static final String TOKEN = "of-the-test";
  private static final List<String> FORWARDED = List.of("content-type", "accept");

  /**
   * Told of a write that the server has taken, before the client learns of it; the client never
   * does if this throws.
   */
  public interface Written {
    void written(String method, String path);
  }

  private final HttpServer listener;
  private final HttpClient client;
  private final String upstream;
  private final Set<InputStream> streams = ConcurrentHashMap.newKeySet();
  private volatile boolean cut;
  private volatile Written written = (method, path) -> {};

  private ApiProxy(HttpServer listener, HttpClient client, String upstream) {
    this.listener = listener;
    this.client = client;
    this.upstream = upstream;
  }

  public static ApiProxy start(Path kubeconfig) throws IOException {
    var server = SERVER.matcher(Files.readString(kubeconfig));
    if (!server.find()) {
      throw new IOException(kubeconfig + " names no server");
    }
    var listener =
        HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
    var http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .sslContext(TestTls.trustingAnyone())
            .executor(Executors.newVirtualThreadPerTaskExecutor())
            .build();
    var proxy = new ApiProxy(listener, http, server.group(1));
    listener.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    listener.createContext("/", proxy::handle);
    listener.start();
    return proxy;
  }

  /** Who is told of writes from now on. */
  public void onWrite(Written listening) {
    written = listening;
  }

  /** Ends all that is under way and answers nothing any more. */
  public void cut() {
    cut = true;
    streams.forEach(
        stream -> {
          try {
            stream.close();
          } catch (IOException e) {
            // It has ended already.
          }
        });
  }

  public void heal() {
    cut = false;
  }

  public String url() {
    return "http://127.0.0.1:" + listener.getAddress().getPort();
  }

  /** What leads through the proxy. */
  public String kubeconfig() {
    return """
    apiVersion: v1
    kind: Config
    clusters: [{name: c, cluster: {server: "%s"}}]
    users: [{name: u, user: {}}]
    contexts: [{name: x, context: {cluster: c, user: u}}]
    current-context: x
    """
        .formatted(url());
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (cut) {
        return;
      }
      var method = exchange.getRequestMethod();
      var path = exchange.getRequestURI().toString();
      var body = HttpRequest.BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes());
      var request =
          HttpRequest.newBuilder(URI.create(upstream + path))
              .header("authorization", "Bearer " + TOKEN)
              .method(method, body);
      for (var name : FORWARDED) {
        var value = exchange.getRequestHeaders().getFirst(name);
        if (value != null) {
          request.header(name, value);
        }
      }
      var answer = client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
      if (!method.equals("GET") && answer.statusCode() < 300) {
        written.written(method, exchange.getRequestURI().getPath());
      }
      answer(exchange, answer);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void answer(HttpExchange exchange, HttpResponse<InputStream> answer) throws IOException {
    answer
        .headers()
        .firstValue("content-type")
        .ifPresent(type -> exchange.getResponseHeaders().set("content-type", type));
    exchange.sendResponseHeaders(answer.statusCode(), 0);
    var in = answer.body();
    streams.add(in);
    try (in;
        var out = exchange.getResponseBody()) {
      var buffer = new byte[8192];
      for (int read = in.read(buffer); read >= 0 && !cut; read = in.read(buffer)) {
        out.write(buffer, 0, read);
        out.flush();
      }
    } finally {
      streams.remove(in);
    }
  }

  @Override
  public void close() {
    cut();
    listener.stop(0);
    client.shutdownNow();
  }
}
