package dev.muster.authentication.token;

import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.pki.Pem;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The key that signs service account tokens and all keys that verify them. Several verifying keys
 * allow a key rotation while old tokens stay valid. Immutable.
 */
public final class TokenKeys {
  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

  private final PrivateKey signing;
  private final TokenKey signingKey;
  private final Map<String, TokenKey> verifying;

  /**
   * @param others further keys whose tokens are accepted
   */
  public TokenKeys(KeyPair signing, List<PublicKey> others) {
    this.signing = signing.getPrivate();
    this.signingKey = TokenKey.of(signing.getPublic());
    this.verifying = new LinkedHashMap<>();
    for (var other : others) {
      var key = TokenKey.of(other);
      verifying.put(key.id(), key);
    }
    verifying.putIfAbsent(signingKey.id(), signingKey);
  }

  /** Parses the keys from PEM texts. */
  static TokenKeys of(String signing, List<String> verifying) {
    var others = new ArrayList<PublicKey>();
    verifying.forEach(text -> others.addAll(Pem.publicKeys(text)));
    return new TokenKeys(Pem.keyPair(signing), others);
  }

  /** Signs the claims and returns the token in compact form. */
  String sign(JsonObject claims) {
    var header = JsonObject.of("alg", signingKey.algorithm().name(), "kid", signingKey.id());
    var content = encode(header) + "." + encode(claims);
    var signature = signingKey.sign(signing, content.getBytes(StandardCharsets.US_ASCII));
    return content + "." + BASE64.encodeToString(signature);
  }

  private static String encode(JsonObject part) {
    return BASE64.encodeToString(part.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** The key with that ID; all keys when the token names none. */
  List<TokenKey> candidates(@Nullable String id) {
    if (id == null || id.isEmpty()) {
      return List.copyOf(verifying.values());
    }
    var key = verifying.get(id);
    return key == null ? List.of() : List.of(key);
  }

  /** The response of {@code /openid/v1/jwks}. */
  public JsonObject jwks() {
    return JsonObject.of(
        "keys", JsonArray.of(verifying.values().stream().map(TokenKey::jwk).toList()));
  }

  /** The response of {@code /.well-known/openid-configuration}. */
  public JsonObject openIdConfiguration(String issuer, String jwksUri) {
    var algorithms =
        verifying.values().stream().map(key -> key.algorithm().name()).distinct().sorted().toList();
    return JsonObject.of(
        "issuer",
        issuer,
        "jwks_uri",
        jwksUri,
        "response_types_supported",
        JsonArray.ofStrings(List.of("id_token")),
        "subject_types_supported",
        JsonArray.ofStrings(List.of("public")),
        "id_token_signing_alg_values_supported",
        JsonArray.ofStrings(algorithms));
  }
}
