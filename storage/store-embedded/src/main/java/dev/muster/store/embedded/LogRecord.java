package dev.muster.store.embedded;

import dev.muster.store.Change;
import dev.muster.store.Commit;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;

/**
 * Encodes one commit of the log, change by change. Per change, a record holds the key's length, the
 * key, the value's length plus one (0: deleted) and the value. Lengths are variable-length
 * integers. Only one thread uses it.
 */
final class LogRecord {
  private ByteBuffer buffer = ByteBuffer.allocateDirect(16 << 10);

  void clear() {
    buffer.clear();
  }

  void put(byte[] key, byte[] value) {
    reserve(key.length + value.length + 10);
    writeKey(key);
    writeLength(value.length + 1);
    buffer.put(value);
  }

  void delete(byte[] key) {
    reserve(key.length + 10);
    writeKey(key);
    writeLength(0);
  }

  /** The encoded record, which can be read once. */
  ByteBuffer bytes() {
    return buffer.flip();
  }

  private void writeKey(byte[] key) {
    writeLength(key.length);
    buffer.put(key);
  }

  private void writeLength(int length) {
    var rest = length;
    while (rest >= 0x80) {
      buffer.put((byte) (rest | 0x80));
      rest >>>= 7;
    }
    buffer.put((byte) rest);
  }

  private void reserve(int bytes) {
    if (buffer.remaining() < bytes) {
      var larger =
          ByteBuffer.allocateDirect(Math.max(buffer.capacity() * 2, buffer.position() + bytes));
      larger.put(buffer.flip());
      buffer = larger;
    }
  }

  /** Decodes the commit of a record. */
  static Commit read(long revision, byte[] record) {
    var changes = new ArrayList<Change>(1);
    var reader = new Reader(record);
    while (reader.position < record.length) {
      var key = new String(reader.bytes(reader.length()), StandardCharsets.UTF_8);
      var length = reader.length();
      changes.add(new Change(key, length == 0 ? null : reader.bytes(length - 1)));
    }
    return new Commit(revision, changes);
  }

  private static final class Reader {
    private final byte[] record;
    private int position;

    Reader(byte[] record) {
      this.record = record;
    }

    int length() {
      var length = 0;
      for (var shift = 0; ; shift += 7) {
        var next = record[position++];
        length |= (next & 0x7f) << shift;
        if (next >= 0) {
          return length;
        }
      }
    }

    byte[] bytes(int length) {
      var bytes = Arrays.copyOfRange(record, position, position + length);
      position += length;
      return bytes;
    }
  }
}
