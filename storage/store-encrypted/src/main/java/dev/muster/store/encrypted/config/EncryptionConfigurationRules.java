package dev.muster.store.encrypted.config;

import dev.muster.model.GroupResource;
import dev.muster.model.gocompat.GoDuration;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.store.encrypted.config.EncryptionConfiguration.EncryptionKey;
import dev.muster.store.encrypted.config.EncryptionConfiguration.KeyList;
import dev.muster.store.encrypted.config.EncryptionConfiguration.KmsConfiguration;
import dev.muster.store.encrypted.config.EncryptionConfiguration.ProviderConfiguration;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Validates an EncryptionConfiguration with kube-apiserver's rules and messages. Only one thread
 * uses it.
 */
public final class EncryptionConfigurationRules {
  private static final List<Integer> AES_KEYS = List.of(16, 24, 32);
  private static final List<Integer> SECRETBOX_KEYS = List.of(32);
  private static final Set<String> WITHOUT_API =
      Set.of("apiserveripinfo", "serviceipallocations", "servicenodeportallocations");

  private final List<FieldError> errors = new ArrayList<>();
  private final Set<String> kmsNames = new HashSet<>();
  private final boolean reload;

  private EncryptionConfigurationRules(boolean reload) {
    this.reload = reload;
  }

  /**
   * All errors of a configuration.
   *
   * @param reload whether the server may replace the configuration while it runs
   */
  public static List<FieldError> check(EncryptionConfiguration configuration, boolean reload) {
    var rules = new EncryptionConfigurationRules(reload);
    rules.all(configuration);
    return rules.errors;
  }

  private void all(EncryptionConfiguration configuration) {
    var root = FieldPath.of("resources");
    if (configuration.resources().isEmpty()) {
      errors.add(FieldError.required(root, atLeastOne(root.text())));
    }
    for (int i = 0; i < configuration.resources().size(); i++) {
      var item = configuration.resources().get(i);
      var names = root.index(i).child("resources");
      var providers = root.index(i).child("providers");
      if (item.names().isEmpty()) {
        errors.add(FieldError.required(names, atLeastOne(names.text())));
      }
      overlaps(item.names(), names);
      for (int j = 0; j < item.names().size(); j++) {
        name(item.names().get(j), names.index(j));
      }
      if (item.providers().isEmpty()) {
        errors.add(FieldError.required(providers, atLeastOne(providers.text())));
      }
      for (int j = 0; j < item.providers().size(); j++) {
        provider(item.providers().get(j), providers.index(j));
      }
    }
  }

  private static String atLeastOne(String what) {
    return "at least one " + what + " is required";
  }

  private void overlaps(List<String> names, FieldPath path) {
    var parsed = names.stream().map(EncryptionConfigurationRules::resource).toList();
    boolean duplicate = false;
    boolean overlap = false;
    for (int i = 0; i < parsed.size(); i++) {
      for (int j = 0; j < parsed.size(); j++) {
        var one = parsed.get(i);
        var other = parsed.get(j);
        if (i == j) {
          continue;
        }
        if (one.equals(other) && !duplicate) {
          duplicate = true;
        } else if (isEverything(one)) {
          overlap = true;
        } else if (one.group().equals(other.group())) {
          overlap |= one.resource().equals("*") || other.resource().equals("*");
        }
      }
    }
    var shown = JsonArray.of(names.stream().map(name -> (Json) Json.of(name)).toList());
    if (duplicate) {
      errors.add(
          FieldError.invalid(path, shown, "the same resource cannot be specified multiple times"));
    }
    if (overlap) {
      errors.add(
          FieldError.invalid(
              path,
              shown,
              "using overlapping resources such as 'secrets' and '*.' in the same resource list is"
                  + " not allowed as they will be masked"));
    }
  }

  private static boolean isEverything(GroupResource resource) {
    return resource.group().equals("*") && resource.resource().equals("*");
  }

  /** Splits a name such as {@code deployments.apps} at its first dot. */
  public static GroupResource resource(String name) {
    int dot = name.indexOf('.');
    return dot < 0
        ? new GroupResource("", name)
        : new GroupResource(name.substring(dot + 1), name.substring(0, dot));
  }

  private void name(String name, FieldPath path) {
    var resource = resource(name);
    if (!name.toLowerCase(Locale.ROOT).equals(name)) {
      invalid(path, name, "resource name should not contain capital letters");
    } else if (name.equals("*")) {
      invalid(
          path,
          name,
          "use '*.' to encrypt all the resources from core API group or *.* to encrypt all"
              + " resources");
    } else if (WITHOUT_API.contains(name)) {
      invalid(path, name, "resources which do not have REST API/s cannot be encrypted");
    } else if (resource.group().equals("events.k8s.io")) {
      invalid(
          path,
          name,
          "'*.events.k8s.io' objects are stored using the 'events' API group in etcd. Use 'events'"
              + " instead in the config file");
    } else if (resource.group().equals("extensions")) {
      invalid(path, name, "'extensions' group has been removed and cannot be used for encryption");
    } else if (resource.group().equals("*") && !resource.resource().equals("*")) {
      invalid(path, name, "encrypting the same resource across groups is not supported");
    }
  }

