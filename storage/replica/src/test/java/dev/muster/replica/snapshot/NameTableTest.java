package dev.muster.replica.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.replica.Samples;
import dev.muster.replica.object.StoredObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NameTableTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void holdsWhatAHashMapHolds(long seed) {
    var random = new Random(seed);
    var model = new HashMap<String, StoredObject>();
    var table = NameTable.EMPTY;
    for (int step = 0; step < 6_000; step++) {
      boolean put = random.nextInt(6_000) > step;
      var name = name(random.nextInt(800));
      var object = Samples.stored("a", name, Map.of(), step + 1);
      if (put) {
        model.put(name, object);
        table = table.put(object);
      } else {
        model.remove(name);
        table = table.remove(object);
      }
      assertThat(table.get("a", name)).isSameAs(model.get(name));
      if (step % 1_000 == 0) {
        check(table, model);
        check(NameTable.of(List.copyOf(model.values())), model);
      }
    }
    for (var object : List.copyOf(model.values())) {
      table = table.remove(object);
    }
    check(table, Map.of());
  }

  @Test
  void namesWithEqualHashesAreToldApart() {
    var objects = new ArrayList<StoredObject>();
    for (int i = 0; i < 8; i++) {
      objects.add(Samples.stored("a", collision(i), Map.of(), i + 1));
    }
    assertThat(objects.stream().map(object -> object.name().name().hashCode()).distinct())
        .hasSize(1);
    var table = NameTable.of(objects.subList(0, 3));
    for (var object : objects) {
      table = table.put(object);
    }
    for (var object : objects) {
      assertThat(table.get("a", object.name().name())).isSameAs(object);
      assertThat(table.get("b", object.name().name())).isNull();
      table = table.remove(object).remove(object);
      assertThat(table.get("a", object.name().name())).isNull();
    }
  }

  private static void check(NameTable table, Map<String, StoredObject> model) {
    for (int i = 0; i < 800; i++) {
      assertThat(table.get("a", name(i))).isSameAs(model.get(name(i)));
      assertThat(table.get("b", name(i))).isNull();
    }
  }

  /** Every other name collides with others. */
  private static String name(int number) {
    return number % 2 == 0 ? "n" + number : collision(number);
  }

  /** One of 1 024 names of one hash. */
  private static String collision(int number) {
    var name = new StringBuilder();
    for (int bit = 0; bit < 10; bit++) {
      name.append((number >> bit & 1) == 0 ? "Aa" : "BB");
    }
    return name.toString();
  }
}
