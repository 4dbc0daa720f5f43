package dev.muster.store.encrypted;

import dev.muster.model.FileProblems;
import dev.muster.model.GroupResource;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.validation.FieldError;
import dev.muster.store.encrypted.config.EncryptionConfiguration;
import dev.muster.store.encrypted.config.EncryptionConfiguration.KeyList;
import dev.muster.store.encrypted.config.EncryptionConfiguration.KmsConfiguration;
import dev.muster.store.encrypted.config.EncryptionConfiguration.ProviderConfiguration;
import dev.muster.store.encrypted.config.EncryptionConfigurationException;
import dev.muster.store.encrypted.config.EncryptionConfigurationReader;
import dev.muster.store.encrypted.config.EncryptionConfigurationRules;
import dev.muster.store.encrypted.kms.EnvelopeTransformer;
import dev.muster.store.encrypted.kms.KmsClient;
import dev.muster.store.encrypted.kms.KmsPlugin;
import dev.muster.store.encrypted.transform.AesCbc;
import dev.muster.store.encrypted.transform.AesGcm;
import dev.muster.store.encrypted.transform.IdentityTransformer;
import dev.muster.store.encrypted.transform.PrefixTransformers;
import dev.muster.store.encrypted.transform.PrefixTransformers.Prefixed;
import dev.muster.store.encrypted.transform.SecretBox;
import dev.muster.store.encrypted.transform.Transformer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Function;

/**
 * Creates transformers from the file of {@code --encryption-provider-config}. Thread-safe.
 *
 * @param reload whether the server may read the file again while it runs
 * @param kmsV1 whether the feature gate for KMS v1 is on
 * @param onReadable called when a plug-in can decrypt a value that it could not decrypt before
 */
