package dev.muster.server.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonObject;
import dev.muster.wire.JsonReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class PeerGroupsTest {
  private static JsonObject document(String items) {
    var text = "{'items':[" + items + "]}";
    return (JsonObject) JsonReader.read(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  private static String group(String name, String versions) {
    return "{'metadata':{'name':'" + name + "'},'versions':[" + versions + "]}";
  }

  private static String version(String name, String kind, String... resources) {
    var all =
        List.of(resources).stream()
            .map(resource -> "{'resource':'" + resource + "','kind':'" + kind + "'}")
            .toList();
    return "{'version':'" + name + "','resources':[" + String.join(",", all) + "]}";
  }

  @Test
  void groupsVersionsAndResourcesThatOnlyOthersHaveAreAdded() {
    var ours = document(group("apps", version("v1", "ours", "deployments")));
    var theirs =
        document(
            group("apps", version("v2", "theirs", "sets") + "," + version("v1", "theirs", "pods"))
                + ","
                + group("batch", version("v1", "theirs", "jobs")));
    assertThat(new PeerGroups(List.of(theirs.array("items"))).added(ours))
        .isEqualTo(
            document(
                group(
                        "apps",
                        version("v2", "theirs", "sets")
                            + ",{'version':'v1','resources':[{'resource':'deployments',"
                            + "'kind':'ours'},{'resource':'pods','kind':'theirs'}]}")
                    + ","
                    + group("batch", version("v1", "theirs", "jobs"))));
  }

  @Test
  void whatBothHaveStaysAsItIsHere() {
    var ours = document(group("apps", version("v1", "ours", "deployments")));
    var theirs = document(group("apps", version("v1", "theirs", "deployments")));
    assertThat(new PeerGroups(List.of(theirs.array("items"))).added(ours)).isEqualTo(ours);
    assertThat(PeerGroups.NONE.added(ours)).isSameAs(ours);
  }
}
