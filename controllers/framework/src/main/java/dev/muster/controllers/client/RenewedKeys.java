package dev.muster.controllers.client;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509KeyManager;
import org.jspecify.annotations.Nullable;

/**
 * A key manager that uses the newest client certificate for each new connection. Each alias stands
 * for one certificate, so that a certificate is never combined with the key of another.
 * Thread-safe, guarded by its own lock.
 */
final class RenewedKeys extends X509ExtendedKeyManager {
  private static final int REMEMBERED = 8;

  private record Choice(X509KeyManager keys, String alias) {}

  private final Supplier<@Nullable X509KeyManager> newest;
  private final Map<String, Choice> choices =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Choice> eldest) {
          return size() > REMEMBERED;
        }
      };
  private long count;

  RenewedKeys(Supplier<@Nullable X509KeyManager> newest) {
    this.newest = newest;
  }

  private synchronized @Nullable String choose(String[] types, Principal @Nullable [] issuers) {
    var keys = newest.get();
    var alias = keys == null ? null : keys.chooseClientAlias(types, issuers, null);
    if (keys == null || alias == null) {
      return null;
    }
    var choice = new Choice(keys, alias);
    for (var known : choices.entrySet()) {
      if (known.getValue().equals(choice)) {
        return known.getKey();
      }
    }
    var name = "renewed-" + ++count;
    choices.put(name, choice);
    return name;
  }

  private synchronized @Nullable Choice choice(String alias) {
    return choices.get(alias);
  }

  @Override
  public @Nullable String chooseEngineClientAlias(
      String[] types, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    return choose(types, issuers);
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return choose(types, issuers);
  }

  @Override
  public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
    var alias = choose(new String[] {type}, issuers);
    return alias == null ? null : new String[] {alias};
  }

  @Override
  public X509Certificate @Nullable [] getCertificateChain(String alias) {
    var choice = choice(alias);
    return choice == null ? null : choice.keys().getCertificateChain(choice.alias());
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(String alias) {
    var choice = choice(alias);
    return choice == null ? null : choice.keys().getPrivateKey(choice.alias());
  }

  @Override
  public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
    return null;
  }

  @Override
  public @Nullable String chooseServerAlias(
      String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return null;
  }
}
