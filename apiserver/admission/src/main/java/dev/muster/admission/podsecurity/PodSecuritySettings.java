package dev.muster.admission.podsecurity;

import dev.muster.admission.config.AdmissionConfiguration;
import dev.muster.admission.podsecurity.Policy.Level;
import dev.muster.admission.podsecurity.Policy.Standard;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.model.validation.Names;
import dev.muster.wire.ConfigurationKind;
import dev.muster.wire.DecodeException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * The configuration of PodSecurity: defaults for namespaces without labels, and exemptions.
 * Immutable.
 */
public record PodSecuritySettings(
    Policy defaults, Set<String> users, Set<String> namespaces, Set<String> runtimeClasses) {
  private static final String PLUGIN = "PodSecurity";
  private static final String GROUP = "pod-security.admission.config.k8s.io/";
  private static final ConfigurationKind KIND =
      new ConfigurationKind(
          "PodSecurityConfiguration", Set.of(GROUP + "v1", GROUP + "v1beta1", GROUP + "v1alpha1"));
  private static final PodSecuritySettings NONE =
      new PodSecuritySettings(Policy.PRIVILEGED, Set.of(), Set.of(), Set.of());

  public PodSecuritySettings {
    users = Set.copyOf(users);
    namespaces = Set.copyOf(namespaces);
    runtimeClasses = Set.copyOf(runtimeClasses);
  }

  /**
   * @throws IllegalArgumentException when the configuration is invalid
   */
  public static PodSecuritySettings read(JsonObject configuration) {
    if (configuration.isEmpty()) {
      return NONE;
    }
    try {
      KIND.check(configuration, ConfigurationKind.shown(configuration));
    } catch (DecodeException e) {
      throw AdmissionConfiguration.wrong(PLUGIN + ": " + e.text());
    }
    only(configuration, PLUGIN, "apiVersion", "kind", "defaults", "exemptions");
    var defaults = configuration.object("defaults");
    only(
        defaults,
        PLUGIN + ".defaults",
        "enforce",
        "enforce-version",
        "audit",
        "audit-version",
        "warn",
        "warn-version");
    var exemptions = configuration.object("exemptions");
    only(exemptions, PLUGIN + ".exemptions", "usernames", "namespaces", "runtimeClasses");
    var errors = new ArrayList<FieldError>();
    var enforce = standard(defaults, "enforce", errors);
    var warn = standard(defaults, "warn", errors);
    var audit = standard(defaults, "audit", errors);
    var namespaces = names(exemptions, "namespaces", Names::dnsLabel, errors);
    var classes = names(exemptions, "runtimeClasses", Names::dnsSubdomain, errors);
    var users =
        names(
            exemptions,
            "usernames",
            name -> name.isEmpty() ? List.of("username must not be empty") : List.of(),
            errors);
    if (!errors.isEmpty()) {
      throw AdmissionConfiguration.wrong(PLUGIN + ": " + FieldError.join(errors));
    }
    return new PodSecuritySettings(new Policy(enforce, audit, warn), users, namespaces, classes);
  }

  private static void only(JsonObject object, String where, String... known) {
    AdmissionConfiguration.only(object, Set.of(known), where);
  }

  private static Standard standard(JsonObject defaults, String mode, List<FieldError> errors) {
    var text = defaults.string(mode);
    var level = text.isEmpty() ? Level.PRIVILEGED : Level.of(text);
    if (level == null) {
      errors.add(FieldError.invalid(FieldPath.of("defaults", mode), text, Policy.NO_LEVEL));
      level = Level.RESTRICTED;
    }
    var version = defaults.string(mode + "-version");
    var minor = Policy.minor(version.isEmpty() ? "latest" : version);
    if (minor.isEmpty()) {
      errors.add(
          FieldError.invalid(
              FieldPath.of("defaults", mode + "-version"), version, Policy.NO_VERSION));
    }
    return new Standard(level, minor.orElse(Standard.LATEST));
  }

  private static Set<String> names(
      JsonObject exemptions,
      String field,
      Function<String, List<String>> rule,
      List<FieldError> errors) {
    var names = new LinkedHashSet<String>();
    var given = exemptions.array(field).strings();
    for (int i = 0; i < given.size(); i++) {
      var path = FieldPath.of("exemptions", field).index(i);
      var problems = rule.apply(given.get(i));
      if (!problems.isEmpty()) {
        errors.add(FieldError.invalid(path, given.get(i), String.join(", ", problems)));
      } else if (!names.add(given.get(i))) {
        errors.add(FieldError.duplicate(path, new JsonString(given.get(i))));
      }
    }
    return names;
  }

  boolean isExempt(PodView pod) {
    return runtimeClasses.contains(pod.spec().string("runtimeClassName"));
  }
}
