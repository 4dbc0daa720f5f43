package dev.muster.server.answers;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.muster.access.pki.Authority;
import dev.muster.access.pki.CertificateNames;
import dev.muster.access.pki.Pem;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A conversion webhook on the loopback interface, and a definition of widgets that names it: {@code
 * color} of v1, which is stored, is {@code paint} in v2.
 */
record ConversionHook(HttpsServer server, String authority) implements AutoCloseable {
  static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

  static ConversionHook start(HttpHandler handler) throws IOException, GeneralSecurityException {
    var authority = Authority.create("hook-ca", Instant.now(), Duration.ofDays(1));
    var hook = HttpsServer.create(new InetSocketAddress(LOOPBACK, 0), 0);
    hook.setHttpsConfigurator(new HttpsConfigurator(context(authority)));
    hook.createContext("/convert", handler);
    hook.start();
    return new ConversionHook(hook, Pem.of(authority.certificate()));
  }

  private static SSLContext context(Authority authority)
      throws IOException, GeneralSecurityException {
    var names = CertificateNames.of(List.of("localhost"), List.of(LOOPBACK));
    var identity = authority.server("hook", names, Instant.now(), Duration.ofHours(1));
    var keys = KeyStore.getInstance("PKCS12");
    keys.load(null, null);
    keys.setKeyEntry(
        "own", identity.key(), new char[0], identity.chain().toArray(X509Certificate[]::new));
    var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(keys, new char[0]);
    var context = SSLContext.getInstance("TLS");
    context.init(factory.getKeyManagers(), null, null);
    return context;
  }

  String definition() {
    var bundle = Base64.getEncoder().encodeToString(authority.getBytes(StandardCharsets.UTF_8));
    return
"""
{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
 "metadata":{"name":"widgets.example.com"},
 "spec":{"group":"example.com","scope":"Namespaced","names":{"plural":"widgets","kind":"Widget"},
  "conversion":{"strategy":"Webhook","webhook":{"conversionReviewVersions":["v1"],
    "clientConfig":{"url":"https://127.0.0.1:%d/convert","caBundle":"%s"}}},
  "versions":[%s,%s]}}
"""
        .formatted(
            server.getAddress().getPort(),
            bundle,
            version("v1", true, "color"),
            version("v2", false, "paint"));
  }

  private static String version(String name, boolean stored, String field) {
    return
"""
{"name":"%s","served":true,"storage":%s,
 "schema":{"openAPIV3Schema":{"type":"object","properties":{
   "spec":{"type":"object","properties":{"%s":{"type":"string"}}}}}}}
"""
        .formatted(name, stored, field);
  }

  static String widget(String version, String name, String field, String color) {
    return "{\"apiVersion\":\"example.com/%s\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"%s\"},\"spec\":{\"%s\":\"%s\"}}"
        .formatted(version, name, field, color);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
