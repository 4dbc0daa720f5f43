package dev.muster.types;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.GroupVersion;
import dev.muster.model.GroupVersionKind;
import dev.muster.model.GroupVersionResource;
import dev.muster.schema.ResourceType;
import dev.muster.schema.Schemas;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class TypesTest {
  private final Types types = BuiltIns.TYPES;

  private ServedType type(String group, String version, String plural) {
    return Objects.requireNonNull(types.find(group, version, plural));
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
    assertThat(Objects.requireNonNull(types.ofStorage("/services/specs")).plural())
        .isEqualTo("services");
    assertThat(Objects.requireNonNull(types.ofStorage("/minions")).plural()).isEqualTo("nodes");
    assertThat(Objects.requireNonNull(types.ofStorage("/events")).groupVersion())
        .isEqualTo(new GroupVersion("", "v1"));
    assertThat(Objects.requireNonNull(types.ofStorage("/horizontalpodautoscalers")).groupVersion())
        .isEqualTo(new GroupVersion("autoscaling", "v2"));
    assertThat(types.ofStorage("/tokenreviews")).isNull();
  }

  @Test
  void everyStoredResourceHasAListKind() {
    assertThat(types.all()).hasSize(71);
    for (var type : types.all()) {
      if (type.verbs().contains("list")) {
        assertThat(Schemas.of(type.listKind())).as(type.plural()).isNotNull();
      }
    }
  }

  @Test
  void takesMoreTypesButNoneTwice() {
    var pods = type("", "v1", "pods");
    var widgets = widgets();
    var more = types.with(List.of(), List.of(widgets));
    assertThat(more.find("example.com", "v1", "widgets")).isSameAs(widgets);
    assertThat(more.find("", "v1", "pods")).isSameAs(pods);
    assertThat(types.find("example.com", "v1", "widgets")).isNull();
    assertThatThrownBy(() -> types.with(List.of(), List.of(pods)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(more.with(List.of(widgets), List.of()).groups()).isEqualTo(types.groups());
  }

  @Test
  void onlyWhatStandsInGroupsThatChangedCanHaveChanged() {
    var widgets = widgets();
    var more = types.with(List.of(), List.of(widgets));
    assertThat(more.changedSince(types)).containsExactly("/example.com/widgets");
    assertThat(types.changedSince(more)).containsExactly("/example.com/widgets");
    assertThat(more.changedSince(more)).isEmpty();
    assertThat(
            types.with(List.of(type("apps", "v1", "deployments")), List.of()).changedSince(types))
        .contains("/deployments");
    assertThat(more.allOf("example.com")).containsExactly(widgets);
    assertThat(types.allOf("example.com")).isEmpty();
  }

  @Test
  void whatIsDerivedOfAVersionHoldsWhileOthersComeAndGo() {
    var derivation = new Derivation<VersionTypes, Object>(version -> new Object());
    var apps = new GroupVersion("apps", "v1");
    var more = types.with(List.of(), List.of(widgets()));
    assertThat(more.version(apps)).isSameAs(types.version(apps));
    assertThat(derivation.of(Objects.requireNonNull(more.version(apps))))
        .isSameAs(derivation.of(Objects.requireNonNull(types.version(apps))));
    var deployments = type("apps", "v1", "deployments");
    assertThat(types.with(List.of(deployments), List.of()).version(apps))
        .isNotSameAs(types.version(apps));
  }

  @Test
  void typesThatAreNotServedAreKnown() {
    var hidden = Types.of(List.of(builder().served(false).build()));
    assertThat(hidden.find("example.com", "v1", "widgets")).isNull();
    assertThat(hidden.groupVersions()).isEmpty();
    assertThat(hidden.ofKind(WIDGET)).isNull();
    assertThat(hidden.known(new GroupVersionResource("example.com", "v1", "widgets"))).isNotNull();
    assertThat(hidden.ofStorage("/example.com/widgets")).isNotNull();
  }

  @Test
  void groupsStandInTheOrderOfTheirPriorities() {
    assertThat(types.groups())
        .startsWith("apiregistration.k8s.io", "", "apps", "events.k8s.io", "authentication.k8s.io")
        .containsSubsequence("admissionregistration.k8s.io", "apiextensions.k8s.io")
        .containsSubsequence("discovery.k8s.io", "resource.k8s.io")
        .endsWith("flowcontrol.apiserver.k8s.io", "apiservercoordination.k8s.io");
    assertThat(types.group("autoscaling"))
        .extracting(version -> version.groupVersion().version())
        .containsExactly("v2", "v1");
  }

  @Test
  void versionsOfAResourceKnowOneAnother() {
    var v1 = type("autoscaling", "v1", "horizontalpodautoscalers");
    var v2 = type("autoscaling", "v2", "horizontalpodautoscalers");
    assertThat(v1.inVersion(new GroupVersion("autoscaling", "v2"))).isSameAs(v2);
    assertThat(v2.inVersion(new GroupVersion("autoscaling", "v1"))).isSameAs(v1);
    assertThat(v1.inVersion(new GroupVersion("autoscaling", "v3"))).isNull();
    assertThat(type("events.k8s.io", "v1", "events").inVersion(new GroupVersion("", "v1")))
        .isNull();
  }

  @Test
  void stableVersionsComeBeforeOthersAndOddNamesLast() {
    var versions =
        new ArrayList<>(
            List.of("foo1", "v1alpha1", "v10", "v2", "v99999999999", "v1beta2", "v1beta1", "bar"));
    versions.sort(VersionOrder.PREFERRED_FIRST);
    assertThat(versions)
        .containsExactly(
            "v10", "v2", "v1beta2", "v1beta1", "v1alpha1", "bar", "foo1", "v99999999999");
  }

  private static final GroupVersionKind WIDGET =
      new GroupVersionKind("example.com", "v1", "Widget");

  private static ServedTypeBuilder builder() {
    return new ServedTypeBuilder(
            WIDGET,
            "widgets",
            true,
            BuiltIns.of("", "configmaps").shape(),
            BuiltIns.of("", "configmaps").strategy())
        .storage("/example.com/widgets");
  }

  private static ServedType widgets() {
    return builder().build();
  }
}
