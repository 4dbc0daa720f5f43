package dev.muster.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.GroupVersion;
import dev.muster.model.GroupVersionKind;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ResourceCatalogTest {
  private final ResourceCatalog catalog = ResourceCatalog.builtIn();

  private ResourceType type(String group, String version, String plural) {
    return Objects.requireNonNull(catalog.find(group, version, plural));
  }

  @Test
  void describesAResource() {
    var deployments = type("apps", "v1", "deployments");
    assertThat(deployments.kind().kind()).isEqualTo("Deployment");
    assertThat(deployments.singular()).isEqualTo("deployment");
    assertThat(deployments.namespaced()).isTrue();
    assertThat(deployments.shortNames()).containsExactly("deploy");
    assertThat(deployments.categories()).containsExactly("all");
    assertThat(deployments.verbs()).hasSize(8);
    assertThat(deployments.subresources())
        .extracting(ResourceType.Subresource::name)
        .containsExactly("scale", "status");
    assertThat(Objects.requireNonNull(deployments.subresource("scale")).kind())
        .isEqualTo(new GroupVersionKind("autoscaling", "v1", "Scale"));
    assertThat(deployments.storageVersionHash()).isEqualTo("8aSe+NMegvE=");
    assertThat(
            type("admissionregistration.k8s.io", "v1", "mutatingadmissionpolicies")
                .storageVersionHash())
        .isEqualTo("LYmCf+UMVdg=");
    assertThat(type("apiextensions.k8s.io", "v1", "customresourcedefinitions").storageVersionHash())
        .isEqualTo("jfWCUB31mvA=");
    assertThat(type("", "v1", "namespaces").verbs()).doesNotContain("deletecollection");
  }

  @Test
  void knowsTheKeysOfTheStore() {
    assertThat(Objects.requireNonNull(catalog.ofStorage("/services/specs")).plural())
        .isEqualTo("services");
    assertThat(Objects.requireNonNull(catalog.ofStorage("/minions")).plural()).isEqualTo("nodes");
    assertThat(Objects.requireNonNull(catalog.ofStorage("/events")).groupVersion())
        .isEqualTo(new GroupVersion("", "v1"));
    assertThat(
            Objects.requireNonNull(catalog.ofStorage("/horizontalpodautoscalers")).groupVersion())
        .isEqualTo(new GroupVersion("autoscaling", "v2"));
    assertThat(catalog.ofStorage("/tokenreviews")).isNull();
  }

  @Test
  void everyStoredResourceHasAListKind() {
    assertThat(catalog.types()).hasSize(68);
    for (var type : catalog.types()) {
      if (type.verbs().contains("list")) {
        assertThat(Schemas.of(type.listKind())).as(type.plural()).isNotNull();
      }
    }
  }

  @Test
  void takesMoreResourcesButNoneTwice() {
    var pods = type("", "v1", "pods");
    var more =
        new ResourceType(
            new GroupVersionKind("example.com", "v1", "Widget"),
            "widgets",
            "widget",
            true,
            List.of(),
            List.of(),
            Set.of("get", "list", "watch"),
            List.of(),
            "/example.com/widgets",
            new GroupVersionKind("example.com", "v1", "Widget"),
            pods.shape());
    assertThat(catalog.with(List.of(more)).find("example.com", "v1", "widgets")).isSameAs(more);
    assertThat(catalog.with(List.of(more)).find("", "v1", "pods")).isSameAs(pods);
    assertThatThrownBy(() -> catalog.with(List.of(pods)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
