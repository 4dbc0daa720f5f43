package dev.muster.replica.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.replica.Samples;
import dev.muster.replica.object.EventKind;
import dev.muster.replica.object.Form;
import dev.muster.replica.object.StoredObject;
import dev.muster.wire.JsonReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WatchEventTest {
  private final StoredObject first = Samples.stored("a", "one", Map.of("app", "x"), 9);
  private final StoredObject second = Samples.stored("a", "one", Map.of(), 10);
  private final WatchEvent event = new WatchEvent(0, 10, 0, second, first, null);

  @Test
  void frameIsALineOfJsonAroundTheObject() {
    assertThat(text(event.modified()))
        .isEqualTo("{\"type\":\"MODIFIED\",\"object\":" + text(second.json()) + "}\n");
    assertThat(text(event.added())).startsWith("{\"type\":\"ADDED\",");
    assertThat(event.added()).isSameAs(event.added());
    assertThat(event.frame(EventKind.MODIFIED)).isSameAs(event.modified());
  }

  @Test
  void deletionShowsTheOldObjectWithTheNewResourceVersion() {
    var shown = event.deletedObject();
    assertThat(shown.revision()).isEqualTo(10);
    assertThat(shown.uid()).isEqualTo(first.uid());
    assertThat(shown.label("app")).isEqualTo("x");
    assertThat(text(shown.json()))
        .isEqualTo(
            text(first.json()).replace("\"resourceVersion\":\"9\"", "\"resourceVersion\":\"10\""));
    assertThat(JsonReader.read(event.deleted())).isNotNull();
    assertThat(text(event.deleted())).contains(text(shown.json()));
  }

  @Test
  void whatNeverWasCannotBeShown() {
    var added = new WatchEvent(0, 9, 0, first, null, null);
    var deleted = new WatchEvent(0, 11, 0, null, second, null);
    assertThat(added.kind()).isEqualTo(EventKind.ADDED);
    assertThat(deleted.kind()).isEqualTo(EventKind.DELETED);
    assertThatThrownBy(added::deleted).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(deleted::modified).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void otherEncodingIsMadeOncePerObjectAndPerFrame() {
    var encoded = new AtomicInteger();
    var form =
        new Form() {
          @Override
          public int slot() {
            return 3;
          }

          @Override
          public byte[] encode(StoredObject object) {
            encoded.incrementAndGet();
            return ("<" + object.name() + ">").getBytes(StandardCharsets.UTF_8);
          }
        };
    assertThat(second.form(form)).isSameAs(second.form(form));
    var json = event.modified();
    assertThat(text(event.frame(EventKind.MODIFIED, form)))
        .isEqualTo("{\"type\":\"MODIFIED\",\"object\":<a/one>}\n");
    assertThat(event.frame(EventKind.MODIFIED, form))
        .isSameAs(event.frame(EventKind.MODIFIED, form));
    assertThat(event.modified()).isSameAs(json);
    assertThat(encoded).hasValue(1);
  }

  @Test
  void oldEventMakesItsFramesAnew() {
    var before = event.modified();
    event.forget();
    assertThat(event.modified()).isEqualTo(before).isNotSameAs(before);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
