package dev.muster.admission.permissions;

import dev.muster.authorization.Attributes;
import dev.muster.authorization.Authorizer;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionDenial;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.RelatedStatusUpdate;
import java.util.List;

/** Plugins that require the verb {@code approve}, {@code sign} or {@code attest} on a signer. */
public final class Certificates {
  private Certificates() {}

  static boolean isFor(AdmissionRequest request, AdmissionOperation operation, String subresource) {
    return request.operation() == operation
        && request.subresource().equals(subresource)
        && request.isFor("certificates.k8s.io", "certificatesigningrequests");
  }

  private static void require(AdmissionRequest request, Authorizer authorizer, String verb) {
    var signer = request.mustOldObject().object("spec").string("signerName");
    if (!mayFor(request, authorizer, verb, signer)) {
      throw AdmissionDenial.of(
          request,
          "user not permitted to " + verb + " requests with signerName " + GoText.quote(signer));
    }
  }

  /** Whether the user has the verb for that signer, or for all signers of its domain. */
  private static boolean mayFor(
      AdmissionRequest request, Authorizer authorizer, String verb, String signer) {
    int slash = signer.indexOf('/');
    var domain = slash < 0 ? signer : signer.substring(0, slash);
    return may(request, authorizer, verb, signer) || may(request, authorizer, verb, domain + "/*");
  }

  private static boolean may(
      AdmissionRequest request, Authorizer authorizer, String verb, String signer) {
    return authorizer
        .authorize(
            Attributes.resource(
                request.user(), verb, "certificates.k8s.io", "*", "signers", "", "", signer))
        .allowed();
  }

  /** {@code CertificateApproval}. */
  public record Approval(Authorizer authorizer) implements Admission {
    @Override
    public List<RelatedStatusUpdate> validate(AdmissionRequest request) {
      if (isFor(request, AdmissionOperation.UPDATE, "approval")) {
        require(request, authorizer, "approve");
      }
      return List.of();
    }
  }

  /** {@code CertificateSigning}. */
  public record Signing(Authorizer authorizer) implements Admission {
    @Override
    public List<RelatedStatusUpdate> validate(AdmissionRequest request) {
      if (isFor(request, AdmissionOperation.UPDATE, "status") && changes(request)) {
        require(request, authorizer, "sign");
      }
      return List.of();
    }

    private static boolean changes(AdmissionRequest request) {
      var now = request.mustObject().object("status");
      var before = request.mustOldObject().object("status");
      return !now.string("certificate").equals(before.string("certificate"))
          || !conditions(now).equals(conditions(before));
    }

    private static List<JsonObject> conditions(JsonObject status) {
      return status.array("conditions").objects();
    }
  }

  /** {@code ClusterTrustBundleAttest}: checks writes of trust bundles that belong to a signer. */
  public record Attest(Authorizer authorizer) implements Admission {
    @Override
    public List<RelatedStatusUpdate> validate(AdmissionRequest request) {
      boolean write = request.createsOrUpdates();
      if (write && request.isFor("certificates.k8s.io", "clustertrustbundles")) {
        var signer = request.mustObject().object("spec").string("signerName");
        var old = request.oldObject();
        boolean same = old != null && bare(old).equals(bare(request.mustObject()));
        if (!signer.isEmpty() && !same && !mayFor(request, authorizer, "attest", signer)) {
          throw AdmissionDenial.of(
              request, "user not permitted to attest for signerName " + GoText.quote(signer));
        }
      }
      return List.of();
    }

    /** The bundle without metadata that only concerns garbage collection. */
    private static JsonObject bare(JsonObject bundle) {
      return bundle
          .withoutAt("metadata", "ownerReferences")
          .withoutAt("metadata", "finalizers")
          .withoutAt("metadata", "managedFields");
    }
  }
}
