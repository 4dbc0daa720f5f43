package dev.muster.server.answers;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.RSAKey;
import dev.muster.model.json.Json;
import dev.muster.testing.OpenIdProvider;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Belongs to one thread. Tokens of those who would like to be somebody else, each with the names
 * that its bearer may have: those that the provider itself has signed, and otherwise none.
 */
final class HostileTokens {
  /** What a bearer who shows it may be called; nobody when it is empty. */
  record Shown(String token, Set<String> owners) {
    Shown {
      owners = Set.copyOf(owners);
    }
  }

  static final String JANE = "jane";
  private static final String ADMIN = "admin";
  private static final Set<String> NOBODY = Set.of();
  private static final String ODD = "abcXYZ019-_.~+/=%,; \t\"'\\{}\u00e9\u00ff";

  private final OpenIdProvider provider;
  private final ECKey published = OpenIdProvider.ec(Curve.P_256);
  private final RSAKey stranger = OpenIdProvider.rsa();
  private final Random random;
  private final String good;

  HostileTokens(OpenIdProvider provider, Random random) {
    this.provider = provider;
    this.random = random;
    provider.publish(List.of(provider.key(), published));
    this.good = signed(header("RS256", provider.key().getKeyID()), claims(JANE, ""));
  }

  String good() {
    return good;
  }

  Shown next() {
    return switch (random.nextInt(12)) {
      case 0 -> unsigned();
      case 1 -> signedWithAPassword();
      case 2 -> signedByAStranger();
      case 3 -> namingAKey();
      case 4 -> swapped();
      case 5 -> repeated();
      case 6 -> large();
      case 7 -> notText();
      case 8 -> zeroSignature();
      case 9 -> misTyped();
      case 10 -> critical();
      default -> mutated();
    };
  }

  /** Nobody's signature, under whatever name for that. */
  private Shown unsigned() {
    var algorithm = one("none", "None", "nONE", "", "NONE ", "null");
    var body = base64(header(algorithm, provider.key().getKeyID())) + "." + base64(admin());
    return new Shown(body + "." + one("", good.substring(good.lastIndexOf('.') + 1)), NOBODY);
  }

