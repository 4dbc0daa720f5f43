package dev.muster.runtime;

/**
 * Configures Netty to use the JDK's sockets and TLS, so that no native library is unpacked and no
 * JVM warns about one. In the published jar this affects only Muster's renamed copy of Netty.
 */
public final class PortableNetty {
  private PortableNetty() {}

  /** Call it before the first use of Netty; properties that the user has set take precedence. */
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
