package dev.muster.store.etcd;

import dev.muster.store.StoreException;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.handler.ssl.SslContext;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Used by any thread: the members of one etcd. One of them is asked at a time; when it fails, the
 * next one is.
 */
final class EtcdClient implements AutoCloseable {
  private static final Metadata.Key<String> TOKEN =
      Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);
  private static final Metadata.Key<String> HAS_LEADER =
      Metadata.Key.of("hasleader", Metadata.ASCII_STRING_MARSHALLER);
  private static final int WINDOW = 4 << 20;
  private static final Duration SMALLEST_PAUSE = Duration.ofMillis(50);
  private static final Duration LARGEST_PAUSE = Duration.ofSeconds(1);
  private static final Duration MEMBER_PATIENCE = Duration.ofSeconds(1);

  /** A member with one connection for calls and one for watches, which carry a lot. */
  record Member(ManagedChannel calls, ManagedChannel watches) {}

  private final EtcdOptions options;
  private final List<Member> members;
  private final AtomicInteger current;
  private volatile @Nullable String token;
  private volatile Runnable onLeave = () -> {};
  private volatile boolean closed;

  EtcdClient(EtcdOptions options, int firstMember) {
    this.options = options;
    var tls =
        options.endpoints().getFirst().getScheme().equals("https")
            ? new RenewedTls(options.tls())
            : null;
    members =
        options.endpoints().stream()
            .map(endpoint -> new Member(channel(endpoint, tls), channel(endpoint, tls)))
            .toList();
    current = new AtomicInteger(Math.floorMod(firstMember, members.size()));
  }

  private ManagedChannel channel(URI endpoint, @Nullable SslContext tls) {
    var port = endpoint.getPort() < 0 ? 2379 : endpoint.getPort();
    var builder =
        NettyChannelBuilder.forAddress(endpoint.getHost(), port)
            .directExecutor()
            .disableRetry()
            .maxInboundMessageSize(Integer.MAX_VALUE)
            .initialFlowControlWindow(WINDOW)
            .keepAliveTime(10, TimeUnit.SECONDS)
            .keepAliveTimeout(5, TimeUnit.SECONDS)
            .idleTimeout(365, TimeUnit.DAYS);
    var connector = options.connector();
    if (connector != null) {
      builder.channelFactory(connector.channels()).eventLoopGroup(connector.loops());
    }
    return (tls == null ? builder.usePlaintext() : builder.sslContext(tls)).build();
  }

  /**
   * One attempt, at the member that is asked at the moment. Fails with an {@link EtcdFailure}, and
   * then other calls go to the next member.
   */
  <T> CompletableFuture<T> call(MethodDescriptor<byte[], T> method, byte[] request) {
    return options.login() == null || token != null
        ? attempt(method, request)
        : authenticated().thenCompose(_ -> attempt(method, request));
  }

  /** Completes when we have a token, if etcd asks for one. */
  CompletableFuture<?> authenticated() {
    var login = options.login();
    return login == null || token != null
        ? CompletableFuture.completedFuture(null)
        : attempt(Method.AUTHENTICATE, EtcdRequests.authenticate(login.user(), login.password()))
            .thenAccept(answer -> token = answer.token());
  }

  private <T> CompletableFuture<T> attempt(MethodDescriptor<byte[], T> method, byte[] request) {
    var index = current.get();
    var member = members.get(index);
    var call = new UnaryCall<T>();
    var options =
        CallOptions.DEFAULT
            .withDeadlineAfter(this.options.attemptTimeout().toMillis(), TimeUnit.MILLISECONDS)
            .withStreamTracerFactory(call);
    call.onFailure(failure -> leave(index, failure));
    call.start(member.calls().newCall(method, options), request, headers());
    return call.outcome();
  }

  /** A watch at the member that is asked at the moment; the caller starts it. */
  ClientCall<byte[], Responses.Watch> watch() {
    var member = members.get(current.get());
    member.watches().resetConnectBackoff();
    return member.watches().newCall(Method.WATCH, CallOptions.DEFAULT);
  }

  /** What every request carries: who we are, and that a member without a leader must refuse it. */
  Metadata headers() {
    var headers = new Metadata();
    headers.put(HAS_LEADER, "true");
    var known = token;
    if (known != null) {
      headers.put(TOKEN, known);
    }
    return headers;
  }

  /** Which cluster each member says to belong to, by endpoint; members that are silent do not. */
  Map<String, Long> clusterIds() {
    var asked = new ArrayList<CompletableFuture<Responses.Range>>();
    for (var member : members) {
      var call = new UnaryCall<Responses.Range>();
      var options =
          CallOptions.DEFAULT.withDeadlineAfter(MEMBER_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      call.start(
          member.calls().newCall(Method.RANGE, options), EtcdRequests.nothing(0), headers());
      asked.add(call.outcome());
    }
    var ids = new TreeMap<String, Long>();
    for (var i = 0; i < asked.size(); i++) {
      try {
        var id = join(asked.get(i)).header().clusterId();
        if (id != 0) {
          ids.put(options.endpoints().get(i).toString(), id);
        }
      } catch (EtcdFailure silent) {
        // It is asked again when it is needed, and its answers are looked at then.
      }
    }
    return ids;
  }

  /** Calls that whenever a member fails and others are asked from then on. */
  void onLeave(Runnable action) {
    onLeave = action;
  }

  private void leave(int index, EtcdFailure failure) {
    if (failure.meaning() == EtcdFailure.Meaning.NOT_AUTHENTICATED) {
      token = null;
    } else if (failure.mayPass()) {
      leave(index);
    }
  }

  private void leave(int index) {
    onLeave.run();
    members.get(index).calls().resetConnectBackoff();
    current.compareAndSet(index, (index + 1) % members.size());
  }

  /** Says that the member asked at the moment is of no use for watches. */
  void leaveCurrent() {
    leave(current.get());
  }

  /** Makes the next call ask for a new token first. */
  void forgetToken() {
    token = null;
  }

  /**
   * Calls what may safely be done twice, as often as it takes until the deadline. Blocks.
   *
   * @throws EtcdFailure when an answer is final or the deadline has passed
   */
  <T> T callUntil(long deadlineNanos, MethodDescriptor<byte[], T> method, byte[] request) {
    var pause = SMALLEST_PAUSE;
    while (true) {
      try {
        return join(call(method, request));
      } catch (EtcdFailure failure) {
        if (!failure.mayPass()) {
          throw failure;
        }
        pause = pause(pause, deadlineNanos, failure);
      }
    }
  }

  /** Waits before another attempt and answers how long to wait the next time. */
  Duration pause(Duration pause, long deadlineNanos, EtcdFailure failure) {
    checkOpen();
    if (System.nanoTime() + pause.toNanos() - deadlineNanos >= 0) {
      throw failure;
    }
    try {
      Thread.sleep(pause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failure;
    }
    checkOpen();
    var longer = pause.multipliedBy(2);
    return longer.compareTo(LARGEST_PAUSE) > 0 ? LARGEST_PAUSE : longer;
  }

  static Duration smallestPause() {
    return SMALLEST_PAUSE;
  }

  /** Waits for an outcome and throws what it failed with. */
  static <T> T join(CompletableFuture<T> future) {
    try {
      return future.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw e;
    }
  }

  long deadline() {
    return System.nanoTime() + options.totalTimeout().toNanos();
  }

  void checkOpen() {
    if (closed) {
      throw new StoreException.Closed();
    }
  }

  @Override
  public void close() {
    closed = true;
    for (var member : members) {
      member.calls().shutdownNow();
      member.watches().shutdownNow();
    }
  }
}
