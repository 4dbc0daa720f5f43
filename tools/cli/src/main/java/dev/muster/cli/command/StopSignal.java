package dev.muster.cli.command;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Turns Ctrl-C and SIGTERM into a condition to wait for, so that a command stops in order with its
 * own exit code. A second signal ends the process at once. Thread-safe.
 */
public final class StopSignal {
  private static final CountDownLatch REQUESTED = new CountDownLatch(1);

  private StopSignal() {}

  /** Begins to record signals for {@link #await}. */
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

  /** Waits up to that time for the first signal; returns whether it has come. */
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

  /** Calls the JDK's signal classes by reflection, because javac warns about direct use. */
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
