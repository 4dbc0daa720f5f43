package dev.muster.cli;

import dev.muster.cli.command.Command;
import dev.muster.cli.command.Version;
import dev.muster.model.Spelled;
import dev.muster.server.flags.FlagDefinition;
import dev.muster.server.flags.FlagException;
import dev.muster.server.flags.RecordFlags;
import dev.muster.server.options.flag.Flag;
import dev.muster.server.options.flag.FlagGroup;
import dev.muster.wire.JsonIndent;
import dev.muster.wire.JsonWriter;
import dev.muster.wire.yaml.YamlWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** {@code muster version}: prints the version and build. */
final class VersionCommand implements Command {
  enum Format implements Spelled {
    TEXT,
    JSON,
    YAML;

    @Override
    public String spelling() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @FlagGroup("Output")
  private record VersionFlags(
      @Flag(name = "output", help = "text, json or yaml; short form -o.") Format format) {}

  private static final RecordFlags<VersionFlags> FLAGS =
      RecordFlags.of(new VersionFlags(Format.TEXT));

  @Override
  public String name() {
    return "version";
  }

  @Override
  public String summary() {
    return "Show the version, its commit and date, and those of Java and of the API.";
  }

  @Override
  public String description() {
    return "Of this command; kubectl version says which Kubernetes a server serves.";
  }

  @Override
  public List<FlagDefinition> flags() {
    return FLAGS.definitions();
  }

  @Override
  public Map<String, String> shortForms() {
    return Map.of("o", "output");
  }

  @Override
  public int run(Call call) {
    if (!call.rest().isEmpty()) {
      throw new FlagException("unexpected argument \"" + call.rest().getFirst() + "\"");
    }
    call.out()
        .println(
            switch (FLAGS.read(call.flags()).format()) {
              case TEXT -> Version.lines();
              case JSON -> text(JsonIndent.of(JsonWriter.bytes(Version.json())));
              case YAML -> text(YamlWriter.bytes(Version.json()));
            });
    return 0;
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8).strip();
  }
}
