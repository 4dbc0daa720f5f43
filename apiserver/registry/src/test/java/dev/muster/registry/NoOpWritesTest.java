package dev.muster.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.registry.write.WriteResult;
import dev.muster.store.Operation;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** A write that changes nothing is how objects are brought into the form of today's servers. */
class NoOpWritesTest {
  private static final String ROLE =
      "{'kind':'Role','apiVersion':'rbac.authorization.k8s.io/%s','metadata':{'name':'r',"
          + "'namespace':'a','uid':'u','creationTimestamp':'2024-01-01T00:00:00Z'},'rules':["
          + "{'verbs':['get'],'apiGroups':[''],'resources':['pods']}]}";

  private static Operation.Put stored(String version) {
    return new Operation.Put(
        "/roles/a/r",
        ROLE.formatted(version).replace('\'', '"').getBytes(StandardCharsets.UTF_8),
        0,
        null);
  }

  private static long revision(WriteResult writeResult) {
    return ((WriteResult.Stored) writeResult).object().revision();
  }

  private static WriteResult putUnchanged(Workbench bench) {
    return bench.put("rbac.authorization.k8s.io/v1/roles", "r", "", ROLE.formatted("v1"));
  }

  @Test
  void anObjectOfAFormerVersionIsWrittenAnewAndThenLeftAlone() {
    try (var bench = new Workbench()) {
      bench.commit(stored("v1beta1"));
      long first = revision(putUnchanged(bench));
      assertThat(first).isGreaterThan(1);
      assertThat(revision(putUnchanged(bench))).isEqualTo(first);
    }
  }
}
