package dev.muster.server.metrics;

import dev.muster.registry.admission.AdmissionObserver.Step;
import dev.muster.registry.admission.AdmissionOperation;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Histogram;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The times of one admission plugin, or of all together. Thread-safe. Every write records about
 * twenty of them, so it finds labels by number and allocates nothing.
 */
final class AdmissionTimes {
  private static final int OPERATIONS = AdmissionOperation.values().length;

  private final AtomicReferenceArray<DistributionDataPoint> points =
      new AtomicReferenceArray<>(Step.values().length * OPERATIONS * 2);

  private final Histogram histogram;
  private final String[] first;

  /**
   * @param first the values of the labels before that of the step
   */
  AdmissionTimes(Histogram histogram, String... first) {
    this.histogram = histogram;
    this.first = first;
  }

  // The numbers are used only within this array.
  @SuppressWarnings("EnumOrdinal")
  void took(Step step, AdmissionOperation operation, boolean rejected, long nanos) {
    int number = (step.ordinal() * OPERATIONS + operation.ordinal()) * 2 + (rejected ? 1 : 0);
    var point = points.get(number);
    if (point == null) {
      point = point(AdmissionMetrics.type(step), operation.name(), Boolean.toString(rejected));
      points.set(number, point);
    }
    point.observe(nanos / 1e9);
  }

  private DistributionDataPoint point(String... last) {
    var labels = new String[first.length + last.length];
    System.arraycopy(first, 0, labels, 0, first.length);
    System.arraycopy(last, 0, labels, first.length, last.length);
    return histogram.labelValues(labels);
  }
}
