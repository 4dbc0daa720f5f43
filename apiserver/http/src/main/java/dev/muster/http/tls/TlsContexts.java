package dev.muster.http.tls;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates the TLS handlers of new connections from the newest usable certificates. Thread-safe. */
public final class TlsContexts implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(TlsContexts.class);

  /** The inputs of the contexts; equal when nothing has changed. */
  private record Source(
      TlsMaterial material, List<NamedMaterial> named, List<X509Certificate> authorities) {}

  private final TlsOptions options;
  private final TlsLibrary library;
  private @Nullable Source source;
  private SslContext usual;
  private List<SslContext> named;
  private ServerNames names;

  /** Fails when the first certificate cannot be used. */
  public TlsContexts(TlsOptions options) throws SSLException {
    this.options = options;
    this.library = new TlsLibrary(options);
    var first = newest();
    usual = library.context(first.material(), first.authorities());
    named = contexts(first);
    names = new ServerNames(first.material(), first.named());
    source = first;
  }

  private Source newest() {
    return new Source(
        options.material().get(), options.named().get(), options.clientAuthorities().get());
  }

  private List<SslContext> contexts(Source from) throws SSLException {
    var contexts = new ArrayList<SslContext>();
    for (var each : from.named()) {
      contexts.add(library.context(each.material(), from.authorities()));
    }
    return contexts;
  }

  /**
   * The first handler of a new connection.
   *
   * @param chosen receives the TLS handler: at once, or when the client has named the server
   */
  public synchronized ChannelHandler handler(Channel channel, Consumer<SslHandler> chosen) {
    refresh();
    if (!named.isEmpty()) {
      return new SniHandler(this, chosen);
    }
    var handler = library.handler(usual, channel.alloc());
    chosen.accept(handler);
    return handler;
  }

  /**
   * @param serverName for which the client asked; empty when it asked for none
   */
  synchronized SslHandler handler(Channel channel, String serverName) {
    int chosen = names.choose(serverName, localAddress(channel));
    return library.handler(chosen < 0 ? usual : named.get(chosen), channel.alloc());
  }

  private static String localAddress(Channel channel) {
    return channel.localAddress() instanceof InetSocketAddress local && local.getAddress() != null
        ? local.getAddress().getHostAddress()
        : "";
  }

  private void refresh() {
    try {
      var newest = newest();
      if (newest.equals(source)) {
        return;
      }
      source = newest;
      use(newest);
      log.info(
          "using a new serving certificate: {}, valid until {}",
          newest.material().chain().getFirst().getSubjectX500Principal(),
          newest.material().chain().getFirst().getNotAfter().toInstant());
    } catch (SSLException | RuntimeException e) {
      log.warn("the new serving certificate cannot be used, the last one stays in use", e);
    }
  }

  private void use(Source newest) throws SSLException {
    var made = library.context(newest.material(), newest.authorities());
    List<SslContext> madeNamed;
    try {
      madeNamed = contexts(newest);
    } catch (SSLException e) {
      ReferenceCountUtil.release(made);
      throw e;
    }
    release();
    usual = made;
    named = madeNamed;
    names = new ServerNames(newest.material(), newest.named());
  }

  private void release() {
    ReferenceCountUtil.release(usual);
    named.forEach(ReferenceCountUtil::release);
  }

  @Override
  public synchronized void close() {
    release();
  }
}
