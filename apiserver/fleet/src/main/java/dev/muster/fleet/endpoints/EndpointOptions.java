package dev.muster.fleet.endpoints;

import dev.muster.model.Spelled;
import dev.muster.server.options.flag.Flag;
import dev.muster.server.options.flag.FlagGroup;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Options for the endpoints of the {@code kubernetes} Service. */
@FlagGroup("Endpoints")
public record EndpointOptions(
    @Flag(
            name = "endpoint-reconciler-type",
            help =
                "How servers learn of one another for the endpoints of the kubernetes Service:"
                    + " lease (records that expire), configmap, master-count (deprecated) or none."
                    + " Unset: lease, or what the alpha flag says.")
        @Nullable ReconcilerType type,
    @Flag(
            name = "alpha-apiserver-endpoint-reconciler-type",
            help =
                "configmap is the same as --endpoint-reconciler-type=configmap, and contradicts its"
                    + " other values; default leaves the choice to that flag.")
        AlphaType alphaType,
    @Flag(
            name = "apiserver-count",
            help =
                "How many API servers there are. Only the master-count reconciler asks; the others"
                    + " count those that live.")
        int serverCount,
    @Flag(
            name = "endpoint-reconciler-interval",
            help =
                "How often a server renews its record and looks at the endpoints. Changes of either"
                    + " are seen at once.")
        Duration interval,
    @Flag(
            name = "endpoint-reconciler-lease-duration",
            help =
                "How long the record of a server that has stopped renewing it stays. Whole seconds,"
                    + " longer than the interval.")
        Duration leaseDuration) {

  /** The values of the older flag. */
  public enum AlphaType implements Spelled {
    CONFIGMAP("configmap"),
    DEFAULT("default");

    private final String spelling;

    AlphaType(String spelling) {
      this.spelling = spelling;
    }

    @Override
    public String spelling() {
      return spelling;
    }
  }

  public EndpointOptions {
    if (alphaType == AlphaType.CONFIGMAP && type != null && type != ReconcilerType.CONFIGMAP) {
      throw new IllegalArgumentException(
          "--alpha-apiserver-endpoint-reconciler-type: configmap contradicts"
              + " --endpoint-reconciler-type="
              + type.spelling());
    }
    if (serverCount < 1) {
      throw new IllegalArgumentException(
          "--apiserver-count: " + serverCount + " is less than 1: a server counts itself");
    }
    if (interval.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException("--endpoint-reconciler-interval: less than a second");
    }
    if (leaseDuration.toNanosPart() != 0 || leaseDuration.compareTo(interval) <= 0) {
      throw new IllegalArgumentException(
          "--endpoint-reconciler-lease-duration: must be whole seconds and longer than"
              + " --endpoint-reconciler-interval");
    }
  }

  public static EndpointOptions defaults() {
    return new EndpointOptions(
        null, AlphaType.DEFAULT, 1, Duration.ofSeconds(10), Duration.ofSeconds(15));
  }

  /** The reconciler that both flags together select. */
  public ReconcilerType reconciler() {
    if (alphaType == AlphaType.CONFIGMAP) {
      return ReconcilerType.CONFIGMAP;
    }
    return type == null ? ReconcilerType.LEASE : type;
  }

  public EndpointOptions withType(ReconcilerType other) {
    return new EndpointOptions(other, alphaType, serverCount, interval, leaseDuration);
  }

  public EndpointOptions withServerCount(int count) {
    return new EndpointOptions(type, alphaType, count, interval, leaseDuration);
  }

  public EndpointOptions withTimes(Duration renewal, Duration duration) {
    return new EndpointOptions(type, alphaType, serverCount, renewal, duration);
  }
}
