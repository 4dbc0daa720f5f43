package dev.muster.validation.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.validation.storage.ClaimRules;
import dev.muster.validation.storage.VolumeRules;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

class StorageRulesTest {
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-03-01T12:00:00Z"));
  private static final Verdicts VOLUME = new Verdicts(VolumeRules.strategy(CLOCK), false);
  private static final Verdicts CLAIM = new Verdicts(ClaimRules.STRATEGY, true);
  private static final Verdicts NODE = new Verdicts(NodeRules.STRATEGY, false);

  private static String volume(String members) {
    return "{'spec':{'accessModes':['ReadWriteOnce'],'capacity':{'storage':'1Gi'},"
        + members
        + "}}";
  }

  private static String claim(String members) {
    return "{'spec':{'accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'1Gi'}}"
        + members
        + "}}";
  }

  @Test
  void aVolumeStartsPending() {
    var volume = VOLUME.prepared(volume("'hostPath':{'path':'/a'}"));
    assertThat(volume.object("status"))
        .isEqualTo(
            JsonObject.of("phase", "Pending", "lastPhaseTransitionTime", "2026-03-01T12:00:00Z"));
    assertThat(volume.object("spec").string("persistentVolumeReclaimPolicy")).isEqualTo("Retain");
    assertThat(volume.object("spec", "hostPath").has("type")).isTrue();
  }

  @Test
  void aVolumeIsOfOneKind() {
    assertThat(VOLUME.create(volume("'volumeMode':'Block'")))
        .containsExactly("spec: Required value: must specify a volume type");
    assertThat(VOLUME.create(volume("'hostPath':{'path':'/a'},'nfs':{'server':'s','path':'/'}")))
        .containsExactly("spec.nfs: Forbidden: may not specify more than 1 volume type");
    assertThat(VOLUME.create(volume("'local':{'path':'/a/../b'}")))
        .containsExactly(
            "spec.local.path: Invalid value: \"/a/../b\": must not contain '..'",
            "spec.nodeAffinity: Required value: Local volume requires node affinity");
  }

  @Test
  void volumesHaveASizeAndModes() {
    assertThat(VOLUME.create("{'spec':{'hostPath':{'path':'/'},'accessModes':['Some']}}"))
        .containsExactly(
            "spec.accessModes: Unsupported value: \"Some\": supported values: \"ReadOnlyMany\","
                + " \"ReadWriteMany\", \"ReadWriteOnce\", \"ReadWriteOncePod\"",
            "spec.capacity: Required value",
            "spec.capacity: Unsupported value: null: supported values: \"storage\"");
  }

  @Test
  void theSourceOfAVolumeStays() {
    assertThat(
            VOLUME.update(
                volume("'hostPath':{'path':'/a'}"),
                volume("'hostPath':{'path':'/b'},'volumeMode':'Block'")))
        .containsExactly(
            "spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable"
                + " after creation\n- hostPath.path: \"/a\"\n+ hostPath.path: \"/b\"",
            "volumeMode: Invalid value: \"Block\": field is immutable");
  }

  @Test
  void aChangedPhaseTellsWhen() {
    var old = VOLUME.prepared(volume("'hostPath':{'path':'/a'}"));
    var later =
        VolumeRules.strategy(InstantSource.fixed(Instant.parse("2026-03-02T00:00:00Z")))
            .prepareForStatusUpdate(old.withAt(Json.of("Bound"), "status", "phase"), old);
    assertThat(later.object("status").string("lastPhaseTransitionTime"))
        .isEqualTo("2026-03-02T00:00:00Z");
  }

  @Test
  void claimsAskForStorage() {
    assertThat(CLAIM.create("{'spec':{}}"))
        .containsExactly(
            "spec.accessModes: Required value: at least 1 access mode is required",
            "spec.resources[storage]: Required value");
    assertThat(CLAIM.create(claim(",'dataSourceRef':{'kind':'Thing','name':'a'}")))
        .contains(
            "spec.dataSourceRef: Invalid value: \"Thing\": must be 'PersistentVolumeClaim' when"
                + " referencing the default apiGroup");
  }

  @Test
  void theSourceOfAClaimIsWrittenTwice() {
    var spec =
        CLAIM
            .prepared(claim(",'dataSourceRef':{'apiGroup':'x.example','kind':'Thing','name':'a'}"))
            .object("spec");
    assertThat(spec.get("dataSource")).isEqualTo(spec.get("dataSourceRef"));
    assertThat(
            CLAIM
                .prepared(claim(",'dataSource':{'apiGroup':'x.example','kind':'Thing','name':'a'}"))
                .object("spec")
                .has("dataSource"))
        .isFalse();
  }

  @Test
  void aClaimStaysAsItIs() {
    assertThat(CLAIM.update(claim(""), claim(",'storageClassName':'fast'"))).isEmpty();
    assertThat(CLAIM.update(claim(""), claim(",'volumeName':'v'"))).isEmpty();
    assertThat(
            CLAIM.update(claim(",'storageClassName':'slow'"), claim(",'storageClassName':'fast'")))
        .singleElement()
        .asString()
        .startsWith("spec: Forbidden: spec is immutable after creation");
    assertThat(CLAIM.update(claim(""), claim("").replace("1Gi", "1024Mi"))).isEmpty();
  }

  @Test
  void nodesOfferTheirCapacityAndMatchRanges() {
    var node =
        NODE.prepared(
            "{'spec':{'podCIDR':'10.1.0.0/24'},'status':{'capacity':{'cpu':'4000001u'}}}");
    assertThat(node.object("status", "allocatable").string("cpu")).isEqualTo("4001m");
    assertThat(node.object("spec").array("podCIDRs").strings()).containsExactly("10.1.0.0/24");
  }

  @Test
  void taintsAreUniqueAndKnown() {
    assertThat(
            NODE.create(
                "{'spec':{'taints':[{'key':'a','effect':'Stay'},{'key':'b','effect':'NoExecute'},"
                    + "{'key':'b','effect':'NoExecute'}]}}"))
        .containsExactly(
            "metadata.taints[0].effect: Unsupported value: \"Stay\": supported values:"
                + " \"NoSchedule\", \"PreferNoSchedule\", \"NoExecute\"",
            "metadata.taints[2]: Duplicate value: {\"key\":\"b\",\"effect\":\"NoExecute\"}: taints"
                + " must be unique by key and effect pair");
  }

  @Test
  void rangesOfANodeStay() {
    assertThat(
            NODE.update(
                "{'spec':{'podCIDRs':['10.1.0.0/24'],'providerID':'a'}}",
                "{'spec':{'podCIDRs':['10.2.0.0/24'],'providerID':'b'}}"))
        .containsExactly(
            "spec.podCIDRs: Forbidden: node updates may not change podCIDR except from \"\" to"
                + " valid",
            "spec.providerID: Forbidden: node updates may not change providerID except from \"\""
                + " to valid");
  }
}
