package dev.muster.authentication.jwt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.validation.FieldError;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class JwtConfigurationRulesTest {
  private static final String USERNAME = "claimMappings: {username: {claim: sub, prefix: ''}}";

  private static List<String> problems(String rest) {
    var text = "apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\n" + rest;
    var read = JwtConfigurationReader.read(text.getBytes(StandardCharsets.UTF_8));
    return JwtConfigurationRules.problems(read, List.of("https://kubernetes.default.svc")).stream()
        .map(FieldError::toString)
        .toList();
  }

  private static List<String> ofIssuer(String issuer) {
    return problems("jwt:\n- issuer: {" + issuer + "}\n  " + USERNAME);
  }

  private static List<String> ofRest(String rest) {
    return problems("jwt:\n- issuer: {url: 'https://a', audiences: [x]}\n" + rest.indent(2));
  }

  @Test
  void anIssuerNeedsAUrlAndAnAudience() {
    assertThat(ofIssuer(""))
        .containsExactly(
            "jwt[0].issuer.url: Required value",
            "jwt[0].issuer.audiences: Required value: at least one jwt[0].issuer.audiences is"
                + " required");
    assertThat(ofIssuer("url: 'http://u:p@a?q=1#f', audiences: [x]"))
        .allMatch(problem -> problem.startsWith("jwt[0].issuer.url: Invalid value: "))
        .map(problem -> problem.substring(problem.lastIndexOf("\": ") + 3))
        .containsExactly(
            "URL scheme must be https",
            "URL must not contain a username or password",
            "URL must not contain a query",
            "URL must not contain a fragment");
    assertThat(ofIssuer("url: 'https://kubernetes.default.svc', audiences: [x]"))
        .containsExactly(
            "jwt[0].issuer.url: Invalid value: \"https://kubernetes.default.svc\": URL must not"
                + " overlap with disallowed issuers: [https://kubernetes.default.svc]");
  }

  @Test
  void audiencesAreDistinctAndSeveralMatchAny() {
    assertThat(ofIssuer("url: 'https://a', audiences: [x, x, '']"))
        .containsExactly(
            "jwt[0].issuer.audiences[1]: Duplicate value: \"x\"",
            "jwt[0].issuer.audiences[2]: Required value",
            "jwt[0].issuer.audienceMatchPolicy: Invalid value: \"\": audienceMatchPolicy must be"
                + " MatchAny for multiple audiences");
    assertThat(ofIssuer("url: 'https://a', audiences: [x], audienceMatchPolicy: MatchAll"))
        .containsExactly(
            "jwt[0].issuer.audienceMatchPolicy: Invalid value: \"MatchAll\": audienceMatchPolicy"
                + " must be empty or MatchAny for single audience");
    assertThat(ofIssuer("url: 'https://a', audiences: [x, z], audienceMatchPolicy: MatchAny"))
        .isEmpty();
  }

  @Test
  void theOtherFieldsOfAnIssuerAreLookedAt() {
    assertThat(
            ofIssuer(
                "url: 'https://a', discoveryURL: 'https://a/', audiences: [x],"
                    + " certificateAuthority: x, egressSelectorType: etcd"))
        .containsExactly(
            "jwt[0].issuer.discoveryURL: Invalid value: \"https://a/\": discoveryURL must be"
                + " different from URL",
            "jwt[0].issuer.certificateAuthority: Invalid value: \"<omitted>\": data does not"
                + " contain any valid RSA or ECDSA certificates",
            "jwt[0].issuer.egressSelectorType: Invalid value: \"etcd\": egress selector must be"
                + " either controlplane or cluster");
    assertThat(ofIssuer("url: 'https://a', audiences: [x], egressSelectorType: cluster")).isEmpty();
  }

  @Test
  void issuersAreDistinctAndNotTooMany() {
    var one = "- issuer: {url: 'https://a', discoveryURL: 'https://d', audiences: [x]}\n  ";
    assertThat(problems("jwt:\n" + (one + USERNAME + "\n").repeat(2)))
        .containsExactly(
            "jwt[1].issuer.url: Duplicate value: \"https://a\"",
            "jwt[1].issuer.discoveryURL: Duplicate value: \"https://d\"");
    assertThat(problems("jwt:\n" + (one + USERNAME + "\n").repeat(65)))
        .containsExactly("jwt: Too many: 65: must have at most 64 items");
  }

  @Test
  void aUserNeedsAName() {
    assertThat(ofRest("claimMappings: {}"))
        .containsExactly(
            "jwt[0].claimMappings.username: Required value: claim or expression is required");
    assertThat(ofRest("claimMappings: {username: {claim: a}, groups: {claim: g}}"))
        .allMatch(problem -> problem.contains("prefix: Required value: prefix is required when"))
        .hasSize(2);
    assertThat(
            ofRest(
                "claimMappings: {username: {claim: a, expression: b},"
                    + " uid: {claim: a, expression: b}}"))
        .containsExactly(
            "jwt[0].claimMappings.username: Invalid value: \"\": claim and expression can't both"
                + " be set",
            "jwt[0].claimMappings.uid: Invalid value: \"\": claim and expression can't both be"
                + " set");
    assertThat(ofRest("claimMappings: {username: {expression: claims.sub, prefix: x}}"))
        .containsExactly(
            "jwt[0].claimMappings.username.prefix: Invalid value: \"x\": may not be specified when"
                + " expression is set");
  }

  @Test
  void expressionsAreCompiled() {
    assertThat(ofRest("claimMappings: {username: {expression: foo.bar}}").getFirst())
        .startsWith(
            "jwt[0].claimMappings.username.expression: Invalid value: \"foo.bar\": compilation"
                + " failed: ERROR: <input>:1:1: undeclared reference to 'foo'");
    assertThat(ofRest(USERNAME + "\nclaimValidationRules: [{expression: claims.a}]"))
        .containsExactly(
            "jwt[0].claimValidationRules[0].expression: Invalid value: \"claims.a\": must evaluate"
                + " to bool");
    assertThat(ofRest(USERNAME + "\nuserValidationRules: [{expression: user.name == ''}, {}]"))
        .anyMatch(problem -> problem.contains("undefined field 'name'"))
        .contains("jwt[0].userValidationRules[1].expression: Required value");
  }

  @Test
  void anAddressOfMailMustBeVerified() {
    var email = "claimMappings: {username: {expression: claims.email}";
    assertThat(ofRest(email + "}").getFirst())
        .contains("claims.email_verified must be used in claimMappings.username.expression");
    var optional = "claimMappings: {username: {expression: \"claims.?email.orValue('')\"}}";
    assertThat(ofRest(optional)).hasSize(1);
    assertThat(
            ofRest(
                email
                    + ", extra: [{key: a.io/v, valueExpression:"
                    + " string(claims.email_verified)}]}"))
        .isEmpty();
    assertThat(
            ofRest(
                email
                    + "}\nclaimValidationRules: [{expression:"
                    + " 'claims.?email_verified.orValue(true) == true'}]"))
        .isEmpty();
  }

  @Test
  void extraKeysHaveADomainThatIsNotKubernetesOwn() {
    assertThat(
            ofRest(
                "claimMappings: {username: {claim: a, prefix: ''}, extra: ["
                    + "{key: foo, valueExpression: claims.a},"
                    + "{key: A.io/b, valueExpression: claims.a},"
                    + "{key: x.k8s.io/b, valueExpression: claims.a},"
                    + "{key: a.io/b},"
                    + "{key: a.io/b, valueExpression: claims.a}]}"))
        .anyMatch(problem -> problem.contains("must be a domain-prefixed path"))
        .anyMatch(problem -> problem.contains("must be lowercase"))
        .anyMatch(problem -> problem.contains("are reserved for Kubernetes use"))
        .contains(
            "jwt[0].claimMappings.extra[3].valueExpression: Required value",
            "jwt[0].claimMappings.extra[4].key: Duplicate value: \"a.io/b\"");
  }

  @Test
  void rulesAreClaimsOrExpressionsAndDistinct() {
    assertThat(
            ofRest(
                USERNAME
                    + "\nclaimValidationRules: [{}, {claim: a, expression: b}, {claim: a, message:"
                    + " m}, {claim: a}, {expression: 'true', requiredValue: v}, {expression:"
                    + " 'true'}]"))
        .containsExactly(
            "jwt[0].claimValidationRules[0]: Required value: claim or expression is required",
            "jwt[0].claimValidationRules[1]: Invalid value: \"a\": claim and expression can't both"
                + " be set",
            "jwt[0].claimValidationRules[2].message: Invalid value: \"m\": may not be specified"
                + " when claim is set",
            "jwt[0].claimValidationRules[3].claim: Duplicate value: \"a\"",
            "jwt[0].claimValidationRules[4].requiredValue: Invalid value: \"v\": may not be"
                + " specified when expression is set",
            "jwt[0].claimValidationRules[5].expression: Duplicate value: \"true\"");
  }

  @Test
  void conditionsAreForRequestsThatMayBeAnonymous() {
    assertThat(problems("anonymous: {enabled: false, conditions: [{path: /livez}]}"))
        .containsExactly(
            "anonymous.conditions: Invalid value: [{\"path\":\"/livez\"}]: enabled should be set"
                + " to true when conditions are defined");
  }
}
