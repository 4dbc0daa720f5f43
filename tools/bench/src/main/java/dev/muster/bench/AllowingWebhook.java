package dev.muster.bench;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.muster.bench.client.BenchFailure;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * Answers on virtual threads of its own. An admission webhook on this machine that allows
 * everything; a server on another machine does not reach it.
 */
final class AllowingWebhook implements AutoCloseable {
  private static final Pattern UID = Pattern.compile("\"uid\"\\s*:\\s*\"([^\"]+)\"");
  private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpsServer server;
  private final String authority;

  AllowingWebhook() {
    try {
      var keys = KeyPairGenerator.getInstance("EC");
      keys.initialize(256);
      var pair = keys.generateKeyPair();
      var now = Instant.now();
      var name = new X500Name("CN=muster-bench");
      var builder =
          new JcaX509v3CertificateBuilder(
              name,
              BigInteger.ONE,
              Date.from(now.minus(Duration.ofHours(1))),
              Date.from(now.plus(Duration.ofDays(1))),
              name,
              pair.getPublic());
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
      builder.addExtension(
          Extension.subjectAlternativeName,
          false,
          new GeneralNames(new GeneralName(GeneralName.iPAddress, LOOPBACK.getHostAddress())));
      X509Certificate certificate =
          new JcaX509CertificateConverter()
              .getCertificate(
                  builder.build(
                      new JcaContentSignerBuilder("SHA256withECDSA").build(pair.getPrivate())));
      var store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry("own", pair.getPrivate(), new char[0], new Certificate[] {certificate});
      var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      managers.init(store, new char[0]);
      var context = SSLContext.getInstance("TLS");
      context.init(managers.getKeyManagers(), null, null);
      authority = pem(certificate);
      server = HttpsServer.create(new InetSocketAddress(LOOPBACK, 0), 0);
      server.setHttpsConfigurator(new HttpsConfigurator(context));
    } catch (IOException | GeneralSecurityException | OperatorCreationException e) {
      throw new BenchFailure("no webhook can be started: " + e.getMessage(), e);
    }
    server.setExecutor(threads);
    server.createContext("/", AllowingWebhook::allow);
    server.start();
  }

  private static String pem(X509Certificate certificate) throws GeneralSecurityException {
    return "-----BEGIN CERTIFICATE-----\n"
        + Base64.getMimeEncoder().encodeToString(certificate.getEncoded())
        + "\n-----END CERTIFICATE-----\n";
  }

  /** The {@code clientConfig} of this webhook. */
  String client() {
    return "{\"url\":\"https://127.0.0.1:%d/\",\"caBundle\":\"%s\"}"
        .formatted(
            server.getAddress().getPort(),
            Base64.getEncoder().encodeToString(authority.getBytes(StandardCharsets.UTF_8)));
  }

  private static void allow(HttpExchange exchange) throws IOException {
    try (exchange) {
      var review = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      var uid = UID.matcher(review);
      var body =
          """
          {"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1",
           "response":{"uid":"%s","allowed":true}}
          """
              .formatted(uid.find() ? uid.group(1) : "")
              .getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().add("content-type", "application/json");
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
