package dev.muster.controllers.metrics;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The metrics of this process's controllers, under upstream's names. There is one instance per JVM,
 * whichever controllers run. Thread-safe.
 */
public final class ControllerMetrics {
  public static final ControllerMetrics OF_PROCESS = new ControllerMetrics();

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final QueueMetrics queues = new QueueMetrics(registry);
  private final Gauge leading =
      Gauge.builder()
          .name("leader_election_master_status")
          .help("Whether this process holds the Lease of that name.")
          .labelNames("name")
          .register(registry);
  private final Counter slowElections =
      Counter.builder()
          .name("leader_election_slowpath_total")
          .help("Renewals of the Lease of that name that had to read it first.")
          .labelNames("name")
          .register(registry);
  private final Counter requests =
      Counter.builder()
          .name("rest_client_requests_total")
          .help("Requests to the API server, by code, host and method.")
          .labelNames("code", "host", "method")
          .register(registry);

  private ControllerMetrics() {}

  public PrometheusRegistry registry() {
    return registry;
  }

  public QueueMetrics queues() {
    return queues;
  }

  public void leads(String lease, boolean leads) {
    leading.labelValues(lease).set(leads ? 1 : 0);
  }

  public void slowElections(String lease, int count) {
    if (count > 0) {
      slowElections.labelValues(lease).inc(count);
    }
  }

  /** Counts the responses that a client receives. */
  public Interceptor requests() {
    return new Interceptor() {
      @Override
      public void after(
          HttpRequest request,
          HttpResponse<?> response,
          AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        count(request, Integer.toString(response.code()));
      }

      @Override
      public void afterConnectionFailure(HttpRequest request, Throwable failure) {
        count(request, "<error>");
      }
    };
  }

  private void count(HttpRequest request, String code) {
    requests.labelValues(code, request.uri().getAuthority(), request.method()).inc();
  }
}
