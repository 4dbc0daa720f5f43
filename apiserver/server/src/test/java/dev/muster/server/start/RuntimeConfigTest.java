package dev.muster.server.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.GroupVersion;
import dev.muster.replica.object.ObjectDecoder;
import dev.muster.schema.storage.JsonStorageCodec;
import dev.muster.server.options.ApiOptions;
import dev.muster.types.ServedType;
import dev.muster.types.Types;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RuntimeConfigTest {
  private static final List<String> ON_REQUEST =
      List.of("storageversionmigrations", "storageversions");
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
  void everythingIsServedByDefaultButStorageVersionsAndTheirMigrations() {
    assertThat(served().all()).hasSize(71);
    assertThat(notServed(served())).containsExactlyElementsOf(ON_REQUEST);
    assertThat(served().find("apiservercoordination.k8s.io", "v1alpha1", "discoverydochashes"))
        .isNotNull();
  }

  private static List<String> notServed(Types types) {
    return types.all().stream()
        .filter(type -> !type.isServed())
        .map(ServedType::plural)
        .sorted()
        .toList();
  }

  @Test
  void storageVersionsAreServedToWhomAsksForThem() {
    var versions = "internal.apiserver.k8s.io/v1alpha1";
    assertThat(notServed(served(versions, true))).containsExactly("storageversionmigrations");
    assertThat(notServed(served("api/alpha", true))).containsExactly("storageversionmigrations");
  }

  @Test
  void migrationsNeedTheirGateToo() {
    var version = "storagemigration.k8s.io/v1beta1";
    assertThat(notServed(served(version, true))).containsExactlyElementsOf(ON_REQUEST);
    var both =
        RuntimeConfig.types(
            new ApiOptions(Map.of(version, true), Map.of("StorageVersionMigrator", true)),
            HOUR,
            RuntimeConfigTest::reader);
    assertThat(notServed(both)).containsExactly("storageversions");
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
    assertThat(notServed(off)).contains("discoverydochashes").hasSize(1 + ON_REQUEST.size());
  }

  @Test
  void refusesWhatNobodyKnows() {
    refuses("api/all", false, "invalid key with only api/all=false");
    refuses("nonsense.example/v1", true, "unknown api groups nonsense.example/v1");
    refuses("api/nonsense", true, "unknown api groups api/nonsense");
    refuses("apps/v9", true, "group version apps/v9 that has not been registered");
    refuses("apps/v9/deployments", false, "group version apps/v9 that has not been registered");
    refuses("pods", true, "invalid key pods");
    refuses("v1beta1", true, "invalid key v1beta1");
    refuses("apps/v1/deployments/scale", true, "invalid key apps/v1/deployments/scale");
    refuses(
        "apps/v1/Deployments",
        true,
        "invalid key apps/v1/Deployments: group/version/resource and resource is always lowercase"
            + " plural, not \"Deployments\"");
  }

  private static void refuses(String key, boolean enabled, String why) {
    assertThatThrownBy(() -> served(key, enabled)).hasMessage("--runtime-config: " + why);
  }

  @Test
  void takesVersionsThatKubernetesKnowsAndNobodyServes() {
    for (var version :
        List.of("extensions/v1beta1", "batch/v1beta1", "imagepolicy.k8s.io/v1alpha1")) {
      assertThat(notServed(served(version, true))).containsExactlyElementsOf(ON_REQUEST);
      assertThat(notServed(served(version, false))).containsExactlyElementsOf(ON_REQUEST);
    }
  }

  @Test
  void theCoreGroupHasOlderNames() {
    var config = served("api/all", false, "api/v1", true, "api/legacy", false);
    assertThat(config.groupVersions()).containsExactly(new GroupVersion("", "v1"));
    assertThat(served("api/v1/pods", false).find("", "v1", "pods")).isNull();
  }
}
