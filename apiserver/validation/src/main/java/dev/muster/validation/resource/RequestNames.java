package dev.muster.validation.resource;

import dev.muster.model.json.Json;
import dev.muster.model.validation.Names;
import dev.muster.validation.FieldCursor;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The names of a claim's requests, each with the names of its subrequests. */
record RequestNames(Map<String, Set<String>> names) {
  private static final String UNKNOWN =
      "must be the name of a request in the claim or the name of a request and a subrequest"
          + " separated by '/'";

  static RequestNames of(FieldCursor devices) {
    var names = new HashMap<String, Set<String>>();
    for (var request : devices.at("requests").items()) {
      var alternatives = new HashSet<String>();
      for (var alternative : request.at("firstAvailable").items()) {
        alternatives.add(alternative.at("name").text());
      }
      names.put(request.at("name").text(), alternatives);
    }
    return new RequestNames(names);
  }

  /** Validates a reference to a request or subrequest. */
  void check(FieldCursor reference) {
    var parts = reference.text().split("/", -1);
    if (parts.length > 2) {
      reference.invalid(UNKNOWN);
      return;
    }
    for (var part : parts) {
      reference.with(Json.of(part)).invalidEach(Names.dnsLabel(part));
    }
    var alternatives = names.get(parts[0]);
    if (alternatives == null || (parts.length == 2 && !alternatives.contains(parts[1]))) {
      reference.with(Json.of(reference.text())).invalid(UNKNOWN);
    }
  }
}
