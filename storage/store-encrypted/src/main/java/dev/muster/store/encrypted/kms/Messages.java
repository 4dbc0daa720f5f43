package dev.muster.store.encrypted.kms;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** The messages of the KMS protocol v2, and the encoding that they share with envelopes. */
final class Messages {
  private static final byte[] EMPTY = {};

  private Messages() {}

  /** The plug-in's report about itself. */
  record Status(String version, String healthz, String keyId) {}

  /** A seed encrypted by the plug-in. */
  record Encrypted(byte[] ciphertext, String keyId, Map<String, byte[]> annotations) {}

  /** Writes the fields of a message. */
  interface Writing {
    void to(CodedOutputStream out) throws IOException;
  }

  static byte[] message(Writing writing) {
    var bytes = new ByteArrayOutputStream();
    var out = CodedOutputStream.newInstance(bytes);
    try {
      writing.to(out);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** Writes a field. Leaves out an empty value, as protobuf does. */
  static void bytes(CodedOutputStream out, int field, byte[] value) throws IOException {
    if (value.length > 0) {
      out.writeByteArray(field, value);
    }
  }

  static void text(CodedOutputStream out, int field, String value) throws IOException {
    if (!value.isEmpty()) {
      out.writeString(field, value);
    }
  }

  static void annotations(CodedOutputStream out, int field, Map<String, byte[]> annotations)
      throws IOException {
    for (var entry : new TreeMap<>(annotations).entrySet()) {
      var nested =
          message(
              inner -> {
                inner.writeString(1, entry.getKey());
                inner.writeByteArray(2, entry.getValue());
              });
      out.writeByteArray(field, nested);
    }
  }

  static void annotation(CodedInputStream in, Map<String, byte[]> into) throws IOException {
    var nested = in.readBytes().newCodedInput();
    var key = "";
    var value = ByteString.EMPTY;
    for (int tag = nested.readTag(); tag != 0; tag = nested.readTag()) {
      switch (tag) {
        case 1 << 3 | 2 -> key = nested.readStringRequireUtf8();
        case 2 << 3 | 2 -> value = nested.readBytes();
        default -> nested.skipField(tag);
      }
    }
    into.put(key, value.toByteArray());
  }

  static byte[] encryptRequest(byte[] plaintext, String uid) {
    return message(
        out -> {
          bytes(out, 1, plaintext);
          text(out, 2, uid);
        });
  }

  static byte[] decryptRequest(
      byte[] ciphertext, String uid, String keyId, Map<String, byte[]> annotations) {
    return message(
        out -> {
          bytes(out, 1, ciphertext);
          text(out, 2, uid);
          text(out, 3, keyId);
          annotations(out, 4, annotations);
        });
  }

  static Status status(CodedInputStream in) throws IOException {
    var version = "";
    var healthz = "";
    var keyId = "";
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (tag) {
        case 1 << 3 | 2 -> version = in.readStringRequireUtf8();
        case 2 << 3 | 2 -> healthz = in.readStringRequireUtf8();
        case 3 << 3 | 2 -> keyId = in.readStringRequireUtf8();
        default -> in.skipField(tag);
      }
    }
    return new Status(version, healthz, keyId);
  }

  static Encrypted encrypted(CodedInputStream in) throws IOException {
    var ciphertext = EMPTY;
    var keyId = "";
    var annotations = new LinkedHashMap<String, byte[]>();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (tag) {
        case 1 << 3 | 2 -> ciphertext = in.readByteArray();
        case 2 << 3 | 2 -> keyId = in.readStringRequireUtf8();
        case 3 << 3 | 2 -> annotation(in, annotations);
        default -> in.skipField(tag);
      }
    }
    return new Encrypted(ciphertext, keyId, annotations);
  }

  static byte[] decrypted(CodedInputStream in) throws IOException {
    var plaintext = EMPTY;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == (1 << 3 | 2)) {
        plaintext = in.readByteArray();
      } else {
        in.skipField(tag);
      }
    }
    return plaintext;
  }
}
