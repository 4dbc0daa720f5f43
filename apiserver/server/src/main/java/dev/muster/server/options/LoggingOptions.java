package dev.muster.server.options;

import dev.muster.model.Spelled;
import dev.muster.server.options.flag.Flag;
import dev.muster.server.options.flag.FlagChecks;
import dev.muster.server.options.flag.FlagGroup;

/** The verbosity and the format of the log. */
@FlagGroup("Logs")
public record LoggingOptions(
    @Flag(
            name = "v",
            help = "How much to log: 0 what an operator should see, 2 more, 4 debug, 6 all.")
        int verbosity,
    @Flag(name = "logging-format", help = "text or json.") Format format)
    implements OptionGroup {

  /** The format of a log line. */
  public enum Format implements Spelled {
    TEXT("text"),
    JSON("json");

    private final String spelling;

    Format(String spelling) {
      this.spelling = spelling;
    }

    @Override
    public String spelling() {
      return spelling;
    }
  }

  public LoggingOptions {
    FlagChecks.atLeast("v", verbosity, 0);
  }

  public static LoggingOptions defaults() {
    return new LoggingOptions(0, Format.TEXT);
  }
}
