package example;

import dev.muster.embedded.Muster;
import dev.muster.embedded.TestCluster;
import io.fabric8.kubernetes.client.Config;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.util.Map;

/** Starts a cluster before the application, and tells the application where it is. */
public class ClusterResource implements QuarkusTestResourceLifecycleManager {
  private TestCluster cluster;

  @Override
  public Map<String, String> start() {
    cluster = Muster.start();
    var config = Config.fromKubeconfig(cluster.kubeconfig());
    return Map.of(
        "quarkus.kubernetes-client.api-server-url", config.getMasterUrl(),
        "quarkus.kubernetes-client.ca-cert-data", config.getCaCertData(),
        "quarkus.kubernetes-client.token", config.getAutoOAuthToken(),
        "quarkus.kubernetes-client.namespace", "default");
  }

  @Override
  public void inject(TestInjector injector) {
    injector.injectIntoFields(cluster, new TestInjector.MatchesType(TestCluster.class));
  }

  @Override
  public void stop() {
    cluster.close();
  }
}
