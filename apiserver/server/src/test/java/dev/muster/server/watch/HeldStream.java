package dev.muster.server.watch;

import dev.muster.http.HttpStream;
import dev.muster.http.SharedBytes;
import dev.muster.model.json.JsonObject;
import dev.muster.wire.JsonReader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Used by one thread. A stream in place of a connection, whose client takes what a test says. */
final class HeldStream implements HttpStream {
  private final List<JsonObject> frames = new ArrayList<>();
  private final Queue<Runnable> makers = new ArrayDeque<>();
  private int room = Integer.MAX_VALUE;
  private int unflushed;
  private boolean finished;
  private boolean aborted;
  private Runnable written = () -> {};
  private Runnable writable = () -> {};
  private Runnable closed = () -> {};

  /** There is room for so many frames more. */
  void room(int more) {
    room = more;
  }

  /** All frames so far, in JSON, of which the client has been sent every one. */
  List<JsonObject> sent() {
    if (unflushed > 0) {
      throw new AssertionError(unflushed + " frames are not flushed");
    }
    return List.copyOf(frames);
  }

  /** The type of each frame and the name of its object. */
  List<String> told() {
    return sent().stream()
        .map(
            frame -> {
              var name = frame.object("object").object("metadata").string("name");
              return (frame.string("type") + " " + name).stripTrailing();
            })
        .toList();
  }

  /** Runs that after each frame. */
  void onWrite(Runnable task) {
    written = task;
  }

  /** The client takes so many frames more, and the stream says so. */
  void becomesWritable(int more) {
    room = more;
    writable.run();
  }

  /** The client has gone. */
  void vanish() {
    unflushed = 0;
    abort();
  }

  /** Whether something waits to be made elsewhere. */
  boolean isMaking() {
    return !makers.isEmpty();
  }

  /** All frames so far, flushed or not. */
  List<JsonObject> written() {
    return List.copyOf(frames);
  }

  /** Runs what is made elsewhere, and all that follows from it. */
  void makeAll() {
    for (var maker = makers.poll(); maker != null; maker = makers.poll()) {
      maker.run();
    }
  }

  boolean finished() {
    return finished;
  }

  boolean aborted() {
    return aborted;
  }

  @Override
  public boolean writable() {
    return room > 0 && open();
  }

  @Override
  public boolean open() {
    return !finished && !aborted;
  }

  @Override
  public void write(byte[] piece) {
    if (!open()) {
      throw new AssertionError("written after the end");
    }
    if (!makers.isEmpty()) {
      throw new AssertionError("written while something is made");
    }
    frames.add((JsonObject) JsonReader.read(piece));
    unflushed++;
    room--;
    written.run();
  }

  @Override
  public void write(SharedBytes sharedBytes) {
    throw new AssertionError("a watch writes whole frames");
  }

  @Override
  public <T> void make(Supplier<T> maker, Consumer<T> then) {
    makers.add(
        () -> {
          var made = maker.get();
          if (open()) {
            then.accept(made);
          }
        });
  }

  @Override
  public void flush() {
    unflushed = 0;
  }

  /** The end takes with it what was written before. */
  @Override
  public void finish() {
    unflushed = 0;
    finished = true;
    close();
  }

  @Override
  public void abort() {
    aborted = true;
    close();
  }

  private void close() {
    var task = closed;
    closed = () -> {};
    task.run();
  }

  @Override
  public void onWritable(Runnable task) {
    writable = task;
  }

  @Override
  public void onClose(Runnable task) {
    closed = task;
  }
}
