package example;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.Workflow;
import io.javaoperatorsdk.operator.api.reconciler.dependent.Dependent;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.CRUDKubernetesDependentResource;

/** Writes what it has to say into a ConfigMap, and into the status. */
@Workflow(dependents = @Dependent(type = GreetingReconciler.Text.class))
@ControllerConfiguration
public class GreetingReconciler implements Reconciler<Greeting> {

  public static class Text extends CRUDKubernetesDependentResource<ConfigMap, Greeting> {
    @Override
    protected ConfigMap desired(Greeting greeting, Context<Greeting> context) {
      return new ConfigMapBuilder()
          .withNewMetadata()
          .withName(greeting.getMetadata().getName())
          .withNamespace(greeting.getMetadata().getNamespace())
          .endMetadata()
          .addToData("text", "hello " + greeting.getSpec().who)
          .build();
    }
  }

  @Override
  public UpdateControl<Greeting> reconcile(Greeting greeting, Context<Greeting> context) {
    var status = new Greeting.Status();
    status.text = context.getSecondaryResource(ConfigMap.class).orElseThrow().getData().get("text");
    greeting.setStatus(status);
    return UpdateControl.patchStatus(greeting);
  }
}
