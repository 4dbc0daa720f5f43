package dev.muster.registry.connect;

import dev.muster.model.GroupKind;
import dev.muster.model.MalformedValueException;
import dev.muster.model.Timestamps;
import dev.muster.model.status.ApiException;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.types.options.Query;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** The options of a container log request. */
record PodLogOptions(Query query) {
  private static final GroupKind KIND = new GroupKind("", "PodLogOptions");
  private static final List<String> NUMBERS = List.of("sinceSeconds", "tailLines", "limitBytes");

  /** Parses and validates the options. */
  static PodLogOptions of(Query query, String pod) {
    var options = new PodLogOptions(query);
    options.checkTypes();
    var errors = new ArrayList<FieldError>();
    options.check(errors);
    if (!errors.isEmpty()) {
      throw ApiException.invalid(KIND, pod, errors);
    }
    return options;
  }

  private void checkTypes() {
    NUMBERS.forEach(name -> query.integer(name, 0));
    var time = query.first("sinceTime");
    if (!time.isEmpty() && !time.equals("null")) {
      try {
        Timestamps.parse(time);
      } catch (MalformedValueException e) {
        throw ApiException.badRequest(String.valueOf(e.getMessage()));
      }
    }
  }

  private void check(List<FieldError> errors) {
    atLeast("tailLines", 0, "must be greater than or equal to 0", errors);
    atLeast("limitBytes", 1, "must be greater than 0", errors);
    if (query.has("sinceSeconds") && query.has("sinceTime")) {
      errors.add(
          FieldError.forbidden(
              FieldPath.NAMELESS, "at most one of `sinceTime` or `sinceSeconds` may be specified"));
    } else {
      atLeast("sinceSeconds", 1, "must be greater than 0", errors);
    }
    if (query.has("stream")) {
      errors.add(FieldError.forbidden(FieldPath.of("stream"), "may not be specified"));
    }
  }

  private void atLeast(String name, long least, String detail, List<FieldError> errors) {
    if (query.has(name) && query.integer(name, 0) < least) {
      errors.add(FieldError.invalid(FieldPath.of(name), query.integer(name, 0), detail));
    }
  }

  String container() {
    return query.first("container");
  }

  Destination.Backend backend() {
    return query.isTrue("insecureSkipTLSVerifyBackend")
        ? Destination.Backend.UNVERIFIED_KUBELET
        : Destination.Backend.KUBELET;
  }

  /** The query for the kubelet, sorted by name. */
  String forKubelet() {
    var asked = new TreeMap<String, String>();
    for (var flag : List.of("follow", "previous", "timestamps")) {
      if (query.isTrue(flag)) {
        asked.put(flag, "true");
      }
    }
    for (var name : NUMBERS) {
      if (query.has(name)) {
        asked.put(name, Long.toString(query.integer(name, 0)));
      }
    }
    if (!query.first("sinceTime").isEmpty()) {
      asked.put("sinceTime", query.first("sinceTime"));
    }
    var text = new ArrayList<String>();
    asked.forEach(
        (name, value) -> text.add(name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8)));
    return String.join("&", text);
  }
}
