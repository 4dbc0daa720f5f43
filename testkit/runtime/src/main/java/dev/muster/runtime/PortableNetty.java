package dev.muster.runtime;

/**
 * Has Netty do with the sockets and the TLS of the JDK: nothing is unpacked at a start, and no JVM
 * warns of libraries that Netty looks for. In the published jar these are properties of our Netty
 * only, because their names are changed with its own.
 */
public final class PortableNetty {
  private PortableNetty() {}

  /** Counts when it comes before the first use of Netty; whoever has set a property is obeyed. */
  public static void choose() {
    set("io.netty.transport.noNative");
    set("io.netty.handler.ssl.noOpenSsl");
  }

  private static void set(String name) {
    if (System.getProperty(name) == null) {
      System.setProperty(name, "true");
    }
  }
}
