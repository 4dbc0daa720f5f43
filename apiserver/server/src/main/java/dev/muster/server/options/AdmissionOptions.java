package dev.muster.server.options;

import dev.muster.server.options.flag.FileKind;
import dev.muster.server.options.flag.Flag;
import dev.muster.server.options.flag.FlagGroup;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The enabled and disabled admission plugins, in addition to the default ones, and their settings.
 */
@FlagGroup("Admission")
public record AdmissionOptions(
    @Flag(
            name = "enable-admission-plugins",
            help =
                "Admission plugins to use in addition to the default ones. Order has no meaning.")
        List<String> enabled,
    @Flag(
            name = "disable-admission-plugins",
            help = "Admission plugins not to use although they are among the default ones.")
        List<String> disabled,
    @Flag(
            name = "admission-control-config-file",
            file = FileKind.TEXT,
            help = "File that says more about admission plugins, an AdmissionConfiguration.")
        @Nullable Path configurationFile,
    @Flag(
            name = "default-not-ready-toleration-seconds",
            help = "How long pods stay on a node that is not ready, unless they say so themselves.")
        int notReadySeconds,
    @Flag(
            name = "default-unreachable-toleration-seconds",
            help =
                "How long pods stay on a node that is unreachable, unless they say so themselves.")
        int unreachableSeconds)
    implements OptionGroup {
  private static final int TOLERATED_SECONDS = 300;

  public AdmissionOptions {
    enabled = List.copyOf(enabled);
    disabled = List.copyOf(disabled);
    for (var plugin : enabled) {
      if (disabled.contains(plugin)) {
        throw new IllegalArgumentException(
            "--enable-admission-plugins and --disable-admission-plugins: both name " + plugin);
      }
    }
  }

  /** With the default toleration times. */
  public AdmissionOptions(List<String> enabled, List<String> disabled) {
    this(enabled, disabled, null, TOLERATED_SECONDS, TOLERATED_SECONDS);
  }

  public static AdmissionOptions defaults() {
    return new AdmissionOptions(List.of(), List.of());
  }
}
