package dev.muster.store.etcd;

import com.google.protobuf.CodedInputStream;
import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** The calls of etcd's API that the store uses, with encoded requests and decoded responses. */
final class Method {
  static final MethodDescriptor<byte[], Responses.Range> RANGE =
      unary("etcdserverpb.KV/Range", Responses::range);

  /** The same call, of whose response only the term of the leader is decoded. */
  static final MethodDescriptor<byte[], Long> TERM =
      unary("etcdserverpb.KV/Range", Responses::term);

  static final MethodDescriptor<byte[], Responses.Txn> TXN =
      unary("etcdserverpb.KV/Txn", Responses::txn);
  static final MethodDescriptor<byte[], Responses.Header> COMPACT =
      unary("etcdserverpb.KV/Compact", Responses::header);
  static final MethodDescriptor<byte[], Responses.Lease> LEASE_GRANT =
      unary("etcdserverpb.Lease/LeaseGrant", Responses::lease);
  static final MethodDescriptor<byte[], Responses.Header> LEASE_REVOKE =
      unary("etcdserverpb.Lease/LeaseRevoke", Responses::header);
  static final MethodDescriptor<byte[], Responses.Watch> WATCH =
      method(MethodType.BIDI_STREAMING, "etcdserverpb.Watch/Watch", Responses::watch);
  static final MethodDescriptor<byte[], Responses.Token> AUTHENTICATE =
      unary("etcdserverpb.Auth/Authenticate", Responses::token);
  static final MethodDescriptor<byte[], EtcdStatus> STATUS =
      unary("etcdserverpb.Maintenance/Status", Responses::status);

  private Method() {}

  private interface Decoder<T> {
    T decode(CodedInputStream input) throws IOException;
  }

  private static <T> MethodDescriptor<byte[], T> unary(String name, Decoder<T> decoder) {
    return method(MethodType.UNARY, name, decoder);
  }

  private static <T> MethodDescriptor<byte[], T> method(
      MethodType type, String name, Decoder<T> decoder) {
    return MethodDescriptor.newBuilder(new Encoded(), new Decoded<>(decoder))
        .setType(type)
        .setFullMethodName(name)
        .build();
  }

  private static final class Encoded implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] message) {
      return new MessageStream(message);
    }

    @Override
    public byte[] parse(InputStream stream) {
      throw new UnsupportedOperationException("requests are only written");
    }
  }

  private record Decoded<T>(Decoder<T> decoder) implements MethodDescriptor.Marshaller<T> {
    @Override
    public InputStream stream(T message) {
      throw new UnsupportedOperationException("responses are only read");
    }

    @Override
    public T parse(InputStream stream) {
      try {
        return decoder.decode(CodedInputStream.newInstance(stream.readAllBytes()));
      } catch (IOException e) {
        throw Status.INTERNAL
            .withDescription("malformed response")
            .withCause(e)
            .asRuntimeException();
      }
    }
  }

  /** Passes its bytes on at once, without an intermediate buffer. */
  private static final class MessageStream extends ByteArrayInputStream
      implements KnownLength, Drainable {
    MessageStream(byte[] message) {
      super(message);
    }

    @Override
    public int drainTo(OutputStream target) throws IOException {
      var length = available();
      target.write(buf, pos, length);
      pos = count;
      return length;
    }
  }
}
