package dev.muster.schema.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuildStampTest {
  @TempDir private Path folder;

  @Test
  void leavesOpenWhatOnlyACloneTells() throws Exception {
    var module = Files.createDirectories(folder.resolve("schema"));
    assertThat(new BuildStamp(module).properties("1.2.3", ""))
        .isEqualTo("version=1.2.3\ncommit=\ntreeState=\ndate=\n");
    assertThat(new BuildStamp(module).properties("1.2.3", "1700000000"))
        .contains("date=2023-11-14T22:13:20Z");
  }

  @Test
  void saysTheCommitAndItsDateAndWhetherFilesDiffer() throws Exception {
    var module = Files.createDirectories(folder.resolve("schema"));
    assumeThat(git("init", "-q")).as("git is installed").isZero();
    var file = Files.writeString(module.resolve("file"), "one");
    git("add", ".");
    git("commit", "-q", "-m", "one");
    var stamp = new BuildStamp(module);
    assertThat(stamp.properties("1", ""))
        .matches("version=1\ncommit=[0-9a-f]{40}\ntreeState=clean\ndate=2023-11-14T22:13:20Z\n")
        .isEqualTo(stamp.properties("1", ""));
    Files.writeString(file, "two");
    assertThat(stamp.properties("1", "")).contains("treeState=dirty");
  }

  @Test
  void takesNoCommitOfACloneThatItOnlyLiesIn() throws Exception {
    assumeThat(git("init", "-q")).as("git is installed").isZero();
    var module = Files.createDirectories(folder.resolve("unpacked").resolve("schema"));
    Files.writeString(module.resolve("file"), "one");
    git("add", ".");
    git("commit", "-q", "-m", "one");
    assertThat(new BuildStamp(module).properties("1", "")).contains("commit=\n");
  }

  private int git(String... arguments) throws InterruptedException {
    var command = new ProcessBuilder("git", "-c", "user.name=t", "-c", "user.email=t@t");
    command.command().addAll(List.of(arguments));
    command
        .environment()
        .putAll(
            Map.of(
                "GIT_COMMITTER_DATE", "1700000000 +0200", "GIT_AUTHOR_DATE", "1700000000 +0200"));
    try {
      return command
          .directory(folder.toFile())
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException e) {
      return -1;
    }
  }
}
