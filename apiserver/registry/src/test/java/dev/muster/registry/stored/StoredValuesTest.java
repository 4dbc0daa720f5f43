package dev.muster.registry.stored;

import static dev.muster.registry.stored.Stored.at;
import static dev.muster.registry.stored.Stored.read;
import static dev.muster.registry.stored.Stored.tree;
import static dev.muster.registry.stored.Stored.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.address.Cidr;
import dev.muster.schema.protobuf.ProtobufCodec;
import dev.muster.schema.storage.JsonStorageCodec;
import dev.muster.types.BuiltIns;
import dev.muster.wire.CborWriter;
import dev.muster.wire.DecodeException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is served of values that others wrote, and of our own. */
class StoredValuesTest {
  private static final String MAP =
      "{'kind':'ConfigMap','apiVersion':'v1','metadata':{'name':'m','namespace':'space'},"
          + "'data':{'a':'1'}}";

  private final StoredValues values = values("10.0.0.0/24");

  private static StoredValues values(String range) {
    return new StoredValues(new JsonStorageCodec(), List.of(Cidr.parse(range)), BuiltIns::readBy);
  }

  @Test
  void aClaimWithoutAPhaseIsPending() {
    var claim =
        read(
            "/persistentvolumeclaims",
            "{'apiVersion':'v1','kind':'PersistentVolumeClaim','metadata':{'name':'c','namespace':"
                + "'n'},'spec':{'dataSource':{'kind':'PersistentVolumeClaim','name':'other'}}}");
    assertThat(at(claim, "status", "phase")).isEqualTo("'Pending'");
    assertThat(at(claim, "spec", "volumeMode")).isEqualTo("'Filesystem'");
    assertThat(at(claim, "spec", "dataSourceRef"))
        .isEqualTo("{'apiGroup':null,'kind':'PersistentVolumeClaim','name':'other'}");
  }

