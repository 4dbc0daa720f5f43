package dev.muster.controllers.loop;

import static dev.muster.controllers.Yaml.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ObjectCacheTest {
  private final List<String> told = new ArrayList<>();
  private final ObjectCache cache =
      new ObjectCache(
          (old, now) ->
              told.add((old == null ? "-" : version(old)) + (now == null ? "-" : version(now))));

  private static String version(JsonObject object) {
    return object.object("metadata").string("resourceVersion");
  }

  private static JsonObject thing(int version) {
    return object(
        "metadata: {name: a, namespace: n, uid: u, resourceVersion: '%d'}".formatted(version));
  }

  @Test
  void whatWasWrittenIsThereBeforeItIsSeenAndIsNotToldTwice() {
    cache.seen(thing(1));
    cache.written(thing(3));
    assertThat(cache.get("n", "a")).isEqualTo(thing(3));
    cache.seen(thing(3));
    assertThat(cache.get("n", "a")).isEqualTo(thing(3));
    cache.seen(thing(4));
    assertThat(told).containsExactly("-1", "34");
  }

  @Test
  void ownWritesAreNotToldHoweverLateTheyAreSeen() {
    cache.seen(thing(1));
    cache.written(thing(2));
    cache.written(thing(3));
    cache.seen(thing(2));
    cache.seen(thing(3));
    assertThat(told).containsExactly("-1");
  }

  @Test
  void whatOthersChangedBeforeAPatchIsTold() {
    cache.seen(thing(1));
    cache.written(thing(3));
    cache.seen(thing(2));
    assertThat(cache.get("n", "a")).isEqualTo(thing(3));
    cache.seen(thing(3));
    assertThat(told).containsExactly("-1", "33");
  }

  @Test
  void whatWasWrittenAndWentWithinAGapIsNotThereAnyMore() {
    cache.written(thing(3));
    cache.readAnew("2");
    assertThat(cache.get("n", "a")).as("written after that was read").isEqualTo(thing(3));
    cache.readAnew("5");
    assertThat(cache.get("n", "a")).isNull();
    assertThat(told).containsExactly("3-");
  }

  @Test
  void whatWasWrittenAndIsThereAfterAGapStays() {
    cache.written(thing(3));
    cache.seen(thing(4));
    cache.readAnew("5");
    assertThat(cache.get("n", "a")).isEqualTo(thing(4));
    assertThat(told).containsExactly("34");
  }

  @Test
  void whatWasDeletedDoesNotComeBackWithNewsOfThePast() {
    cache.seen(thing(1));
    cache.deleted(thing(1));
    cache.seen(thing(2));
    assertThat(cache.get("n", "a")).isNull();
    cache.gone(thing(2));
    assertThat(told).containsExactly("-1");
  }

  @Test
  void anAnswerThatComesAfterTheEndOfItsObjectIsNotBelieved() {
    cache.seen(thing(1));
    cache.gone(thing(3));
    cache.written(thing(2));
    assertThat(cache.get("n", "a")).isNull();
    assertThat(told).containsExactly("-1", "1-");
  }
}
