package dev.muster.validation.certificates;

import static dev.muster.validation.FieldChecks.atLeast;
import static dev.muster.validation.Rules.clusterMetadata;
import static dev.muster.validation.Rules.field;
import static dev.muster.validation.Rules.metadataUpdate;

import dev.muster.model.User;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.model.validation.NameRule;
import dev.muster.model.validation.Names;
import dev.muster.types.Strategy;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.Rule;
import dev.muster.validation.Rules;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The strategy of CertificateSigningRequests. The spec never changes; {@code approval} approves or
 * denies the request, and {@code status} receives the certificate.
 */
public final class SigningRequestRules {
  private static final String LEGACY_SIGNER = "kubernetes.io/legacy-unknown";
  private static final int MOST_DOMAIN_BYTES = 253;
  private static final int MOST_SIGNER_BYTES = 571;
  private static final NameRule ANY_NAME = (name, prefix) -> List.of();

  private static final List<String> USAGES =
      List.of(
          "any",
          "cert sign",
          "client auth",
          "code signing",
          "content commitment",
          "crl sign",
          "data encipherment",
          "decipher only",
          "digital signature",
          "email protection",
          "encipher only",
          "ipsec end system",
          "ipsec tunnel",
          "ipsec user",
          "key agreement",
          "key encipherment",
          "microsoft sgc",
          "netscape sgc",
          "ocsp signing",
          "s/mime",
          "server auth",
          "signing",
          "timestamping");

  private static final Rule REQUEST =
      Rule.all(
          clusterMetadata(ANY_NAME),
          field(
              "spec",
              field("request", SigningRequestRules::request),
              field("usages", SigningRequestRules::usages),
              field("signerName", SigningRequestRules::signer),
              field(
                  "expirationSeconds",
                  atLeast(600, "may not specify a duration less than 600 seconds (10 minutes)"))),
          field("status.conditions", RequestConditions::check),
          field("status.certificate", SigningRequestRules::certificate));

  private static final Rule UPDATE =
      Rule.all(
          REQUEST,
          RequestConditions::keptWhole,
          field("status.certificate", SigningRequestRules::untouched),
          metadataUpdate());

  private static final Rule STATUS_UPDATE =
      Rule.all(
          REQUEST,
          RequestConditions::keptWhole,
          field("status.certificate", SigningRequestRules::issuedOnce),
          metadataUpdate());

  private static final Rule APPROVAL =
      Rule.all(
          Rules.plainMetadata(false, NameRule.PATH_SEGMENT),
          Rules.plainMetadataUpdate(),
          REQUEST,
          RequestConditions::kept,
          field("status.certificate", SigningRequestRules::untouched),
          metadataUpdate());

  public static final Strategy STRATEGY =
      ResourceRules.cluster()
          .status()
          .requester(SigningRequestRules::requester)
          .prepareUpdate((request, old) -> request.with("spec", old.object("spec")))
          .prepareStatusUpdate(RequestConditions::prepared)
          .create(REQUEST)
          .update(UPDATE)
          .statusUpdate(STATUS_UPDATE)
          .build();

  private SigningRequestRules() {}

  /** The stored request with the conditions from the client. */
  public static JsonObject prepareForApproval(JsonObject request, JsonObject old) {
    var conditions = RequestConditions.timed(request, old).object("status").array("conditions");
    var status = old.object("status").with("conditions", conditions);
    return request.with("spec", old.object("spec")).with("status", status);
  }

  /** Validates a change through the approval subresource. */
  public static void validateApproval(JsonObject request, JsonObject old, List<FieldError> errors) {
    APPROVAL.check(FieldCursor.of(request, old, errors));
  }

