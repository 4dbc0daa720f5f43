package dev.muster.cli.command;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import dev.muster.multicluster.rules.PropertyRules;
import dev.muster.server.options.LoggingOptions;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Configures logging in code, which is faster at the start than a file. Log lines go to stderr. */
public final class Logs {
  private static final String PATTERN = "%d{yyyy-MM-dd'T'HH:mm:ss.SSS} %-5level %logger{0}: %msg%n";

  /**
   * Loggers that are silenced: the controllers log the important failures of these libraries in one
   * line without a stack trace, and their other messages do not matter.
   */
  private static final List<String> REPEATING =
      List.of(
          "io.fabric8.kubernetes.client.dsl.internal.VersionUsageUtils",
          "io.fabric8.kubernetes.client.informers.impl",
          "io.vertx.core.http.impl.HttpClientConnection",
          "io.vertx.core.impl.BlockedThreadChecker",
          "io.vertx.core.net.impl.ConnectionBase");

  private Logs() {}

  public static void configure(LoggingOptions options) {
    configure(options, level(options.verbosity()));
  }

  /** Logs only what a user at a terminal should know. */
  public static void configureQuiet(LoggingOptions options) {
    configure(options, options.verbosity() == 0 ? Level.WARN : level(options.verbosity()));
  }

  private static void configure(LoggingOptions options, Level level) {
    var context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.reset();
    var appender = new ConsoleAppender<ILoggingEvent>();
    appender.setContext(context);
    appender.setTarget("System.err");
    appender.setEncoder(encoder(options, context));
    appender.start();
    var root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    root.addAppender(appender);
    root.setLevel(options.verbosity() >= 6 ? Level.DEBUG : Level.WARN);
    context.getLogger("dev.muster").setLevel(level);
    for (var repeating : REPEATING) {
      context.getLogger(repeating).setLevel(options.verbosity() >= 4 ? Level.WARN : Level.OFF);
    }
  }

  /** Adds the cluster ID and ClusterSet to every JSON line from now on. */
  public static void identify(PropertyRules.Identity identity) {
    var context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.putProperty("cluster_id", identity.id().orElse(""));
    context.putProperty("clusterset", identity.clusterSet().orElse(""));
  }

  private static Encoder<ILoggingEvent> encoder(LoggingOptions options, LoggerContext context) {
    var encoder =
        switch (options.format()) {
          case TEXT -> {
            var text = new PatternLayoutEncoder();
            text.setPattern(PATTERN);
            yield text;
          }
          case JSON -> new JsonEncoder();
        };
    encoder.setContext(context);
    encoder.start();
    return encoder;
  }

  private static Level level(int verbosity) {
    if (verbosity < 4) {
      return Level.INFO;
    }
    return verbosity < 6 ? Level.DEBUG : Level.TRACE;
  }
}
