package dev.muster.bench;

import dev.muster.bench.RequestScenario.Plan;
import java.util.ArrayList;
import java.util.List;

/**
 * Used by one thread. Creates of ConfigMaps in a namespace that policies or a webhook look at; they
 * are deleted when the scenario is over.
 */
final class AdmittedCreates {
  private static final String GROUP = "/apis/admissionregistration.k8s.io/v1/";

  private final BenchRun session;
  private final String purpose;
  private final String namespace;
  private final List<String> made = new ArrayList<>();

  private AdmittedCreates(BenchRun session, String purpose) {
    this.session = session;
    this.purpose = purpose;
    var path = session.data().configMaps(purpose, 0);
    this.namespace = path.split("/", -1)[4];
  }

  /** With that many policies, each with a binding, which all evaluate every object. */
  static Plan withPolicies(BenchRun session, int count) {
    var creates = new AdmittedCreates(session, "create-policies-" + count);
    for (int i = 0; i < count; i++) {
      creates.makePolicy(creates.namespace + "-" + i);
    }
    return creates.plan(() -> {});
  }

  /** With one webhook of this process, which allows everything. */
  static Plan withWebhook(BenchRun session) {
    var webhook = new AllowingWebhook();
    var creates = new AdmittedCreates(session, "create-webhook");
    creates.make(
        "validatingwebhookconfigurations",
        creates.namespace,
        """
        "webhooks":[{"name":"bench.muster.dev","clientConfig":%s,"sideEffects":"None",
         "admissionReviewVersions":["v1"],"namespaceSelector":%s,"rules":[%s]}]
        """
            .formatted(webhook.client(), creates.selector(), rule()));
    return creates.plan(webhook::close);
  }

  private String selector() {
    return "{\"matchLabels\":{\"kubernetes.io/metadata.name\":\"" + namespace + "\"}}";
  }

  private static String rule() {
    return """
    {"operations":["CREATE","UPDATE"],"apiGroups":[""],"apiVersions":["v1"],
     "resources":["configmaps"]}
    """;
  }

  private void makePolicy(String name) {
    make(
        "validatingadmissionpolicies",
        name,
        """
        "spec":{"failurePolicy":"Fail",
         "matchConstraints":{"resourceRules":[%s],"namespaceSelector":%s},
         "validations":[
          {"expression":"object.metadata.name.startsWith('object-')"},
          {"expression":"has(object.metadata.labels) && 'app' in object.metadata.labels"}]}
        """
            .formatted(rule(), selector()));
    make(
        "validatingadmissionpolicybindings",
        name,
        "\"spec\":{\"policyName\":\"" + name + "\",\"validationActions\":[\"Deny\"]}");
  }

  private void make(String collection, String name, String rest) {
    session
        .api()
        .expect(
            session
                .requests()
                .post(
                    GROUP + collection, "{\"metadata\":{\"name\":\"" + name + "\"}," + rest + "}"));
    made.addFirst(GROUP + collection + "/" + name);
  }

  private Plan plan(Runnable end) {
    var creates = Scenarios.creates(session, purpose);
    return new Plan(
        creates.source(),
        creates.leastBytes(),
        () -> {
          creates.afterwards().run();
          made.forEach(path -> session.api().call(session.requests().delete(path)));
          end.run();
        });
  }
}
