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
 * A CustomResourceDefinition that Muster installs in a cluster. A definition that another tool
 * manages is left unchanged, because two managers would overwrite each other without end.
 * Immutable.
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

  /** Reads a resource file next to a class. */
  public static InstalledDefinition read(Class<?> beside, String file) {
    try (var text = Objects.requireNonNull(beside.getResourceAsStream(file), file)) {
      return new InstalledDefinition(Serialization.unmarshal(text, CustomResourceDefinition.class));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The state of the definition in a cluster. */
  public sealed interface State {
    /** The resource is served in the needed form. */
    record Ready() implements State {}

    /** The definition was just written, or is being deleted. */
    record Waiting() implements State {}

    /**
     * A user has to act.
     *
     * @param sentence the problem and the remedy
     */
    record Unusable(String sentence) implements State {}
  }

  public String name() {
    return wanted.getMetadata().getName();
  }

  /** Creates or repairs the definition, if Muster manages it. */
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

  /** Definitions of Muster's own group are always managed, also those without the label. */
  private static boolean isOurs(CustomResourceDefinition present) {
    return present.getSpec().getGroup().endsWith(OWN_GROUPS)
        || KEEPER.equals(
            Objects.requireNonNullElse(present.getMetadata().getLabels(), Map.<String, String>of())
                .get(KEEPER_LABEL));
  }

  /**
   * Whether the definition contains everything wanted; fields that the API server added are
   * ignored.
   */
  private boolean isAsWanted(CustomResourceDefinition present) {
    var theirs = present.getSpec();
    var ours = wanted.getSpec();
    return theirs.getScope().equals(ours.getScope())
        && Objects.equals(theirs.getNames().getCategories(), ours.getNames().getCategories())
        && theirs.getVersions().equals(ours.getVersions());
  }
}
