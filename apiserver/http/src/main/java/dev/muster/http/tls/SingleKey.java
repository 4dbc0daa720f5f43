package dev.muster.http.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Presents the same certificate to every client. The JDK's own manager reads keys only from a key
 * store, which encrypts them. It also compares issuer names, for which a new JVM loads all Unicode
 * compositions.
 */
final class SingleKey extends X509ExtendedKeyManager {
  private static final String ALIAS = "server";

  private final TlsMaterial material;

  SingleKey(TlsMaterial material) {
    this.material = material;
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
    return chosen(keyType);
  }

  @Override
  public @Nullable String chooseServerAlias(
      String keyType, Principal @Nullable [] issuers, Socket socket) {
    return chosen(keyType);
  }

  @Override
  public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    return chosen(keyType) == null ? null : new String[] {ALIAS};
  }

  private @Nullable String chosen(String keyType) {
    return keyType.equals(material.chain().getFirst().getPublicKey().getAlgorithm()) ? ALIAS : null;
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    return material.chain().toArray(X509Certificate[]::new);
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    return material.key();
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, Socket socket) {
    return null;
  }

  @Override
  public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    return null;
  }
}
