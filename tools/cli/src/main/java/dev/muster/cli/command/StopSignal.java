package dev.muster.cli.command;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Safe for use by many threads. Ctrl-C and SIGTERM as a condition to wait for, so that a command
 * stops in order and its exit code is its own. A second signal ends the process at once.
 */
public final class StopSignal {
  private static final CountDownLatch REQUESTED = new CountDownLatch(1);

  private StopSignal() {}

  /** From now on signals are remembered for {@link #await}. */
  public static void listen() {
    for (var name : new String[] {"INT", "TERM", "HUP"}) {
      handle(name);
    }
  }

  /** Waits for the first signal. */
  public static void await() throws InterruptedException {
    listen();
    REQUESTED.await();
  }

  /** Waits that long for the first signal; answers whether it has come. */
  public static boolean await(Duration patience) throws InterruptedException {
    listen();
    return REQUESTED.await(patience.toMillis(), TimeUnit.MILLISECONDS);
  }

  public static boolean requested() {
    return REQUESTED.getCount() == 0;
  }

  private static void received() {
    if (requested()) {
      Runtime.getRuntime().halt(1);
    }
    REQUESTED.countDown();
  }

  /** The JDK's signals are reached by name because javac warns of any direct mention of them. */
  private static void handle(String name) {
    try {
      var signal = Class.forName("sun.misc.Signal");
      var handler = Class.forName("sun.misc.SignalHandler");
      InvocationHandler call =
          (proxy, method, arguments) -> {
            if (method.getName().equals("handle")) {
              received();
            }
            return null;
          };
      var ours = Proxy.newProxyInstance(handler.getClassLoader(), new Class<?>[] {handler}, call);
      signal
          .getMethod("handle", signal, handler)
          .invoke(null, signal.getConstructor(String.class).newInstance(name), ours);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this JDK has no signals", e);
    }
  }
}
