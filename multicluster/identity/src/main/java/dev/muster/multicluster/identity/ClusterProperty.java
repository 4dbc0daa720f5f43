package dev.muster.multicluster.identity;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;
import org.jspecify.annotations.Nullable;

/** One fact about a cluster, under a name that says what it means. */
@Group(ClusterProperty.GROUP)
@Version("v1")
@Plural("clusterproperties")
public final class ClusterProperty extends CustomResource<ClusterProperty.Spec, Void> {
  private static final long serialVersionUID = 1L;

  public static final String GROUP = "about.k8s.io";

  /** What it holds. */
  public record Spec(String value) {}

  public static ClusterProperty of(String name, String value) {
    var property = new ClusterProperty();
    property.setMetadata(new ObjectMeta());
    property.getMetadata().setName(name);
    property.setSpec(new Spec(value));
    return property;
  }

  /** Its value; "" for an object without one, which no API server of the definition takes. */
  public String value() {
    var spec = getSpec();
    return spec == null || spec.value() == null ? "" : spec.value();
  }

  /** None until one is set: a record cannot be made without its value. */
  @Override
  protected @Nullable Spec initSpec() {
    return null;
  }

  @Override
  protected @Nullable Void initStatus() {
    return null;
  }
}
