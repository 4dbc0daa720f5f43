package dev.muster.bench;

import java.util.List;
import java.util.Locale;

/** Results for people and for machines. */
public final class Report {
  private static final String ROW = "%-38s %10s %9s %9s %9s %8s %10s %8s";

  private Report() {}

  public static String heading() {
    return ROW.formatted(
        "", "requests/s", "p50 ms", "p99 ms", "p99.9 ms", "errors", "CPU µs", "RSS MiB");
  }

  public static String row(Result result) {
    boolean timed = result.latency().getTotalCount() > 0;
    var row =
        ROW.formatted(
            result.title(),
            result.seconds() > 0 ? number(result.requestsPerSecond()) : "",
            timed ? number(result.millis(50)) : "",
            timed ? number(result.millis(99)) : "",
            timed ? number(result.millis(99.9)) : "",
            result.seconds() > 0 || result.errors() > 0 ? result.errors() : "",
            result.cpuMicrosPerRequest().isPresent()
                ? number(result.cpuMicrosPerRequest().getAsDouble())
                : "",
            result.residentBytes().isPresent()
                ? result.residentBytes().getAsLong() / (1 << 20)
                : "");
    return result.firstError() == null ? row : row + "\n  " + result.firstError();
  }

  /** One JSON array, with an object for each scenario. */
  public static String json(List<Result> results) {
    var json = new StringBuilder("[");
    for (var result : results) {
      if (json.length() > 1) {
        json.append(',');
      }
      json.append("\n  {\"scenario\":").append(quote(result.scenario()));
      json.append(",\"title\":").append(quote(result.title()));
      json.append(",\"requests\":").append(result.requests());
      json.append(",\"errors\":").append(result.errors());
      if (result.firstError() != null) {
        json.append(",\"firstError\":").append(quote(result.firstError()));
      }
      json.append(decimal(",\"seconds\":%.3f", result.seconds()));
      json.append(decimal(",\"requestsPerSecond\":%.2f", result.requestsPerSecond()));
      json.append(decimal(",\"p50Millis\":%.4f", result.millis(50)));
      json.append(decimal(",\"p99Millis\":%.4f", result.millis(99)));
      json.append(decimal(",\"p999Millis\":%.4f", result.millis(99.9)));
      result
          .cpuMicrosPerRequest()
          .ifPresent(cpu -> json.append(decimal(",\"cpuMicrosPerRequest\":%.2f", cpu)));
      result.residentBytes().ifPresent(bytes -> json.append(",\"residentBytes\":").append(bytes));
      json.append('}');
    }
    return json.append("\n]").toString();
  }

  private static String number(double value) {
    return decimal(value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : "%.2f", value);
  }

  private static String decimal(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }

  private static String quote(String text) {
    var quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ') {
        quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