  /** The public key is known to everybody. */
  private Shown signedWithAPassword() {
    try {
      var der = provider.key().toRSAPublicKey().getEncoded();
      var pem =
          "-----BEGIN PUBLIC KEY-----\n"
              + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der)
              + "\n-----END PUBLIC KEY-----\n";
      byte[] secret =
          switch (random.nextInt(3)) {
            case 0 -> der;
            case 1 -> pem.getBytes(StandardCharsets.US_ASCII);
            default -> provider.key().getModulus().decode();
          };
      var bits = one("256", "384", "512");
      var input =
          base64(header(one("HS" + bits, "RS256"), provider.key().getKeyID()))
              + "."
              + base64(admin());
      var mac = Mac.getInstance("HmacSHA" + bits);
      mac.init(new SecretKeySpec(secret, "HMAC"));
      return new Shown(input + "." + base64(mac.doFinal(ascii(input))), NOBODY);
    } catch (GeneralSecurityException | JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  /** With the stranger's own key in the header, or under the name of the provider's. */
  private Shown signedByAStranger() {
    var kid = Json.of(one(provider.key().getKeyID(), published.getKeyID(), "x", "../../dev/null"));
    var more =
        one(
            "",
            ",\"jwk\":" + stranger.toPublicJWK().toJSONString(),
            ",\"jku\":\"https://127.0.0.1:1/keys\"",
            ",\"x5u\":\"https://127.0.0.1:1/\"",
            ",\"x5c\":[\"AAAA\"]");
    var header = "{\"alg\":\"RS256\",\"kid\":" + kid + more + "}";
    return new Shown(signed(header, admin(), privateKey(stranger)), NOBODY);
  }

  /** The provider has signed it: under its key's name, under none, or under a wrong one. */
  private Shown namingAKey() {
    return switch (random.nextInt(4)) {
      case 0 -> new Shown(signed("{\"alg\":\"RS256\"}", claims(JANE, "")), Set.of(JANE));
      case 1 -> new Shown(signed(header("RS256", "other"), claims(JANE, "")), NOBODY);
      case 2 -> new Shown(signed(header("RS256", published.getKeyID()), claims(JANE, "")), NOBODY);
      default -> new Shown(good, Set.of(JANE));
    };
  }

  /** Claims that somebody has put into a token that was signed without them. */
  private Shown swapped() {
    var parts = good.split("\\.", -1);
    return new Shown(parts[0] + "." + base64(admin()) + "." + parts[2], NOBODY);
  }

  /** Two of the same name: which one counts may not depend on who reads it. */
  private Shown repeated() {
    if (random.nextBoolean()) {
      var header = "{\"alg\":\"none\",\"alg\":\"RS256\",\"kid\":\"" + provider.key().getKeyID();
      return new Shown(signed(header + "\"}", claims(JANE, "")), Set.of(JANE));
    }
    return new Shown(
        signed(
            header("RS256", provider.key().getKeyID()),
            claims(JANE, ",\"sub\":\"joe\",\"iss\":\"" + provider.issuer() + "\"")),
        Set.of(JANE, "joe"));
  }

  private Shown large() {
    int size = 1 + random.nextInt(60_000);
    var more =
        switch (random.nextInt(3)) {
          case 0 -> ",\"x\":\"" + "y".repeat(size) + "\"";
          case 1 -> ",\"x\":" + "[".repeat(size / 10) + "]".repeat(size / 10);
          default -> ",\"x\":[" + "{},".repeat(size / 8) + "{}]";
        };
    return new Shown(
        signed(header("RS256", provider.key().getKeyID()), claims(JANE, more)), Set.of(JANE));
  }

  /** A name that is no text is not the name that is left when one looks away. */
  private Shown notText() {
    var bytes = claims("ja\u00ffne", "").getBytes(StandardCharsets.ISO_8859_1);
    var input = base64(header("RS256", provider.key().getKeyID())) + "." + base64(bytes);
    return new Shown(
        input + "." + base64(signature(input, privateKey(provider.key()))), Set.of("ja\ufffdne"));
  }

  /** Signatures that some libraries have taken for every message. */
  private Shown zeroSignature() {
    var input = base64(header("ES256", published.getKeyID())) + "." + base64(admin());
    return new Shown(input + "." + base64(new byte[one(0, 1, 63, 64, 65, 96)]), NOBODY);
  }

  /** A name that is none; an empty one is nobody's, though upstream lets it in as well. */
  private Shown misTyped() {
    var sub = one("7", "[\"jane\"]", "{\"a\":\"jane\"}", "null", "\"\"", "true");
    var claims = claims(JANE, "").replace("\"sub\":\"jane\"", "\"sub\":" + sub);
    boolean empty = sub.equals("null") || sub.equals("\"\"");
    return new Shown(
        signed(header("RS256", provider.key().getKeyID()), claims), empty ? Set.of("") : NOBODY);
  }

  /** What a reader has to understand, and does not. */
  private Shown critical() {
    var more = one(",\"crit\":[\"exp\"]", ",\"b64\":false,\"crit\":[\"b64\"]", ",\"crit\":[\"x\"]");
    var header = "{\"alg\":\"RS256\",\"kid\":\"" + provider.key().getKeyID() + "\"" + more + "}";
    return new Shown(signed(header, claims(JANE, "")), NOBODY);
  }

  /** Whatever is left of it, only what was signed counts; a signature may be written oddly. */
  private Shown mutated() {
    var text = new StringBuilder(good);
    for (int change = random.nextInt(3); change >= 0; change--) {
      int at = random.nextInt(text.length());
      char odd = ODD.charAt(random.nextInt(ODD.length()));
      switch (random.nextInt(4)) {
        case 0 -> text.setCharAt(at, odd);
        case 1 -> text.insert(at, odd);
        case 2 -> text.deleteCharAt(at);
        default -> text.setLength(at + 1);
      }
    }
    var input = good.substring(0, good.lastIndexOf('.') + 1);
    return new Shown(
        text.toString(), text.toString().strip().startsWith(input) ? Set.of(JANE) : NOBODY);
  }

  private String admin() {
    return claims(ADMIN, ",\"groups\":[\"system:masters\"]");
  }

  private String claims(String name, String more) {
    return "{\"iss\":\"%s\",\"aud\":\"%s\",\"exp\":99999999999,\"sub\":\"%s\"%s}"
        .formatted(provider.issuer(), OpenIdProvider.AUDIENCE, name, more);
  }

  private static String header(String algorithm, String kid) {
    return "{\"alg\":" + Json.of(algorithm) + ",\"kid\":" + Json.of(kid) + "}";
  }

  private String signed(String header, String claims) {
    return signed(header, claims, privateKey(provider.key()));
  }

  private static String signed(String header, String claims, PrivateKey key) {
    var input = base64(header) + "." + base64(claims);
    return input + "." + base64(signature(input, key));
  }

  private static byte[] signature(String input, PrivateKey key) {
    try {
      var signature = Signature.getInstance("SHA256withRSA");
      signature.initSign(key);
      signature.update(ascii(input));
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static PrivateKey privateKey(RSAKey key) {
    try {
      return key.toRSAPrivateKey();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  @SafeVarargs
  private <T> T one(T... choices) {
    return choices[random.nextInt(choices.length)];
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static String base64(String text) {
    return base64(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
