package dev.muster.store.encrypted.config;

import dev.muster.model.go.GoDuration;
import dev.muster.model.go.GoText;
import dev.muster.model.json.JsonObject;
import dev.muster.store.encrypted.config.EncryptionConfiguration.EncryptionKey;
import dev.muster.store.encrypted.config.EncryptionConfiguration.KeyList;
import dev.muster.store.encrypted.config.EncryptionConfiguration.KmsConfiguration;
import dev.muster.store.encrypted.config.EncryptionConfiguration.ProviderConfiguration;
import dev.muster.store.encrypted.config.EncryptionConfiguration.ResourceConfiguration;
import dev.muster.wire.DecodeException;
import dev.muster.wire.Document;
import dev.muster.wire.YamlReader;
import java.time.Duration;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/** Reads an EncryptionConfiguration, YAML or JSON, and refuses fields that nobody knows. */
public final class EncryptionConfigurationReader {
  private static final String VERSION = "apiserver.config.k8s.io/v1";
  private static final String KIND = "EncryptionConfiguration";

  private EncryptionConfigurationReader() {}

  /**
   * Reads without checking what is said.
   *
   * @throws EncryptionConfigurationException when it is no EncryptionConfiguration
   */
  public static EncryptionConfiguration read(byte[] text) throws EncryptionConfigurationException {
    Document document;
    try {
      document = YamlReader.document(text);
    } catch (DecodeException e) {
      // What a decoder says may quote the text, and the text holds keys.
      throw new EncryptionConfigurationException("the file is neither YAML nor JSON");
    }
    if (!(document.value() instanceof JsonObject object)) {
      throw new EncryptionConfigurationException("the file holds no object");
    }
    var problems = new ArrayList<>(document.complaints());
    var root = new StrictObject(object, "", document, problems);
    checkKind(root);
    root.only("apiVersion", "kind", "resources");
    var resources = new ArrayList<ResourceConfiguration>();
    for (var item : root.objects("resources")) {
      item.only("resources", "providers");
      var providers = new ArrayList<ProviderConfiguration>();
      for (var provider : item.objects("providers")) {
        providers.add(provider(provider));
      }
      resources.add(new ResourceConfiguration(item.texts("resources"), providers));
    }
    if (!problems.isEmpty()) {
      throw new EncryptionConfigurationException(
          "strict decoding error: " + String.join(", ", problems));
    }
    return new EncryptionConfiguration(resources);
  }

  private static void checkKind(StrictObject root) throws EncryptionConfigurationException {
    var kind = root.text("kind");
    var version = root.text("apiVersion");
    if (kind.isEmpty()) {
      throw new EncryptionConfigurationException("Object 'Kind' is missing in the file");
    }
    if (version.isEmpty()) {
      throw new EncryptionConfigurationException("Object 'apiVersion' is missing in the file");
    }
    if (!kind.equals(KIND) || !version.equals(VERSION)) {
      throw new EncryptionConfigurationException(
          "no kind %s is registered for version %s"
              .formatted(GoText.quote(kind), GoText.quote(version)));
    }
  }

  private static ProviderConfiguration provider(StrictObject provider)
      throws EncryptionConfigurationException {
    provider.only("aesgcm", "aescbc", "secretbox", "kms", "identity");
    var identity = provider.object("identity");
    if (identity != null) {
      identity.only();
    }
    return new ProviderConfiguration(
        keys(provider.object("aesgcm")),
        keys(provider.object("aescbc")),
        keys(provider.object("secretbox")),
        kms(provider.object("kms")),
        identity != null);
  }

  private static @Nullable KeyList keys(@Nullable StrictObject provider)
      throws EncryptionConfigurationException {
    if (provider == null) {
      return null;
    }
    provider.only("keys");
    var keys = new ArrayList<EncryptionKey>();
    for (var key : provider.objects("keys")) {
      key.only("name", "secret");
      keys.add(new EncryptionKey(key.text("name"), key.text("secret")));
    }
    return new KeyList(keys);
  }

  private static @Nullable KmsConfiguration kms(@Nullable StrictObject kms)
      throws EncryptionConfigurationException {
    if (kms == null) {
      return null;
    }
    kms.only("apiVersion", "name", "cachesize", "endpoint", "timeout");
    var version = kms.text("apiVersion");
    return new KmsConfiguration(
        version.isEmpty() ? "v1" : version,
        kms.text("name"),
        kms.number("cachesize"),
        kms.text("endpoint"),
        timeout(kms));
  }

  private static Duration timeout(StrictObject kms) throws EncryptionConfigurationException {
    var text = kms.text("timeout");
    if (text.isEmpty()) {
      return KmsConfiguration.TIMEOUT;
    }
    try {
      return GoDuration.parse(text);
    } catch (RuntimeException e) {
      throw new EncryptionConfigurationException("time: invalid duration " + GoText.quote(text));
    }
  }
}
