package dev.muster.testing;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** Records the log lines of a part of Muster, from INFO, until this is closed. */
public final class LogLines implements AutoCloseable {
  private final Logger logger;
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final List<String> traces = new CopyOnWriteArrayList<>();
  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          if (event.getLevel().isGreaterOrEqual(Level.INFO)) {
            var line = event.getLevel() + " " + event.getFormattedMessage();
            lines.add(line);
            if (event.getThrowableProxy() != null) {
              traces.add(line);
            }
          }
        }
      };

  private LogLines(Logger logger) {
    this.logger = logger;
    appender.start();
    logger.addAppender(appender);
  }

  /**
   * @param name of a logger or of a package
   */
  public static LogLines of(String name) {
    return new LogLines((Logger) LoggerFactory.getLogger(name));
  }

  /** All lines with their level, such as {@code WARN the disk is full}. */
  public List<String> all() {
    return List.copyOf(lines);
  }

  /** The lines with a stack trace. */
  public List<String> withTraces() {
    return List.copyOf(traces);
  }

  @Override
  public void close() {
    logger.detachAppender(appender);
  }
}
