package dev.muster.cli.status;

import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.pki.Pem;
import dev.muster.pki.PemFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * The expiry of certificates: those that the API servers present, the kubeconfig's client
 * certificate, and those that {@code muster up} stores next to it.
 */
public record CertificateReport(List<Entry> entries, Instant now) {
  private static final Duration SOON = Duration.ofDays(30);
  private static final int CONNECT_MILLIS = 2000;
  private static final Pattern EMBEDDED =
      Pattern.compile("(certificate-authority|client-certificate)-data:\\s*[\"']?([\\w+/=]+)");

  /** A certificate and its purpose. */
  public record Entry(String name, Instant end) {
    String days(Instant now) {
      long days = Duration.between(now, end).toDays();
      if (now.isAfter(end)) {
        return "EXPIRED " + -days + (days == -1 ? " day" : " days") + " ago";
      }
      var text = days + (days == 1 ? " day" : " days") + " left";
      return Duration.between(now, end).compareTo(SOON) < 0 ? "ENDS SOON, " + text : text;
    }
  }

  /**
   * @param urls of the API servers
   * @param kubeconfig with which they were asked
   */
  static CertificateReport of(Set<String> urls, Path kubeconfig, Instant now) {
    var found = new ArrayList<Entry>();
    for (var url : new LinkedHashSet<>(urls)) {
      served(url).ifPresent(shown -> found.add(entry("serving " + url, shown)));
    }
    embedded(kubeconfig, found);
    kept(kubeconfig.toAbsolutePath().resolveSibling("pki"), found);
    return new CertificateReport(List.copyOf(found), now);
  }

  /**
   * The certificate that the server presents; empty when it is unreachable, which other parts of
   * the status report.
   */
  public static Optional<X509Certificate> served(String url) {
    var uri = URI.create(url);
    try (var socket = (SSLSocket) anyServer().getSocketFactory().createSocket()) {
      socket.connect(new InetSocketAddress(bare(uri.getHost()), uri.getPort()), CONNECT_MILLIS);
      socket.setSoTimeout(CONNECT_MILLIS);
      socket.startHandshake();
      return Optional.of((X509Certificate) socket.getSession().getPeerCertificates()[0]);
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static String bare(String host) {
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  /** Trusts every server, because it only reads the presented certificate and sends nothing. */
  private static SSLContext anyServer() throws GeneralSecurityException {
    var context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new Onlooker()}, new SecureRandom());
    return context;
  }

  private static void embedded(Path kubeconfig, List<Entry> found) {
    try {
      var matcher = EMBEDDED.matcher(Files.readString(kubeconfig));
      var seen = new LinkedHashSet<String>();
      while (matcher.find()) {
        if (seen.add(matcher.group(2))) {
          var pem =
              new String(Base64.getDecoder().decode(matcher.group(2)), StandardCharsets.US_ASCII);
          var name = matcher.group(1).replace('-', ' ') + " in " + kubeconfig;
          Pem.certificates(pem).stream().findFirst().ifPresent(c -> found.add(entry(name, c)));
        }
      }
    } catch (IOException | IllegalArgumentException e) {
      // The file was good enough for requests; other content in it must not fail the status.
    }
  }

  /** The certificates of the control plane in that folder. */
  private static void kept(Path pki, List<Entry> found) {
    if (!Files.isDirectory(pki)) {
      return;
    }
    try (var files = Files.walk(pki, 2)) {
      for (var file : files.filter(each -> each.toString().endsWith(".crt")).sorted().toList()) {
        found.add(entry(file.toString(), PemFiles.certificates(file).getFirst()));
      }
    } catch (IOException | IllegalArgumentException | UncheckedIOException e) {
      // A folder of that name may belong to another user.
    }
  }

  private static Entry entry(String name, X509Certificate certificate) {
    return new Entry(name, certificate.getNotAfter().toInstant());
  }

  /** The report as text lines. */
  List<String> lines() {
    return entries.stream()
        .map(entry -> "Certificate         " + entry.name() + ": " + entry.days(now))
        .toList();
  }

  /** The report as JSON. */
  JsonArray json() {
    return JsonArray.of(
        entries.stream()
            .map(
                entry ->
                    JsonObject.of(
                        "name",
                        entry.name(),
                        "notAfter",
                        entry.end().toString(),
                        "daysLeft",
                        Duration.between(now, entry.end()).toDays()))
            .toList());
  }

  private static final class Onlooker extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] c, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] c, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] c, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] c, String type, SSLEngine engine) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
