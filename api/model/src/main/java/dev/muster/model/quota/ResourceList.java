package dev.muster.model.quota;

import dev.muster.model.MalformedValueException;
import dev.muster.model.Quantity;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import java.util.Map;
import java.util.TreeMap;

/**
 * Amounts of resources by name, such as the requests of a container. It ignores invalid amounts,
 * because validation of the object reports them. Only one thread uses it.
 */
public final class ResourceList {
  private final TreeMap<String, Quantity> amounts = new TreeMap<>();

  public static ResourceList of(JsonObject json) {
    var list = new ResourceList();
    for (int i = 0; i < json.size(); i++) {
      if (json.value(i) instanceof JsonString text) {
        try {
          list.amounts.put(json.key(i), Quantity.parse(text.value()));
        } catch (MalformedValueException e) {
          // Ignore an invalid amount.
        }
      }
    }
    return list;
  }

  /** The amount, or zero. */
  public Quantity get(String name) {
    return amounts.getOrDefault(name, Quantity.ZERO);
  }

  public boolean has(String name) {
    return amounts.containsKey(name);
  }

  public boolean isEmpty() {
    return amounts.isEmpty();
  }

  /** The amounts in the order of names. */
  public Map<String, Quantity> amounts() {
    return amounts;
  }

  public void put(String name, Quantity amount) {
    amounts.put(name, amount);
  }

  public void add(ResourceList other) {
    other.amounts.forEach(this::add);
  }

  public void add(String name, Quantity amount) {
    amounts.merge(name, amount, Quantity::plus);
  }

  /** Raises every amount to at least the other list's amount. */
  public void raise(ResourceList other) {
    other.amounts.forEach(
        (name, amount) -> amounts.merge(name, amount, (a, b) -> b.compareTo(a) > 0 ? b : a));
  }

  public JsonObject toJson() {
    var json = JsonObject.builder();
    amounts.forEach((name, amount) -> json.put(name, amount.toString()));
    return json.build();
  }
}
