package dev.muster.store.etcd;

import com.google.protobuf.CodedInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decodes the parts of etcd's responses that the store uses. */
final class Responses {
  private static final byte[] EMPTY = {};
  private static final int DELETE = 1;

  private Responses() {}

  /** A stored key with its value and counters. */
  record KeyValue(byte[] key, byte[] value, long createRevision, long modRevision, long version) {}

  /** The cluster ID of the member, 0 if missing, and its latest revision. */
  record Header(long clusterId, long revision) {
    static final Header NONE = new Header(0, 0);
  }

  record Range(Header header, List<KeyValue> entries, boolean more) {
    long revision() {
      return header.revision;
    }
  }

  /** The result of a transaction; the entries are the keys that it read. */
  record Txn(Header header, boolean succeeded, List<KeyValue> entries) {
    long revision() {
      return header.revision;
    }
  }

  /** A put, or a delete when the value is null. A delete has only the key and the revision. */
  record Event(
      byte[] key, byte @Nullable [] value, long createRevision, long modRevision, long version) {}

  /** A part of a watch; with {@code fragment}, more of the same revision follows. */
  record Watch(
      Header header,
      boolean canceled,
      long compactRevision,
      String cancelReason,
      boolean fragment,
      List<Event> events) {}

  record Lease(long id, long seconds) {}

  record Token(String token) {}

  static Header header(CodedInputStream in) throws IOException {
    var header = Header.NONE;
    for (var tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (tag >>> 3) {
        case 1 -> header = ofResponse(in);
        default -> in.skipField(tag);
      }
    }
    return header;
  }

  /** The term of the leader from the header of any response. */
  static long term(CodedInputStream in) throws IOException {
    long term = 0;
    for (var tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag >>> 3 != 1) {
        in.skipField(tag);
        continue;
      }
      var limit = in.pushLimit(in.readRawVarint32());
      for (var field = in.readTag(); field != 0; field = in.readTag()) {
        if (field >>> 3 == 4) {
          term = in.readUInt64();
        } else {
          in.skipField(field);
        }
      }
      in.popLimit(limit);
    }
    return term;
  }

  static Range range(CodedInputStream in) throws IOException {
    var header = Header.NONE;
    var entries = new ArrayList<KeyValue>();
    var more = false;
    for (var tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (tag >>> 3) {
        case 1 -> header = ofResponse(in);
        case 2 -> entries.add(keyValue(in));
        case 3 -> more = in.readBool();
        default -> in.skipField(tag);
      }
    }
    return new Range(header, entries, more);
  }

  static Txn txn(CodedInputStream in) throws IOException {
    var header = Header.NONE;
    var succeeded = false;
    var entries = new ArrayList<KeyValue>(1);
    for (var tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (tag >>> 3) {
        case 1 -> header = ofResponse(in);
        case 2 -> succeeded = in.readBool();
        case 3 -> responseOp(in, entries);
        default -> in.skipField(tag);
      }
    }
    return new Txn(header, succeeded, entries);
  }

  private static void responseOp(CodedInputStream in, List<KeyValue> entries) throws IOException {
    var limit = in.pushLimit(in.readRawVarint32());
    for (var tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag >>> 3 == 1) {
        var rangeLimit = in.pushLimit(in.readRawVarint32());
        entries.addAll(range(in).entries());
        in.popLimit(rangeLimit);
      } else {
        in.skipField(tag);
      }
    }
    in.popLimit(limit);
  }

  static Watch watch(CodedInputStream in) throws IOException {
    var header = Header.NONE;
    var canceled = false;
    long compactRevision = 0;
    var cancelReason = "";
    var fragment = false;
    var events = new ArrayList<Event>();
    for (var tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (tag >>> 3) {
        case 1 -> header = ofResponse(in);
        case 4 -> canceled = in.readBool();
        case 5 -> compactRevision = in.readInt64();
        case 6 -> cancelReason = in.readString();
        case 7 -> fragment = in.readBool();
        case 11 -> events.add(event(in));
        default -> in.skipField(tag);
      }
    }
    return new Watch(header, canceled, compactRevision, cancelReason, fragment, events);
  }

  private static Event event(CodedInputStream in) throws IOException {
    var limit = in.pushLimit(in.readRawVarint32());
    var type = 0;
    var entry = new KeyValue(EMPTY, EMPTY, 0, 0, 0);
    for (var tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (tag >>> 3) {
        case 1 -> type = in.readEnum();
        case 2 -> entry = keyValue(in);
        default -> in.skipField(tag);
      }
    }
    in.popLimit(limit);
    return new Event(
        entry.key(),
        type == DELETE ? null : entry.value(),
        entry.createRevision(),
        entry.modRevision(),
        entry.version());
  }

  static Lease lease(CodedInputStream in) throws IOException {
    long id = 0;
    long seconds = 0;
    for (var tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (tag >>> 3) {
        case 2 -> id = in.readInt64();
        case 3 -> seconds = in.readInt64();
        default -> in.skipField(tag);
      }
    }
    return new Lease(id, seconds);
  }

  static Token token(CodedInputStream in) throws IOException {
    var token = "";
    for (var tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (tag >>> 3) {
        case 2 -> token = in.readString();
        default -> in.skipField(tag);
      }
    }
    return new Token(token);
  }

  static EtcdStatus status(CodedInputStream in) throws IOException {
    var version = "";
    long databaseBytes = 0;
    long leader = 0;
    for (var tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (tag >>> 3) {
        case 2 -> version = in.readString();
        case 3 -> databaseBytes = in.readInt64();
        case 4 -> leader = in.readUInt64();
        default -> in.skipField(tag);
      }
    }
    return new EtcdStatus(version, databaseBytes, leader != 0);
  }

  private static KeyValue keyValue(CodedInputStream in) throws IOException {
    var limit = in.pushLimit(in.readRawVarint32());
    var key = EMPTY;
    var value = EMPTY;
    long createRevision = 0;
    long modRevision = 0;
    long version = 0;
    for (var tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (tag >>> 3) {
        case 1 -> key = in.readByteArray();
        case 2 -> createRevision = in.readInt64();
        case 3 -> modRevision = in.readInt64();
        case 4 -> version = in.readInt64();
        case 5 -> value = in.readByteArray();
        default -> in.skipField(tag);
      }
    }
    in.popLimit(limit);
    return new KeyValue(key, value, createRevision, modRevision, version);
  }

  private static Header ofResponse(CodedInputStream in) throws IOException {
    var limit = in.pushLimit(in.readRawVarint32());
    long clusterId = 0;
    long revision = 0;
    for (var tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (tag >>> 3) {
        case 1 -> clusterId = in.readUInt64();
        case 3 -> revision = in.readInt64();
        default -> in.skipField(tag);
      }
    }
    in.popLimit(limit);
    return new Header(clusterId, revision);
  }
}
