package dev.muster.store.encrypted.kms;

import com.google.protobuf.CodedInputStream;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * A KMS plug-in as a process of its own. A file says how it behaves, and is read for every call:
 * {@code keyId}, {@code healthz}, {@code version}, {@code hang} (calls that get no answer) and
 * {@code fail} (calls that are refused).
 */
final class PluginMain {
  private final Path control;

  private PluginMain(Path control) {
    this.control = control;
  }

  /**
   * @param arguments the socket's name, with @ in front for an abstract one, and the control file
   */
  public static void main(String[] arguments) throws Exception {
    var name = arguments[0].startsWith("@") ? "\0" + arguments[0].substring(1) : arguments[0];
    var plugin = new PluginMain(Path.of(arguments[1]));
    var loop = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    var server =
        NettyServerBuilder.forAddress(new DomainSocketAddress(name))
            .channelType(EpollServerDomainSocketChannel.class)
            .bossEventLoopGroup(loop)
            .workerEventLoopGroup(loop)
            .addService(
                ServerServiceDefinition.builder("v2.KeyManagementService")
                    .addMethod(method("Status"), plugin.handler("Status"))
                    .addMethod(method("Encrypt"), plugin.handler("Encrypt"))
                    .addMethod(method("Decrypt"), plugin.handler("Decrypt"))
                    .build())
            .build()
            .start();
    System.out.println("ready");
    server.awaitTermination();
  }

  private Map<String, String> behaviour() {
    try (var in = Files.newBufferedReader(control)) {
      var properties = new Properties();
      properties.load(in);
      var behaviour = new HashMap<String, String>();
      properties.forEach((key, value) -> behaviour.put(key.toString(), value.toString()));
      return behaviour;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ServerCallHandler<byte[], byte[]> handler(String method) {
    return (call, headers) -> {
      call.request(2);
      return new ServerCall.Listener<>() {
        private byte[] request = {};

        @Override
        public void onMessage(byte[] message) {
          request = message;
        }

        @Override
        public void onHalfClose() {
          var behaviour = behaviour();
          if (behaviour.getOrDefault("hang", "").contains(method)) {
            return;
          }
          try {
            if (behaviour.getOrDefault("fail", "").contains(method)) {
              throw new IllegalStateException("told to refuse " + method);
            }
            var answer = answer(method, request, behaviour);
            System.out.println(method);
            call.sendHeaders(new Metadata());
            call.sendMessage(answer);
            call.close(Status.OK, new Metadata());
          } catch (Exception e) {
            var status = Status.FAILED_PRECONDITION.withDescription(e.getMessage());
            call.close(status, new Metadata());
          }
        }
      };
    };
  }

  private static byte[] answer(String method, byte[] request, Map<String, String> behaviour)
      throws Exception {
    var keyId = behaviour.getOrDefault("keyId", "key-1");
    return switch (method) {
      case "Status" ->
          Messages.message(
              out -> {
                out.writeString(1, behaviour.getOrDefault("version", "v2"));
                out.writeString(2, behaviour.getOrDefault("healthz", "ok"));
                out.writeString(3, keyId);
              });
      case "Encrypt" -> {
        var plain = fields(request).getOrDefault(1, new byte[0]);
        yield Messages.message(
            out -> {
              out.writeByteArray(1, crypt(Cipher.ENCRYPT_MODE, keyId, plain));
              out.writeString(2, keyId);
              Messages.annotations(out, 3, Map.of("made.example.com", new byte[] {1, 2}));
            });
      }
      default -> {
        var fields = fields(request);
        var annotations = new LinkedHashMap<String, byte[]>();
        var in = CodedInputStream.newInstance(fields.get(4));
        Messages.annotation(in, annotations);
        if (!Arrays.equals(annotations.get("made.example.com"), new byte[] {1, 2})) {
          throw new IllegalStateException("the annotations are not as they were");
        }
        var id = new String(fields.get(3), StandardCharsets.UTF_8);
        var plain = crypt(Cipher.DECRYPT_MODE, id, fields.getOrDefault(1, new byte[0]));
        yield Messages.message(out -> out.writeByteArray(1, plain));
      }
    };
  }

  /** The last value of each field; of annotations with their length, so that they can be read. */
  private static Map<Integer, byte[]> fields(byte[] message) throws IOException {
    var fields = new HashMap<Integer, byte[]>();
    var in = CodedInputStream.newInstance(message);
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      var value = in.readByteArray();
      fields.put(
          tag >>> 3,
          tag >>> 3 == 4 ? Messages.message(out -> out.writeByteArrayNoTag(value)) : value);
    }
    return fields;
  }

  private static byte[] crypt(int mode, String keyId, byte[] bytes) {
    try {
      var key = Arrays.copyOf(keyId.getBytes(StandardCharsets.UTF_8), 16);
      var cipher = Cipher.getInstance("AES/GCM/NoPadding");
      // Each seed is encrypted once: a fixed nonce is enough for a test.
      cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(128, new byte[12]));
      return cipher.doFinal(bytes);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("that was not encrypted with " + keyId, e);
    }
  }

  private static MethodDescriptor<byte[], byte[]> method(String name) {
    var bytes = new Bytes();
    return MethodDescriptor.newBuilder(bytes, bytes)
        .setType(MethodDescriptor.MethodType.UNARY)
        .setFullMethodName("v2.KeyManagementService/" + name)
        .build();
  }

  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
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
}
