package dev.muster.store.encrypted.config;

import dev.muster.model.gocompat.GoDuration;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.JsonObject;
import dev.muster.store.encrypted.config.EncryptionConfiguration.EncryptionKey;
import dev.muster.store.encrypted.config.EncryptionConfiguration.KeyList;
import dev.muster.store.encrypted.config.EncryptionConfiguration.KmsConfiguration;
import dev.muster.store.encrypted.config.EncryptionConfiguration.ProviderConfiguration;
import dev.muster.store.encrypted.config.EncryptionConfiguration.ResourceConfiguration;
import dev.muster.wire.ConfigurationKind;
import dev.muster.wire.DecodeException;
import dev.muster.wire.Document;
import dev.muster.wire.StrictFields;
import dev.muster.wire.yaml.YamlReader;
import java.time.Duration;
import java.util.Set;

/** Reads an EncryptionConfiguration in YAML or JSON. Refuses unknown fields. */
public final class EncryptionConfigurationReader {
  private static final ConfigurationKind KIND =
      new ConfigurationKind("EncryptionConfiguration", Set.of("apiserver.config.k8s.io/v1"));

  private EncryptionConfigurationReader() {}

  /**
   * Reads the file without validating its values.
   *
   * @throws EncryptionConfigurationException when it is no EncryptionConfiguration
   */
  public static EncryptionConfiguration read(byte[] text) throws EncryptionConfigurationException {
    Document document;
    try {
      document = YamlReader.document(text);
    } catch (DecodeException e) {
      // A decoder's message may quote the text, and the text contains keys.
      throw new EncryptionConfigurationException("the file is neither YAML nor JSON");
    }
    if (!(document.value() instanceof JsonObject)) {
      throw new EncryptionConfigurationException("the file holds no object");
    }
    try {
      return KIND.read(
          document,
          "the file",
          root ->
              new EncryptionConfiguration(
                  root.objects(
                      "resources",
                      item ->
                          new ResourceConfiguration(
                              item.texts("resources"),
                              item.objects(
                                  "providers", EncryptionConfigurationReader::provider)))));
    } catch (DecodeException e) {
      throw new EncryptionConfigurationException(e.text());
    }
  }

  private static ProviderConfiguration provider(StrictFields provider) {
    return new ProviderConfiguration(
        provider.optionalObject("aesgcm", EncryptionConfigurationReader::keys),
        provider.optionalObject("aescbc", EncryptionConfigurationReader::keys),
        provider.optionalObject("secretbox", EncryptionConfigurationReader::keys),
        provider.optionalObject("kms", EncryptionConfigurationReader::kms),
        provider.optionalObject("identity", identity -> true) != null);
  }

  private static KeyList keys(StrictFields provider) {
    return new KeyList(
        provider.objects("keys", key -> new EncryptionKey(key.text("name"), key.text("secret"))));
  }

  private static KmsConfiguration kms(StrictFields kms) {
    var version = kms.text("apiVersion");
    return new KmsConfiguration(
        version.isEmpty() ? "v1" : version,
        kms.text("name"),
        kms.number("cachesize"),
        kms.text("endpoint"),
        timeout(kms.text("timeout")));
  }

  private static Duration timeout(String text) {
    if (text.isEmpty()) {
      return KmsConfiguration.TIMEOUT;
    }
    try {
      return GoDuration.parse(text);
    } catch (RuntimeException e) {
      throw new DecodeException("time: invalid duration " + GoText.quote(text));
    }
  }
}
