package dev.muster.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import dev.muster.model.json.JsonObject;
import dev.muster.pki.Authority;
import dev.muster.pki.Pem;
import dev.muster.wire.JsonReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLSocket;
import org.awaitility.Awaitility;

/** What a server has to do for each line of the benchmark; a check that fails throws. */
final class CisChecks {
  /** Tries one line. */
  interface Check {
    void on(CisServer server) throws Exception;
  }

  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final List<String> NODES = List.of("system:nodes");

  private CisChecks() {}

  /** By their numbers, those that are tried by flag left out. */
  static Map<String, Check> all() {
    var checks = new LinkedHashMap<String, Check>();
    checks.put("1.2.1", s -> code(401, s.withToken("", "GET", "/version", "")));
    checks.put("1.2.2", s -> code(401, s.withToken("let-me-in", "GET", "/api", "")));
    checks.put(
        "1.2.3",
        s ->
            code(
                403,
                s.admin(
                    "POST",
                    "/api/v1/namespaces/default/services",
                    "{'metadata':{'name':'s'},'spec':{'ports':[{'port':1}],"
                        + "'externalIPs':['10.9.9.9']}}")));
    checks.put("1.2.4", s -> assertThat(log(s, "kubelet-ca")).isEqualTo("CN=kubelet-client"));
    checks.put("1.2.5", s -> assertThat(log(s, "other-ca")).contains("certificate"));
    checks.put("1.2.6", s -> code(403, s.as("nobody", List.of(), "GET", "/api/v1/secrets", "")));
    checks.put("1.2.7", CisChecks::nodesAreNodes);
    checks.put("1.2.8", CisChecks::bindingsDecide);
    checks.put("1.2.9", CisChecks::eventsAreLimited);
    checks.put("1.2.10", s -> code(404, s.admin("POST", "/api/v1/namespaces/no/pods", pod("a"))));
    checks.put("1.2.11", CisChecks::imagesArePulled);
    checks.put(
        "1.2.12",
        s ->
            code(
                403,
                s.admin(
                    "POST",
                    PODS,
                    "{'metadata':{'name':'x'},'spec':{'serviceAccountName':'nope',"
                        + "'containers':[{'name':'c','image':'i'}]}}")));
    checks.put("1.2.13", s -> code(403, s.admin("DELETE", "/api/v1/namespaces/default", "")));
    checks.put(
        "1.2.14",
        s ->
            code(
                403,
                s.as(
                    "system:node:n1",
                    NODES,
                    "POST",
                    "/api/v1/nodes",
                    "{'metadata':{'name':'n2'}}")));
    checks.put("1.2.15", s -> code(404, s.admin("GET", "/debug/jfr/profile?seconds=1", "")));
    checks.put("1.2.16", CisChecks::requestsAreInTheAuditLog);
    checks.put("1.2.21", CisChecks::deletedAccountsHaveNoTokens);
    checks.put("1.2.22", CisChecks::tokensOfOtherKeysDoNotCount);
    checks.put("1.2.23", s -> code(200, s.admin("GET", "/readyz/etcd", "")));
    checks.put("1.2.24", CisChecks::nothingIsServedWithoutTls);
    checks.put("1.2.25", CisChecks::oneAuthorityCounts);
    checks.put("1.2.26", s -> code(200, s.admin("GET", "/readyz/etcd", "")));
    checks.put("1.2.27", CisChecks::secretsAreEncrypted);
    checks.put("1.2.28", CisChecks::secretsAreEncrypted);
    checks.put("1.2.29", CisChecks::weakSuitesAreRefused);
    checks.put("1.2.30", CisChecks::tokensLiveAsAsked);
    return checks;
  }

  private static void code(int wanted, CisServer.Answer answer) {
    assertThat(answer.code()).as(answer.body()).isEqualTo(wanted);
  }

  private static String pod(String name) {
    return "{'metadata':{'name':'"
        + name
        + "'},'spec':{'nodeName':'n1','automountServiceAccountToken':false,'containers':"
        + "[{'name':'c','image':'i','imagePullPolicy':'IfNotPresent'}]}}";
  }

