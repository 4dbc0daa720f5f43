package dev.muster.replica.object;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A map view of an object's labels. Keys and values alternate in one array, sorted by key. */
final class LabelView extends AbstractMap<String, String> {
  private final String[] pairs;

  LabelView(String[] pairs) {
    this.pairs = pairs;
  }

  static @Nullable String find(String[] pairs, Object key) {
    for (int i = 0; i < pairs.length; i += 2) {
      if (pairs[i].equals(key)) {
        return pairs[i + 1];
      }
    }
    return null;
  }

  @Override
  public @Nullable String get(Object key) {
    return find(pairs, key);
  }

  @Override
  public boolean containsKey(Object key) {
    return find(pairs, key) != null;
  }

  @Override
  public int size() {
    return pairs.length / 2;
  }

  @Override
  public Set<Map.Entry<String, String>> entrySet() {
    return new AbstractSet<>() {
      @Override
      public int size() {
        return pairs.length / 2;
      }

      @Override
      public Iterator<Map.Entry<String, String>> iterator() {
        return new Iterator<>() {
          private int next;

          @Override
          public boolean hasNext() {
            return next < pairs.length;
          }

          @Override
          public Map.Entry<String, String> next() {
            if (next >= pairs.length) {
              throw new NoSuchElementException();
            }
            next += 2;
            return Map.entry(pairs[next - 2], pairs[next - 1]);
          }
        };
      }
    };
  }
}
