package dev.muster.authentication.jwt;

import dev.muster.authentication.jwt.AuthenticationConfiguration.Anonymous;
import dev.muster.authentication.jwt.AuthenticationConfiguration.Jwt;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/** Validates an authentication configuration, with kube-apiserver's error messages. */
public final class JwtConfigurationRules {
  private static final int MOST_ISSUERS = 64;

  private JwtConfigurationRules() {}

  /**
   * A validated configuration.
   *
   * @param issuers the compiled issuers; complete only when there are no errors
   */
  record Checked(List<FieldError> errors, List<ClaimMapper> issuers) {}

  /**
   * The validation errors of a configuration.
   *
   * @param disallowedIssuers the issuers of service account tokens, which JWT issuers must not use
   */
  public static List<FieldError> problems(
      AuthenticationConfiguration configuration, List<String> disallowedIssuers) {
    return check(configuration, disallowedIssuers).errors();
  }

  static Checked check(AuthenticationConfiguration configuration, List<String> disallowedIssuers) {
    var errors = new ArrayList<FieldError>();
    var issuers = new ArrayList<ClaimMapper>();
    var root = FieldPath.of("jwt");
    var all = configuration.jwt();
    if (all.size() > MOST_ISSUERS) {
      errors.add(FieldError.tooMany(root, all.size(), MOST_ISSUERS));
      return new Checked(errors, issuers);
    }
    var urls = new HashSet<String>();
    var discoveries = new HashSet<String>();
    for (int i = 0; i < all.size(); i++) {
      issuers.add(check(all.get(i), root.index(i), disallowedIssuers, errors));
      var issuer = all.get(i).issuer();
      var path = root.index(i).child("issuer");
      if (!urls.add(issuer.url())) {
        errors.add(FieldError.duplicate(path.child("url"), Json.of(issuer.url())));
      }
      if (!issuer.discoveryUrl().isEmpty() && !discoveries.add(issuer.discoveryUrl())) {
        errors.add(
            FieldError.duplicate(path.child("discoveryURL"), Json.of(issuer.discoveryUrl())));
      }
    }
    var anonymous = configuration.anonymous();
    if (anonymous != null && !anonymous.enabled() && !anonymous.paths().isEmpty()) {
      errors.add(
          FieldError.invalid(
              FieldPath.of("anonymous", "conditions"),
              conditions(anonymous),
              "enabled should be set to true when conditions are defined"));
    }
    return new Checked(errors, issuers);
  }

  private static Json conditions(Anonymous anonymous) {
    return JsonArray.of(
        anonymous.paths().stream().map(path -> (Json) JsonObject.of("path", path)).toList());
  }

  private static ClaimMapper check(
      Jwt jwt, FieldPath path, List<String> disallowedIssuers, List<FieldError> errors) {
    IssuerRules.check(jwt.issuer(), path.child("issuer"), disallowedIssuers, errors);
    return new MappingRules(jwt, path, errors).check();
  }
}
