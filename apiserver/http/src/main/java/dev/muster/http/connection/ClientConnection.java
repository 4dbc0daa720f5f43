package dev.muster.http.connection;

import dev.muster.http.ConnectionMemory;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client connection from accept to close, whatever its protocol. Only its event loop uses it,
 * except for methods that say otherwise.
 */
public final class ClientConnection {
  private static final Logger log = LoggerFactory.getLogger(ClientConnection.class);

  private final Channel channel;
  private final EventLoop loop;
  private final OutboundBuffer out = new OutboundBuffer();
  private final ConnectionMemory memory = new ConnectionMemory();
  private final Runnable known;
  private final long accepted = System.nanoTime();
  private final ConnectionContext connectionContext;
  private @Nullable Session session;
  private boolean reading;
  private long lastUnsent;
  private long unsentSince = accepted;
  private boolean flushScheduled;
  private long bodyBytes;
  private boolean vouched;
  private long waiting;
  private long unsentCounted;
  private volatile @Nullable List<X509Certificate> certificates;
  private volatile @Nullable SslHandler tls;

  /**
   * @param known runs once, when the first user on the connection is authenticated
   */
  public ClientConnection(Channel channel, Runnable known, ConnectionContext connectionContext) {
    this.known = known;
    this.channel = channel;
    this.loop = channel.eventLoop();
    this.connectionContext = connectionContext;
  }

  public Channel channel() {
    return channel;
  }

  public EventLoop loop() {
    return loop;
  }

  public OutboundBuffer out() {
    return out;
  }

  public ConnectionMemory memory() {
    return memory;
  }

  /** The connection uses TLS from now on. */
  public void secured(SslHandler handler) {
    tls = handler;
  }

  /** The protocol that ALPN negotiated; null when it negotiated none. */
  public @Nullable String applicationProtocol() {
    var handler = tls;
    return handler == null ? null : handler.engine().getApplicationProtocol();
  }

  public void session(Session session) {
    this.session = session;
  }

  public void tick(long now) {
    if (session != null) {
      session.tick(now);
      return;
    }
    if (now - accepted > connectionContext.limits().timeouts().handshake().toNanos()) {
      connectionContext.counters().timeouts.increment();
      channel.close();
    }
  }

  /** The user of a request on this connection was authenticated. */
  public void markAuthenticated() {
    if (!vouched) {
      vouched = true;
      known.run();
      if (session != null) {
        session.vouched();
      }
    }
  }

  public void unknownUser() {
    if (session != null) {
      session.unknownUser();
    }
  }

  public void drain(long graceMillis) {
    if (session != null) {
      session.drain(graceMillis);
    } else {
      channel.close();
    }
  }

  public void endStreams() {
    if (session != null) {
      session.endStreams();
    }
  }

  /** Whether the socket has accepted no bytes for too long although bytes wait. */
  public boolean stalled(long now) {
    var limit = stallLimit();
    var buffer = channel.unsafe().outboundBuffer();
    long unsent = buffer == null ? 0 : buffer.totalPendingWriteBytes();
    if (unsent == 0 || unsent < lastUnsent) {
      unsentSince = now;
    }
    lastUnsent = unsent;
    return unsent > 0 && now - unsentSince > limit.toNanos();
  }

  /** The memory that the request bodies of this connection use. */
  public long bodyBytes() {
    return bodyBytes;
  }

  public void bodyBytes(long change) {
    bodyBytes += change;
  }

  /** Whether the client reads waiting data too slowly. */
  public boolean isTooSlow(WriteProgress writeProgress, long now) {
    return writeProgress.isTooSlow(now, stallLimit(), connectionContext.outgoing().isFull());
  }

  /**
   * How long a client may read nothing: a fifth of the usual time while other responses wait for
   * memory.
   */
  private Duration stallLimit() {
    var limit = connectionContext.limits().timeouts().writeStall();
    return connectionContext.outgoing().isFull() ? limit.dividedBy(5) : limit;
  }

  /** Counts body bytes that wait for the client, or that no longer wait if negative. */
  public void waits(long more) {
    waiting += more;
    connectionContext.outgoing().add(more);
  }

  /** The bytes of all responses of this connection that wait to be sent. */
  public long waiting() {
    return waiting;
  }

  /** While the socket is full, the bytes in its buffer count as waiting, too. */
  public void writabilityChanged() {
    var buffer = channel.unsafe().outboundBuffer();
    countUnsent(buffer == null || channel.isWritable() ? 0 : buffer.totalPendingWriteBytes());
  }

  private void countUnsent(long now) {
    waits(now - unsentCounted);
    unsentCounted = now;
  }

  public void closed() {
    countUnsent(0);
  }

  /** While a batch of bytes is being read, flushes wait for its end. */
  public void reading(boolean now) {
    reading = now;
  }

  /** Flushes at the end of the current read batch or of this turn of the event loop. */
  public void flushSoon() {
    if (!reading && !flushScheduled) {
      flushScheduled = true;
      loop.execute(this::flushScheduled);
    }
  }

  private void flushScheduled() {
    flushScheduled = false;
    if (session != null) {
      session.flushNow();
    }
  }

  /** Runs the task on the event loop, unless the server has ended. Thread-safe. */
  public void execute(Runnable task) {
    try {
      loop.execute(task);
    } catch (RejectedExecutionException e) {
      log.debug("the server has ended", e);
    }
  }

  public InetSocketAddress remoteAddress() {
    return remoteAddress(channel);
  }

  public static InetSocketAddress remoteAddress(Channel channel) {
    return channel.remoteAddress() instanceof InetSocketAddress address
        ? address
        : new InetSocketAddress(0);
  }

  /** The client's certificate chain. Thread-safe. */
  public List<X509Certificate> certificates() {
    var known = certificates;
    if (known == null) {
      known = readCertificates();
      certificates = known;
    }
    return known;
  }

  private List<X509Certificate> readCertificates() {
    var handler = tls;
    if (handler == null) {
      return List.of();
    }
    try {
      var chain = new ArrayList<X509Certificate>();
      for (var certificate : handler.engine().getSession().getPeerCertificates()) {
        if (certificate instanceof X509Certificate x509) {
          chain.add(x509);
        }
      }
      return List.copyOf(chain);
    } catch (SSLPeerUnverifiedException e) {
      return List.of();
    }
  }
}
