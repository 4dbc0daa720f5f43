package dev.muster.authentication.jwt;

import dev.muster.authentication.jwt.AuthenticationConfiguration.ExtraMapping;
import dev.muster.authentication.jwt.AuthenticationConfiguration.Jwt;
import dev.muster.authentication.jwt.AuthenticationConfiguration.Mapping;
import dev.muster.model.json.Json;
import dev.muster.model.validation.DomainNames;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Validates and compiles the rules and mappings of one issuer. Not thread-safe. */
final class MappingRules {
  private static final String BOTH = "claim and expression can't both be set";

  private final Jwt jwt;
  private final FieldPath root;
  private final List<FieldError> errors;
  private boolean emailVerified;

  MappingRules(Jwt jwt, FieldPath root, List<FieldError> errors) {
    this.jwt = jwt;
    this.root = root;
    this.errors = errors;
  }

  ClaimMapper check() {
    var claimRules = claimRules();
    var path = root.child("claimMappings");
    var mappings = jwt.claimMappings();
    var username = prefixed(mappings.username(), path.child("username"), true);
    emailVerified |= username.emailVerified();
    var groups = prefixed(mappings.groups(), path.child("groups"), false);
    var uid = uid(mappings.uid(), path.child("uid"));
    var extra = extra(mappings.extra(), path.child("extra"));
    if (username.email() && !emailVerified) {
      errors.add(
          FieldError.invalid(
              path.child("username").child("expression"),
              mappings.username().expression(),
              "claims.email_verified must be used in claimMappings.username.expression or"
                  + " claimMappings.extra[*].valueExpression or"
                  + " claimValidationRules[*].expression when claims.email is used in"
                  + " claimMappings.username.expression"));
    }
    return new ClaimMapper(
        jwt,
        username.expression(),
        groups.expression(),
        uid.expression(),
        extra,
        claimRules,
        userRules());
  }

  private ClaimExpression.Compiled overClaims(
      String text, String label, boolean condition, FieldPath path) {
    return ClaimExpression.compile(text, label, ClaimExpression.CLAIMS, condition, path, errors);
  }

  private static ClaimExpression.Compiled nothing() {
    return new ClaimExpression.Compiled(null, false, false);
  }

  private static void keep(@Nullable ClaimExpression expression, List<ClaimExpression> all) {
    if (expression != null) {
      all.add(expression);
    }
  }

  private List<ClaimExpression> claimRules() {
    var compiled = new ArrayList<ClaimExpression>();
    var claims = new HashSet<String>();
    var expressions = new HashSet<String>();
    var rules = jwt.claimValidationRules();
    for (int i = 0; i < rules.size(); i++) {
      var rule = rules.get(i);
      var path = root.child("claimValidationRules").index(i);
      if (!rule.claim().isEmpty() && !rule.expression().isEmpty()) {
        errors.add(FieldError.invalid(path, rule.claim(), BOTH));
      } else if (!rule.claim().isEmpty()) {
        if (!rule.message().isEmpty()) {
          errors.add(
              FieldError.invalid(
                  path.child("message"), rule.message(), "may not be specified when claim is set"));
        }
        if (!claims.add(rule.claim())) {
          errors.add(FieldError.duplicate(path.child("claim"), Json.of(rule.claim())));
        }
      } else if (rule.expression().isEmpty()) {
        errors.add(FieldError.required(path, "claim or expression is required"));
      } else {
        if (!rule.requiredValue().isEmpty()) {
          errors.add(
              FieldError.invalid(
                  path.child("requiredValue"),
                  rule.requiredValue(),
                  "may not be specified when expression is set"));
        }
        var where = path.child("expression");
        if (!expressions.add(rule.expression())) {
          errors.add(FieldError.duplicate(where, Json.of(rule.expression())));
          continue;
        }
        var made = overClaims(rule.expression(), rule.message(), true, where);
        emailVerified |= made.emailVerified();
        keep(made.expression(), compiled);
      }
    }
    return compiled;
  }

  private ClaimExpression.Compiled prefixed(Mapping mapping, FieldPath path, boolean required) {
    if (!mapping.expression().isEmpty() && !mapping.claim().isEmpty()) {
      errors.add(FieldError.invalid(path, "", BOTH));
    } else if (!mapping.expression().isEmpty()) {
      var prefix = mapping.prefix();
      if (prefix != null) {
        errors.add(
            FieldError.invalid(
                path.child("prefix"), prefix, "may not be specified when expression is set"));
      }
      return overClaims(mapping.expression(), "", false, path.child("expression"));
    } else if (!mapping.claim().isEmpty()) {
      if (mapping.prefix() == null) {
        errors.add(
            FieldError.required(
                path.child("prefix"),
                "prefix is required when claim is set. It can be set to an empty string to disable"
                    + " prefixing"));
      }
    } else if (required) {
      errors.add(FieldError.required(path, "claim or expression is required"));
    }
    return nothing();
  }

  private ClaimExpression.Compiled uid(Mapping mapping, FieldPath path) {
    if (!mapping.claim().isEmpty() && !mapping.expression().isEmpty()) {
      errors.add(FieldError.invalid(path, "", BOTH));
      return nothing();
    }
    return mapping.expression().isEmpty()
        ? nothing()
        : overClaims(mapping.expression(), "", false, path.child("expression"));
  }

  private List<ClaimExpression> extra(List<ExtraMapping> mappings, FieldPath parent) {
    var compiled = new ArrayList<ClaimExpression>();
    var keys = new HashSet<String>();
    for (int i = 0; i < mappings.size(); i++) {
      var key = mappings.get(i).key();
      var path = parent.index(i).child("key");
      DomainNames.domainPrefixedPath(path, key, errors);
      if (!key.equals(key.toLowerCase(Locale.ROOT))) {
        errors.add(FieldError.invalid(path, key, "must be lowercase"));
      }
      if (isReserved(key)) {
        errors.add(
            FieldError.invalid(
                path,
                key,
                "k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use"));
      }
      var text = mappings.get(i).valueExpression();
      var where = parent.index(i).child("valueExpression");
      if (!keys.add(key)) {
        errors.add(FieldError.duplicate(path, Json.of(key)));
      } else if (text.isEmpty()) {
        errors.add(FieldError.required(where, ""));
      } else {
        var made = overClaims(text, key, false, where);
        emailVerified |= made.emailVerified();
        keep(made.expression(), compiled);
      }
    }
    return compiled;
  }

  private static boolean isReserved(String key) {
    int slash = key.indexOf('/');
    var domain = "." + (slash < 0 ? "" : key.substring(0, slash));
    return domain.endsWith(".kubernetes.io") || domain.endsWith(".k8s.io");
  }

  private List<ClaimExpression> userRules() {
    var compiled = new ArrayList<ClaimExpression>();
    var expressions = new HashSet<String>();
    var rules = jwt.userValidationRules();
    for (int i = 0; i < rules.size(); i++) {
      var rule = rules.get(i);
      var path = root.child("userValidationRules").index(i).child("expression");
      if (rule.expression().isEmpty()) {
        errors.add(FieldError.required(path, ""));
      } else if (!expressions.add(rule.expression())) {
        errors.add(FieldError.duplicate(path, Json.of(rule.expression())));
      } else {
        var made =
            ClaimExpression.compile(
                rule.expression(), rule.message(), ClaimExpression.USER, true, path, errors);
        keep(made.expression(), compiled);
      }
    }
    return compiled;
  }
}
