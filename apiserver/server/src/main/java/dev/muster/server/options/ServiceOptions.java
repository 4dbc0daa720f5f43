package dev.muster.server.options;

import dev.muster.model.address.Cidr;
import dev.muster.server.options.flag.Flag;
import dev.muster.server.options.flag.FlagGroup;
import java.math.BigInteger;
import java.util.List;

/** The ranges of Services' cluster IPs and node ports. */
@FlagGroup("Services")
public record ServiceOptions(
    @Flag(
            name = "service-cluster-ip-range",
            forms = {Flag.Form.LAST_USE_COUNTS, Flag.Form.EMPTY_IS_DEFAULT},
            help =
                "Range of cluster IPs in CIDR notation: one, or one of each family separated by a"
                    + " comma. Must not overlap with the addresses of nodes or pods.")
        List<Cidr> clusterIpRanges,
    @Flag(
            name = "service-node-port-range",
            forms = Flag.Form.EMPTY_IS_DEFAULT,
            help = "Ports for Services of type NodePort, both ends included.")
        PortRange nodePorts)
    implements OptionGroup {

  /** A range of ports, including the first and the last. */
  public record PortRange(int first, int last) {
    public PortRange {
      if (first < 1 || last > 65535 || first > last) {
        throw new IllegalArgumentException(first + "-" + last + " is not a range of ports");
      }
    }

    /** Parses {@code 30000-32767}, {@code 30000+2767} or a single port. */
    public static PortRange parse(String text) {
      try {
        int dash = text.indexOf('-');
        int plus = text.indexOf('+');
        if (dash > 0) {
          return new PortRange(
              Integer.parseInt(text.substring(0, dash)),
              Integer.parseInt(text.substring(dash + 1)));
        }
        if (plus > 0) {
          int first = Integer.parseInt(text.substring(0, plus));
          return new PortRange(first, first + Integer.parseInt(text.substring(plus + 1)));
        }
        return new PortRange(Integer.parseInt(text), Integer.parseInt(text));
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(text + " is not a range of ports", e);
      }
    }

    @Override
    public String toString() {
      return first + "-" + last;
    }
  }

  private static final BigInteger SMALLEST = BigInteger.valueOf(8);

  public ServiceOptions {
    clusterIpRanges = List.copyOf(clusterIpRanges);
    if (clusterIpRanges.isEmpty() || clusterIpRanges.size() > 2) {
      throw new IllegalArgumentException(
          "--service-cluster-ip-range: takes one range or a pair, not " + clusterIpRanges.size());
    }
    if (clusterIpRanges.size() == 2
        && clusterIpRanges.get(0).isSix() == clusterIpRanges.get(1).isSix()) {
      throw new IllegalArgumentException(
          "--service-cluster-ip-range: a pair needs one IPv4 and one IPv6 range");
    }
    for (var range : clusterIpRanges) {
      if (range.size().compareTo(SMALLEST) < 0) {
        throw new IllegalArgumentException(
            "--service-cluster-ip-range: " + range + " has fewer than 8 addresses");
      }
    }
  }

  public static ServiceOptions defaults() {
    return new ServiceOptions(List.of(Cidr.parse("10.0.0.0/24")), new PortRange(30000, 32767));
  }
}
