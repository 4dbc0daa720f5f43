package dev.muster.store.encrypted;

import dev.muster.model.GroupResource;
import dev.muster.store.encrypted.kms.KmsPlugin;
import dev.muster.store.encrypted.transform.IdentityTransformer;
import dev.muster.store.encrypted.transform.PrefixTransformers;
import dev.muster.store.encrypted.transform.PrefixTransformers.Prefixed;
import dev.muster.store.encrypted.transform.Transformer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The transformers of one configuration, by resource. Thread-safe. */
final class Transformers implements AutoCloseable {
  /** Stores all values unencrypted. */
  static final Transformers NONE =
      new Transformers(Map.of(), List.of(), "", EncryptionObserver.NONE);

  private static final Transformer CLEAR = new IdentityTransformer();
  private static final GroupResource EVERYTHING = new GroupResource("*", "*");

  private final Map<GroupResource, List<Prefixed>> providers;
  private final List<KmsPlugin> plugins;
  private final String hash;
  private final EncryptionObserver observer;
  private final Map<GroupResource, Transformer> byResource = new ConcurrentHashMap<>();

  /**
   * @param providers the providers of each resource that the configuration names, including
   *     wildcards
   * @param plugins the KMS plug-ins of these providers
   * @param hash the hash of the configuration file; "" when there is none
   */
  Transformers(
      Map<GroupResource, List<Prefixed>> providers,
      List<KmsPlugin> plugins,
      String hash,
      EncryptionObserver observer) {
    this.providers = Map.copyOf(providers);
    this.plugins = List.copyOf(plugins);
    this.hash = hash;
    this.observer = observer;
  }

  /** Whether nothing is encrypted. */
  boolean isEmpty() {
    return providers.isEmpty();
  }

  List<KmsPlugin> plugins() {
    return plugins;
  }

  String hash() {
    return hash;
  }

  /** The transformer of that resource; unencrypted when the configuration does not name it. */
  Transformer of(GroupResource resource) {
    return providers.isEmpty() ? CLEAR : byResource.computeIfAbsent(resource, this::make);
  }

  private Transformer make(GroupResource resource) {
    var found = providers(resource);
    return found == null
        ? CLEAR
        : new PrefixTransformers(
            "no matching prefix found",
            found,
            (toStorage, prefix, status, nanos) ->
                observer.transformed(resource, toStorage, prefix, status, nanos));
  }

  private @Nullable List<Prefixed> providers(GroupResource resource) {
    var exact = providers.get(resource);
    if (exact != null) {
      return exact;
    }
    var ofGroup = providers.get(new GroupResource(resource.group(), "*"));
    return ofGroup != null ? ofGroup : providers.get(EVERYTHING);
  }

  /** The problem of the plug-ins at their last probe; "" when there is none. Never blocks. */
  String degradedReason() {
    var troubles = new ArrayList<String>();
    for (int i = 0; i < plugins.size(); i++) {
      var trouble = plugins.get(i).degradedReason();
      if (!trouble.isEmpty()) {
        troubles.add("kms-provider-" + i + ": " + trouble);
      }
    }
    return String.join(", ", troubles);
  }

  /** How long calls to these plug-ins may still run after another configuration took effect. */
  Duration grace() {
    return plugins.stream()
        .map(KmsPlugin::timeout)
        .reduce(Duration.ZERO, Duration::plus)
        .multipliedBy(2);
  }

  @Override
  public void close() {
    plugins.forEach(KmsPlugin::close);
  }
}
