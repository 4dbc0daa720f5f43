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
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A client of the members of one etcd cluster. It sends all calls to one member at a time, and
 * moves to another member when the current one does not answer and another one does. Thread-safe.
 */
final class EtcdClient implements AutoCloseable {
  private static final Metadata.Key<String> TOKEN =
      Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);
  private static final Metadata.Key<String> HAS_LEADER =
      Metadata.Key.of("hasleader", Metadata.ASCII_STRING_MARSHALLER);
  private static final int WINDOW = 4 << 20;
  private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration SMALLEST_PAUSE = Duration.ofMillis(50);
  private static final Duration LARGEST_PAUSE = Duration.ofSeconds(1);
  private static final Duration MEMBER_PATIENCE = Duration.ofSeconds(1);

  private final EtcdOptions options;
  private final List<EtcdMember> members;
  private final MemberChoice choice;
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
            .map(
                endpoint ->
                    new EtcdMember(endpoint, channel(endpoint, tls), channel(endpoint, tls)))
            .toList();
    choice =
        new MemberChoice(
            members, Math.floorMod(firstMember, members.size()), this::probe, System::nanoTime);
  }

  /**
   * Starts to monitor the members.
   *
   * @param onLeave called when a call fails that could have succeeded, and before the client moves
   *     to another member
   */
  void start(ScheduledExecutorService timer, Runnable onLeave) {
    this.onLeave = onLeave;
    choice.start(timer, onLeave);
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
            .keepAliveTimeout(3, TimeUnit.SECONDS)
            .idleTimeout(365, TimeUnit.DAYS);
    var connector = options.connector();
    if (connector != null) {
      builder.channelFactory(connector.channels()).eventLoopGroup(connector.loops());
    }
    return (tls == null ? builder.usePlaintext() : builder.sslContext(tls)).build();
  }

  /**
   * Makes one attempt at the current member. Fails with an {@link EtcdFailure}; the member must
   * then answer a probe.
   */
  <T> CompletableFuture<T> call(MethodDescriptor<byte[], T> method, byte[] request) {
    return options.login() == null || token != null
        ? attempt(method, request)
        : authenticated().thenCompose(_ -> attempt(method, request));
  }

  /** Completes when the client has a token, or at once when etcd requires no login. */
  CompletableFuture<?> authenticated() {
    var login = options.login();
    return login == null || token != null
        ? CompletableFuture.completedFuture(null)
        : attempt(Method.AUTHENTICATE, EtcdRequests.authenticate(login.user(), login.password()))
            .thenAccept(answer -> token = answer.token());
  }

  private <T> CompletableFuture<T> attempt(MethodDescriptor<byte[], T> method, byte[] request) {
    var member = choice.current();
    var call = new UnaryCall<T>(member);
    call.onFailure(failure -> leave(member, failure));
    start(call, member, method, request, options.attemptTimeout());
    if (choice.current() != member) {
      call.abandon("its member of etcd was left just now");
    }
    return call.outcome();
  }

  private <T> void start(
      UnaryCall<T> call,
      EtcdMember member,
      MethodDescriptor<byte[], T> method,
      byte[] request,
      Duration timeout) {
    var callOptions =
        CallOptions.DEFAULT
            .withDeadlineAfter(timeout.toMillis(), TimeUnit.MILLISECONDS)
            .withStreamTracerFactory(call);
    call.start(member.calls().newCall(method, callOptions), request, headers());
  }

  /** The term of the leader that the member is in contact with. */
  private CompletableFuture<Long> probe(EtcdMember member) {
    var call = new UnaryCall<Long>(member);
    start(call, member, Method.TERM, EtcdRequests.nothing(0), PROBE_TIMEOUT);
    return call.outcome()
        .exceptionallyCompose(
            failed -> {
              var failure = EtcdFailure.of(failed);
              return failure.comesFromEtcd()
                  ? CompletableFuture.completedFuture(member.term())
                  : CompletableFuture.failedFuture(failure);
            });
  }

  /** The member that currently receives calls. */
  EtcdMember current() {
    return choice.current();
  }

  /** Whether no member has answered for a while, which was logged. */
  boolean isAway() {
    return choice.isAway();
  }

  /** A watch at that member; the caller starts it. */
  ClientCall<byte[], Responses.Watch> watch(EtcdMember member) {
    member.watches().resetConnectBackoff();
    return member.watches().newCall(Method.WATCH, CallOptions.DEFAULT);
  }

  /**
   * The headers of every request: the token, and the demand that a member without a leader refuses
   * it.
   */
  Metadata headers() {
    var headers = new Metadata();
    headers.put(HAS_LEADER, "true");
    var known = token;
    if (known != null) {
      headers.put(TOKEN, known);
    }
    return headers;
  }

  /** The cluster ID that each member reports, by endpoint; silent members are missing. */
  Map<String, Long> clusterIds() {
    var asked = new ArrayList<CompletableFuture<Responses.Range>>();
    for (var member : members) {
      var call = new UnaryCall<Responses.Range>(member);
      start(call, member, Method.RANGE, EtcdRequests.nothing(0), MEMBER_PATIENCE);
      asked.add(call.outcome());
    }
    var ids = new TreeMap<String, Long>();
    for (int i = 0; i < asked.size(); i++) {
      try {
        long id = join(asked.get(i)).header().clusterId();
        if (id != 0) {
          ids.put(members.get(i).toString(), id);
        }
      } catch (EtcdFailure silent) {
        // A silent member is called again later, and the cluster ID in its responses is checked
        // then.
      }
    }
    return ids;
  }

  private void leave(EtcdMember member, EtcdFailure failure) {
    if (failure.meaning() == EtcdFailure.Meaning.NOT_AUTHENTICATED) {
      token = null;
    } else if (failure.mayPass()) {
      onLeave.run();
      suspect(member);
    }
  }

  /** Probes that member to see whether it is still usable. */
  void suspect(EtcdMember member) {
    if (!closed) {
      choice.suspect(member);
    }
  }

  /** Makes the next call request a new token first. */
  void forgetToken() {
    token = null;
  }

  /**
   * Makes an idempotent call and repeats it until it succeeds or the deadline passes. Blocks.
   *
   * @throws EtcdFailure when a failure is final or the deadline has passed
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

  /** Waits before another attempt; returns how long to wait the next time. */
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

  /** Waits for a future and throws the cause of its failure. */
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
    choice.close();
    members.forEach(EtcdMember::close);
  }
}