  @Test
  void aJobWithoutLabelsHasThoseOfItsTemplate() {
    var job =
        read(
            "/jobs",
            "{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'j','namespace':'n'},'spec':"
                + "{'template':{'metadata':{'labels':{'a':'b'}},'spec':{'containers':[]}}}}");
    assertThat(at(job, "metadata", "labels")).isEqualTo("{'a':'b'}");
    assertThat(at(job, "spec", "backoffLimit")).isEqualTo("6");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "'clusterIP':'10.0.0.5' | 10.0.0.0/24 | ['10.0.0.5'] | ['IPv4'] | SingleStack",
        "'clusterIP':'fd00::5' | 10.0.0.0/24 | ['fd00::5'] | ['IPv6'] | SingleStack",
        "'clusterIP':'None','selector':{'a':'b'} | fd00::/112 | ['None'] | ['IPv6'] | SingleStack",
        "'clusterIP':'None' | fd00::/112 | ['None'] | ['IPv6','IPv4'] | RequireDualStack"
      })
  void aServiceFromBeforeFamiliesSaysWhichItHas(
      String spec, String range, String ips, String families, String policy) {
    var stored =
        "{'apiVersion':'v1','kind':'Service','metadata':{'name':'s','namespace':'n'},"
            + "'spec':{'ports':[{'port':80}],"
            + spec
            + "}}";
    var service = tree(values(range).decode("/services/specs", value(stored), 5).json());
    assertThat(at(service, "spec", "clusterIPs")).isEqualTo(ips);
    assertThat(at(service, "spec", "ipFamilies")).isEqualTo(families);
    assertThat(service.object("spec").string("ipFamilyPolicy")).isEqualTo(policy);
    assertThat(at(service, "spec", "ports"))
        .isEqualTo("[{'protocol':'TCP','port':80,'targetPort':80}]");
  }

  @Test
  void aServiceThatIsOnlyANameHasNoTrafficInside() {
    var service =
        read(
            "/services/specs",
            "{'apiVersion':'v1','kind':'Service','metadata':{'name':'s','namespace':'n'},'spec':"
                + "{'type':'ExternalName','externalName':'x.y','internalTrafficPolicy':'Cluster'}}");
    assertThat(service.object("spec").keys())
        .containsExactly("type", "sessionAffinity", "externalName");
  }

  @Test
  void everyEncodingThatKubernetesReadsFromItsStoreIsRead() {
    var served =
        new String(values.decode("/configmaps", value(MAP), 5).json(), StandardCharsets.UTF_8);
    var object = tree(value(MAP));
    var spaced = value(MAP.replace(",", " ,\n "));
    var yaml =
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m, namespace: space}\ndata:\n  a: '1'\n";
    for (var value :
        List.of(
            ProtobufCodec.encode(object),
            CborWriter.bytes(object),
            spaced,
            yaml.getBytes(StandardCharsets.UTF_8),
            values.encode(object))) {
      assertThat(values.decode("/configmaps", value, 5).json()).asString().isEqualTo(served);
    }
  }

  @Test
  void whatWeWroteIsTakenAsItIs() {
    var written = values.encode(tree(value(MAP)));
    assertThat(values.decode("/configmaps", written, 5).outdated()).isFalse();
    // Nobody looks into it: a kind that does not belong there goes unnoticed.
    assertThat(values.decode("/secrets", written, 5).json()).asString().contains("ConfigMap");
  }

  @Test
  void whatWasChangedSinceWeWroteItIsLookedAt() {
    var written =
        new String(values.encode(tree(value(MAP))), StandardCharsets.UTF_8)
            .replace("\"data\"", "\"junk\"");
    var decoded = values.decode("/configmaps", written.getBytes(StandardCharsets.UTF_8), 5);
    assertThat(decoded.json()).asString().doesNotContain("junk");
  }

  @Test
  void writingSomethingThatWouldBeReadInAnotherWayIsAMistakeOfOurs() {
    var pod =
        tree(value("{'kind':'Pod','apiVersion':'v1','metadata':{'name':'p','namespace':'n'}}"));
    assertThatThrownBy(() -> values.encode(pod)).isInstanceOf(AssertionError.class);
  }

  @Test
  void whatHadToBeFilledInOrConvertedIsOutdated() {
    assertThat(values.decode("/configmaps", value(MAP), 5).outdated()).isFalse();
    var secret = "{'kind':'Secret','apiVersion':'v1','metadata':{'name':'s','namespace':'n'}}";
    assertThat(values.decode("/secrets", value(secret), 5).outdated()).isTrue();
    var lease =
        "{'kind':'Lease','apiVersion':'coordination.k8s.io/%s','metadata':{'name':'l','namespace':"
            + "'n','creationTimestamp':null},'spec':{}}";
    assertThat(values.decode("/leases", value(lease.formatted("v1")), 5).outdated()).isFalse();
    assertThat(values.decode("/leases", value(lease.formatted("v1beta1")), 5).outdated()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{'kind':'ConfigMap','apiVersion':'v9'} | no kind \"ConfigMap\" is registered for version"
            + " \"v9\" in scheme \"pkg/api/legacyscheme/scheme.go:30\"",
        "{'kind':'Secret','apiVersion':'v1'} | converting (v1.Secret) to (ConfigMap): unknown"
            + " conversion",
        "{'kind':'ConfigMap'} | Object 'apiVersion' is missing in the stored value",
        "{'apiVersion':'v1'} | Object 'Kind' is missing in the stored value",
        "[1] | the stored value is not an object",
        "{'kind':'ConfigMap','apiVersion':'v1','data':7} | json: cannot unmarshal number into Go"
            + " struct field ConfigMap.data of type map[string]string"
      })
  void whatCannotBeReadIsSaid(String stored, String why) {
    assertThatThrownBy(() -> values.decode("/configmaps", value(stored), 5))
        .isInstanceOf(DecodeException.class)
        .hasMessage(why);
  }

  @Test
  void autoscalersOfVersionsThatKubernetesForgotCannotBeRead() {
    assertThatThrownBy(
            () ->
                read(
                    "/horizontalpodautoscalers",
                    "{'kind':'HorizontalPodAutoscaler','apiVersion':'autoscaling/v2beta2'}"))
        .hasMessageContaining("is registered for version \"autoscaling/v2beta2\"");
  }
}
