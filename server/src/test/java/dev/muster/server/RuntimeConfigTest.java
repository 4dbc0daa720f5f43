package dev.muster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.GroupVersion;
import dev.muster.registry.types.ServedType;
import dev.muster.registry.types.Types;
import dev.muster.replica.ObjectDecoder;
import dev.muster.schema.JsonStorageCodec;
import dev.muster.server.options.ApiOptions;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RuntimeConfigTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private static ObjectDecoder reader(String storage) {
    return new JsonStorageCodec()::decode;
  }

  private static Types served(Object... config) {
    var settings = new TreeMap<String, Boolean>();
    for (int i = 0; i < config.length; i += 2) {
      settings.put((String) config[i], (Boolean) config[i + 1]);
    }
    return RuntimeConfig.types(new ApiOptions(settings, Map.of()), HOUR, RuntimeConfigTest::reader);
  }

  @Test
  void everythingIsServedByDefault() {
    assertThat(served().all()).hasSize(69).allMatch(ServedType::isServed);
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
        RuntimeConfig.types(
            new ApiOptions(Map.of(), Map.of("EnableCoordinatedDiscoveryDocument", false)),
            HOUR,
            RuntimeConfigTest::reader);
    assertThat(off.all().stream().filter(type -> !type.isServed()))
        .extracting(ServedType::plural)
        .containsExactly("discoverydochashes");
  }

  @Test
  void refusesWhatNobodyKnows() {
    assertThatThrownBy(() -> served("api/all", false))
        .hasMessage("--runtime-config: invalid key with only api/all=false");
    assertThatThrownBy(() -> served("nonsense.example/v1", true))
        .hasMessage("--runtime-config: unknown api groups nonsense.example");
    assertThatThrownBy(() -> served("api/nonsense", true))
        .hasMessage("--runtime-config: unknown key api/nonsense");
    assertThatThrownBy(() -> served("pods", true))
        .hasMessage("--runtime-config: pods is not a version");
  }

  @Test
  void theCoreGroupHasOlderNames() {
    var config = served("api/all", false, "api/v1", true, "api/legacy", false);
    assertThat(config.groupVersions()).containsExactly(new GroupVersion("", "v1"));
    assertThat(served("api/v1/pods", false).find("", "v1", "pods")).isNull();
  }
}
