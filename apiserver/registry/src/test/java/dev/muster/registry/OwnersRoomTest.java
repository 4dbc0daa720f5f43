package dev.muster.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Owners of fields that the store has no room for. */
class OwnersRoomTest {
  private static final String MAPS = "v1/configmaps";
  private static final String SMALL = "{'apiVersion':'v1','kind':'ConfigMap','metadata':%s%s}";

  private final Workbench bench = new Workbench();

  @AfterEach
  void close() {
    bench.close();
  }

  /** A good mebibyte of keys: with their owners they do not fit into the store. */
  private static String keys() {
    var keys = new StringBuilder("{'k':'v'");
    for (int i = 10_000; i < 22_000; i++) {
      keys.append(",'a-key-that-is-long-so-that-its-owner-takes-as-much-room-as-itself-and-more-")
          .append(i)
          .append("':'A'");
    }
    return keys.append('}').toString();
  }

  private JsonObject metadata(String name) {
    return bench.stored(MAPS, name).object("metadata");
  }

  private void small(String name) {
    bench.create(MAPS, SMALL.formatted("{'name':'" + name + "'}", ",'data':{'k':'v'}"));
    assertThat(metadata(name).has("managedFields")).isTrue();
  }

  @Test
  void aLargeObjectIsCreatedWithoutThem() {
    bench.create(MAPS, SMALL.formatted("{'name':'m'}", ",'data':" + keys()));
    assertThat(metadata("m").has("managedFields")).isFalse();
    var applied = SMALL.formatted("{'name':'m'}", "");
    assertThatThrownBy(() -> bench.apply(MAPS, "m", "", applied))
        .isInstanceOfSatisfying(
            ApiException.class,
            refused -> assertThat(refused.reason()).isEqualTo(Reason.REQUEST_ENTITY_TOO_LARGE));
  }

  @Test
  void anObjectThatGrowsLosesThem() {
    small("put");
    bench.put(MAPS, "put", "", SMALL.formatted("{'name':'put'}", ",'data':" + keys()));
    assertThat(metadata("put").has("managedFields")).isFalse();
    small("patched");
    bench.patch(MAPS, "patched", "", "{'data':" + keys() + "}");
    assertThat(metadata("patched").has("managedFields")).isFalse();
  }
}
