package dev.muster.validation.apis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.validation.core.Verdicts;
import org.junit.jupiter.api.Test;

class ApiServiceRulesTest {
  private static final Verdicts SERVICE = new Verdicts(ApiServiceRules.STRATEGY, false);

  private static String named(String name, String spec) {
    return "{'metadata':{'name':'" + name + "'},'spec':{" + spec + "}}";
  }

  private static String good(String rest) {
    return named(
        "v1.example.com",
        "'group':'example.com','version':'v1','groupPriorityMinimum':1,'versionPriority':1" + rest);
  }

  @Test
  void theNameIsMadeOfVersionAndGroup() {
    assertThat(SERVICE.create(good(""))).isEmpty();
    assertThat(
            SERVICE.create(
                named(
                    "v1.other",
                    "'group':'example.com','version':'v1','groupPriorityMinimum':1,"
                        + "'versionPriority':1")))
        .containsExactly(
            "metadata.name: Invalid value: \"v1.other\": must be"
                + " `spec.version+\".\"+spec.group`: \"v1.example.com\"");
  }

  @Test
  void groupsAndPrioritiesAreRequired() {
    assertThat(SERVICE.create(named("v2.", "'version':'v2'")))
        .containsExactly(
            "spec.group: Required value: only v1 may have an empty group and it better be legacy"
                + " kube",
            "spec.groupPriorityMinimum: Invalid value: 0: must be positive and less than 20000",
            "spec.versionPriority: Invalid value: 0: must be positive and less than 1000");
  }

  @Test
  void localServicesAreThereAtOnce() {
    var local = SERVICE.prepared(good(""));
    assertThat(local.object("status").array("conditions").object(0).string("reason"))
        .isEqualTo("Local");
    var remote = SERVICE.prepared(good(",'service':{'namespace':'a','name':'b'}"));
    assertThat(remote.has("status")).isFalse();
    assertThat(remote.object("spec", "service").integer("port", 0)).isEqualTo(443);
  }

  @Test
  void localServicesTrustThemselves() {
    assertThat(SERVICE.create(good(",'caBundle':'aGVsbG8=','insecureSkipTLSVerify':true")))
        .containsExactly(
            "spec.caBundle: Invalid value: \"5 bytes\": local APIServices may not have a caBundle",
            "spec.insecureSkipTLSVerify: Invalid value: true: local APIServices may not have"
                + " insecureSkipTLSVerify");
  }

  @Test
  void remoteServicesAreSomewhere() {
    assertThat(
            SERVICE.create(
                good(",'service':{'port':70000},'caBundle':'aGVs','insecureSkipTLSVerify':true")))
        .containsExactly(
            "spec.service.namespace: Required value",
            "spec.service.name: Required value",
            "spec.service.port: Invalid value: 70000: port is not valid: must be between 1 and"
                + " 65535, inclusive",
            "spec.insecureSkipTLSVerify: Invalid value: true: may not be true if caBundle is"
                + " present");
  }
}
