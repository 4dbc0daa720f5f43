package dev.muster.server.aggregation;

import dev.muster.model.GroupVersion;
import dev.muster.model.json.JsonObject;
import dev.muster.types.ApiPriority;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * A group version that an aggregated API server serves, as its APIService declares it.
 *
 * @param service the Service of that server
 * @param authorities the CAs, in PEM, that must have signed its certificate; "" for those of this
 *     machine
 * @param unverified whether its certificate is not verified
 * @param available whether the last availability check passed
 * @param revision that wrote the APIService
 */
public record AggregatedApi(
    GroupVersion groupVersion,
    ServiceReference service,
    String authorities,
    boolean unverified,
    ApiPriority priority,
    boolean available,
    long revision) {
  private static final int HTTPS = 443;

  /** A port of a Service. */
  public record ServiceReference(String namespace, String name, int port) {
    /** The name that the server's certificate must have. */
    public String serverName() {
      return name + "." + namespace + ".svc";
    }

    @Override
    public String toString() {
      return namespace + "/" + name + ":" + port;
    }
  }

  /** Null for APIServices without a Service, which this server itself serves. */
  static @Nullable AggregatedApi of(JsonObject apiService, long revision) {
    var spec = apiService.object("spec");
    if (!(spec.get("service") instanceof JsonObject service)) {
      return null;
    }
    return new AggregatedApi(
        new GroupVersion(spec.string("group"), spec.string("version")),
        new ServiceReference(
            service.string("namespace"),
            service.string("name"),
            (int) service.integer("port", HTTPS)),
        decoded(spec.string("caBundle")),
        spec.isTrue("insecureSkipTLSVerify"),
        new ApiPriority(
            (int) spec.integer("groupPriorityMinimum", 0),
            (int) spec.integer("versionPriority", 0)),
        AvailableCondition.isTrue(apiService),
        revision);
  }

  private static String decoded(String bundle) {
    return new String(Base64.getDecoder().decode(bundle), StandardCharsets.UTF_8);
  }

  /** The name of the APIService. */
  public String name() {
    return groupVersion.version() + "." + groupVersion.group();
  }

  /** The path below which all requests belong to that server. */
  public String root() {
    return groupVersion.group().isEmpty()
        ? "/api/" + groupVersion.version()
        : "/apis/" + groupVersion;
  }

  /** Whether it names the same Service, CAs and verification as the other. */
  boolean isReachedAs(AggregatedApi other) {
    return service.equals(other.service)
        && authorities.equals(other.authorities)
        && unverified == other.unverified;
  }
}
