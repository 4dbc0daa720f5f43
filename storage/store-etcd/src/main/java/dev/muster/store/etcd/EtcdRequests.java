package dev.muster.store.etcd;

import dev.muster.store.Operation;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Encodes the requests of etcd's API that the store uses. */
final class EtcdRequests {
  /** The start and end of a range over all keys of etcd. */
  private static final byte[] EVERYTHING = {0};

  private static final byte[] ABSENT_KEY = "\1muster/absent".getBytes(StandardCharsets.US_ASCII);
  private static final int COMPARE_MOD_REVISION = 2;

  private EtcdRequests() {}

  /** A guard. The key must have that mod revision (0 for a missing key), or a lower one. */
  record Guard(byte[] key, Comparison comparison, long modRevision) {
    /** A guard for any value of {@link Operation#expected} except {@link Operation#ANY}. */
    static Guard expecting(byte[] key, long expected) {
      long latest = Operation.latest(expected);
      return latest >= 0
          ? new Guard(key, Comparison.LESS, latest + 1)
          : new Guard(key, Comparison.EQUAL, expected);
    }
  }

  enum Comparison {
    EQUAL(0),
    LESS(2);

    private final int number;

    Comparison(int number) {
      this.number = number;
    }
  }

  /** One operation of a transaction. */
  sealed interface Step {
    record Put(byte[] key, byte[] value, long lease) implements Step {}

    record Delete(byte[] key) implements Step {}

    record Get(byte[] key) implements Step {}

    /** Reads the key at that revision. */
    record GetAt(byte[] key, long revision) implements Step {}
  }

  static byte[] range(byte[] from, byte[] to, int limit, long revision) {
    return ProtoWriter.message(
        from.length + to.length + 32,
        range -> {
          range.number(4, revision);
          range.number(3, limit);
          range.bytes(2, to);
          range.bytes(1, from);
        });
  }

  /**
   * Reads no keys, at the given revision or at the current one if 0. Only the response header
   * matters.
   */
  static byte[] nothing(long revision) {
    return ProtoWriter.message(
        32,
        range -> {
          range.number(4, revision);
          range.number(3, 1);
          range.bytes(1, ABSENT_KEY);
        });
  }

  static byte[] transaction(List<Guard> guards, List<Step> success, List<Step> failure) {
    return ProtoWriter.message(
        size(guards, success, failure),
        transaction -> {
          for (var step : failure.reversed()) {
            transaction.nested(3, operation -> write(operation, step));
          }
          for (var step : success.reversed()) {
            transaction.nested(2, operation -> write(operation, step));
          }
          for (var guard : guards.reversed()) {
            transaction.nested(1, compare -> write(compare, guard));
          }
        });
  }

  private static int size(List<Guard> guards, List<Step> success, List<Step> failure) {
    var size = 32;
    for (var guard : guards) {
      size += guard.key().length + 32;
    }
    for (var step : success) {
      size += step instanceof Step.Put put ? put.key().length + put.value().length + 48 : 128;
    }
    return size + failure.size() * 128;
  }

  private static void write(ProtoWriter compare, Guard guard) {
    // The mod revision is a protobuf oneof field, so a zero must be written explicitly.
    if (guard.modRevision() == 0) {
      compare.zero(6);
    } else {
      compare.number(6, guard.modRevision());
    }
    compare.bytes(3, guard.key());
    compare.number(2, COMPARE_MOD_REVISION);
    compare.number(1, guard.comparison().number);
  }

  private static void write(ProtoWriter operation, Step step) {
    switch (step) {
      case Step.Put(var key, var value, var lease) ->
          operation.nested(
              2,
              put -> {
                put.number(3, lease);
                put.bytes(2, value);
                put.bytes(1, key);
              });
      case Step.Delete(var key) -> operation.nested(3, delete -> delete.bytes(1, key));
      case Step.Get(var key) -> operation.nested(1, get -> get.bytes(1, key));
      case Step.GetAt(var key, var revision) ->
          operation.nested(
              1,
              get -> {
                // Leave out the value.
                get.flag(8, true);
                get.number(4, revision);
                get.bytes(1, key);
              });
    }
  }

  /** Writes the key if it has that version, and otherwise reads it. */
  static byte[] election(byte[] key, long version, byte[] value) {
    return ProtoWriter.message(
        128,
        transaction -> {
          transaction.nested(3, operation -> write(operation, new Step.Get(key)));
          transaction.nested(2, operation -> write(operation, new Step.Put(key, value, 0)));
          transaction.nested(
              1,
              compare -> {
                if (version == 0) {
                  compare.zero(4);
                } else {
                  compare.number(4, version);
                }
                compare.bytes(3, key);
              });
        });
  }

  static byte[] compact(long revision) {
    return ProtoWriter.message(16, compaction -> compaction.number(1, revision));
  }

  /** Watches all keys from that revision on. */
  static byte[] watchEverything(long startRevision) {
    return ProtoWriter.message(
        32,
        request ->
            request.nested(
                1,
                create -> {
                  create.flag(8, true);
                  create.flag(4, true);
                  create.number(3, startRevision);
                  create.bytes(2, EVERYTHING);
                  create.bytes(1, EVERYTHING);
                }));
  }

  /** Asks a watch for a progress notification, which proves that it is alive. */
  static byte[] watchProgress() {
    return ProtoWriter.message(8, request -> request.nested(3, _ -> {}));
  }

  static byte[] leaseGrant(long seconds) {
    return ProtoWriter.message(16, grant -> grant.number(1, seconds));
  }

  static byte[] lease(long id) {
    return ProtoWriter.message(16, lease -> lease.number(1, id));
  }

  static byte[] authenticate(String user, String password) {
    return ProtoWriter.message(
        64,
        request -> {
          request.bytes(2, password.getBytes(StandardCharsets.UTF_8));
          request.bytes(1, user.getBytes(StandardCharsets.UTF_8));
        });
  }

  static byte[] status() {
    return new byte[0];
  }
}
