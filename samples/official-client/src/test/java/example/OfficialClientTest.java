package example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.embedded.OfficialClients;
import dev.muster.embedded.TestCluster;
import dev.muster.junit.Muster;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.util.Map;
import org.junit.jupiter.api.Test;

@Muster(controllers = {})
class OfficialClientTest {
  ApiClient client;

  private static V1ConfigMap map(String name) {
    return new V1ConfigMap().metadata(new V1ObjectMeta().name(name)).data(Map.of("key", "value"));
  }

  @Test
  void aConfigMapIsKept() throws ApiException {
    var core = new CoreV1Api(client);
    core.createNamespacedConfigMap("default", map("kept")).execute();
    assertThat(core.readNamespacedConfigMap("kept", "default").execute().getData())
        .containsEntry("key", "value");
  }

  @Test
  void everyTestBeginsWithAnEmptyCluster() throws ApiException {
    var core = new CoreV1Api(client);
    assertThat(core.listNamespacedConfigMap("default").execute().getItems()).isEmpty();
    core.createNamespacedConfigMap("default", map("kept")).execute();
  }

  @Test
  void somebodyElseMayNot(TestCluster cluster) {
    var core = new CoreV1Api(OfficialClients.of(cluster, "alice"));
    assertThatThrownBy(() -> core.listNamespacedConfigMap("default").execute())
        .isInstanceOfSatisfying(ApiException.class, e -> assertThat(e.getCode()).isEqualTo(403));
  }
}
