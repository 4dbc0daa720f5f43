package dev.muster.validation.networking;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonObject;
import dev.muster.validation.core.Verdicts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IngressRulesTest {
  private static final Verdicts INGRESS = new Verdicts(IngressRules.STRATEGY, true);
  private static final String WEB = "{'service':{'name':'web','port':{'number':80}}}";
  private static final String SUBDOMAIN =
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or"
          + " '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex"
          + " used for validation is"
          + " '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

  private static String backend(String backend) {
    return "{'spec':{'defaultBackend':" + backend + "}}";
  }

  private static String rule(String host, String path, String type) {
    return "{'spec':{'rules':[{'host':'%s','http':{'paths':[{'path':'%s','pathType':'%s','backend':%s}]}}]}}"
        .formatted(host, path, type, WEB);
  }

  @Test
  void anIngressLeadsSomewhere() {
    assertThat(INGRESS.create("{}"))
        .containsExactly(
            "spec: Invalid value: null: either `defaultBackend` or `rules` must be specified");
    assertThat(INGRESS.create(backend(WEB))).isEmpty();
    assertThat(INGRESS.create("{'spec':{'rules':[{'host':'a.example'}]}}")).isEmpty();
    assertThat(INGRESS.create("{'spec':{'rules':[{'http':{'paths':[]}}]}}"))
        .containsExactly("spec.rules[0].http.paths: Required value");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "Exact | no-slash | must be an absolute path",
        "Prefix | /a//b | must not contain '//'",
        "Prefix | /a/./b | must not contain '/./'",
        "Exact | /a/../b | must not contain '/../'",
        "Exact | /a%2fb | must not contain '%2f'",
        "Exact | /a%2Fb | must not contain '%2F'",
        "Prefix | /a/.. | cannot end with '/..'",
        "Prefix | /a/. | cannot end with '/.'",
        "ImplementationSpecific | rel | must be an absolute path",
      })
  void pathsArePlain(String type, String path, String detail) {
    assertThat(INGRESS.create(rule("a.example", path, type)))
        .containsExactly(
            "spec.rules[0].http.paths[0].path: Invalid value: \"" + path + "\": " + detail);
  }

  @Test
  void controllersMayReadPathsAsTheyLike() {
    assertThat(INGRESS.create(rule("a.example", "/a//(b|c)", "ImplementationSpecific"))).isEmpty();
    assertThat(INGRESS.create(rule("a.example", "", "ImplementationSpecific"))).isEmpty();
  }

  @Test
  void pathsHaveAType() {
    assertThat(
            INGRESS.create(
                "{'spec':{'rules':[{'http':{'paths':[{'path':'/','backend':" + WEB + "}]}}]}}"))
        .containsExactly(
            "spec.rules[0].http.paths[0].pathType: Required value: pathType must be specified");
    assertThat(INGRESS.create(rule("a.example", "/", "Regex")))
        .containsExactly(
            "spec.rules[0].http.paths[0].pathType: Unsupported value: \"Regex\": supported values:"
                + " \"Exact\", \"ImplementationSpecific\", \"Prefix\"");
  }

  @Test
  void hostsAreNamesWithOrWithoutWildcard() {
    assertThat(INGRESS.create(rule("*.example.com", "/", "Prefix"))).isEmpty();
    assertThat(INGRESS.create(rule("Bad_Host", "/", "Prefix")))
        .containsExactly("spec.rules[0].host: Invalid value: \"Bad_Host\": " + SUBDOMAIN);
    assertThat(INGRESS.create(rule("192.0.2.1", "/", "Prefix")))
        .containsExactly(
            "spec.rules[0].host: Invalid value: \"192.0.2.1\": must be a DNS name, not an IP"
                + " address");
    assertThat(INGRESS.create(rule("a.*.example.com", "/", "Prefix")))
        .singleElement()
        .asString()
        .startsWith(
            "spec.rules[0].host: Invalid value: \"a.*.example.com\": a wildcard DNS-1123 subdomain"
                + " must start with '*.'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{} | spec.defaultBackend: Invalid value: \"\": resource or service backend is required",
        "{'service':{'name':'a','port':{'number':1}},'resource':{'kind':'K','name':'n'}} |"
            + " spec.defaultBackend: Invalid value: \"\": cannot set both resource and service"
            + " backends",
        "{'service':{'name':'a','port':{'number':1,'name':'p'}}} | spec.defaultBackend: Invalid"
            + " value: \"\": cannot set both port name & port number",
        "{'service':{'name':'a'}} | spec.defaultBackend: Required value: port name or number is"
            + " required",
        "{'service':{'port':{'number':1}}} | spec.defaultBackend.service.name: Required value",
        "{'service':{'name':'a','port':{'number':70000}}} |"
            + " spec.defaultBackend.service.port.number: Invalid value: 70000: must be between 1"
            + " and 65535, inclusive",
        "{'resource':{'name':'n'}} | spec.defaultBackend.resource.kind: Required value",
        "{'resource':{'kind':'K','name':'a/b'}} | spec.defaultBackend.resource.name: Invalid value:"
            + " \"a/b\": may not contain '/'",
      })
  void aBackendIsOneThing(String backend, String error) {
    assertThat(INGRESS.create(backend(backend))).containsExactly(error);
  }

  @Test
  void certificatesAreForHostsAndInSecrets() {
    assertThat(
            INGRESS.create(
                "{'spec':{'defaultBackend':%s,'tls':[{'hosts':['*.a.b','a_b'],'secretName':'S_'}]}}"
                    .formatted(WEB)))
        .containsExactly(
            "spec.tls[0].hosts[1]: Invalid value: \"a_b\": " + SUBDOMAIN,
            "spec.tls[0].secretName: Invalid value: \"S_\": " + SUBDOMAIN);
  }

  @Test
  void aSecretNameThatWasAcceptedOnceIsAcceptedStill() {
    var old = "{'spec':{'defaultBackend':%s,'tls':[{'secretName':'S_'}]}}".formatted(WEB);
    assertThat(INGRESS.update(old, old.replace("S_", "T_"))).isEmpty();
  }

  @Test
  void bothPlacesNameTheSameClass() {
    var ingress =
        "{'metadata':{'annotations':{'kubernetes.io/ingress.class':'%s'}},'spec':{'ingressClassName':'nginx','defaultBackend':%s}}";
    assertThat(INGRESS.create(ingress.formatted("nginx", WEB))).isEmpty();
    assertThat(INGRESS.create(ingress.formatted("other", WEB)))
        .containsExactly(
            "annotations.kubernetes.io/ingress.class: Invalid value: \"other\": must match"
                + " `ingressClassName` when both are specified");
    assertThat(INGRESS.update(backend(WEB), ingress.formatted("other", WEB))).isEmpty();
  }

  @Test
  void theAnnotationAloneIsDeprecated() {
    assertThat(
            INGRESS.warnings(
                "{'metadata':{'annotations':{'kubernetes.io/ingress.class':'a'}},'spec':{}}"))
        .containsExactly(
            "annotation \"kubernetes.io/ingress.class\" is deprecated, please use"
                + " 'spec.ingressClassName' instead");
  }

  @Test
  void theSpecIsCounted() {
    assertThat(INGRESS.generation(backend(WEB), backend(WEB))).isEqualTo(1);
    assertThat(INGRESS.generation(backend(WEB), backend(WEB.replace("80", "81")))).isEqualTo(2);
    assertThat(
            INGRESS
                .prepared("{'status':{'loadBalancer':{'ingress':[{'ip':'::1'}]}}}")
                .has("status"))
        .isFalse();
  }

  @Test
  void balancersHaveAddressesOrNames() {
    assertThat(
            INGRESS.statusUpdate(
                backend(WEB),
                "{'status':{'loadBalancer':{'ingress':[{'ip':'1.2.3'},{'hostname':'1.2.3.4'}]}}}"))
        .containsExactly(
            "status.loadBalancer.ingress[0].ip: Invalid value: \"1.2.3\": must be a valid IP"
                + " address, (e.g. 10.9.8.7 or 2001:db8::ffff)",
            "status.loadBalancer.ingress[1].hostname: Invalid value: \"1.2.3.4\": must be a DNS"
                + " name, not an IP address");
  }

  @Test
  void onlyTheStatusIsWarnedAboutAddresses() {
    JsonObject ingress =
        Verdicts.json("{'status':{'loadBalancer':{'ingress':[{'ip':'2001:DB8::1'}]}}}");
    assertThat(IngressRules.STRATEGY.warnings(ingress, ingress)).isEmpty();
    assertThat(IngressRules.STRATEGY.statusWarnings(ingress, ingress)).hasSize(1);
  }
}