  private void provider(ProviderConfiguration provider, FieldPath path) {
    var found =
        Stream.of(provider.kms(), provider.aesgcm(), provider.aescbc(), provider.secretbox())
                .filter(each -> each != null)
                .count()
            + (provider.identity() ? 1 : 0);
    if (found == 0) {
      errors.add(
          FieldError.invalid(
              path,
              "provider does not contain any of the expected providers: KMS, AESGCM, AESCBC,"
                  + " Secretbox, Identity"));
    } else if (found > 1) {
      errors.add(
          FieldError.invalid(
              path,
              "more than one provider specified in a single element, should split into different"
                  + " list elements"));
    }
    if (provider.kms() != null) {
      kms(provider.kms(), path.child("kms"));
      kmsNames.add(provider.kms().name());
    } else if (provider.aesgcm() != null) {
      keys(provider.aesgcm(), path.child("aesgcm").child("keys"), AES_KEYS);
    } else if (provider.aescbc() != null) {
      keys(provider.aescbc(), path.child("aescbc").child("keys"), AES_KEYS);
    } else if (provider.secretbox() != null) {
      keys(provider.secretbox(), path.child("secretbox").child("keys"), SECRETBOX_KEYS);
    }
  }

  private void keys(KeyList keys, FieldPath path, List<Integer> lengths) {
    if (keys.all().isEmpty()) {
      errors.add(FieldError.required(path, atLeastOne("keys")));
    }
    for (int i = 0; i < keys.all().size(); i++) {
      key(keys.all().get(i), path.index(i), lengths);
    }
  }

  private void key(EncryptionKey key, FieldPath path, List<Integer> lengths) {
    if (key.name().isEmpty()) {
      errors.add(FieldError.required(path.child("name"), mandatory("name", "key")));
    }
    if (key.secret().isEmpty()) {
      errors.add(FieldError.required(path.child("secret"), mandatory("secret", "key")));
      return;
    }
    try {
      int length = secret(key).length;
      if (!lengths.contains(length)) {
        invalid(
            path.child("secret"),
            "REDACTED",
            "secret is not of the expected length, got %d, expected one of %s"
                .formatted(length, lengths.toString().replace(",", "")));
      }
    } catch (IllegalArgumentException e) {
      invalid(path.child("secret"), "REDACTED", "secrets must be base64 encoded");
    }
  }

  /**
   * The decoded key.
   *
   * @throws IllegalArgumentException when it is not base64
   */
  public static byte[] secret(EncryptionKey key) {
    var text = key.secret().replace("\r", "").replace("\n", "");
    if (text.length() % 4 != 0) {
      throw new IllegalArgumentException("base64 without its padding");
    }
    return Base64.getDecoder().decode(text);
  }

  private static String mandatory(String field, String what) {
    return field + " is a mandatory field for a " + what;
  }

  private void kms(KmsConfiguration kms, FieldPath path) {
    boolean first = kms.apiVersion().equals("v1");
    var name = path.child("name");
    if (kms.name().isEmpty()) {
      errors.add(FieldError.required(name, mandatory("name", "provider")));
    }
    if (!first && kms.name().contains(":")) {
      invalid(
          name, kms.name(), "invalid KMS provider name " + kms.name() + ", must not contain ':'");
    }
    if ((reload || !first) && kmsNames.contains(kms.name())) {
      invalid(
          name, kms.name(), "duplicate KMS provider name " + kms.name() + ", names must be unique");
    }
    if (kms.timeout().isNegative() || kms.timeout().isZero()) {
      invalid(
          path.child("timeout"),
          GoDuration.format(kms.timeout()),
          "timeout should be a positive value");
    }
    endpoint(kms.endpoint(), path.child("endpoint"));
    var cacheSize = kms.cacheSize();
    if (!first && cacheSize != null) {
      errors.add(
          FieldError.invalid(
              path.child("cachesize"), cacheSize, "cachesize is not supported in v2"));
    }
    if (first && cacheSize != null && cacheSize == 0) {
      errors.add(
          FieldError.invalid(
              path.child("cachesize"),
              cacheSize,
              "cachesize should be a positive value, or negative to disable"));
    }
    if (!first && !kms.apiVersion().equals("v2")) {
      invalid(
          path.child("apiVersion"),
          kms.apiVersion(),
          "unsupported apiVersion apiVersion for KMS provider, only v1 and v2 are supported");
    }
  }

  private void endpoint(String endpoint, FieldPath path) {
    if (endpoint.isEmpty()) {
      invalid(path, "", mandatory("endpoint", "kms"));
      return;
    }
    try {
      var scheme = new URI(endpoint).getScheme();
      if (!"unix".equals(scheme)) {
        invalid(
            path,
            endpoint,
            "unsupported scheme \"%s\" for KMS provider, only unix is supported"
                .formatted(scheme == null ? "" : scheme));
      }
    } catch (URISyntaxException e) {
      invalid(path, endpoint, "invalid endpoint for kms provider, error: " + e.getMessage());
    }
  }

  private void invalid(FieldPath path, String value, String detail) {
    errors.add(FieldError.invalid(path, value, detail));
  }
}
