package dev.muster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.schema.ResourceCatalog;
import dev.muster.server.options.ApiOptions;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ServedTypesTest {
  private static final ResourceCatalog KNOWN = ResourceCatalog.all();

  private static ResourceCatalog served(Object... config) {
    var settings = new TreeMap<String, Boolean>();
    for (int i = 0; i < config.length; i += 2) {
      settings.put((String) config[i], (Boolean) config[i + 1]);
    }
    return ServedTypes.of(KNOWN, new ApiOptions(settings, Map.of()));
  }

  @Test
  void everythingIsServedByDefault() {
    assertThat(served().types()).isEqualTo(KNOWN.types());
    assertThat(served().find("apiservercoordination.k8s.io", "v1alpha1", "discoverydochashes"))
        .isNotNull();
  }

  @Test
  void versionsAndResourcesCanBeSwitchedOff() {
    var without = served("batch/v1", false);
    assertThat(without.find("batch", "v1", "jobs")).isNull();
    assertThat(without.find("apps", "v1", "deployments")).isNotNull();
    var noCronJobs = served("batch/v1/cronjobs", false);
    assertThat(noCronJobs.find("batch", "v1", "cronjobs")).isNull();
    assertThat(noCronJobs.find("batch", "v1", "jobs")).isNotNull();
    assertThat(served("v1", false).find("", "v1", "pods")).isNull();
    assertThat(served("v1/pods", false).find("", "v1", "pods")).isNull();
  }

  @Test
  void theMostSpecialSettingCounts() {
    var only = served("api/all", false, "v1", true, "v1/pods", false);
    assertThat(only.find("", "v1", "configmaps")).isNotNull();
    assertThat(only.find("", "v1", "pods")).isNull();
    assertThat(only.find("apps", "v1", "deployments")).isNull();
    var stable = served("api/alpha", false);
    assertThat(stable.find("apiservercoordination.k8s.io", "v1alpha1", "discoverydochashes"))
        .isNull();
  }

  @Test
  void theGateOfCoordinatedDiscoveryTakesItsApiAlong() {
    var off =
        ServedTypes.of(
            KNOWN, new ApiOptions(Map.of(), Map.of("EnableCoordinatedDiscoveryDocument", false)));
    assertThat(off.types()).isEqualTo(ResourceCatalog.builtIn().types());
  }

  @Test
  void refusesWhatNobodyKnows() {
    assertThatThrownBy(() -> served("api/all", false))
        .hasMessage("--runtime-config: invalid key with only api/all=false");
    assertThatThrownBy(() -> served("nonsense.example/v1", true))
        .hasMessage("--runtime-config: unknown api groups nonsense.example");
    assertThatThrownBy(() -> served("api/legacy", true))
        .hasMessage("--runtime-config: unknown key api/legacy");
    assertThatThrownBy(() -> served("pods", true))
        .hasMessage("--runtime-config: pods is not a version");
  }
}
