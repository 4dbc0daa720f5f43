package dev.muster.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CommandNameTest {
  @Test
  void isWhatTheUserTyped() {
    assertThat(CommandName.of("./muster", "/built/muster.jar")).isEqualTo("./muster");
    assertThat(CommandName.of("/opt/my muster/muster", "")).isEqualTo("'/opt/my muster/muster'");
    assertThat(CommandName.of("", "target/muster.jar")).isEqualTo("java -jar target/muster.jar");
    assertThat(CommandName.of("", "a.jar:b.jar")).isEqualTo("muster");
  }
}
