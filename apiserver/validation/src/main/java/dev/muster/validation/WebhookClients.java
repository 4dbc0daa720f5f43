package dev.muster.validation;

import dev.muster.model.MalformedValueException;
import dev.muster.model.gocompat.GoUrl;
import dev.muster.model.json.Json;
import dev.muster.model.validation.Names;
import dev.muster.model.validation.NumberRules;

/** Validates the {@code clientConfig} of webhooks: a URL or a Service. */
public final class WebhookClients {
  private static final String FORM = "; desired format: https://host[/path]";

  private WebhookClients() {}

  /** A URL with only host and path. */
  public static void url(FieldCursor place) {
    GoUrl url;
    try {
      url = GoUrl.parse(place.text());
    } catch (MalformedValueException e) {
      place.required("url must be a valid URL: " + e.getMessage() + FORM);
      return;
    }
    if (!url.scheme().equals("https")) {
      place.invalid(Json.of(url.scheme()), "'https' is the only allowed URL scheme" + FORM);
    }
    if (url.host().isEmpty()) {
      place.invalid(Json.of(""), "host must be specified" + FORM);
    }
    if (url.hasUser()) {
      place.invalid(Json.of(url.user()), "user information is not permitted in the URL");
    }
    if (!url.fragment().isEmpty()) {
      place.invalid(Json.of(url.fragment()), "fragments are not permitted in the URL");
    }
    if (!url.query().isEmpty()) {
      place.invalid(Json.of(url.query()), "query parameters are not permitted in the URL");
    }
  }

  /**
   * A Service reference. Like kube-apiserver, reports a missing name at {@code namespace} and a
   * missing namespace at {@code name}.
   */
  public static void service(FieldCursor service) {
    if (service.at("namespace").isEmpty()) {
      service.at("name").required("");
    }
    if (service.at("name").isEmpty()) {
      service.at("namespace").required("");
    }
    var port = service.at("port");
    for (var problem : NumberRules.port(port.integer())) {
      port.invalid("port is not valid: " + problem);
    }
    path(service.at("path"));
  }

  private static void path(FieldCursor place) {
    var path = place.text();
    if (path.isEmpty() || path.equals("/")) {
      return;
    }
    if (path.equals("//")) {
      place.invalid("segment[0] may not be empty");
      return;
    }
    if (!path.startsWith("/")) {
      place.invalid("must start with a '/'");
    }
    var segments = path.substring(1);
    segments = segments.endsWith("/") ? segments.substring(0, segments.length() - 1) : segments;
    var parts = segments.split("/", -1);
    for (int i = 0; i < parts.length; i++) {
      if (parts[i].isEmpty()) {
        place.invalid("segment[" + i + "] may not be empty");
        continue;
      }
      for (var problem : Names.dnsSubdomain(parts[i])) {
        place.invalid("segment[" + i + "]: " + problem);
      }
    }
  }
}
