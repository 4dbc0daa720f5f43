package dev.muster.server.options;

import java.util.List;

/** Admission plugins on and off, beside those that are on by default. */
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
        List<String> disabled) {

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

  public static AdmissionOptions defaults() {
    return new AdmissionOptions(List.of(), List.of());
  }
}
