package dev.muster.bench.tenants;

import dev.muster.bench.client.Api;
import dev.muster.bench.client.BenchFailure;
import dev.muster.bench.client.PreparedRequest;
import dev.muster.bench.client.RequestFactory;
import dev.muster.bench.client.RequestSource;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Used by one event loop after another thread has made it. Renews a lease as kubelets and leaders
 * do: with an update of what the last answer was, and not before that has come.
 */
final class LeaseRenewal implements RequestSource, Consumer<String> {
  private static final Pattern VERSION = Pattern.compile("\"resourceVersion\"\\s*:\\s*\"(\\d+)");

  private final RequestFactory requests;
  private final String path;
  private volatile String version;
  private boolean underWay;
  private int count;

  /**
   * @param lease as the server has it
   */
  LeaseRenewal(RequestFactory requests, String path, String lease) {
    this.requests = requests;
    this.path = path;
    this.version = version(lease);
  }

  private static String version(String lease) {
    var found = VERSION.matcher(lease);
    if (!found.find()) {
      throw new BenchFailure("no resourceVersion in " + Api.brief(lease));
    }
    return found.group(1);
  }

  @Override
  public @Nullable PreparedRequest next(int connection) {
    if (underWay) {
      return null;
    }
    underWay = true;
    return requests.put(
        path,
        "{\"metadata\":{\"name\":\"%s\",\"resourceVersion\":\"%s\"},"
                .formatted(path.substring(path.lastIndexOf('/') + 1), version)
            + "\"spec\":{\"holderIdentity\":\"holder-%d\",\"leaseDurationSeconds\":40}}"
                .formatted(count++));
  }

  @Override
  public void accept(String answer) {
    version = version(answer);
    underWay = false;
  }
}
