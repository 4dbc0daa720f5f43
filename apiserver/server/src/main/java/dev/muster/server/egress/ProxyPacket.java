package dev.muster.server.egress;

import java.io.ByteArrayOutputStream;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;

/**
 * One message of konnectivity's {@code ProxyService}, in protobuf. Messages that the client does
 * not need are {@link Other}.
 */
sealed interface ProxyPacket {
  /** Asks for a connection; the response returns {@code random}. */
  record DialRequest(String address, long random) implements ProxyPacket {}

  /** Reports a connection or an error. */
  record DialResponse(String error, long connection, long random) implements ProxyPacket {}

  /** Bytes of a connection. */
  record Data(long connection, byte[] bytes) implements ProxyPacket {}

  /** Asks to close a connection. */
  record CloseRequest(long connection) implements ProxyPacket {}

  /** Reports that a connection is closed. */
  record CloseResponse(String error, long connection) implements ProxyPacket {}

  /** Cancels a requested connection. */
  record CloseDial(long random) implements ProxyPacket {}

  /** A message that needs no handling. */
  record Other() implements ProxyPacket {}

  /** The message as bytes. */
  default byte[] encoded() {
    var payload = new ByteArrayOutputStream();
    return switch (this) {
      case DialRequest dial -> {
        ProtobufFields.bytes(payload, 1, "tcp".getBytes(StandardCharsets.UTF_8));
        ProtobufFields.bytes(payload, 2, dial.address().getBytes(StandardCharsets.UTF_8));
        ProtobufFields.number(payload, 3, dial.random());
        yield ProtobufFields.packet(0, 2, payload);
      }
      case DialResponse answer -> {
        ProtobufFields.bytes(payload, 1, answer.error().getBytes(StandardCharsets.UTF_8));
        ProtobufFields.number(payload, 2, answer.connection());
        ProtobufFields.number(payload, 3, answer.random());
        yield ProtobufFields.packet(1, 3, payload);
      }
      case CloseRequest close -> {
        ProtobufFields.number(payload, 1, close.connection());
        yield ProtobufFields.packet(2, 5, payload);
      }
      case CloseResponse close -> {
        ProtobufFields.bytes(payload, 1, close.error().getBytes(StandardCharsets.UTF_8));
        ProtobufFields.number(payload, 2, close.connection());
        yield ProtobufFields.packet(3, 6, payload);
      }
      case Data data -> {
        ProtobufFields.number(payload, 1, data.connection());
        ProtobufFields.bytes(payload, 3, data.bytes());
        yield ProtobufFields.packet(4, 4, payload);
      }
      case CloseDial close -> {
        ProtobufFields.number(payload, 1, close.random());
        yield ProtobufFields.packet(5, 7, payload);
      }
      case Other _ -> ProtobufFields.packet(6, 8, payload);
    };
  }

  /**
   * @throws ProtocolException when the bytes are not a packet
   */
  static ProxyPacket decoded(byte[] bytes) throws ProtocolException {
    var packet = new ProtobufFields(bytes);
    long type = 0;
    var payload = new byte[0];
    while (packet.next()) {
      if (packet.field() == 1) {
        type = packet.number();
      } else if (packet.isBytes()) {
        payload = packet.bytes();
      }
    }
    var fields = new ProtobufFields(payload);
    var numbers = new long[4];
    var texts = new byte[4][0];
    while (fields.next()) {
      if (fields.field() > 3) {
        continue;
      }
      if (fields.isBytes()) {
        texts[fields.field()] = fields.bytes();
      } else {
        numbers[fields.field()] = fields.number();
      }
    }
    return switch ((int) type) {
      case 0 -> new DialRequest(text(texts[2]), numbers[3]);
      case 1 -> new DialResponse(text(texts[1]), numbers[2], numbers[3]);
      case 2 -> new CloseRequest(numbers[1]);
      case 3 -> new CloseResponse(text(texts[1]), numbers[2]);
      case 4 -> new Data(numbers[1], texts[3]);
      case 5 -> new CloseDial(numbers[1]);
      default -> new Other();
    };
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
