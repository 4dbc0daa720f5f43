package dev.muster.authentication.jwt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.authentication.RefusedCredentials;
import dev.muster.model.User;
import dev.muster.model.json.JsonObject;
import dev.muster.wire.JsonReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClaimMapperTest {
  private static ClaimMapper mapper(String rest) {
    var text =
        "apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\n"
            + "jwt:\n- issuer: {url: 'https://a', audiences: [x]}\n"
            + rest.indent(2);
    var read = JwtConfigurationReader.read(text.getBytes(StandardCharsets.UTF_8));
    var checked = JwtConfigurationRules.check(read, List.of());
    assertThat(checked.errors()).isEmpty();
    return checked.issuers().getFirst();
  }

  private static User user(String rest, String claims) {
    var read = JsonReader.read(claims.getBytes(StandardCharsets.UTF_8));
    return mapper(rest).user((JsonObject) read);
  }

  private static void assertRefused(String rest, String claims, String message) {
    assertThatThrownBy(() -> user(rest, claims))
        .isInstanceOf(RefusedCredentials.class)
        .hasMessageContaining(message);
  }

  @Test
  void claimsMakeAUser() {
    var mapping =
        "claimMappings: {username: {claim: sub, prefix: 'u:'}, groups: {claim: roles, prefix:"
            + " 'g:'}, uid: {claim: id}}";
    var user = user(mapping, "{\"sub\":\"jane\",\"roles\":\"dev\",\"id\":\"7\"}");
    assertThat(user).isEqualTo(new User("u:jane", "7", List.of("g:dev"), Map.of()));
    assertThat(user(mapping, "{\"sub\":\"jane\",\"roles\":null,\"id\":\"7\"}").groups()).isEmpty();
    assertRefused(mapping, "{}", "oidc: parse username claims \"sub\": claim not present");
    assertRefused(mapping, "{\"sub\":7}", "oidc: parse username claims \"sub\": ");
    assertRefused(mapping, "{\"sub\":\"j\"}", "oidc: parse uid claim \"id\": claim not present");
    assertRefused(
        mapping,
        "{\"sub\":\"j\",\"id\":\"7\",\"roles\":[1]}",
        "oidc: parse groups claim \"roles\"");
  }

  @Test
  void anAddressOfMailThatIsNotVerifiedIsNoName() {
    var mapping = "claimMappings: {username: {claim: email, prefix: ''}}";
    assertThat(user(mapping, "{\"email\":\"j@x\"}").name()).isEqualTo("j@x");
    assertThat(user(mapping, "{\"email\":\"j@x\",\"email_verified\":true}").name())
        .isEqualTo("j@x");
    assertRefused(mapping, "{\"email\":\"j@x\",\"email_verified\":false}", "email not verified");
    assertRefused(mapping, "{\"email\":\"j@x\",\"email_verified\":\"true\"}", "email_verified");
  }

  @Test
  void expressionsMakeAUser() {
    var mapping =
        """
        claimMappings:
          username: {expression: "claims.sub + '@' + claims.tenant.name"}
          groups: {expression: "claims.roles.filter(r, r != 'x')"}
          uid: {expression: "claims.?id.orValue('none')"}
          extra:
          - {key: a.io/list, valueExpression: "claims.roles"}
          - {key: a.io/text, valueExpression: "claims.sub"}
          - {key: a.io/nothing, valueExpression: "''"}
          - {key: a.io/null, valueExpression: "claims.?nope.orValue(null)"}
          - {key: a.io/dotted, valueExpression: "claims.foo__dot__bar"}
        """;
    var user =
        user(
            mapping,
            "{\"sub\":\"jane\",\"tenant\":{\"name\":\"t\"},\"roles\":[\"a\",\"\",\"x\"],"
                + "\"foo.bar\":\"d\",\"jti\":\"1\"}");
    assertThat(user.name()).isEqualTo("jane@t");
    assertThat(user.groups()).containsExactly("a");
    assertThat(user.uid()).isEqualTo("none");
    assertThat(user.extra())
        .isEqualTo(
            Map.of(
                "a.io/list", List.of("a", "x"),
                "a.io/text", List.of("jane"),
                "a.io/dotted", List.of("d"),
                "authentication.kubernetes.io/credential-id", List.of("JTI=1")));
  }

  @Test
  void expressionsThatMakeNothingOfUseRefuseTheToken() {
    var name = "claimMappings: {username: {expression: claims.sub}}";
    assertRefused(name, "{\"sub\":7}", "username claim expression must return a string");
    assertRefused(name, "{\"sub\":\"\"}", "oidc: empty username via CEL expression is not allowed");
    assertRefused(name, "{}", "expression 'claims.sub' resulted in error: no such key: sub");
    var groups =
        "claimMappings: {username: {claim: sub, prefix: ''}, groups: {expression: claims.g}}";
    assertRefused(groups, "{\"sub\":\"j\",\"g\":[1]}", "must return a string or a list of strings");
    assertRefused(groups, "{\"sub\":\"j\",\"g\":{}}", "must return a string or a list of strings");
  }

  @Test
  void numbersAreDoublesAsTheyAreUpstream() {
    var mapping =
        "claimMappings: {username: {claim: sub, prefix: ''}, uid: {expression:"
            + " 'string(type(claims.n) == double)'}}\n"
            + "claimValidationRules: [{expression: 'claims.exp - claims.nbf <= 86400'}]";
    assertThat(user(mapping, "{\"sub\":\"j\",\"n\":1,\"exp\":20,\"nbf\":10}").uid())
        .isEqualTo("true");
  }

  @Test
  void rulesOfUsersNameExtraKeysWithEscapesOrAsTheyAre() {
    var rules =
        """
        claimMappings:
          username: {claim: sub, prefix: ''}
          extra: [{key: a.io/list, valueExpression: "claims.roles"}]
        userValidationRules:
        - {expression: "user.extra.a__dot__io__slash__list.size() == 2"}
        - {expression: "user.extra['a.io/list'][0] == 'a'"}
        - {expression: "!has(user.extra.b__dot__io)"}
        """;
    assertThat(user(rules, "{\"sub\":\"j\",\"roles\":[\"a\",\"b\"]}").name()).isEqualTo("j");
  }

  @Test
  void rulesRefuseTokensAndUsers() {
    var rules =
        """
        claimMappings: {username: {claim: sub, prefix: ''}}
        claimValidationRules:
        - {claim: hd, requiredValue: x.com}
        - {expression: "claims.age > 17.0", message: too young}
        userValidationRules:
        - {expression: "!user.username.startsWith('system:')", message: reserved}
        """;
    assertThat(user(rules, "{\"sub\":\"j\",\"hd\":\"x.com\",\"age\":18}").name()).isEqualTo("j");
    assertRefused(rules, "{\"sub\":\"j\"}", "oidc: required claim hd not present in ID token");
    assertRefused(
        rules,
        "{\"sub\":\"j\",\"hd\":\"y\"}",
        "oidc: required claim hd value does not match. Got = y, want = x.com");
    assertRefused(
        rules,
        "{\"sub\":\"j\",\"hd\":\"x.com\",\"age\":17}",
        "validation expression 'claims.age > 17.0' failed: too young");
    assertRefused(
        rules,
        "{\"sub\":\"system:admin\",\"hd\":\"x.com\",\"age\":18}",
        "oidc: error evaluating user info validation rule: validation expression"
            + " '!user.username.startsWith('system:')' failed: reserved");
  }

  @Test
  void anExpressionMayNotCostTooMuch() {
    var mapping =
        "claimMappings: {username: {claim: sub, prefix: ''}}\n"
            + "claimValidationRules: [{expression: 'claims.a.all(x, claims.a.all(y, claims.a.all(z,"
            + " x + y + z >= 0.0)))'}]";
    var many = "0,".repeat(999) + "0";
    assertRefused(mapping, "{\"sub\":\"j\",\"a\":[" + many + "]}", "actual cost limit exceeded");
  }
}
