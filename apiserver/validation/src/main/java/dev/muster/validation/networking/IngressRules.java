package dev.muster.validation.networking;

import static dev.muster.validation.Default.in;
import static dev.muster.validation.Default.when;
import static dev.muster.validation.Default.withoutEmpty;
import static dev.muster.validation.FieldChecks.dnsSubdomain;
import static dev.muster.validation.Rules.each;
import static dev.muster.validation.Rules.field;
import static dev.muster.validation.Rules.ifPresent;
import static dev.muster.validation.Rules.ifSet;
import static dev.muster.validation.Rules.metadataUpdate;
import static dev.muster.validation.Rules.namespacedMetadata;

import dev.muster.model.address.Ip;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonNull;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.model.validation.IpRules;
import dev.muster.model.validation.NameRule;
import dev.muster.model.validation.Names;
import dev.muster.schema.read.EmptyFields;
import dev.muster.types.Strategy;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.Rule;
import dev.muster.validation.Rules;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The strategy of Ingresses. */
public final class IngressRules {
  private static final String CLASS_ANNOTATION = "kubernetes.io/ingress.class";
  private static final String NOT_AN_ADDRESS = "must be a DNS name, not an IP address";

  private static final Rule SPEC =
      field(
          "spec",
          IngressRules::something,
          ifPresent("defaultBackend", IngressPaths::backend),
          IngressRules::rules,
          IngressRules::certificates,
          field("ingressClassName", dnsSubdomain()));

  private static final Rule INGRESS = Rule.all(namespacedMetadata(NameRule.DNS_SUBDOMAIN), SPEC);

  public static final Strategy STRATEGY =
      ResourceRules.namespaced()
          .emptyFields(EmptyFields.at("spec.rules"))
          .status()
          .generation()
          // Without any backend, the error shows the rules as the client sent them.
          .defaults(in("spec", when(spec -> spec.has("defaultBackend"), withoutEmpty("rules"))))
          .create(INGRESS, IngressRules::oneClass)
          .update(metadataUpdate(), INGRESS)
          .statusUpdate(
              metadataUpdate(), field("status.loadBalancer.ingress", IngressRules::balancers))
          .warnings(IngressRules::warnings)
          .statusWarnings(each("status.loadBalancer.ingress", IngressRules::addressWarnings))
          .build();

  private IngressRules() {}

  private static void something(FieldCursor spec) {
    if (spec.at("rules").isEmpty() && spec.at("defaultBackend").isAbsent()) {
      var rules = spec.at("rules").value();
      spec.invalid(
          rules == null ? JsonNull.NULL : rules,
          "either `defaultBackend` or `rules` must be specified");
    }
  }

  /**
   * Validates rules; wildcard hosts that an older server accepted stay valid while they do not
   * change.
   */
  private static void rules(FieldCursor spec) {
    boolean wildcardsAsBefore =
        spec.before().at("rules").items().stream().anyMatch(IngressRules::isBadWildcard);
    for (var rule : spec.at("rules").items()) {
      var host = rule.at("host");
      boolean wildcard = host.text().contains("*");
      if (!host.isEmpty()) {
        if (Ip.parseLegacy(host.text()) != null) {
          host.invalid(NOT_AN_ADDRESS);
        }
        hostName(host);
      }
      if (!wildcard || !wildcardsAsBefore) {
        paths(rule);
      }
    }
  }

  private static boolean isBadWildcard(FieldCursor rule) {
    var errors = new ArrayList<FieldError>();
    paths(rule.collectingInto(errors));
    return rule.at("host").text().contains("*") && !errors.isEmpty();
  }

  private static void paths(FieldCursor rule) {
    var http = rule.at("http");
    if (http.isPresent()) {
      if (http.at("paths").isEmpty()) {
        http.at("paths").required("");
      }
      http.at("paths").items().forEach(IngressPaths::path);
    }
  }

  private static void hostName(FieldCursor host) {
    host.invalidEach(
        host.text().contains("*")
            ? Names.wildcardDnsSubdomain(host.text())
            : Names.dnsSubdomain(host.text()));
  }

  private static void certificates(FieldCursor spec) {
    boolean namesAsBefore =
        spec.before().at("tls").items().stream()
            .map(tls -> tls.at("secretName").text())
            .anyMatch(name -> !name.isEmpty() && !Names.dnsSubdomain(name).isEmpty());
    for (var tls : spec.at("tls").items()) {
      tls.at("hosts").items().forEach(IngressRules::hostName);
      if (!namesAsBefore) {
        ifSet("secretName", dnsSubdomain()).check(tls);
      }
    }
  }

  /** The annotation and the field for the class must not contradict each other. */
  private static void oneClass(FieldCursor ingress) {
    var annotation = ingress.at("metadata", "annotations").entry(CLASS_ANNOTATION);
    var name = ingress.at("spec", "ingressClassName");
    if (annotation.isPresent() && name.isPresent() && !name.isText(annotation.text())) {
      ingress.report(
          FieldError.invalid(
              FieldPath.of("annotations", CLASS_ANNOTATION),
              annotation.text(),
              "must match `ingressClassName` when both are specified"));
    }
  }

  private static void balancers(FieldCursor list) {
    var before =
        list.before().items().stream()
            .map(item -> item.at("ip").text())
            .collect(Collectors.toUnmodifiableSet());
    for (var item : list.items()) {
      var ip = item.at("ip");
      if (!ip.isEmpty()) {
        Rules.report(ip, errors -> IpRules.strictLegacyIp(ip.path(), ip.text(), before, errors));
      }
      var host = item.at("hostname");
      if (!host.isEmpty()) {
        dnsSubdomain().check(host);
        if (Ip.parseLegacy(host.text()) != null) {
          host.invalid(Json.of(host.text()), NOT_AN_ADDRESS);
        }
      }
    }
  }

  private static void warnings(FieldCursor ingress) {
    if (!ingress.isUpdate()
        && ingress.at("metadata", "annotations").entry(CLASS_ANNOTATION).isPresent()
        && ingress.at("spec", "ingressClassName").isAbsent()) {
      ingress.warn(
          "annotation \""
              + CLASS_ANNOTATION
              + "\" is deprecated, please use 'spec.ingressClassName' instead");
    }
  }

  private static void addressWarnings(FieldCursor balancer) {
    var ip = balancer.at("ip").text();
    if (!ip.isEmpty()) {
      List<String> found = IpRules.ipWarnings(balancer.path(), ip);
      found.forEach(balancer::warn);
    }
  }
}
