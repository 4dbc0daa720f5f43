package dev.muster.http;

import java.nio.ByteBuffer;
import java.util.Arrays;
import javax.net.ssl.SSLException;

/** The first bytes of a TLS client. */
final class ClientHello {
  private ClientHello() {}

  static byte[] bytes() throws SSLException {
    var engine = TestServer.AUTHORITY.client().createSSLEngine("localhost", 1);
    engine.setUseClientMode(true);
    var hello = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
    engine.wrap(ByteBuffer.allocate(0), hello);
    return Arrays.copyOf(hello.array(), hello.position());
  }
}
