package dev.muster.controllers.certificates;

import dev.muster.controllers.StatusConditions;
import dev.muster.model.json.JsonObject;
import dev.muster.pki.Pem;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x500.style.IETFUtils;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;

/**
 * A CertificateSigningRequest with its decoded PKCS#10 request.
 *
 * @param object as the API server has it
 * @param content the request that the client signed
 */
record CertificateRequest(JsonObject object, PKCS10CertificationRequest content) {
  static final String CLIENT = "kubernetes.io/kube-apiserver-client";
  static final String KUBELET_CLIENT = "kubernetes.io/kube-apiserver-client-kubelet";
  static final String KUBELET_SERVING = "kubernetes.io/kubelet-serving";
  static final String LEGACY = "kubernetes.io/legacy-unknown";
  private static final String NODES = "system:nodes";
  private static final String NODE = "system:node:";

  /**
   * @throws IllegalArgumentException if the object contains no PKCS#10 request
   */
  static CertificateRequest of(JsonObject object) {
    var request = Base64.getMimeDecoder().decode(object.object("spec").string("request"));
    try {
      return new CertificateRequest(object, Pem.certificateRequest(request));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "unable to parse csr \"%s\": %s"
              .formatted(object.object("metadata").string("name"), e.getMessage()),
          e);
    }
  }

  String signer() {
    return object.object("spec").string("signerName");
  }

  Set<String> usages() {
    return new TreeSet<>(object.object("spec").array("usages").strings());
  }

  static boolean isApproved(JsonObject request) {
    var conditions = request.object("status").array("conditions");
    return !StatusConditions.find(conditions, "Approved").isEmpty() && !isDenied(request);
  }

  static boolean isDenied(JsonObject request) {
    return !StatusConditions.find(request.object("status").array("conditions"), "Denied").isEmpty();
  }

  static boolean isFailed(JsonObject request) {
    return !StatusConditions.find(request.object("status").array("conditions"), "Failed").isEmpty();
  }

  static boolean isIssued(JsonObject request) {
    return !request.object("status").string("certificate").isEmpty();
  }

  String commonName() {
    return values(BCStyle.CN).stream().findFirst().orElse("");
  }

  private List<String> values(ASN1ObjectIdentifier type) {
    return Arrays.stream(content.getSubject().getRDNs(type))
        .map(name -> IETFUtils.valueToString(name.getFirst().getValue()))
        .toList();
  }

  /** The requested subject alternative names. */
  GeneralName[] alternativeNames() {
    for (var attribute : content.getAttributes(PKCSObjectIdentifiers.pkcs_9_at_extensionRequest)) {
      var names =
          GeneralNames.fromExtensions(
              Extensions.getInstance(attribute.getAttrValues().getObjectAt(0)),
              Extension.subjectAlternativeName);
      if (names != null) {
        return names.getNames();
      }
    }
    return new GeneralName[0];
  }

  private boolean isOfNode() {
    return values(BCStyle.O).equals(List.of(NODES)) && commonName().startsWith(NODE);
  }

  private boolean hasUsages(String last) {
    var usages = usages();
    return usages.equals(Set.of("digital signature", "key encipherment", last))
        || usages.equals(Set.of("digital signature", last));
  }

  /**
   * Whether this is a kubelet's request for a client certificate with no more than a kubelet needs.
   */
  boolean isOfKubeletClient() {
    return isOfNode() && alternativeNames().length == 0 && hasUsages("client auth");
  }

  /**
   * Whether this is a kubelet's request for a serving certificate with no more than a kubelet
   * needs.
   */
  boolean isOfKubeletServer() {
    var names = alternativeNames();
    for (var name : names) {
      if (name.getTagNo() != GeneralName.dNSName && name.getTagNo() != GeneralName.iPAddress) {
        return false;
      }
    }
    return isOfNode() && names.length > 0 && hasUsages("server auth");
  }

  /** Why the requested signer must not sign this; "" if it may. */
  String objection() {
    return switch (signer()) {
      case CLIENT ->
          usages().contains("client auth")
                  && Set.of("client auth", "digital signature", "key encipherment")
                      .containsAll(usages())
              ? ""
              : "invalid usage for client certificate: " + usages();
      case KUBELET_CLIENT -> isOfKubeletClient() ? "" : "not a request of a kubelet's client";
      case KUBELET_SERVING -> isOfKubeletServer() ? "" : "not a request of a kubelet's server";
      default -> "";
    };
  }
}
