package dev.muster.server.routes;

import dev.muster.server.request.Request;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Answers {@code /metrics} and similar paths in the Prometheus text format. */
public final class MetricsRoute {
  private final PrometheusRegistry registry;
  private final Neighbours neighbours;
  private final PrometheusTextFormatWriter writer = PrometheusTextFormatWriter.create();

  public MetricsRoute(PrometheusRegistry registry, Neighbours neighbours) {
    this.registry = registry;
    this.neighbours = neighbours;
  }

  public void answer(Request request) {
    request.runOnCpuPool(() -> scrape(request));
  }

  private void scrape(Request request) {
    var out = new ByteArrayOutputStream(1 << 16);
    try {
      writer.write(out, neighbours.scrape(registry));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    request.answer(200, writer.getContentType(), out.toByteArray());
  }
}
