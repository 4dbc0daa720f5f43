package dev.muster.cel.run.function;

import dev.muster.cel.run.cost.CostBudget;
import dev.muster.cel.value.CelList;
import dev.muster.cel.value.CelUint;
import dev.muster.cel.value.CelValues;
import dev.muster.cel.value.EvaluationException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Functions for lists, also as sets. */
public final class ListFunctions {
  private static final long LONGEST_RANGE = CostBudget.PER_CALL;

  private ListFunctions() {}

  public static void addTo(Map<String, Function> all) {
    all.put("isSorted", values -> isSorted((CelList) values[0]));
    all.put("sum", values -> sum((CelList) values[0]));
    all.put("max", values -> best("max", (CelList) values[0], -1));
    all.put("min", values -> best("min", (CelList) values[0], 1));
    all.put("indexOf", ListFunctions::indexOf);
    all.put("lastIndexOf", ListFunctions::lastIndexOf);
    all.put("slice", values -> slice((CelList) values[0], (Long) values[1], (Long) values[2]));
    all.put(
        "flatten",
        values -> flattened((CelList) values[0], values.length > 1 ? (Long) values[1] : 1));
    all.put("reverse", values -> reversed((CelList) values[0]));
    all.put("distinct", values -> distinct((CelList) values[0]));
    all.put("sort", values -> sorted((CelList) values[0], (CelList) values[0]));
    all.put("@sortByAssociatedKeys", values -> sorted((CelList) values[0], (CelList) values[1]));
    all.put("lists.range", values -> range((Long) values[0]));
    all.put("sets.contains", values -> containsAll((CelList) values[0], (CelList) values[1]));
    all.put(
        "sets.equivalent",
        values ->
            containsAll((CelList) values[0], (CelList) values[1])
                && containsAll((CelList) values[1], (CelList) values[0]));
    all.put("sets.intersects", values -> intersects((CelList) values[0], (CelList) values[1]));
  }

  private static boolean isSorted(CelList list) {
    for (int i = 1; i < list.size(); i++) {
      if (CelValues.compare(list.get(i - 1), list.get(i)) > 0) {
        return false;
      }
    }
    return true;
  }

  private static Object sum(CelList list) {
    if (list.size() == 0) {
      return 0L;
    }
    Object sum =
        switch (list.get(0)) {
          case Long ignored -> 0L;
          case CelUint ignored -> new CelUint(0);
          case Double ignored -> 0.0;
          case Duration ignored -> Duration.ZERO;
          default -> throw EvaluationException.noSuchOverload();
        };
    for (int i = 0; i < list.size(); i++) {
      sum = Operators.add(sum, list.get(i));
    }
    return sum;
  }

  /**
   * @param worse the result of comparing the best element so far with a better one
   */
  private static Object best(String name, CelList list, int worse) {
    if (list.size() == 0) {
      throw new EvaluationException(name + " called on empty list");
    }
    var best = list.get(0);
    for (int i = 1; i < list.size(); i++) {
      if (Integer.signum(CelValues.compare(best, list.get(i))) == worse) {
        best = list.get(i);
      }
    }
    return best;
  }

  private static Object indexOf(Object[] values) {
    if (values[0] instanceof String text) {
      return TextFunctions.indexOf(
          text, (String) values[1], values.length > 2 ? (Long) values[2] : 0);
    }
    var list = (CelList) values[0];
    for (int i = 0; i < list.size(); i++) {
      if (CelValues.matches(list.get(i), values[1])) {
        return (long) i;
      }
    }
    return -1L;
  }

  private static Object lastIndexOf(Object[] values) {
    if (values[0] instanceof String text) {
      return values.length > 2
          ? TextFunctions.lastIndexOf(text, (String) values[1], (Long) values[2])
          : TextFunctions.lastIndexOf(text, (String) values[1]);
    }
    var list = (CelList) values[0];
    for (int i = list.size() - 1; i >= 0; i--) {
      if (CelValues.matches(list.get(i), values[1])) {
        return (long) i;
      }
    }
    return -1L;
  }

  private static Object slice(CelList list, long start, long end) {
    var prefix = "cannot slice(" + start + ", " + end + "), ";
    if (start < 0 || end < 0) {
      throw new EvaluationException(prefix + "negative indexes not supported");
    }
    if (start > end) {
      throw new EvaluationException(prefix + "start index must be less than or equal to end index");
    }
    if (list.size() < end) {
      throw new EvaluationException(prefix + "list is length " + list.size());
    }
    return picked(list, IntStream.range((int) start, (int) end));
  }

  private static CelList picked(CelList list, IntStream indexes) {
    return CelList.of(indexes.mapToObj(list::get).toList());
  }

  private static Object reversed(CelList list) {
    int size = list.size();
    return picked(list, IntStream.range(0, size).map(i -> size - 1 - i));
  }

  private static Object flattened(CelList list, long depth) {
    if (depth < 0) {
      throw new EvaluationException("level must be non-negative");
    }
    var items = new ArrayList<Object>();
    flatten(list, depth, items);
    return CelList.of(items);
  }

  private static void flatten(CelList list, long depth, List<Object> into) {
    for (int i = 0; i < list.size(); i++) {
      if (depth > 0 && list.get(i) instanceof CelList inner) {
        flatten(inner, depth - 1, into);
      } else {
        into.add(list.get(i));
      }
    }
  }

  private static Object distinct(CelList list) {
    var unique = new ArrayList<Object>();
    for (int i = 0; i < list.size(); i++) {
      var item = list.get(i);
      if (unique.stream().noneMatch(one -> CelValues.matches(item, one))) {
        unique.add(item);
      }
    }
    return CelList.of(unique);
  }

  private static Object sorted(CelList list, CelList keys) {
    if (list.size() != keys.size()) {
      throw new EvaluationException(
          "@sortByAssociatedKeys() expected a list of the same size as the associated keys list,"
              + " but got "
              + list.size()
              + " and "
              + keys.size()
              + " elements respectively");
    }
    if (list.size() == 0) {
      return list;
    }
    var type = CelValues.typeName(keys.get(0));
    for (int i = 1; i < keys.size(); i++) {
      if (!CelValues.typeName(keys.get(i)).equals(type)) {
        throw new EvaluationException("list elements must have the same type");
      }
    }
    Comparator<Integer> order = (a, b) -> CelValues.compare(keys.get(a), keys.get(b));
    return CelList.of(
        IntStream.range(0, list.size()).boxed().sorted(order).map(list::get).toList());
  }

  private static Object range(long size) {
    if (size > LONGEST_RANGE) {
      throw new CostBudget.ExceededException();
    }
    return CelList.of(LongStream.range(0, size).boxed().toList());
  }

  private static boolean contains(CelList list, Object value) {
    for (int i = 0; i < list.size(); i++) {
      if (CelValues.matches(list.get(i), value)) {
        return true;
      }
    }
    return false;
  }

  private static boolean containsAll(CelList list, CelList part) {
    for (int i = 0; i < part.size(); i++) {
      if (!contains(list, part.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean intersects(CelList list, CelList other) {
    for (int i = 0; i < other.size(); i++) {
      if (contains(list, other.get(i))) {
        return true;
      }
    }
    return false;
  }
}