  /** A service account is made by a controller, which may not run. */
  private static void account(CisServer server, String name) throws Exception {
    var made =
        server.admin(
            "POST",
            "/api/v1/namespaces/default/serviceaccounts",
            "{'metadata':{'name':'" + name + "'}}");
    assertThat(made.code()).as(made.body()).isIn(201, 409);
  }

  private static String token(CisServer server, String account) throws Exception {
    account(server, account);
    var answer =
        server.admin(
            "POST",
            "/api/v1/namespaces/default/serviceaccounts/" + account + "/token",
            "{'spec':{'expirationSeconds':3607}}");
    code(201, answer);
    return answer.json().object("status").string("token");
  }

  /** What is in the log of a pod whose kubelet has a certificate of that authority. */
  private static String log(CisServer server, String authority) throws Exception {
    var ca =
        Authority.of(
            Files.readString(server.folder().resolve(authority + ".crt")),
            Files.readString(server.folder().resolve(authority + ".key")));
    var known =
        Pem.certificates(Files.readString(server.folder().resolve("kubelet-ca.crt"))).getFirst();
    var tls = CisServer.tls(CisServer.server(ca), known);
    var kubelet = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 9);
    kubelet.setHttpsConfigurator(
        new HttpsConfigurator(tls) {
          @Override
          public void configure(HttpsParameters parameters) {
            var wanted = tls.getDefaultSSLParameters();
            wanted.setNeedClientAuth(true);
            parameters.setSSLParameters(wanted);
          }
        });
    kubelet.createContext(
        "/containerLogs",
        exchange -> {
          var seen =
              ((HttpsExchange) exchange)
                  .getSSLSession()
                  .getPeerPrincipal()
                  .getName()
                  .getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, seen.length);
          exchange.getResponseBody().write(seen);
          exchange.close();
        });
    kubelet.start();
    try {
      var node = server.admin("POST", "/api/v1/nodes", "{'metadata':{'name':'n1'}}");
      assertThat(node.code()).as(node.body()).isIn(201, 409);
      code(
          200,
          server.admin(
              "PATCH",
              "/api/v1/nodes/n1/status",
              ("{'status':{'addresses':[{'type':'InternalIP','address':'127.0.0.1'}],"
                      + "'daemonEndpoints':{'kubeletEndpoint':{'Port':%d}}}}")
                  .formatted(kubelet.getAddress().getPort())));
      account(server, "default");
      var made = server.admin("POST", PODS, pod("logged"));
      assertThat(made.code()).as(made.body()).isIn(201, 409);
      return server.admin("GET", PODS + "/logged/log", "").body();
    } finally {
      kubelet.stop(0);
    }
  }

  private static void nodesAreNodes(CisServer server) throws Exception {
    var own = server.as("system:node:n1", NODES, "GET", "/api/v1/nodes/n1", "");
    assertThat(own.code()).as(own.body()).isIn(200, 404);
    code(403, server.as("system:node:n1", NODES, "GET", "/api/v1/secrets", ""));
  }

  private static void bindingsDecide(CisServer server) throws Exception {
    code(403, server.as("viewer", List.of(), "GET", "/api/v1/configmaps", ""));
    code(
        201,
        server.admin(
            "POST",
            "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
            "{'metadata':{'name':'viewer'},'roleRef':{'apiGroup':'rbac.authorization.k8s.io',"
                + "'kind':'ClusterRole','name':'view'},'subjects':[{'kind':'User',"
                + "'apiGroup':'rbac.authorization.k8s.io','name':'viewer'}]}"));
    code(200, server.as("viewer", List.of(), "GET", "/api/v1/configmaps", ""));
  }

  private static void eventsAreLimited(CisServer server) throws Exception {
    for (int i = 0; i < 100; i++) {
      var answer =
          server.admin(
              "POST",
              "/api/v1/namespaces/default/events",
              "{'metadata':{'name':'e"
                  + i
                  + "'},'involvedObject':{'namespace':'default'},'reason':'r'}");
      if (answer.code() == 429) {
        return;
      }
      code(201, answer);
    }
    throw new AssertionError("a hundred events were taken");
  }

  private static void imagesArePulled(CisServer server) throws Exception {
    account(server, "default");
    var answer = server.admin("POST", PODS + "?dryRun=All", pod("pulled"));
    code(201, answer);
    assertThat(answer.body()).contains("\"imagePullPolicy\":\"Always\"");
  }

  private static void requestsAreInTheAuditLog(CisServer server) {
    Awaitility.await()
        .untilAsserted(
            () ->
                assertThat(Files.readString(server.folder().resolve("audit.log")))
                    .contains("\"kind\":\"Event\"")
                    .contains("\"username\":\"admin\""));
  }

  private static void deletedAccountsHaveNoTokens(CisServer server) throws Exception {
    var token = token(server, "gone");
    code(403, server.withToken(token, "GET", "/api/v1/secrets", ""));
    code(200, server.admin("DELETE", "/api/v1/namespaces/default/serviceaccounts/gone", ""));
    code(401, server.withToken(token, "GET", "/api/v1/secrets", ""));
  }

  private static void tokensOfOtherKeysDoNotCount(CisServer server) throws Exception {
    var token = token(server, "here");
    code(403, server.withToken(token, "GET", "/api/v1/secrets", ""));
    int signature = token.lastIndexOf('.') + 1;
    var forged = token.substring(0, signature) + "A".repeat(token.length() - signature);
    code(401, server.withToken(forged, "GET", "/api/v1/secrets", ""));
  }

  private static void nothingIsServedWithoutTls(CisServer server) throws Exception {
    // The client believes one authority only: that it gets an answer shows whose certificate it is.
    code(200, server.admin("GET", "/version", ""));
    var address = URI.create(server.url());
    try (var socket = new Socket(address.getHost(), address.getPort())) {
      socket.setSoTimeout(60_000);
      socket
          .getOutputStream()
          .write("GET /version HTTP/1.1\r\nhost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
          .doesNotContain("gitVersion");
    }
  }

  private static void oneAuthorityCounts(CisServer server) throws Exception {
    code(200, server.admin("GET", "/api", ""));
    var stranger = Authority.create("stranger", Instant.now(), CisServer.DAY);
    var admin = stranger.client("admin", List.of("system:masters"), Instant.now(), CisServer.DAY);
    code(401, server.ask(admin, "", "GET", "/api", ""));
  }

  /** Nothing that is kept holds the plain value, and the prefix says how it is kept. */
  private static void secretsAreEncrypted(CisServer server) throws Exception {
    var plain = "not-for-the-disk-" + System.nanoTime();
    var data = Base64.getEncoder().encodeToString(plain.getBytes(StandardCharsets.UTF_8));
    code(
        201,
        server.admin(
            "POST",
            "/api/v1/namespaces/default/secrets",
            "{'metadata':{'generateName':'kept-'},'data':{'k':'" + data + "'}}"));
    boolean encrypted = false;
    try (var files = Files.walk(server.data())) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        var content = content(file);
        assertThat(content).as(file.toString()).doesNotContain(plain).doesNotContain(data);
        encrypted |= content.contains("k8s:enc:secretbox:v1:one:");
      }
    }
    assertThat(encrypted).as("somewhere it is kept").isTrue();
  }

  private static String content(Path file) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }

  private static void weakSuitesAreRefused(CisServer server) throws Exception {
    handshake(server, "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256");
    assertThatThrownBy(() -> handshake(server, "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256"))
        .isInstanceOf(IOException.class);
  }

  private static void handshake(CisServer server, String suite) throws Exception {
    var address = URI.create(server.url());
    try (var socket =
        (SSLSocket)
            CisServer.tls(null, server.serving())
                .getSocketFactory()
                .createSocket(address.getHost(), address.getPort())) {
      socket.setSoTimeout(60_000);
      socket.setEnabledProtocols(new String[] {"TLSv1.2"});
      socket.setEnabledCipherSuites(new String[] {suite});
      socket.startHandshake();
    }
  }

  private static void tokensLiveAsAsked(CisServer server) throws Exception {
    var claims = token(server, "here").split("\\.")[1];
    var read = (JsonObject) JsonReader.read(Base64.getUrlDecoder().decode(claims));
    long life =
        Long.parseLong(String.valueOf(read.get("exp")))
            - Long.parseLong(String.valueOf(read.get("iat")));
    assertThat(life).isEqualTo(3607);
  }
}
