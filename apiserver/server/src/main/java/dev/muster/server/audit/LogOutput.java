package dev.muster.server.audit;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;

/** The destination of audit log lines. One thread uses it. */
interface LogOutput {
  /** Writes whole lines: all of them or, when it fails, none. */
  void write(byte[] buffer, int from, int to) throws IOException;

  /** The number of bytes that should be written together at most. */
  long room();

  void close();

  /** The process' standard output, which stays open. */
  static LogOutput standard() {
    var out = new FileOutputStream(FileDescriptor.out);
    return new LogOutput() {
      @Override
      public void write(byte[] buffer, int from, int to) throws IOException {
        out.write(buffer, from, to - from);
      }

      @Override
      public long room() {
        return Long.MAX_VALUE;
      }

      @Override
      public void close() {}
    };
  }
}
