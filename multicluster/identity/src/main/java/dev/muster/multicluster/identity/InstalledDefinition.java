package dev.muster.multicluster.identity;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;

/**
 * Immutable. A custom resource that we need, and its way into a cluster. A definition that somebody
 * else keeps is left as it is: two keepers would overwrite one another without end.
 */
public final class InstalledDefinition {
  private static final String KEEPER_LABEL = "app.kubernetes.io/managed-by";
  private static final String KEEPER = "muster";
  private static final String OWN_GROUPS = ".muster.dev";

  private final CustomResourceDefinition wanted;

  private InstalledDefinition(CustomResourceDefinition wanted) {
    this.wanted = wanted;
  }

  public static InstalledDefinition ofClusterProperties() {
    return read(InstalledDefinition.class, "clusterproperties.yaml");
  }

  /** From a file beside a class. */
  public static InstalledDefinition read(Class<?> beside, String file) {
    try (var text = Objects.requireNonNull(beside.getResourceAsStream(file), file)) {
      return new InstalledDefinition(Serialization.unmarshal(text, CustomResourceDefinition.class));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** How a cluster is with the definition. */
  public sealed interface State {
    /** Served as we need it. */
    record Ready() implements State {}

    /** Will be soon: it was just written, or is on its way out. */
    record Waiting() implements State {}

    /**
     * Stays as it is until somebody does something.
     *
     * @param sentence what is wrong, and what to do
     */
    record Unusable(String sentence) implements State {}
  }

  public String name() {
    return wanted.getMetadata().getName();
  }

  /** Creates or repairs it where that is ours to do. */
  public State ensure(KubernetesClient client) {
    var definitions = client.apiextensions().v1().customResourceDefinitions();
    var present = definitions.withName(name()).get();
    try {
      if (present == null) {
        definitions.resource(wanted).create();
        return new State.Waiting();
      }
      if (present.getMetadata().getDeletionTimestamp() != null) {
        return new State.Waiting();
      }
      if (isOurs(present) && !isAsWanted(present)) {
        present.setSpec(wanted.getSpec());
        definitions.resource(present).update();
        return new State.Waiting();
      }
    } catch (KubernetesClientException e) {
      if (e.getCode() == 409) {
        return new State.Waiting();
      }
      if (e.getCode() == 403) {
        return new State.Unusable(
            "%s cannot be installed: %s Give the controller the right, or install it with kubectl."
                .formatted(name(), e.getMessage()));
      }
      throw e;
    }
    return state(present);
  }

  private State state(CustomResourceDefinition present) {
    var version = version();
    boolean served =
        present.getSpec().getVersions().stream()
            .anyMatch(each -> each.getName().equals(version) && each.getServed());
    if (!served) {
      return new State.Unusable(
          "%s does not serve %s: remove it, or label it %s=%s so that Muster keeps it."
              .formatted(name(), version, KEEPER_LABEL, KEEPER));
    }
    var conditions = present.getStatus() == null ? null : present.getStatus().getConditions();
    boolean established =
        conditions != null
            && conditions.stream()
                .anyMatch(
                    each ->
                        each.getType().equals("Established") && each.getStatus().equals("True"));
    return established ? new State.Ready() : new State.Waiting();
  }

  private String version() {
    return wanted.getSpec().getVersions().getFirst().getName();
  }

  /** Of our own group there is no other keeper, also of definitions from before the label. */
  private static boolean isOurs(CustomResourceDefinition present) {
    return present.getSpec().getGroup().endsWith(OWN_GROUPS)
        || KEEPER.equals(
            Objects.requireNonNullElse(present.getMetadata().getLabels(), Map.<String, String>of())
                .get(KEEPER_LABEL));
  }

  /** Whether all that we say is there; what the API server has added does not count. */
  private boolean isAsWanted(CustomResourceDefinition present) {
    var theirs = present.getSpec();
    var ours = wanted.getSpec();
    return theirs.getScope().equals(ours.getScope())
        && Objects.equals(theirs.getNames().getCategories(), ours.getNames().getCategories())
        && theirs.getVersions().equals(ours.getVersions());
  }
}
