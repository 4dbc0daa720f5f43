package dev.muster.registry.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.User;
import dev.muster.registry.commit.Deadline;
import dev.muster.types.BuiltIns;
import dev.muster.types.options.Query;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResourceRequestTest {
  private static String manager(String agent) {
    var type = BuiltIns.of("", "v1", "configmaps");
    var header = new String(agent.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    return new ResourceRequest(
            type,
            "",
            "n",
            "a",
            Query.NONE,
            RequestContext.trusted(User.SERVER, header, new Deadline(0), ignored -> {}))
        .manager("");
  }

  @ParameterizedTest
  @CsvSource({
    "kubectl/v1.36.0 (linux), kubectl",
    "my agent, my agent",
    "/1, ''",
    "ä/1, ä",
    "中文agent/1, 中文agent",
    "😀/1, 😀",
    "a\u00a0b\u200b/1, ab"
  })
  void aClientThatNamesNoManagerIsKnownByTheStartOfItsUserAgent(String agent, String manager) {
    assertThat(manager(agent)).isEqualTo(manager);
  }
}