record TransformersLoader(
    Path file,
    boolean reload,
    boolean kmsV1,
    InstantSource clock,
    KmsPlugin.Pace pace,
    EncryptionObserver observer,
    Runnable onReadable) {

  /**
   * The hash of the file's content.
   *
   * @throws EncryptionConfigurationException when the file is unreadable or empty
   */
  String hash() throws EncryptionConfigurationException {
    return hash(content());
  }

  private static String hash(byte[] content) {
    try {
      var digest = MessageDigest.getInstance("SHA-256").digest(content);
      return "sha256:" + HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private byte[] content() throws EncryptionConfigurationException {
    byte[] content;
    try {
      content = Files.readAllBytes(file);
    } catch (IOException e) {
      throw new EncryptionConfigurationException(
          "error reading encryption provider configuration file: " + FileProblems.text(file, e));
    }
    if (content.length == 0) {
      throw new EncryptionConfigurationException(
          "encryption provider configuration file %s is empty"
              .formatted(GoText.quote(file.toString())));
    }
    return content;
  }

  /**
   * Reads the file and probes each of its plug-ins once. The caller closes the result.
   *
   * @throws EncryptionConfigurationException when the configuration cannot be used
   */
  Transformers load() throws EncryptionConfigurationException {
    byte[] content;
    EncryptionConfiguration configuration;
    try {
      content = content();
    } catch (EncryptionConfigurationException e) {
      throw new EncryptionConfigurationException(
          "error while parsing file: error while loading file: " + e.text());
    }
    try {
      configuration = EncryptionConfigurationReader.read(content);
    } catch (EncryptionConfigurationException e) {
      throw new EncryptionConfigurationException(
          "error while parsing file: error decoding encryption provider configuration file %s: %s"
              .formatted(GoText.quote(file.toString()), e.text()));
    }
    var errors = EncryptionConfigurationRules.check(configuration, reload);
    if (!errors.isEmpty()) {
      throw new EncryptionConfigurationException(
          "error while parsing file: " + FieldError.join(errors));
    }
    return new Building().build(configuration, hash(content));
  }

  /** The transformers of one load. One thread uses it once. */
  private final class Building {
    private final List<KmsPlugin> plugins = new ArrayList<>();
    private final LinkedHashMap<GroupResource, List<Prefixed>> providers = new LinkedHashMap<>();

    Transformers build(EncryptionConfiguration configuration, String hash)
        throws EncryptionConfigurationException {
      boolean whole = false;
      try {
        for (var item : configuration.resources()) {
          var transformers = new ArrayList<Prefixed>();
          for (var provider : item.providers()) {
            transformers.add(prefixed(provider));
          }
          for (var name : item.names()) {
            add(EncryptionConfigurationRules.resource(name), transformers);
          }
        }
        whole = true;
      } catch (EncryptionConfigurationException e) {
        throw new EncryptionConfigurationException(
            "error while building transformers: " + e.text());
      } finally {
        if (!whole) {
          plugins.forEach(KmsPlugin::close);
        }
      }
      plugins.forEach(KmsPlugin::start);
      return new Transformers(providers, plugins, hash, observer);
    }

    private void add(GroupResource resource, List<Prefixed> transformers)
        throws EncryptionConfigurationException {
      for (var wide :
          List.of(new GroupResource(resource.group(), "*"), new GroupResource("*", "*"))) {
        if (providers.containsKey(wide)) {
          throw new EncryptionConfigurationException(
              "resource %s is masked by earlier rule %s"
                  .formatted(GoText.quote(text(resource)), GoText.quote(text(wide))));
        }
      }
      providers.computeIfAbsent(resource, _ -> new ArrayList<>()).addAll(transformers);
    }

    private static String text(GroupResource resource) {
      return resource.group().isEmpty() && resource.resource().equals("*")
          ? "*."
          : resource.toString();
    }

    private Prefixed prefixed(ProviderConfiguration provider)
        throws EncryptionConfigurationException {
      if (provider.aesgcm() != null) {
        return keyed("k8s:enc:aesgcm:v1:", "AES", provider.aesgcm(), AesGcm::new);
      }
      if (provider.aescbc() != null) {
        return keyed("k8s:enc:aescbc:v1:", "AES", provider.aescbc(), AesCbc::new);
      }
      if (provider.secretbox() != null) {
        return keyed("k8s:enc:secretbox:v1:", "Secretbox", provider.secretbox(), SecretBox::new);
      }
      var kms = provider.kms();
      return kms == null ? new Prefixed("", new IdentityTransformer()) : kms(kms);
    }

    private static Prefixed keyed(
        String prefix, String what, KeyList keys, Function<byte[], Transformer> made) {
      var transformers =
          keys.all().stream()
              .map(
                  key ->
                      new Prefixed(
                          key.name() + ":", made.apply(EncryptionConfigurationRules.secret(key))))
              .toList();
      return new Prefixed(
          prefix,
          new PrefixTransformers(
              "no matching key was found for the provided " + what + " transformer",
              transformers,
              PrefixTransformers.Observer.NONE));
    }

    private Prefixed kms(KmsConfiguration kms) throws EncryptionConfigurationException {
      if (kms.apiVersion().equals("v1")) {
        throw new EncryptionConfigurationException(
            kmsV1
                ? "KMSv1 is deprecated, and Muster does not speak it: give the KMS provider %s the apiVersion v2"
                    .formatted(GoText.quote(kms.name()))
                : "KMSv1 is deprecated and will only receive security updates going forward. Use"
                    + " KMSv2 instead.  Set --feature-gates=KMSv1=true to use the deprecated KMSv1"
                    + " feature.");
      }
      try {
        var client = new KmsClient(kms.name(), kms.endpoint(), kms.timeout(), observer);
        var plugin = new KmsPlugin(client, kms.name(), clock, pace, observer, onReadable);
        plugins.add(plugin);
        return new Prefixed("k8s:enc:kms:v2:" + kms.name() + ":", new EnvelopeTransformer(plugin));
      } catch (IllegalArgumentException e) {
        throw new EncryptionConfigurationException(
            "could not configure KMSv2-Plugin's probe %s, error: %s"
                .formatted(GoText.quote(kms.name()), e.getMessage()));
      }
    }
  }
}
