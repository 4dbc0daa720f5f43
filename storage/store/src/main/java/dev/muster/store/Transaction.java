package dev.muster.store;

import java.util.HashSet;
import java.util.List;

/**
 * Operations on distinct keys that take effect together or not at all.
 *
 * @param makesRoom whether the operations free space, now or later; a full store accepts such
 *     transactions as long as it can
 */
public record Transaction(List<Operation> operations, boolean makesRoom) {
  public Transaction {
    operations = List.copyOf(operations);
    if (operations.isEmpty()) {
      throw new IllegalArgumentException("a transaction needs an operation");
    }
    if (operations.size() > 1) {
      checkDistinct(operations);
    }
  }

  /** Operations that free space when one of them is a delete. */
  public Transaction(List<Operation> operations) {
    this(operations, operations.stream().anyMatch(Operation.Delete.class::isInstance));
  }

  private static void checkDistinct(List<Operation> operations) {
    var keys = new HashSet<String>();
    for (var operation : operations) {
      if (!keys.add(operation.key())) {
        throw new IllegalArgumentException("two operations on " + operation.key());
      }
    }
  }

  /** The total length of all keys and values, which stores limit. */
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
