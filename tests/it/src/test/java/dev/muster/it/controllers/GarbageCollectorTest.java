package dev.muster.it.controllers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.controllers.client.Clients;
import dev.muster.controllers.garbagecollector.GarbageCollector;
import dev.muster.it.ServerInProcess;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GarbageCollectorTest {
  private static final AtomicInteger NAMES = new AtomicInteger();

  @TempDir private static Path folder;
  private ServerInProcess server;
  private KubernetesClient client;
  private AutoCloseable collector;
  private String namespace;

  @BeforeAll
  void start() throws Exception {
    server = ServerInProcess.start(folder);
    client = Clients.of(server.kubeconfig());
    collector = new GarbageCollector(4).start(client);
  }

  @AfterAll
  void stop() throws Exception {
    collector.close();
    client.close();
    server.close();
  }

  @BeforeEach
  void makeNamespace() {
    namespace = makeNamespace("garbage-" + NAMES.incrementAndGet());
  }

  private String makeNamespace(String name) {
    var named = new NamespaceBuilder().withNewMetadata().withName(name).endMetadata().build();
    client.resource(named).create();
    return name;
  }

  private ConfigMap create(String name, OwnerReference... owners) {
    return createIn(namespace, name, owners);
  }

  private ConfigMap createIn(String where, String name, OwnerReference... owners) {
    var map =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace(where)
            .withName(name)
            .withOwnerReferences(owners)
            .endMetadata()
            .build();
    return client.resource(map).create();
  }

  private static OwnerReference owner(HasMetadata object) {
    return new OwnerReferenceBuilder()
        .withApiVersion(object.getApiVersion())
        .withKind(object.getKind())
        .withName(object.getMetadata().getName())
        .withUid(object.getMetadata().getUid())
        .withBlockOwnerDeletion(true)
        .build();
  }

  private List<String> names() {
    return client.configMaps().inNamespace(namespace).list().getItems().stream()
        .map(map -> map.getMetadata().getName())
        .toList();
  }

  private void delete(HasMetadata object, DeletionPropagation propagation) {
    client.resource(object).withPropagationPolicy(propagation).delete();
  }

  private static void awaitThat(Callable<Boolean> condition) {
    await().atMost(Duration.ofSeconds(60)).until(condition);
  }

  @Test
  void dependentsFollowTheirOwnerInTheBackground() {
    var parent = create("parent");
    var child = create("child", owner(parent));
    create("grandchild", owner(child));
    create("other");
    delete(parent, DeletionPropagation.BACKGROUND);
    awaitThat(() -> names().equals(List.of("other")));
  }

  @Test
  void aForegroundDeletionEndsAfterItsDependents() {
    var parent = create("parent");
    var child = create("child", owner(parent));
    child.getMetadata().setFinalizers(List.of("example.com/hold"));
    client.resource(child).update();
    delete(parent, DeletionPropagation.FOREGROUND);
    awaitThat(() -> client.resource(child).get().getMetadata().getDeletionTimestamp() != null);
    assertThat(names()).contains("parent");
    client
        .configMaps()
        .inNamespace(namespace)
        .withName("child")
        .edit(
            map ->
                new ConfigMapBuilder(map)
                    .editMetadata()
                    .withFinalizers(List.of())
                    .endMetadata()
                    .build());
    awaitThat(() -> names().isEmpty());
  }

  @Test
  void orphansStay() {
    var parent = create("parent");
    var child = create("child", owner(parent));
    delete(parent, DeletionPropagation.ORPHAN);
    awaitThat(() -> names().equals(List.of("child")));
    assertThat(client.resource(child).get().getMetadata().getOwnerReferences()).isEmpty();
  }

  @Test
  void anOwnerInAnotherNamespaceIsToldAndItsDependentCollected() {
    var elsewhere = makeNamespace(namespace + "-other");
    var parent = createIn(elsewhere, "parent");
    awaitThat(() -> client.resource(parent).get() != null);
    create("child", owner(parent));
    awaitThat(() -> names().isEmpty());
    awaitThat(
        () ->
            client.v1().events().inNamespace(namespace).list().getItems().stream()
                .anyMatch(
                    event ->
                        event.getReason().equals("OwnerRefInvalidNamespace")
                            && event
                                .getMessage()
                                .equals(
                                    "ownerRef [v1/ConfigMap, namespace: %s, name: parent, uid: %s]"
                                            .formatted(namespace, parent.getMetadata().getUid())
                                        + " does not exist in namespace \"%s\""
                                            .formatted(namespace))));
  }

  @Test
  void anOwnerOfTheClusterOwnsInEveryNamespace() {
    var role =
        client
            .rbac()
            .clusterRoles()
            .resource(
                new ClusterRoleBuilder()
                    .withNewMetadata()
                    .withName(namespace)
                    .endMetadata()
                    .build())
            .create();
    create("child", owner(role));
    create("other");
    delete(role, DeletionPropagation.BACKGROUND);
    awaitThat(() -> names().equals(List.of("other")));
  }

  @Test
  void customResourcesOwnAsSoonAsTheyAreServed() {
    var plural = "things" + NAMES.incrementAndGet();
    var definition =
        client
            .getKubernetesSerialization()
            .<HasMetadata>unmarshal(
                """
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: %1$s.example.com}
                spec:
                  group: example.com
                  scope: Namespaced
                  names: {plural: %1$s, kind: Thing%1$s}
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    schema: {openAPIV3Schema: {type: object}}
                """
                    .formatted(plural));
    client.resource(definition).create();
    var context =
        new ResourceDefinitionContext.Builder()
            .withGroup("example.com")
            .withVersion("v1")
            .withPlural(plural)
            .withKind("Thing" + plural)
            .withNamespaced(true)
            .build();
    var things = client.genericKubernetesResources(context).inNamespace(namespace);
    var thing =
        client
            .getKubernetesSerialization()
            .unmarshal(
                "apiVersion: example.com/v1\nkind: Thing%s\nmetadata: {name: owner}\n"
                    .formatted(plural),
                GenericKubernetesResource.class);
    var made = things.resource(thing).create();
    create("child", owner(made));
    things.withName("owner").withPropagationPolicy(DeletionPropagation.FOREGROUND).delete();
    awaitThat(() -> names().isEmpty() && things.withName("owner").get() == null);
  }

  @Test
  void whatWasLeftBehindByAnEarlierRunIsCollected() throws Exception {
    collector.close();
    var parent = create("parent");
    create("child", owner(parent));
    delete(parent, DeletionPropagation.FOREGROUND);
    assertThat(names()).containsExactlyInAnyOrder("child", "parent");
    collector = new GarbageCollector(4).start(client);
    awaitThat(() -> names().isEmpty());
  }
}
