package dev.muster.server.options;

import dev.muster.model.Spelled;
import dev.muster.server.options.flag.FileKind;
import dev.muster.server.options.flag.Flag;
import dev.muster.server.options.flag.FlagChecks;
import dev.muster.server.options.flag.FlagGroup;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The encoding, encryption and lifetime of objects in the store. */
@FlagGroup("Storage")
public record StorageOptions(
    @Flag(
            name = "storage-media-type",
            forms = Flag.Form.EMPTY_IS_DEFAULT,
            help =
                "How objects are written: application/json, application/yaml or"
                    + " application/vnd.kubernetes.protobuf. All are always read.")
        MediaType mediaType,
    @Flag(name = "event-ttl", help = "How long Events are kept.") Duration eventTtl,
    @Flag(
            name = "etcd-compaction-interval",
            help = "How much history the store keeps for watches and paged lists. 0s: all of it.")
        Duration compactionInterval,
    @Flag(
            name = "storage-initialization-timeout",
            help = "How long a start waits for the store before it fails.")
        Duration initializationTimeout,
    @Flag(
            name = "encryption-provider-config",
            file = FileKind.TEXT,
            help =
                "File with an EncryptionConfiguration (apiserver.config.k8s.io/v1): which resources"
                    + " are encrypted in the store, and how.")
        @Nullable Path encryptionConfig,
    @Flag(
            name = "encryption-provider-config-automatic-reload",
            help =
                "Whether changes of --encryption-provider-config take effect while the server"
                    + " runs.")
        boolean encryptionReload)
    implements OptionGroup {

  /** An encoding of stored objects. */
  public enum MediaType implements Spelled {
    JSON("application/json"),
    YAML("application/yaml"),
    PROTOBUF("application/vnd.kubernetes.protobuf");

    private final String spelling;

    MediaType(String spelling) {
      this.spelling = spelling;
    }

    @Override
    public String spelling() {
      return spelling;
    }
  }

  public StorageOptions {
    FlagChecks.positive("event-ttl", eventTtl);
    FlagChecks.notNegative("etcd-compaction-interval", compactionInterval);
    FlagChecks.positive("storage-initialization-timeout", initializationTimeout);
    if (encryptionReload && encryptionConfig == null) {
      throw new IllegalArgumentException(
          "--encryption-provider-config-automatic-reload: must be set with"
              + " --encryption-provider-config");
    }
  }

  public static StorageOptions defaults() {
    return new StorageOptions(
        MediaType.JSON,
        Duration.ofHours(1),
        Duration.ofMinutes(5),
        Duration.ofMinutes(1),
        null,
        false);
  }

  /** These options with the encryption that the file configures. */
  public StorageOptions withEncryption(Path config, boolean reload) {
    return new StorageOptions(
        mediaType, eventTtl, compactionInterval, initializationTimeout, config, reload);
  }
}
