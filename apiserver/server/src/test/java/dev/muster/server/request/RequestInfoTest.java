package dev.muster.server.request;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestInfoTest {
  private static final String PODS = "/api/v1/namespaces/a/pods/";

  private static RequestInfo of(String path) {
    return RequestInfo.of("GET", path, false);
  }

  @ParameterizedTest
  @CsvSource({
    "web/proxy, web, proxy, ''",
    "web/proxy/, web, proxy, /",
    "web/proxy/web/proxy@127.0.0.1:9999/x, web, proxy, /web/proxy@127.0.0.1:9999/x",
    "proxy/proxy/proxy/proxy, proxy, proxy, /proxy/proxy",
    "web/proxy//x, web, proxy, //x",
    "web/proxy/a%2Fb%20c, web, proxy, /a%2Fb%20c",
    "web%2Fproxy%2Fa%2fb, web, proxy, /a%2fb",
    "web/%70roxy/x, web, proxy, /x",
    "w%65b:80/proxy/../../x, web:80, proxy, /../../x",
    "https:web:443/proxy/?, https:web:443, proxy, /?",
    "web/proxy/100%, web, proxy, /100%",
    "web/log, web, log, ''",
  })
  void whatFollowsTheSubresourceIsCutOffWhereItWasParsed(
      String path, String name, String subresource, String rest) {
    var info = of(PODS + path);
    assertThat(info.namespace()).isEqualTo("a");
    assertThat(info.resource()).isEqualTo("pods");
    assertThat(info.name()).isEqualTo(name);
    assertThat(info.subresource()).isEqualTo(subresource);
    assertThat(info.rest()).isEqualTo(rest);
    assertThat(info.path()).startsWith(info.head());
  }

  @Test
  void aNamespaceWithTheNameOfAResourceIsNoTrap() {
    var info = of("/api/v1/namespaces/pods/pods/proxy/proxy/pods/proxy");
    assertThat(info.namespace()).isEqualTo("pods");
    assertThat(info.name()).isEqualTo("proxy");
    assertThat(info.subresource()).isEqualTo("proxy");
    assertThat(info.rest()).isEqualTo("/pods/proxy");
    assertThat(info.head()).isEqualTo("/api/v1/namespaces/pods/pods/proxy/proxy");
  }

  @Test
  void aSlashAtTheEndIsNothingMore() {
    assertThat(of(PODS + "web/status/").hasRest()).isFalse();
    assertThat(of(PODS + "web/status/x").hasRest()).isTrue();
    assertThat(of(PODS + "web/status").head()).isEqualTo(PODS + "web/status");
  }

  @Test
  void nodesHaveNoNamespace() {
    var info = of("/api/v1/nodes/n:10250/proxy/metrics/cadvisor");
    assertThat(info.namespace()).isEmpty();
    assertThat(info.resource()).isEqualTo("nodes");
    assertThat(info.name()).isEqualTo("n:10250");
    assertThat(info.rest()).isEqualTo("/metrics/cadvisor");
  }

  @ParameterizedTest
  @CsvSource({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE"})
  void whatIsBelowWatchIsAWatchByAnyMethod(String method) {
    var info = RequestInfo.of(method, "/api/v1/watch/namespaces/a/pods/web", false);
    assertThat(info.verb()).isEqualTo("watch");
    assertThat(info.isWrite()).isFalse();
    assertThat(info.name()).isEqualTo("web");
  }

  @Test
  void anEmptyNamespaceIsNone() {
    var info = of("/apis/apps/v1/namespaces//deployments");
    assertThat(info.namespace()).isEmpty();
    assertThat(info.resource()).isEqualTo("deployments");
    assertThat(info.name()).isEmpty();
    assertThat(info.verb()).isEqualTo("list");
    assertThat(info.isOfEmptyNamespace()).isTrue();
    assertThat(of("/api/v1//namespaces/a/pods").isOfEmptyNamespace()).isFalse();
    assertThat(of("/api/v1/namespaces//pods//web").isOfEmptyNamespace()).isFalse();
    assertThat(of("/api/v1/namespaces//").resource()).isEqualTo("namespaces");
  }

  @ParameterizedTest
  @CsvSource({"*", "api/v1/pods", "/", "/api", "/apis/apps", "/healthz/x", "%2Fapi%2Fv1%2Fpods"})
  void otherPathsAreNoResources(String path) {
    assertThat(of(path).resourceRequest()).isFalse();
    assertThat(of(path).rest()).isEmpty();
  }
}
