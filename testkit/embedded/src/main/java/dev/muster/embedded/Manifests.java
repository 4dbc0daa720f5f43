package dev.muster.embedded;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceValidationBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.CustomResourceDefinitionContext;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Loads objects from files, the class path and annotated classes; definitions first. */
record Manifests(KubernetesClient client) {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String DEFINITION = "CustomResourceDefinition";

  /**
   * @throws IllegalArgumentException for a name that is neither a file nor a resource, or that is
   *     empty
   */
  void load(List<String> names) {
    var definitions = new ArrayList<HasMetadata>();
    var others = new ArrayList<HasMetadata>();
    for (var name : names) {
      for (var object : read(name)) {
        (object.getKind().equals(DEFINITION) ? definitions : others).add(object);
      }
    }
    create(definitions);
    others.forEach(object -> client.resource(object).createOr(item -> item.update()));
  }

  /** Loads the definitions of annotated classes. */
  void define(List<Class<?>> types) {
    create(types.stream().map(this::definition).toList());
  }

  private void create(List<HasMetadata> definitions) {
    definitions.forEach(object -> client.resource(object).createOr(item -> item.update()));
    for (var definition : definitions) {
      var name = definition.getMetadata().getName();
      Waiting.until(PATIENCE, () -> isEstablished(name), () -> name + " is not established");
    }
  }

  private boolean isEstablished(String name) {
    var definition = client.apiextensions().v1().customResourceDefinitions().withName(name).get();
    return definition != null
        && definition.getStatus() != null
        && definition.getStatus().getConditions() != null
        && definition.getStatus().getConditions().stream()
            .anyMatch(
                condition ->
                    condition.getType().equals("Established")
                        && condition.getStatus().equals("True"));
  }

  private List<HasMetadata> read(String name) {
    try (var text = open(name)) {
      if (text == null) {
        throw new IllegalArgumentException(
            name + " is neither a file nor a resource on the class path");
      }
      return objects(name, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<HasMetadata> objects(String name, InputStream text) {
    var objects = client.load(text).items();
    if (objects.isEmpty()) {
      throw new IllegalArgumentException(name + " holds no objects");
    }
    return objects;
  }

  private static @Nullable InputStream open(String name) throws IOException {
    var file = Path.of(name);
    if (Files.isRegularFile(file)) {
      return new ByteArrayInputStream(Files.readAllBytes(file));
    }
    return resource(name.startsWith("/") ? name.substring(1) : name);
  }

  private static @Nullable InputStream resource(String name) {
    var own = Thread.currentThread().getContextClassLoader();
    return (own == null ? Manifests.class.getClassLoader() : own).getResourceAsStream(name);
  }

  /**
   * The definition that fabric8's generator wrote at build time, or generates now; without the
   * generator, one that accepts any content.
   */
  private HasMetadata definition(Class<?> type) {
    if (!CustomResource.class.isAssignableFrom(type)) {
      throw new IllegalArgumentException(type.getName() + " is not a CustomResource");
    }
    var context =
        CustomResourceDefinitionContext.fromCustomResourceType(
            type.asSubclass(CustomResource.class));
    var written = "META-INF/fabric8/" + context.getName() + "-v1.yml";
    try (var text = resource(written)) {
      if (text != null) {
        return objects(written, text).getFirst();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return DefinitionGenerator.definition(type, context.getName())
        .map(yaml -> objects(type.getName(), new ByteArrayInputStream(yaml)).getFirst())
        .orElseGet(() -> open(type.asSubclass(CustomResource.class)));
  }

  @SuppressWarnings("rawtypes")
  private static CustomResourceDefinition open(Class<? extends CustomResource> type) {
    var definition = CustomResourceDefinitionContext.v1CRDFromCustomResourceType(type).build();
    for (CustomResourceDefinitionVersion version : definition.getSpec().getVersions()) {
      version.setServed(true);
      version.setSchema(
          new CustomResourceValidationBuilder()
              .withNewOpenAPIV3Schema()
              .withType("object")
              .withXKubernetesPreserveUnknownFields(true)
              .endOpenAPIV3Schema()
              .build());
    }
    return definition;
  }
}
