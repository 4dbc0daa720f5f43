package dev.muster.multicluster.identity;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;
import org.jspecify.annotations.Nullable;

/**
 * The ClusterProperty resource (KEP-2149): one fact about a cluster under a well-known or custom
 * name.
 */
@Group(ClusterProperty.GROUP)
@Version("v1")
@Plural("clusterproperties")
public final class ClusterProperty extends CustomResource<ClusterProperty.Spec, Void> {
  private static final long serialVersionUID = 1L;

  public static final String GROUP = "about.k8s.io";

  /** The spec. */
  public record Spec(String value) {}

  public static ClusterProperty of(String name, String value) {
    var property = new ClusterProperty();
    property.setMetadata(new ObjectMeta());
    property.getMetadata().setName(name);
    property.setSpec(new Spec(value));
    return property;
  }

  /** The value; "" for an object without one, which the definition's schema refuses. */
  public String value() {
    var spec = getSpec();
    return spec == null || spec.value() == null ? "" : spec.value();
  }

  /** Null until set, because the record requires a value. */
  @Override
  protected @Nullable Spec initSpec() {
    return null;
  }

  @Override
  protected @Nullable Void initStatus() {
    return null;
  }
}
