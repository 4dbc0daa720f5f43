package dev.muster.server.routes;

import dev.muster.server.request.Request;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** {@code /metrics} and the like, in Prometheus' text format. */
public final class MetricsRoute {
  private final PrometheusRegistry registry;
  private final PrometheusTextFormatWriter writer = PrometheusTextFormatWriter.create();

  public MetricsRoute(PrometheusRegistry registry) {
    this.registry = registry;
  }

  public void answer(Request request) {
    request.elsewhere(() -> scrape(request));
  }

  private void scrape(Request request) {
    var out = new ByteArrayOutputStream(1 << 16);
    try {
      writer.write(out, registry.scrape());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    request.answer(200, writer.getContentType(), out.toByteArray());
  }
}
