package dev.muster.server.nodes;

import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLContext;

/** TLS for components on this machine, whose certificates are mostly self-signed: accepts any. */
public final class TrustingTls {
  private TrustingTls() {}

  public static SSLContext context() {
    try {
      var context = SSLContext.getInstance("TLS");
      context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
