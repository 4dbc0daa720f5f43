package dev.muster.authorization.impersonation;

import dev.muster.authorization.Attributes;
import dev.muster.model.User;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.status.ApiException;
import dev.muster.model.validation.Names;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Authorizes the extra values of an impersonated user. */
record ExtraCheck(Impersonation impersonation, ImpersonationMode mode, User requester) {

  void check(Map<String, List<String>> extra) {
    if (mode.constrained()) {
      extra.forEach(this::checkForm);
      int count = extra.values().stream().mapToInt(List::size).sum();
      if (count >= Impersonation.MANY
          && impersonation.allows(
              mode.attributes(requester, "authentication.k8s.io", "userextras", "*", "", "*"))) {
        return;
      }
    }
    extra.forEach(
        (key, values) -> values.forEach(value -> impersonation.require(attributes(key, value))));
  }

  private Attributes attributes(String key, String value) {
    return mode.attributes(requester, "authentication.k8s.io", "userextras", key, "", value);
  }

  private void checkForm(String key, List<String> values) {
    if (key.isEmpty()) {
      throw refuse("impersonating the empty string key in extra is not allowed");
    }
    int slash = key.indexOf('/');
    if (slash <= 0
        || slash == key.length() - 1
        || !Names.dnsSubdomain(key.substring(0, slash)).isEmpty()) {
      throw refuse(
          "impersonating an invalid key in extra is not allowed: extra.key: Invalid value: "
              + GoText.quote(key)
              + ": must be a domain-prefixed path (such as \"acme.io/foo\")");
    }
    if (!key.equals(key.toLowerCase(Locale.ROOT))) {
      throw refuse(
          "impersonating a non-lowercase key in extra is not allowed: " + GoText.quote(key));
    }
    if (values.contains("")) {
      throw refuse("impersonating the empty string value in extra is not allowed");
    }
  }

  private ApiException refuse(String why) {
    return Impersonation.refuse(
        mode.attributes(requester, "authentication.k8s.io", "userextras", "", "", ""), why);
  }
}
