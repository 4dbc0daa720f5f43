package dev.muster.cli;

import dev.muster.server.flags.FlagException;
import dev.muster.server.flags.FlagFiles;
import dev.muster.server.start.ConfigurationFiles;
import java.time.Clock;
import java.util.List;

/** Checks the files that the flags of an API server name before anything starts. */
final class InputFiles {
  private InputFiles() {}

  /**
   * @return log lines about certificates that are not valid now
   * @throws FlagException naming the first flag whose file cannot be used
   */
  static List<String> check(ApiServerFlags flags, Clock clock) {
    var remarks = FlagFiles.check(clock.instant(), flags.etcd(), flags.server(), flags.fleet());
    ConfigurationFiles.check(flags.server(), clock);
    return remarks;
  }
}
