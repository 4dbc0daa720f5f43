package example;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.springframework.stereotype.Service;

@Service
class Greetings {
  private final KubernetesClient client;

  Greetings(KubernetesClient client) {
    this.client = client;
  }

  void greet(String who) {
    var map =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withName(who)
            .endMetadata()
            .addToData("text", "hello " + who)
            .build();
    client.configMaps().resource(map).create();
  }
}
