package dev.muster.it.controllers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.controllers.client.Clients;
import dev.muster.controllers.client.Discovery;
import dev.muster.it.ServerInProcess;
import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class DiscoveryTest {
  @TempDir private Path folder;

  @Test
  void twoRequestsTellWhatOneForEachVersionTells() throws Exception {
    try (var server = ServerInProcess.start(folder);
        var client = Clients.of(server.kubeconfig())) {
      var discovery = Discovery.of(client);
      assertThat(discovery.failures()).isEmpty();
      assertThat(discovery.versions().stream().map(DiscoveryTest::line))
          .containsExactlyInAnyOrderElementsOf(eachVersion(client));
      assertThat(discovery.resources().stream().map(Discovery.Served::name))
          .doesNotHaveDuplicates();
    }
  }

  private static String line(Discovery.Served served) {
    var context = served.context();
    return line(
        context.getGroup() + "/" + context.getVersion(),
        context.getPlural(),
        context.getKind(),
        served.namespaced(),
        new TreeSet<>(served.verbs()));
  }

  private static String line(
      String version, String plural, String kind, boolean namespaced, Set<String> verbs) {
    return version + " " + plural + " " + kind + " " + namespaced + " " + verbs;
  }

  private static List<String> eachVersion(KubernetesClient client) {
    var lines = new ArrayList<String>();
    client.getApiResources("v1").getResources().forEach(each -> add(lines, "/v1", each));
    for (var group : client.getApiGroups().getGroups()) {
      for (var version : group.getVersions()) {
        var name = version.getGroupVersion();
        client.getApiResources(name).getResources().forEach(each -> add(lines, name, each));
      }
    }
    return lines;
  }

  private static void add(List<String> lines, String version, APIResource resource) {
    if (!resource.getName().contains("/")) {
      lines.add(
          line(
              version,
              resource.getName(),
              resource.getKind(),
              resource.getNamespaced(),
              new TreeSet<>(resource.getVerbs())));
    }
  }
}
