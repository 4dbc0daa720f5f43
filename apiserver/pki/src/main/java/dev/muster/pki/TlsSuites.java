package dev.muster.pki;

import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/**
 * The TLS cipher suites that servers offer and clients ask for unless told otherwise: those of Go's
 * TLS, which kube-apiserver has, the best first. All of them have forward secrecy: the key exchange
 * of RSA, with which the server's key opens everything that was ever recorded, is not among them.
 */
public final class TlsSuites {
  /** Those of TLS 1.3, then those of TLS 1.2. */
  public static final List<String> USUAL =
      Stream.concat(
              Stream.of(
                  "TLS_AES_128_GCM_SHA256",
                  "TLS_AES_256_GCM_SHA384",
                  "TLS_CHACHA20_POLY1305_SHA256"),
              Stream.of(
                      "AES_128_GCM_SHA256",
                      "AES_256_GCM_SHA384",
                      "CHACHA20_POLY1305_SHA256",
                      "AES_128_CBC_SHA",
                      "AES_256_CBC_SHA")
                  .flatMap(
                      cipher ->
                          Stream.of(
                              "TLS_ECDHE_ECDSA_WITH_" + cipher, "TLS_ECDHE_RSA_WITH_" + cipher)))
          .toList();

  private TlsSuites() {}

  /** What that context does by default, with the usual suites only. */
  public static SSLParameters usual(SSLContext context) {
    var known = List.of(context.getSupportedSSLParameters().getCipherSuites());
    var parameters = context.getDefaultSSLParameters();
    parameters.setCipherSuites(USUAL.stream().filter(known::contains).toArray(String[]::new));
    return parameters;
  }
}
