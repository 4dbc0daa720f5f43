package dev.muster.authentication.jwt;

import dev.muster.authentication.jwt.AuthenticationConfiguration.Anonymous;
import dev.muster.authentication.jwt.AuthenticationConfiguration.ClaimMappings;
import dev.muster.authentication.jwt.AuthenticationConfiguration.ClaimRule;
import dev.muster.authentication.jwt.AuthenticationConfiguration.ExtraMapping;
import dev.muster.authentication.jwt.AuthenticationConfiguration.Issuer;
import dev.muster.authentication.jwt.AuthenticationConfiguration.Jwt;
import dev.muster.authentication.jwt.AuthenticationConfiguration.Mapping;
import dev.muster.authentication.jwt.AuthenticationConfiguration.UserRule;
import dev.muster.model.json.JsonObject;
import dev.muster.wire.ConfigurationKind;
import dev.muster.wire.DecodeException;
import dev.muster.wire.StrictFields;
import dev.muster.wire.yaml.YamlReader;
import java.util.Set;

/** Reads the {@code --authentication-config} file, JSON or YAML, strictly. */
public final class JwtConfigurationReader {
  private static final String GROUP = "apiserver.config.k8s.io/";
  private static final ConfigurationKind KIND =
      new ConfigurationKind(
          "AuthenticationConfiguration",
          Set.of(GROUP + "v1", GROUP + "v1beta1", GROUP + "v1alpha1"));

  private JwtConfigurationReader() {}

  /**
   * @throws IllegalArgumentException when the content is no such configuration
   */
  public static AuthenticationConfiguration read(byte[] content) {
    if (content.length == 0) {
      throw new IllegalArgumentException("empty config data");
    }
    try {
      var document = YamlReader.document(content);
      var shown =
          document.value() instanceof JsonObject object ? ConfigurationKind.shown(object) : "";
      return KIND.read(document, shown, JwtConfigurationReader::configuration);
    } catch (DecodeException e) {
      throw new IllegalArgumentException(e.text(), e);
    }
  }

  private static AuthenticationConfiguration configuration(StrictFields fields) {
    return new AuthenticationConfiguration(
        fields.objects("jwt", JwtConfigurationReader::jwt),
        fields.optionalObject(
            "anonymous",
            anonymous ->
                new Anonymous(
                    anonymous.bool("enabled"),
                    anonymous.objects("conditions", condition -> condition.text("path")))));
  }

  private static Jwt jwt(StrictFields fields) {
    return new Jwt(
        fields.object("issuer", JwtConfigurationReader::issuer),
        fields.objects(
            "claimValidationRules",
            rule ->
                new ClaimRule(
                    rule.text("claim"),
                    rule.text("requiredValue"),
                    rule.text("expression"),
                    rule.text("message"))),
        fields.object("claimMappings", JwtConfigurationReader::mappings),
        fields.objects(
            "userValidationRules",
            rule -> new UserRule(rule.text("expression"), rule.text("message"))));
  }

  private static Issuer issuer(StrictFields fields) {
    return new Issuer(
        fields.text("url"),
        fields.text("discoveryURL"),
        fields.text("certificateAuthority"),
        fields.texts("audiences"),
        fields.text("audienceMatchPolicy"),
        fields.text("egressSelectorType"));
  }

  private static ClaimMappings mappings(StrictFields fields) {
    return new ClaimMappings(
        fields.object("username", JwtConfigurationReader::prefixed),
        fields.object("groups", JwtConfigurationReader::prefixed),
        fields.object("uid", uid -> new Mapping(uid.text("claim"), null, uid.text("expression"))),
        fields.objects(
            "extra", extra -> new ExtraMapping(extra.text("key"), extra.text("valueExpression"))));
  }

  private static Mapping prefixed(StrictFields fields) {
    return new Mapping(
        fields.text("claim"), fields.optionalText("prefix"), fields.text("expression"));
  }
}
