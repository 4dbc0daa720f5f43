package example;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;

/** A small operator: for every Greeting there is a ConfigMap of its name that says hello. */
public final class GreetingOperator implements AutoCloseable {
  private final KubernetesClient client;
  private final SharedIndexInformer<GenericKubernetesResource> informer;

  public GreetingOperator(KubernetesClient client) {
    this.client = client;
    informer =
        client
            .genericKubernetesResources("example.com/v1", "Greeting")
            .inAnyNamespace()
            .inform(
                new ResourceEventHandler<>() {
                  @Override
                  public void onAdd(GenericKubernetesResource greeting) {
                    reconcile(greeting);
                  }

                  @Override
                  public void onUpdate(
                      GenericKubernetesResource old, GenericKubernetesResource greeting) {
                    reconcile(greeting);
                  }

                  @Override
                  public void onDelete(GenericKubernetesResource greeting, boolean unknown) {
                    // The garbage collector deletes the ConfigMap.
                  }
                });
  }

  private void reconcile(GenericKubernetesResource greeting) {
    var metadata = greeting.getMetadata();
    var map =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withName(metadata.getName())
            .withNamespace(metadata.getNamespace())
            .addNewOwnerReference()
            .withApiVersion(greeting.getApiVersion())
            .withKind(greeting.getKind())
            .withName(metadata.getName())
            .withUid(metadata.getUid())
            .endOwnerReference()
            .endMetadata()
            .addToData("text", "hello " + greeting.get("spec", "who"))
            .build();
    client.resource(map).fieldManager("greetings").forceConflicts().serverSideApply();
  }

  @Override
  public void close() {
    informer.close();
  }
}
