package dev.muster.it.decisions;

/** An object that comes and goes, and decides about requests while it is there. */
enum Rule {
  /** Gives the robot its rights, by a binding that stays. */
  ROLE(
      "/apis/rbac.authorization.k8s.io/v1/namespaces/load/roles",
      "/roles/load/",
      """
      {"metadata":{"name":"comes-and-goes"},"rules":[{"verbs":["*"],"apiGroups":[""],
       "resources":["configmaps","secrets"]}]}
      """),

  /** Gives it the same rights, by a role that stays. */
  CLUSTER_ROLE_BINDING(
      "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
      "/clusterrolebindings/",
      """
      {"metadata":{"name":"comes-and-goes"},
       "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"stays"},
       "subjects":[{"apiGroup":"rbac.authorization.k8s.io","kind":"User","name":"robot"}]}
      """),

  /** Refuses ConfigMaps, by a binding that stays. */
  POLICY(
      "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies",
      "/validatingadmissionpolicies/",
      policy("comes-and-goes")),

  /** Refuses ConfigMaps, by a policy that stays. */
  POLICY_BINDING(
      "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings",
      "/validatingadmissionpolicybindings/",
      binding("comes-and-goes", "stays")),

  /** Puts a label on new ConfigMaps, by a policy that stays. */
  MUTATING_POLICY_BINDING(
      "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings",
      "/mutatingadmissionpolicybindings/",
      "{\"metadata\":{\"name\":\"comes-and-goes\"},\"spec\":{\"policyName\":\"stays\"}}"),

  /** Has a webhook asked about new Secrets, which refuses them. */
  WEBHOOK(
      "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
      "/validatingwebhookconfigurations/",
      """
      {"metadata":{"name":"comes-and-goes"},"webhooks":[{"name":"w.example.com",
       "clientConfig":CLIENT,"sideEffects":"None","admissionReviewVersions":["v1"],
       "rules":[{"operations":["CREATE"],"apiGroups":[""],"apiVersions":["v1"],
        "resources":["secrets"]}],
       "namespaceSelector":{"matchLabels":{"kubernetes.io/metadata.name":"load"}}}]}
      """);

  static final String NAME = "comes-and-goes";

  private final String collection;
  private final String storage;
  private final String object;

  Rule(String collection, String storage, String object) {
    this.collection = collection;
    this.storage = storage;
    this.object = object;
  }

  /** Where it is made. */
  String collection() {
    return collection;
  }

  /** Its key in the store. */
  String key() {
    return storage + NAME;
  }

  /**
   * @param webhook the {@code clientConfig} of the webhook that refuses
   */
  String object(String webhook) {
    return object.replace("CLIENT", webhook);
  }

  static String policy(String name) {
    return """
    {"metadata":{"name":"%s"},"spec":{"failurePolicy":"Fail",
     "matchConstraints":{"resourceRules":[{"apiGroups":[""],"apiVersions":["v1"],
      "operations":["CREATE","UPDATE"],"resources":["configmaps"]}],
      "namespaceSelector":{"matchLabels":{"kubernetes.io/metadata.name":"load"}}},
     "validations":[{"expression":"object.metadata.name == ''"}]}}
    """
        .formatted(name);
  }

  static String binding(String name, String policy) {
    return """
    {"metadata":{"name":"%s"},"spec":{"policyName":"%s","validationActions":["Deny"]}}
    """
        .formatted(name, policy);
  }
}
