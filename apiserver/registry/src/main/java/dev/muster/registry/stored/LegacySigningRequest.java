package dev.muster.registry.stored;

import static dev.muster.validation.Default.code;
import static dev.muster.validation.Default.computed;
import static dev.muster.validation.Default.each;
import static dev.muster.validation.Default.in;
import static dev.muster.validation.Default.make;
import static dev.muster.validation.Default.value;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.validation.Default;
import dev.muster.validation.certificates.RequestedNames;
import dev.muster.validation.certificates.RequestedNames.Kind;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Converts CertificateSigningRequests of {@code certificates.k8s.io/v1beta1}. */
final class LegacySigningRequest {
  private static final String KEY_ENCIPHERMENT = "key encipherment";
  private static final String DIGITAL_SIGNATURE = "digital signature";
  private static final Json USAGES =
      JsonArray.of(Json.of(DIGITAL_SIGNATURE), Json.of(KEY_ENCIPHERMENT));

  private static final Default REQUEST =
      Default.all(
          make("spec", computed("usages", spec -> USAGES), code(LegacySigningRequest::withSigner)),
          in("status", each("conditions", value("status", "True"))));

  private LegacySigningRequest() {}

  static JsonObject served(JsonObject request) {
    return REQUEST.apply(request);
  }

  /** Derives a missing signer name from the requested certificate, as upstream does. */
  private static JsonObject withSigner(JsonObject spec) {
    var said = spec.get("signerName");
    return said == null || said == JsonNull.NULL
        ? spec.with("signerName", "kubernetes.io/" + signer(spec))
        : spec;
  }

  private static String signer(JsonObject spec) {
    var usages = new HashSet<>(spec.array("usages").strings());
    return RequestedNames.of(Base64.getMimeDecoder().decode(spec.string("request")))
        .filter(LegacySigningRequest::isNode)
        .map(names -> signer(names.kinds(), usages))
        .orElse("legacy-unknown");
  }

  private static boolean isNode(RequestedNames names) {
    return names.organizations().equals(List.of("system:nodes"))
        && names.commonName().startsWith("system:node:");
  }

  private static String signer(Set<Kind> names, Set<String> usages) {
    if (names.isEmpty() && isFor("client auth", usages)) {
      return "kube-apiserver-client-kubelet";
    }
    boolean hosts = names.contains(Kind.DNS) || names.contains(Kind.IP);
    boolean others = names.contains(Kind.EMAIL) || names.contains(Kind.URI);
    return hosts && !others && isFor("server auth", usages) ? "kubelet-serving" : "legacy-unknown";
  }

  private static boolean isFor(String purpose, Set<String> usages) {
    return usages.equals(Set.of(DIGITAL_SIGNATURE, purpose))
        || usages.equals(Set.of(DIGITAL_SIGNATURE, KEY_ENCIPHERMENT, purpose));
  }
}
