package dev.muster.admission.permissions;

import dev.muster.model.User;
import dev.muster.pki.Pem;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionDenial;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.RelatedStatusUpdate;
import java.util.Base64;
import java.util.List;
import org.bouncycastle.asn1.ASN1String;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.jspecify.annotations.Nullable;

/**
 * Refuses CertificateSigningRequests for API client certificates in the group {@code
 * system:masters}.
 */
public final class CertificateSubjectRestriction implements Admission {
  private static final String SIGNER = "kubernetes.io/kube-apiserver-client";

  @Override
  public List<RelatedStatusUpdate> validate(AdmissionRequest request) {
    if (Certificates.isFor(request, AdmissionOperation.CREATE, "")) {
      var spec = request.mustObject().object("spec");
      if (spec.string("signerName").equals(SIGNER)) {
        check(request, parse(spec.string("request")));
      }
    }
    return List.of();
  }

  private static void check(AdmissionRequest request, @Nullable PKCS10CertificationRequest wanted) {
    if (wanted == null) {
      throw AdmissionDenial.of(
          request, "failed to parse CSR: PEM block type must be CERTIFICATE REQUEST");
    }
    for (var rdn : wanted.getSubject().getRDNs(BCStyle.O)) {
      for (var attribute : rdn.getTypesAndValues()) {
        if (attribute.getType().equals(BCStyle.O)
            && attribute.getValue() instanceof ASN1String group
            && group.getString().equals(User.MASTERS)) {
          throw AdmissionDenial.of(
              request, "use of " + SIGNER + " signer with system:masters group is not allowed");
        }
      }
    }
  }

  /** Refuses a certificate request of a node for another name than its own. */
  public static void checkNode(AdmissionRequest request, String node) {
    if (!Certificates.isFor(request, AdmissionOperation.CREATE, "")) {
      return;
    }
    var spec = request.mustObject().object("spec");
    var signer = spec.string("signerName");
    if (!signer.equals("kubernetes.io/kubelet-serving")
        && !signer.equals("kubernetes.io/kube-apiserver-client-kubelet")) {
      return;
    }
    var wanted = parse(spec.string("request"));
    if (wanted == null) {
      throw AdmissionDenial.of(
          request, "unable to parse csr: PEM block type must be CERTIFICATE REQUEST");
    }
    var names = wanted.getSubject().getRDNs(BCStyle.CN);
    var name = names.length == 0 ? "" : names[names.length - 1].getFirst().getValue().toString();
    if (!name.equals("system:node:" + node)) {
      throw AdmissionDenial.of(request, "can only create a node CSR with CN=system:node:" + node);
    }
  }

  private static @Nullable PKCS10CertificationRequest parse(String base64) {
    try {
      return Pem.certificateRequest(Base64.getDecoder().decode(base64));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
