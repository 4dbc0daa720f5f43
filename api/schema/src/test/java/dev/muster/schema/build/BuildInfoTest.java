package dev.muster.schema.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class BuildInfoTest {
  @Test
  void knowsTheVersionAndInACloneTheCommitAndItsDate() {
    var build = BuildInfo.current();
    assertThat(build.version()).matches("\\d+\\.\\d+\\.\\d+.*");
    if (!build.commit().isEmpty()) {
      assertThat(build.commit()).matches("[0-9a-f]{40,64}").startsWith(build.shortCommit());
      assertThat(build.treeState()).isIn("clean", "dirty");
      assertThat(Instant.parse(build.date())).isAfter(Instant.EPOCH);
    }
  }
}
