package dev.muster.store;

import java.util.HashSet;
import java.util.List;

/** Operations that take effect together, on distinct keys. */
public record Transaction(List<Operation> operations) {
  public Transaction {
    operations = List.copyOf(operations);
    if (operations.isEmpty()) {
      throw new IllegalArgumentException("a transaction needs an operation");
    }
    if (operations.size() > 1) {
      checkDistinct(operations);
    }
  }

  private static void checkDistinct(List<Operation> operations) {
    var keys = new HashSet<String>();
    for (var operation : operations) {
      if (!keys.add(operation.key())) {
        throw new IllegalArgumentException("two operations on " + operation.key());
      }
    }
  }

  /** The length of all keys and values together, which engines limit. */
  public long bytes() {
    long bytes = 0;
    for (var operation : operations) {
      bytes += operation.key().length();
      if (operation instanceof Operation.Put put) {
        bytes += put.value().length;
      }
    }
    return bytes;
  }

  public static Transaction of(Operation... operations) {
    return new Transaction(List.of(operations));
  }
}
