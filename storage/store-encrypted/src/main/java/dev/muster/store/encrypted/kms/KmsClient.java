package dev.muster.store.encrypted.kms;

import com.google.protobuf.CodedInputStream;
import dev.muster.store.encrypted.transform.TransformException;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Calls one KMS plug-in on its Unix socket. Each call waits for a connection and a response, for at
 * most the timeout in total. Thread-safe.
 */
public final class KmsClient implements AutoCloseable {
  private static final String SERVICE = "v2.KeyManagementService/";
  private static final MethodDescriptor<byte[], byte[]> STATUS = method("Status");
  private static final MethodDescriptor<byte[], byte[]> ENCRYPT = method("Encrypt");
  private static final MethodDescriptor<byte[], byte[]> DECRYPT = method("Decrypt");

  private final String provider;
  private final Duration timeout;
  private final KmsObserver observer;
  private final UnixChannel connection;
  private final ManagedChannel channel;

  /**
   * Creates a client that connects at its first call.
   *
   * @param endpoint such as {@code unix:///run/kms.sock}, or {@code unix:///@name} for an abstract
   *     socket
   * @throws IllegalArgumentException when the endpoint is not a Unix socket
   */
  public KmsClient(String provider, String endpoint, Duration timeout, KmsObserver observer) {
    this.provider = provider;
    this.timeout = timeout;
    this.observer = observer;
    this.connection = UnixChannel.to(endpoint);
    this.channel = connection.channel();
  }

  Duration timeout() {
    return timeout;
  }

  Messages.Status status() throws TransformException {
    return call(STATUS, new byte[0], Messages::status);
  }

  Messages.Encrypted encrypt(String uid, byte[] plaintext) throws TransformException {
    return call(ENCRYPT, Messages.encryptRequest(plaintext, uid), Messages::encrypted);
  }

  byte[] decrypt(String uid, EncryptedObject object) throws TransformException {
    return call(
        DECRYPT,
        Messages.decryptRequest(object.source(), uid, object.keyId(), object.annotations()),
        Messages::decrypted);
  }

  private <T> T call(MethodDescriptor<byte[], byte[]> method, byte[] request, Decoder<T> decoder)
      throws TransformException {
    long start = System.nanoTime();
    var options =
        CallOptions.DEFAULT
            .withWaitForReady()
            .withDeadlineAfter(timeout.toMillis(), TimeUnit.MILLISECONDS);
    var outcome = new CompletableFuture<byte[]>();
    var call = channel.newCall(method, options);
    channel.resetConnectBackoff();
    call.start(new Listener<>(outcome), new Metadata());
    call.request(2);
    call.sendMessage(request);
    call.halfClose();
    var code = "OK";
    try {
      return decoder.decode(CodedInputStream.newInstance(outcome.get()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      call.cancel("interrupted", e);
      code = "Canceled";
      throw new TransformException("interrupted", code, e);
    } catch (IOException e) {
      code = "Internal";
      throw new TransformException("rpc error: code = Internal desc = malformed response", code, e);
    } catch (ExecutionException e) {
      var status = Status.fromThrowable(e);
      code = name(status.getCode());
      var description = status.getDescription();
      throw new TransformException(
          "rpc error: code = %s desc = %s".formatted(code, description == null ? "" : description),
          code,
          e.getCause());
    } finally {
      var name = "/" + method.getFullMethodName();
      observer.called(provider, name, code, System.nanoTime() - start);
    }
  }

  /** The name of a code in Go's gRPC. */
  private static String name(Status.Code code) {
    if (code == Status.Code.CANCELLED) {
      return "Canceled";
    }
    var name = new StringBuilder();
    for (var word : code.name().split("_")) {
      name.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    return name.toString();
  }

  @Override
  public void close() {
    connection.close();
  }

  private interface Decoder<T> {
    T decode(CodedInputStream in) throws IOException;
  }

  private static MethodDescriptor<byte[], byte[]> method(String name) {
    return MethodDescriptor.newBuilder(EncodedMessage.BYTES, EncodedMessage.BYTES)
        .setType(MethodDescriptor.MethodType.UNARY)
        .setFullMethodName(SERVICE + name)
        .build();
  }

  private enum EncodedMessage implements MethodDescriptor.Marshaller<byte[]> {
    BYTES;

    @Override
    public InputStream stream(byte[] message) {
      return new ByteArrayInputStream(message);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Completes a call. A network thread calls it. */
  private static final class Listener<T> extends ClientCall.Listener<T> {
    private final CompletableFuture<T> outcome;
    private @Nullable T answer;

    Listener(CompletableFuture<T> outcome) {
      this.outcome = outcome;
    }

    @Override
    public void onMessage(T message) {
      answer = message;
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      var message = answer;
      if (status.isOk() && message != null) {
        outcome.complete(message);
      } else {
        var failure = status.isOk() ? Status.INTERNAL.withDescription("no answer") : status;
        outcome.completeExceptionally(failure.asRuntimeException());
      }
    }
  }
}
