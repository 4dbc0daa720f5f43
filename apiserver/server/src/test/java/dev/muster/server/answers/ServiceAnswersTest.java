package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.server.answers.RunningServer.Answer;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ServiceAnswersTest {
  private RunningServer server;
  private String services;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    server = RunningServer.start(directory);
    services = "/api/v1/namespaces/" + server.namespace() + "/services";
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private Answer create(String name, String spec) {
    return server.post(
        services,
        "{\"metadata\":{\"name\":\"%s\"},\"spec\":{\"ports\":[{\"port\":80}],%s}}"
            .formatted(name, spec));
  }

  @Test
  void refusesAnAddressOutsideOfEveryRange() {
    assertThat(create("a", "\"clusterIP\":\"192.0.2.1\"").message())
        .endsWith(
            "failed to allocate IP 192.0.2.1: the provided network does not match the current"
                + " range");
  }

  @Test
  void refusesTheAddressesOfTheNetworkItself() {
    assertThat(create("a", "\"clusterIP\":\"10.0.0.0\"").message())
        .endsWith("the provided network does not match the current range");
    assertThat(create("a", "\"clusterIP\":\"10.0.255.255\"").message())
        .endsWith("the provided network does not match the current range");
  }

  @Test
  void checksTheFormOfAddressesBeforeItGivesAnyOut() {
    assertThat(create("a", "\"clusterIP\":\"none\"").message())
        .isEqualTo(
            "Service \"a\" is invalid: spec.clusterIPs[0]: Invalid value: \"none\": must be a valid"
                + " IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
    assertThat(
            create("a", "\"clusterIP\":\"10.0.0.7\",\"ipFamilies\":[\"IPv6\"]")
                .object()
                .string("message"))
        .contains("expected an IPv6 value as indicated by `ipFamilies[0]`");
    assertThat(create("a", "\"ipFamilies\":[\"IPv4\",\"IPv4\"]").message())
        .isEqualTo("Service \"a\" is invalid: spec.ipFamilies[1]: Duplicate value: \"IPv4\"");
  }

  @Test
  void twoPortsOfANewServiceCannotHaveOneNodePort() {
    var answer =
        server.post(
            services,
            """
            {"metadata":{"name":"n"},"spec":{"type":"NodePort","ports":[
              {"name":"a","port":1,"nodePort":30043},{"name":"b","port":2,"nodePort":30043}]}}
            """);
    assertThat(answer.message())
        .isEqualTo(
            "Service \"n\" is invalid: spec.ports[1].nodePort: Invalid value: 30043: provided port"
                + " is already allocated");
  }

  @Test
  void onePortInTwoProtocolsSharesItsNodePort() {
    var answer =
        server.post(
            services,
            """
            {"metadata":{"name":"dns"},"spec":{"type":"NodePort","ports":[
              {"name":"a","port":53,"protocol":"UDP"},{"name":"b","port":53,"protocol":"TCP"}]}}
            """);
    var ports = answer.object().object("spec").array("ports");
    assertThat(ports.object(0).integer("nodePort", 0))
        .isPositive()
        .isEqualTo(ports.object(1).integer("nodePort", -1));
  }

  @Test
  void aRefusedServiceTakesNothing() {
    var wanted = "\"clusterIP\":\"10.0.0.99\"";
    assertThat(create("Not_A_Name", wanted).code()).isEqualTo(422);
    assertThat(create("a-name", wanted).code()).isEqualTo(201);
  }

  @Test
  void anIPAddressThatSomebodyDeletedComesBack() {
    assertThat(create("b", "\"clusterIP\":\"10.0.77.77\"").code()).isEqualTo(201);
    var address = "/apis/networking.k8s.io/v1/ipaddresses/10.0.77.77";
    assertThat(server.delete(address, "").code()).isEqualTo(200);
    await().atMost(Duration.ofSeconds(60)).until(() -> server.get(address).code() == 200);
    assertThat(server.get(address).object().object("spec", "parentRef").string("name"))
        .isEqualTo("b");
  }
}
