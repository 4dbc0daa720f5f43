package dev.muster.server.watch;

import dev.muster.http.HttpStream;
import dev.muster.http.SharedBytes;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Takes everything and sends nothing. */
final class SilentStream implements HttpStream {
  private long bytes;

  @Override
  public boolean writable() {
    return true;
  }

  @Override
  public boolean open() {
    return true;
  }

  @Override
  public void write(byte[] piece) {
    bytes += piece.length;
  }

  @Override
  public void write(SharedBytes sharedBytes) {
    bytes += sharedBytes.left();
  }

  @Override
  public <T> void make(Supplier<T> maker, Consumer<T> then) {
    throw new IllegalStateException("everything is at hand");
  }

  @Override
  public void flush() {}

  @Override
  public void finish() {}

  @Override
  public void abort() {}

  @Override
  public void onWritable(Runnable task) {}

  @Override
  public void onClose(Runnable task) {}

  @Override
  public String toString() {
    return bytes + " bytes";
  }
}
