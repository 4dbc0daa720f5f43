package dev.muster.validation.pods;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.validation.apps.DeploymentRules;
import dev.muster.validation.core.Verdicts;
import org.junit.jupiter.api.Test;

/** What older servers stored and newer ones refuse does not keep the rest from changing. */
class RatchetTest {
  private static final Verdicts DEPLOYMENT = new Verdicts(DeploymentRules.STRATEGY, true);

  private static String deployment(int replicas, String spec, String container) {
    return "{'spec':{'replicas':"
        + replicas
        + ",'selector':{'matchLabels':{'a':'b'}},'template':{'metadata':{'labels':{'a':'b'}},"
        + "'spec':{'containers':[{'name':'c','image':'i'"
        + container
        + "}]"
        + spec
        + "}}}}";
  }

  private static void isKeptButNotNew(String spec, String container) {
    assertThat(DEPLOYMENT.create(deployment(1, spec, container))).isNotEmpty();
    assertThat(DEPLOYMENT.update(deployment(1, "", ""), deployment(2, spec, container)))
        .isNotEmpty();
    assertThat(DEPLOYMENT.update(deployment(1, spec, container), deployment(2, spec, container)))
        .isEmpty();
  }

  @Test
  void hugePagesThatAreNoMultipleOfTheirSize() {
    isKeptButNotNew("", ",'resources':{'limits':{'cpu':'1','hugepages-2Mi':'1Mi'}}");
  }

  @Test
  void selectorsOfSpreadConstraints() {
    isKeptButNotNew(
        ",'topologySpreadConstraints':[{'maxSkew':1,'topologyKey':'z',"
            + "'whenUnsatisfiable':'DoNotSchedule','labelSelector':{'matchLabels':{'a':'-'}}}]",
        "");
  }

  @Test
  void settingsOfTheKernelThatAreTheHosts() {
    isKeptButNotNew(
        ",'hostNetwork':true,'securityContext':{'sysctls':[{'name':'net.a','value':'1'}]}", "");
  }

  @Test
  void pathsOfTokens() {
    isKeptButNotNew(
        ",'volumes':[{'name':'v','projected':{'sources':[{'serviceAccountToken':"
            + "{'path':'../t'}}]}}]",
        "");
  }

  @Test
  void policiesOfLabelsOnVolumes() {
    isKeptButNotNew(",'securityContext':{'seLinuxChangePolicy':'MountOption'}", "");
  }

  @Test
  void devicesOfPodsWithUsersOfTheirOwn() {
    isKeptButNotNew(
        ",'hostUsers':false,'volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'c'}}]",
        ",'volumeDevices':[{'name':'v','devicePath':'/d'}]");
  }
}
