package dev.muster.multicluster.membership;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import org.jspecify.annotations.Nullable;

/** The ClusterSet resource, which exists in the hub. */
@Group(ClusterSet.GROUP)
@Version("v1alpha1")
public final class ClusterSet extends CustomResource<ClusterSet.Spec, Void> {
  private static final long serialVersionUID = 1L;

  public static final String GROUP = "clusterset.muster.dev";

  /** Limited so that the name of the set's namespace is short enough. */
  static final int LONGEST_NAME = 52;

  /** The description is for users. */
  public record Spec(@Nullable String description) {}

  static ClusterSet of(String name, String description) {
    var set = new ClusterSet();
    set.setMetadata(new ObjectMeta());
    set.getMetadata().setName(name);
    set.setSpec(new Spec(description.isEmpty() ? null : description));
    return set;
  }

  /** The namespace in the hub with the set's objects. */
  public static String namespace(String name) {
    return "clusterset-" + name;
  }

  @Override
  protected @Nullable Spec initSpec() {
    return null;
  }

  @Override
  protected @Nullable Void initStatus() {
    return null;
  }
}
