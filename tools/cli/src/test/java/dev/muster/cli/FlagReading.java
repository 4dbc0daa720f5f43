package dev.muster.cli;

import dev.muster.cli.command.Command;
import dev.muster.cli.command.CommandTree;
import dev.muster.server.flags.FlagDefinition;
import dev.muster.server.options.ApiServerOptions;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What a command line of the API server was read as, or why it was not. */
sealed interface FlagReading {
  record Accepted(ApiServerFlags flags) implements FlagReading {}

  record Refused(String message) implements FlagReading {}

  static ApiServerFlags accepted(String... arguments) {
    return switch (of(arguments)) {
      case Accepted accepted -> accepted.flags();
      case Refused refused -> throw new AssertionError(refused.message());
    };
  }

  static String message(String... arguments) {
    return switch (of(arguments)) {
      case Accepted accepted ->
          throw new AssertionError(String.join(" ", arguments) + " is read as " + accepted);
      case Refused refused -> refused.message();
    };
  }

  static FlagReading of(String... flags) {
    var reader = new Reader();
    var err = new ByteArrayOutputStream();
    var arguments = Stream.concat(Stream.of("apiserver"), Stream.of(flags)).toArray(String[]::new);
    var nowhere = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
    new CommandTree(List.of(reader), nowhere, new PrintStream(err, true, StandardCharsets.UTF_8))
        .run(arguments);
    return reader.read.isEmpty()
        ? new Refused(
            err.toString(StandardCharsets.UTF_8).strip().replaceFirst("^muster apiserver: ", ""))
        : new Accepted(reader.read.getFirst());
  }

  /** A command that reads its flags and does nothing. */
  final class Reader implements Command {
    final List<ApiServerFlags> read = new ArrayList<>();

    @Override
    public String name() {
      return "apiserver";
    }

    @Override
    public String summary() {
      return "Read flags.";
    }

    @Override
    public String description() {
      return "";
    }

    @Override
    public List<FlagDefinition> flags() {
      return ApiServerFlags.definitions();
    }

    @Override
    public int run(Call call) {
      read.add(ApiServerFlags.read(call.flags(), ApiServerOptions.defaults()));
      return 0;
    }
  }
}