  /** Records the user, replacing any other user that the client sends. */
  private static JsonObject requester(JsonObject request, User user) {
    var spec =
        request
            .object("spec")
            .without("username")
            .without("uid")
            .without("groups")
            .without("extra")
            .with("username", user.name());
    if (!user.uid().isEmpty()) {
      spec = spec.with("uid", user.uid());
    }
    if (!user.groups().isEmpty()) {
      spec = spec.with("groups", texts(user.groups()));
    }
    var extra = JsonObject.EMPTY;
    for (var entry : new TreeMap<>(user.extra()).entrySet()) {
      extra = extra.with(entry.getKey(), texts(entry.getValue()));
    }
    return request.with("spec", extra.isEmpty() ? spec : spec.with("extra", extra));
  }

  private static JsonArray texts(List<String> values) {
    return JsonArray.of(values.stream().map(Json::of).toArray(Json[]::new));
  }

  private static byte[] bytes(FieldCursor place) {
    return Base64.getDecoder().decode(place.text());
  }

  private static void request(FieldCursor request) {
    var problem = SignedRequest.problem(bytes(request));
    if (!problem.isEmpty()) {
      var value = request.value();
      request.invalid(value == null ? JsonNull.NULL : value, problem);
    }
  }

  /** Validates usages; values that an older server accepted stay valid while they do not change. */
  private static void usages(FieldCursor usages) {
    if (usages.isEmpty()) {
      usages.required("");
    }
    var before = usages.before().array().strings();
    if (USAGES.containsAll(before)) {
      for (var usage : usages.items()) {
        if (!USAGES.contains(usage.text())) {
          usage.notSupported(USAGES);
        }
      }
    }
    if (new HashSet<>(before).size() == before.size()) {
      var seen = new HashSet<String>();
      for (var usage : usages.items()) {
        if (!seen.add(usage.text())) {
          usage.duplicate();
        }
      }
    }
  }

  private static void signer(FieldCursor signer) {
    if (signer.isText(LEGACY_SIGNER) && !signer.before().isText(LEGACY_SIGNER)) {
      signer.invalid("the legacy signerName is not allowed via this API version");
      return;
    }
    if (signer.isEmpty()) {
      signer.required("");
      return;
    }
    var parts = signer.text().split("/", -1);
    if (parts.length != 2) {
      signer.invalid(
          "must be a fully qualified domain and path of the form 'example.com/signer-name'");
      return;
    }
    if (GoText.bytes(parts[0]) > MOST_DOMAIN_BYTES) {
      signer.tooLong(MOST_DOMAIN_BYTES);
    }
    labels(signer, parts[0], Names::dnsLabel);
    if (parts[0].indexOf('.') < 0) {
      signer.invalid(
          Json.of(parts[0]), "should be a domain with at least two segments separated by dots");
    }
    labels(signer, parts[1], Names::dnsSubdomain);
    if (GoText.bytes(signer.text()) > MOST_SIGNER_BYTES) {
      signer.tooLong(MOST_SIGNER_BYTES);
    }
  }

  /** Validates the labels of a domain; reports only the first error. */
  private static void labels(FieldCursor signer, String part, Function<String, List<String>> form) {
    for (var label : part.split("\\.", -1)) {
      var problems = form.apply(label);
      for (var problem : problems) {
        signer.invalid(Json.of(part), "validating label " + GoText.quote(label) + ": " + problem);
      }
      if (!problems.isEmpty()) {
        return;
      }
    }
  }

  private static void certificate(FieldCursor certificate) {
    if (certificate.isUpdate()
        && (!certificate.isChanged()
            || !SignedRequest.certificateProblem(bytes(certificate.before())).isEmpty())) {
      return;
    }
    var problem = SignedRequest.certificateProblem(bytes(certificate));
    if (!problem.isEmpty()) {
      certificate.report(
          FieldError.invalid(FieldPath.of("status", "certificate"), "<certificate data>", problem));
    }
  }

  private static void untouched(FieldCursor certificate) {
    if (certificate.isChanged()) {
      certificate.forbidden("updates may not set certificate content");
    }
  }

  private static void issuedOnce(FieldCursor certificate) {
    if (certificate.isChanged() && !certificate.before().isEmpty()) {
      certificate.forbidden("updates may not modify existing certificate content");
    }
  }
}
