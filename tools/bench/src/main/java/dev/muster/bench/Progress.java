package dev.muster.bench;

import java.io.PrintStream;

/** Used by one thread: one line that is written over and over on a terminal, nothing elsewhere. */
public final class Progress {
  private static final int WIDTH = 78;

  private final PrintStream stream;
  private final boolean live;

  /**
   * @param live whether the stream is a terminal
   */
  public Progress(PrintStream stream, boolean live) {
    this.stream = stream;
    this.live = live;
  }

  public void show(String text) {
    if (live) {
      var line = text.length() > WIDTH ? text.substring(0, WIDTH) : text;
      stream.print("\r" + line + " ".repeat(WIDTH - line.length()));
      stream.flush();
    }
  }

  /** Leaves an empty line behind. */
  public void clear() {
    if (live) {
      stream.print("\r" + " ".repeat(WIDTH) + "\r");
      stream.flush();
    }
  }
}
