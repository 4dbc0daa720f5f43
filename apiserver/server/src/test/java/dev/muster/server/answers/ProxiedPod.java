package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;

/** A server with one pod, {@code web}, to which it passes requests on. */
final class ProxiedPod implements AutoCloseable {
  static final String IP = "203.0.113.7";
  static final String PROXY = "/api/v1/namespaces/default/pods/web:80/proxy";

  private final TestNetwork network = new TestNetwork();
  private final RunningServer server;

  ProxiedPod(Path folder) throws Exception {
    server = RunningServer.start(folder, options -> options, network);
    assertThat(
            server
                .post(
                    "/api/v1/namespaces/default/pods",
                    """
                    {"metadata":{"name":"web"},
                     "spec":{"containers":[{"name":"c","image":"i"}]}}
                    """)
                .code())
        .isEqualTo(201);
    at(IP);
  }

  RunningServer server() {
    return server;
  }

  TestNetwork network() {
    return network;
  }

  /** Says that the pod has that address. */
  void at(String ip) {
    var status = "{\"status\":{\"podIP\":\"%1$s\",\"podIPs\":[{\"ip\":\"%1$s\"}]}}".formatted(ip);
    var answer =
        server.patch("/api/v1/namespaces/default/pods/web/status", RunningServer.MERGE, status);
    assertThat(answer.code()).as(answer.text()).isEqualTo(200);
  }

  /** What runs in the pod. */
  TestBackend running(TestBackend.Behaviour behaviour) throws IOException {
    var backend = TestBackend.plain(behaviour);
    network.at(IP, 80, backend);
    return backend;
  }

  @Override
  public void close() {
    server.close();
  }
}
