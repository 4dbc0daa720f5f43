package dev.muster.controllers.manager;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A stand-in for the part of an API server that leader election needs: one Lease with optimistic
 * concurrency, over plain HTTP on the loopback, and a place for Events. It can be told to refuse
 * everything, or to leave everything unanswered.
 */
final class LeaseApi implements AutoCloseable {
  private final HttpServer server;
  private @Nullable Lease lease;
  private long version;
  private volatile boolean broken;
  private volatile CountDownLatch paused = new CountDownLatch(0);
  private final List<String> events = new CopyOnWriteArrayList<>();

  LeaseApi() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::handle);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  void setBroken(boolean broken) {
    this.broken = broken;
  }

  /** Has another client write the spec of the Lease, as if it had read the version before. */
  synchronized void edit(Consumer<LeaseSpec> change) {
    var next = lease == null ? empty() : new LeaseBuilder(lease).build();
    change.accept(next.getSpec());
    next.getMetadata().setResourceVersion(Long.toString(++version));
    lease = next;
  }

  private static Lease empty() {
    return new LeaseBuilder()
        .withNewMetadata()
        .withNamespace("kube-system")
        .withName("muster-controller-manager")
        .endMetadata()
        .withNewSpec()
        .endSpec()
        .build();
  }

  /** Holds all requests from now on until it is resumed. */
  void pause() {
    paused = new CountDownLatch(1);
  }

  void resume() {
    paused.countDown();
  }

  /** The messages of the Events that were written. */
  List<String> events() {
    return List.copyOf(events);
  }

  synchronized void delete() {
    lease = null;
  }

  /** The Lease as it is; null when there is none. */
  synchronized @Nullable Lease lease() {
    return lease;
  }

  synchronized String holder() {
    var current = lease;
    if (current == null || current.getSpec().getHolderIdentity() == null) {
      return "";
    }
    return current.getSpec().getHolderIdentity();
  }

  @Override
  public void close() {
    resume();
    server.stop(0);
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      paused.await();
      if (exchange.getRequestURI().getPath().contains("/events")) {
        events.add(String.valueOf(tree(body).get("message")));
        answer(exchange, 201, body);
        return;
      }
      if (broken) {
        answer(exchange, 500, status(500, "InternalError"));
        return;
      }
      synchronized (this) {
        serve(exchange, body);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void serve(HttpExchange exchange, String body) throws IOException {
    var current = lease;
    switch (exchange.getRequestMethod()) {
      case "GET" -> {
        if (current == null) {
          answer(exchange, 404, status(404, "NotFound"));
        } else {
          answer(exchange, 200, Serialization.asJson(current));
        }
      }
      case "POST" -> {
        if (current != null) {
          answer(exchange, 409, status(409, "AlreadyExists"));
        } else {
          store(exchange, body, 201);
        }
      }
      case "PUT", "PATCH" -> {
        var sent = Serialization.unmarshal(body, Lease.class);
        if (current == null
            || !current
                .getMetadata()
                .getResourceVersion()
                .equals(sent.getMetadata().getResourceVersion())) {
          answer(exchange, 409, status(409, "Conflict"));
        } else if (exchange.getRequestMethod().equals("PUT")) {
          store(exchange, body, 200);
        } else {
          var merged = merge(tree(Serialization.asJson(current)), tree(body));
          store(exchange, Serialization.asJson(merged), 200);
        }
      }
      default -> answer(exchange, 405, status(405, "MethodNotAllowed"));
    }
  }

  private void store(HttpExchange exchange, String body, int code) throws IOException {
    var sent = Serialization.unmarshal(body, Lease.class);
    sent.getMetadata().setResourceVersion(Long.toString(++version));
    lease = sent;
    answer(exchange, code, Serialization.asJson(sent));
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> tree(String json) {
    return Serialization.unmarshal(json, Map.class);
  }

  /** A merge patch as in RFC 7386. */
  @SuppressWarnings("unchecked")
  private static Map<String, Object> merge(Map<String, Object> target, Map<String, Object> patch) {
    patch.forEach(
        (key, value) -> {
          if (value == null) {
            target.remove(key);
          } else if (value instanceof Map<?, ?> part && target.get(key) instanceof Map<?, ?> old) {
            target.put(key, merge((Map<String, Object>) old, (Map<String, Object>) part));
          } else {
            target.put(key, value);
          }
        });
    return target;
  }

  private static void answer(HttpExchange exchange, int code, String body) throws IOException {
    var bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("content-type", "application/json");
    exchange.sendResponseHeaders(code, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private static String status(int code, String reason) {
    return "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"reason\":\""
        + reason
        + "\",\"code\":"
        + code
        + "}";
  }
}
