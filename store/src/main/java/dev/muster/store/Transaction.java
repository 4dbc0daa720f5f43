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
    var keys = new HashSet<String>();
    for (var operation : operations) {
      if (!keys.add(operation.key())) {
        throw new IllegalArgumentException("two operations on " + operation.key());
      }
    }
  }

  public static Transaction of(Operation... operations) {
    return new Transaction(List.of(operations));
  }
}
