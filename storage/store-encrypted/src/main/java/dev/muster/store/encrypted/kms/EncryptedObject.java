package dev.muster.store.encrypted.kms;

import com.google.protobuf.CodedInputStream;
import dev.muster.model.validation.DomainNames;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.store.encrypted.transform.TransformException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The envelope of an encrypted value. It contains the encrypted data and the key or seed of the
 * encryption, which only the KMS plug-in can decrypt. Stored as protobuf.
 *
 * @param data the encrypted data; empty where only the source matters
 * @param keyId the ID of the plug-in's key that encrypted the source
 * @param source a key or a seed, encrypted by the plug-in
 * @param annotations data that the plug-in needs for decryption
 * @param type {@link #KEY} or {@link #SEED}
 */
record EncryptedObject(
    byte[] data, String keyId, byte[] source, Map<String, byte[]> annotations, int type) {
  /** The source is an AES-GCM key. */
  static final int KEY = 0;

  /** The source is a seed: HKDF-SHA256 derives a key from it for each value. */
  static final int SEED = 1;

  private static final int MOST_KEY_ID = 1024;
  private static final int MOST_SOURCE = 1024;
  private static final int MOST_ANNOTATIONS = 32 * 1024;

  /** This envelope with other data. */
  EncryptedObject with(byte[] otherData) {
    return new EncryptedObject(otherData, keyId, source, annotations, type);
  }

  byte[] encode() {
    return Messages.message(
        out -> {
          Messages.bytes(out, 1, data);
          Messages.text(out, 2, keyId);
          Messages.bytes(out, 3, source);
          Messages.annotations(out, 4, annotations);
          if (type != KEY) {
            out.writeEnum(5, type);
          }
        });
  }

  /**
   * Decodes an envelope.
   *
   * @throws TransformException when the bytes are not an envelope
   */
  static EncryptedObject decode(byte[] stored, int offset) throws TransformException {
    var in = CodedInputStream.newInstance(stored, offset, stored.length - offset);
    var data = new byte[0];
    var keyId = "";
    var source = new byte[0];
    var annotations = new LinkedHashMap<String, byte[]>();
    int type = KEY;
    try {
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        switch (tag) {
          case 1 << 3 | 2 -> data = in.readByteArray();
          case 2 << 3 | 2 -> keyId = in.readStringRequireUtf8();
          case 3 << 3 | 2 -> source = in.readByteArray();
          case 4 << 3 | 2 -> Messages.annotation(in, annotations);
          case 5 << 3 -> type = in.readEnum();
          default -> in.skipField(tag);
        }
      }
    } catch (IOException e) {
      throw new TransformException(
          "proto: cannot parse the encrypted object", TransformException.LOCAL, e);
    }
    var object = new EncryptedObject(data, keyId, source, annotations, type);
    if (data.length == 0) {
      throw new TransformException("encrypted data is empty");
    }
    object.check();
    return object;
  }

  /**
   * Validates all fields but the data.
   *
   * @throws TransformException naming the invalid field
   */
  void check() throws TransformException {
    if (type != KEY && type != SEED) {
      throw new TransformException("unknown encryptedDEKSourceType: " + type);
    }
    if (source.length == 0) {
      throw new TransformException(
          "failed to validate encrypted DEK source: encrypted DEK source is empty");
    }
    if (source.length > MOST_SOURCE) {
      throw new TransformException(
          ("failed to validate encrypted DEK source: encrypted DEK source is %d bytes, which"
                  + " exceeds the max size of %d")
              .formatted(source.length, MOST_SOURCE));
    }
    var problem = problemOfKeyId(keyId);
    if (!problem.isEmpty()) {
      throw new TransformException("failed to validate key id: " + problem);
    }
    checkAnnotations();
  }

  private void checkAnnotations() throws TransformException {
    var errors = new ArrayList<FieldError>();
    long size = 0;
    for (var entry : annotations.entrySet()) {
      DomainNames.fullyQualifiedDomainName(FieldPath.of("annotations"), entry.getKey(), errors);
      size += bytes(entry.getKey()) + entry.getValue().length;
    }
    if (!errors.isEmpty()) {
      throw new TransformException("failed to validate annotations: " + FieldError.join(errors));
    }
    if (size > MOST_ANNOTATIONS) {
      throw new TransformException(
          ("failed to validate annotations: total size of annotations is %d, which exceeds the max"
                  + " size of %d")
              .formatted(size, MOST_ANNOTATIONS));
    }
  }

  /** The error in a key ID; "" when it is valid. */
  static String problemOfKeyId(String keyId) {
    if (keyId.isEmpty()) {
      return "keyID is empty";
    }
    int length = bytes(keyId);
    return length > MOST_KEY_ID
        ? "keyID is %d bytes, which exceeds the max size of %d".formatted(length, MOST_KEY_ID)
        : "";
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  /** A hash that identifies the source, independent of the data. */
  String sourceId() {
    return hash(with(new byte[0]).encode());
  }

  /** The hash of a key ID, for messages and metrics; "" for an empty ID. */
  static String hashOf(String keyId) {
    return keyId.isEmpty() ? "" : "sha256:" + hash(keyId.getBytes(StandardCharsets.UTF_8));
  }

  private static String hash(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
