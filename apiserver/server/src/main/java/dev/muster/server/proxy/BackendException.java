package dev.muster.server.proxy;

import dev.muster.server.egress.EgressException;
import io.netty.channel.ConnectTimeoutException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Locale;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A backend could not be reached or did not respond properly. The messages are those of Go, which
 * operators know.
 */
public final class BackendException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String text;

  public BackendException(String text) {
    super(text, null, false, false);
    this.text = text;
  }

  public String text() {
    return text;
  }

  /** No address accepted a connection. */
  public static BackendException unconnected(String authority, Throwable failure) {
    return new BackendException("dial tcp " + authority + ": " + why(failure));
  }

  private static String why(Throwable failure) {
    var message = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
    return switch (failure) {
      case EgressException said -> String.valueOf(said.getMessage());
      case ConnectTimeoutException ignored -> "i/o timeout";
      case NoRouteToHostException ignored -> "connect: no route to host";
      case ConnectException ignored when message.contains("timed out") ->
          "connect: connection timed out";
      case ConnectException ignored when message.contains("refused") ->
          "connect: connection refused";
      default ->
          message.contains("unreachable")
              ? "connect: network is unreachable"
              : "connect: " + message;
    };
  }

  /** The backend's certificate is not valid, or it refused the handshake. */
  public static BackendException ofTls(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      var problem = problem(cause);
      if (problem != null) {
        return new BackendException("tls: failed to verify certificate: x509: " + problem);
      }
    }
    return new BackendException(
        failure instanceof SSLException
            ? "tls: " + failure.getMessage()
            : String.valueOf(failure.getMessage()));
  }

  private static @Nullable String problem(Throwable cause) {
    return switch (cause) {
      case CertPathBuilderException ignored -> "certificate signed by unknown authority";
      case CertificateExpiredException ignored -> "certificate has expired or is not yet valid";
      case CertificateNotYetValidException ignored -> "certificate has expired or is not yet valid";
      case CertificateException named when named.getCause() == null -> named.getMessage();
      default -> null;
    };
  }
}
