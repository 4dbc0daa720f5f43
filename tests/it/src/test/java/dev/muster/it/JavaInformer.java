package dev.muster.it;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ConfigMapList;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.credentials.AccessTokenAuthentication;
import io.kubernetes.client.util.generic.GenericKubernetesApi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

/** Safe for any thread. A real informer of one of the Java clients, and all that it told. */
final class JavaInformer implements AutoCloseable {
  /** Which client library. */
  enum Library {
    FABRIC8,
    OFFICIAL
  }

  /** What a handler was told about an object. */
  enum Kind {
    ADDED,
    UPDATED,
    DELETED
  }

  record Change(Kind kind, String name, long revision) {}

  private final List<Change> changes = new CopyOnWriteArrayList<>();
  private BooleanSupplier synced = () -> false;
  private Runnable stop = () -> {};

  /** Follows the ConfigMaps of a namespace. */
  static JavaInformer start(Library library, String url, Path authority, String namespace)
      throws IOException {
    var informer = new JavaInformer();
    switch (library) {
      case FABRIC8 -> informer.startFabric8(url, authority, namespace);
      case OFFICIAL -> informer.startOfficial(url, authority, namespace);
    }
    return informer;
  }

  List<Change> changes() {
    return List.copyOf(changes);
  }

  boolean synced() {
    return synced.getAsBoolean();
  }

  private void startFabric8(String url, Path authority, String namespace) {
    var config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl(url)
            .withCaCertFile(authority.toString())
            .withOauthToken(EtcdFleet.TOKEN)
            .withWatchReconnectInterval(100)
            .build();
    var client = new KubernetesClientBuilder().withConfig(config).build();
    var informer = client.configMaps().inNamespace(namespace).runnableInformer(0);
    informer.exceptionHandler((started, failure) -> true);
    informer.addEventHandler(
        new ResourceEventHandler<>() {
          @Override
          public void onAdd(ConfigMap map) {
            told(Kind.ADDED, map);
          }

          @Override
          public void onUpdate(ConfigMap old, ConfigMap map) {
            told(Kind.UPDATED, map);
          }

          @Override
          public void onDelete(ConfigMap map, boolean unknown) {
            told(Kind.DELETED, map);
          }

          private void told(Kind kind, ConfigMap map) {
            var metadata = map.getMetadata();
            add(kind, metadata.getName(), metadata.getResourceVersion());
          }
        });
    informer.start();
    synced = informer::hasSynced;
    stop =
        () -> {
          informer.stop();
          client.close();
        };
  }

  private void startOfficial(String url, Path authority, String namespace) throws IOException {
    var client =
        new ClientBuilder()
            .setBasePath(url)
            .setCertificateAuthority(Files.readAllBytes(authority))
            .setAuthentication(new AccessTokenAuthentication(EtcdFleet.TOKEN))
            .setReadTimeout(Duration.ZERO)
            .build();
    var factory = new SharedInformerFactory(client);
    var api =
        new GenericKubernetesApi<>(
            V1ConfigMap.class, V1ConfigMapList.class, "", "v1", "configmaps", client);
    var informer = factory.sharedIndexInformerFor(api, V1ConfigMap.class, 0, namespace);
    informer.addEventHandler(
        new io.kubernetes.client.informer.ResourceEventHandler<>() {
          @Override
          public void onAdd(V1ConfigMap map) {
            told(Kind.ADDED, map);
          }

          @Override
          public void onUpdate(V1ConfigMap old, V1ConfigMap map) {
            told(Kind.UPDATED, map);
          }

          @Override
          public void onDelete(V1ConfigMap map, boolean unknown) {
            told(Kind.DELETED, map);
          }

          private void told(Kind kind, V1ConfigMap map) {
            var metadata = map.getMetadata();
            add(kind, metadata.getName(), metadata.getResourceVersion());
          }
        });
    factory.startAllRegisteredInformers();
    synced = informer::hasSynced;
    stop = () -> factory.stopAllRegisteredInformers(true);
  }

  private void add(Kind kind, String name, String revision) {
    changes.add(new Change(kind, name, Long.parseLong(revision)));
  }

  @Override
  public void close() {
    stop.run();
  }
}
